#!/bin/bash
# The Stop hook as the public loop that this one grew from has it: eight questions to jq, no floors, no notice of
# progress, no lock, and nothing of what its input says beside the session.
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
over=$(jq -r '.score >= .threshold or .round > .max_rounds' <<<"$loop")

iteration=$((iteration + 1))
if [ "$status" = completed ] || [ "$over" = true ] || [ "$iteration" -gt "$max_iterations" ]; then
    jq 'del(.rulph)' "$state" >"$state.$$" && mv "$state.$$" "$state"
    exit 0
fi
jq --argjson n "$iteration" '.rulph.iteration = $n' "$state" >"$state.$$" && mv "$state.$$" "$state"
jq -c '{decision: "block", reason: "rulph: score \(.score) of \(.threshold), round \(.round) of \(.max_rounds): go on."}' <<<"$loop"
