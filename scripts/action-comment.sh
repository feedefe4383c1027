#!/bin/sh
# action-comment.sh writes the result of an evaluation, the file $RULPH_MARKDOWN, into a comment on the pull
# request $RULPH_PULL_REQUEST: into the one it wrote before about the same files and rubric, else into a new
# one. A comment that cannot be written is a warning; the evaluation has said whether the job fails.

warn() {
    printf '::warning title=rulph::%s\n' "$1"
    exit 0
}

case ${RULPH_PULL_REQUEST-} in
'' | *[!0-9]*) warn 'no comment was written: this is no pull request' ;;
esac
[ -s "${RULPH_MARKDOWN-}" ] || warn 'no comment was written: there is no result'
command -v gh >/dev/null || warn 'no comment was written: gh is not installed on this runner'

# A comment is found again by a mark that is not seen. Only one of a bot is taken: a person could write the
# mark too, and would go on to change what it says.
key=$(printf '%s\n%s\n' "${RULPH_FILES-}" "${RULPH_RUBRIC-}" | cksum | tr -cd '0-9')
mark="<!-- rulph-evaluate $key -->"
body=$RULPH_MARKDOWN.comment
{
    printf '%s\n' "$mark"
    cat "$RULPH_MARKDOWN"
} >"$body" || warn 'no comment was written: it could not be put together'

comments=repos/$GITHUB_REPOSITORY/issues
found=$(gh api --paginate --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$mark\"))) | .id" "$comments/$RULPH_PULL_REQUEST/comments" | sed -n 1p)
case $found in
'') gh api --silent --method POST -F "body=@$body" "$comments/$RULPH_PULL_REQUEST/comments" ;;
*[!0-9]*) false ;;
*) gh api --silent --method PATCH -F "body=@$body" "$comments/comments/$found" ;;
esac || warn 'no comment was written; the workflow has to give the job the permission pull-requests: write'
