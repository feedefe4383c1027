#!/bin/bash
# The Stop hook as a script, the way such loops are usually written: what the hook binary replaces. It reads the
# session's state with jq, counts the stop, lets go when the loop is over, and blocks otherwise.
set -u
input=$(cat)
sid=$(jq -r '.session_id // "unknown"' <<<"$input")
state=$HOME/.hoyeon/$sid/state.json
[ -f "$state" ] || exit 0
loop=$(jq -c '.rulph // empty' "$state" 2>/dev/null)
[ -n "$loop" ] || exit 0

status=$(jq -r '.status // "active"' <<<"$loop")
iteration=$(jq -r '.iteration // 0' <<<"$loop")
max_iterations=$(jq -r '.max_iterations // 15' <<<"$loop")
score=$(jq -r '.score // 0' <<<"$loop")
threshold=$(jq -r '.threshold // 70' <<<"$loop")
round=$(jq -r '.round // 0' <<<"$loop")
max_rounds=$(jq -r '.max_rounds // 5' <<<"$loop")

# drop takes the loop out of the state.
drop() {
    jq 'del(.rulph)' "$state" >"$state.$$" && mv "$state.$$" "$state"
    exit 0
}
[ "$status" = completed ] && drop
iteration=$((iteration + 1))
jq --argjson n "$iteration" '.rulph.iteration = $n' "$state" >"$state.$$" && mv "$state.$$" "$state"
[ "$iteration" -gt "$max_iterations" ] && drop
jq -e '.rulph | .score >= .threshold' "$state" >/dev/null && drop
[ "$round" -gt "$max_rounds" ] && drop
jq -n --arg reason "rulph: score $score of $threshold, round $round of $max_rounds: go on." '{decision: "block", reason: $reason}'
