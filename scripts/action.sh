#!/bin/sh
# action.sh is the step of action.yml that evaluates: it turns the inputs, which come as $RULPH_..., into
# the arguments of `hoyeon-cli evaluate`, and the result into annotations, a summary and outputs. A list has
# one value a line.
#
# Exit: what the command exits with; 2 for an input that says nothing.

# Where the action has built it, before any other of that name.
PATH=${RULPH_BIN:+$RULPH_BIN:}$PATH
export PATH

fail() {
    printf '::error title=rulph::%s\n' "$1"
    exit 2
}

# on reports whether the switch $1 with the value $2 is on.
on() {
    case $2 in
    true) return 0 ;;
    false | '') return 1 ;;
    esac
    fail "the input $1 is true or false"
}

# says reports whether the line $1 says anything.
says() {
    case $1 in
    *[![:space:]]*) return 0 ;;
    esac
    return 1
}

# with_value prints $1 without the line ends behind it, which YAML blocks have.
with_value() { printf '%s' "$1"; }

says "${RULPH_FILES-}" || fail 'the input files is empty'
trust='' summary=''
on trust-checks "${RULPH_TRUST_CHECKS-}" && trust=yes
on summary "${RULPH_SUMMARY-}" && summary=yes

dir=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/rulph.XXXXXX") || exit 1
cr=$(printf '\r')

set -- evaluate --format=github "--output=json=$dir/evaluation.json" "--output=md=$dir/evaluation.md" "--output=junit=$dir/evaluation.xml"
[ -z "$trust" ] || set -- "$@" --trust-checks
[ -z "${RULPH_RUBRIC-}" ] || set -- "$@" "--rubric=$(with_value "$RULPH_RUBRIC")"
[ -z "${RULPH_THRESHOLD-}" ] || set -- "$@" "--threshold=$(with_value "$RULPH_THRESHOLD")"
[ -z "${RULPH_FLOOR-}" ] || set -- "$@" "--floor=$(with_value "$RULPH_FLOOR")"
[ -z "${RULPH_REPEAT-}" ] || set -- "$@" "--repeat=$(with_value "$RULPH_REPEAT")"
[ -z "${RULPH_TIMEOUT-}" ] || set -- "$@" "--timeout=$(with_value "$RULPH_TIMEOUT")"
[ -z "${RULPH_MAX_TOKENS-}" ] || set -- "$@" "--max-tokens=$(with_value "$RULPH_MAX_TOKENS")"
[ -z "${RULPH_MAX_USD-}" ] || set -- "$@" "--max-usd=$(with_value "$RULPH_MAX_USD")"
[ -z "${RULPH_MAX_TIME-}" ] || set -- "$@" "--max-time=$(with_value "$RULPH_MAX_TIME")"
while IFS= read -r line; do
    ! says "$line" || set -- "$@" "--judge=${line%"$cr"}"
done <<END
${RULPH_JUDGES-}
END
while IFS= read -r line; do
    ! says "$line" || set -- "$@" "--include=${line%"$cr"}"
done <<END
${RULPH_INCLUDE-}
END
set -- "$@" --
while IFS= read -r line; do
    ! says "$line" || set -- "$@" "${line%"$cr"}"
done <<END
${RULPH_FILES-}
END

# The runner also reads commands from what a judge's client says on standard error, unless it is told to
# stop until a word comes that nobody else knows.
word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
[ ${#word} -eq 32 ] || fail 'no random numbers on this machine'
printf '::stop-commands::%s\n' "$word"

# In the background, so that a cancelled job ends it and it ends its judges, from its first moment on.
command='' signals=0
trap 'signals=$((signals + 1)); [ -z "$command" ] || kill -TERM "$command" 2>/dev/null' HUP INT TERM
hoyeon-cli "$@" >"$dir/log" </dev/null &
command=$!
[ $signals -eq 0 ] || kill -TERM "$command"
# A signal ends the wait with a status of its own, and then the command's is still to come; 127 says that it
# has been told already.
status=127
while :; do
    before=$signals
    wait "$command"
    ended=$?
    [ $ended -eq 127 ] || status=$ended
    [ "$signals" -ne "$before" ] || break
done
printf '::%s::\n' "$word"

cat "$dir/log"
if [ ! -s "$dir/log" ]; then
    printf '::error title=rulph::hoyeon-cli evaluate ended with exit status %s; its message is in the log above\n' "$status"
fi

# field prints a field of the result that is a number or a word. The document is indented by two, and no text
# in it has a line end, so a line that starts this way is one of its own fields.
field() { sed -n "s/^  \"$1\": \\([a-z0-9.+-]*\\),\\{0,1\\}\$/\\1/p" "$dir/evaluation.json" 2>/dev/null; }

passed=$(field passed) overall=$(field overall)
[ "$(field void)" != true ] || overall=''
output() { printf '%s=%s\n' "$1" "$2" >>"${GITHUB_OUTPUT:-/dev/null}"; }
output passed "${passed:-false}"
output overall "$overall"
output status "$status"
for form in json:json md:markdown xml:junit; do
    file=$dir/evaluation.${form%%:*}
    [ -s "$file" ] || file=''
    output "${form#*:}" "$file"
done
if [ -n "$summary" ] && [ -s "$dir/evaluation.md" ]; then
    cat "$dir/evaluation.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
fi
exit "$status"
