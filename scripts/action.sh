#!/bin/sh
# action.sh is the step of action.yml that evaluates: it turns the inputs, which come as $RULPH_..., into
# the arguments of `hoyeon-cli evaluate`, and the result into annotations, a summary and outputs. A list has
# one value a line. White space around a value is none of it.
#
# Exit: what the command exits with; 2 for an input that says nothing, or several things in one line.

# Where the action has built it, before any other of that name.
PATH=${RULPH_BIN:+$RULPH_BIN:}$PATH
export PATH

fail() {
    printf '::error title=rulph::%s\n' "$1"
    exit 2
}

# trim sets line to $1 without the white space around it, the line ends of YAML blocks included.
trim() {
    line=$1
    line=${line#"${line%%[![:space:]]*}"}
    line=${line%"${line##*[![:space:]]}"}
}

# on reports whether the switch $1 with the value $2 is on.
on() {
    trim "$2"
    case $line in
    true) return 0 ;;
    false | '') return 1 ;;
    esac
    fail "the input $1 is true or false"
}

# one_judge refuses a line that names several judges. What runs as a command may hold anything.
one_judge() {
    case $1 in
    command:*) ;;
    *[,\;[:space:]]claude* | *[,\;[:space:]]codex* | *[,\;[:space:]]gemini* | *[,\;[:space:]]command:* | *[,\;[:space:]]checks*)
        fail 'the input judges has several judges in a line; write one a line'
        ;;
    esac
}

trim "${RULPH_FILES-}"
[ -n "$line" ] || fail 'the input files is empty'
trust='' summary=''
on trust-checks "${RULPH_TRUST_CHECKS-}" && trust=yes
on summary "${RULPH_SUMMARY-}" && summary=yes

dir=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/rulph.XXXXXX") || exit 1

set -- evaluate --format=github "--output=json=$dir/evaluation.json" "--output=md=$dir/evaluation.md" "--output=junit=$dir/evaluation.xml"
[ -z "$trust" ] || set -- "$@" --trust-checks
trim "${RULPH_RUBRIC-}"; [ -z "$line" ] || set -- "$@" "--rubric=$line"
trim "${RULPH_THRESHOLD-}"; [ -z "$line" ] || set -- "$@" "--threshold=$line"
trim "${RULPH_FLOOR-}"; [ -z "$line" ] || set -- "$@" "--floor=$line"
trim "${RULPH_REPEAT-}"; [ -z "$line" ] || set -- "$@" "--repeat=$line"
trim "${RULPH_TIMEOUT-}"; [ -z "$line" ] || set -- "$@" "--timeout=$line"
trim "${RULPH_MAX_TOKENS-}"; [ -z "$line" ] || set -- "$@" "--max-tokens=$line"
trim "${RULPH_MAX_USD-}"; [ -z "$line" ] || set -- "$@" "--max-usd=$line"
trim "${RULPH_MAX_TIME-}"; [ -z "$line" ] || set -- "$@" "--max-time=$line"
while IFS= read -r raw; do
    trim "$raw"
    one_judge "$line"
    [ -z "$line" ] || set -- "$@" "--judge=$line"
done <<END
${RULPH_JUDGES-}
END
while IFS= read -r raw; do
    trim "$raw"
    [ -z "$line" ] || set -- "$@" "--include=$line"
done <<END
${RULPH_INCLUDE-}
END
set -- "$@" --
while IFS= read -r raw; do
    trim "$raw"
    [ -z "$line" ] || set -- "$@" "$line"
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
