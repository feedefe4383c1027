#!/bin/bash
# The Stop hook as a script that does the same work as the hook binary, written as such scripts are: one jq for each
# value. It refuses what is not for it, checks each field's type, looks at every criterion's floor, notices
# whether state or artifact changed since the last stop, keeps the three limits, and replaces the state under a lock.
set -u
input=$(cat)
jq -e 'type == "object"' >/dev/null 2>&1 <<<"$input" || exit 0
[ "$(jq -r '.hook_event_name // ""' <<<"$input")" = Stop ] || exit 0
sid=$(jq -r '.session_id // ""' <<<"$input")
[[ $sid =~ ^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$ ]] || exit 0
[ -z "$(jq -r '.agent_id // ""' <<<"$input")" ] || exit 0
[ "$(jq -r '(.background_tasks // []) | length' <<<"$input")" = 0 ] || exit 0
[ "$(jq -r '(.session_crons // []) | length' <<<"$input")" = 0 ] || exit 0
dir=$HOME/.hoyeon/$sid
state=$dir/state.json
[ -f "$state" ] || exit 0

exec 9>"$dir/state.lock"
flock 9
jq -e '.rulph | type == "object"' "$state" >/dev/null 2>&1 || exit 0
loop=$(jq -c '.rulph' "$state")
[ "$(jq -r '.schema // 1' <<<"$loop")" -le 1 ] || exit 0
[ "$(jq -r '.status // "active"' <<<"$loop")" = active ] || exit 0
[ -z "$(jq -r '.cancelled_at // ""' <<<"$loop")" ] || exit 0
[ "$(jq -r '.waiting // false' <<<"$loop")" = false ] || exit 0
number() { # field, default: a number from 0 up, or the loop is left alone
    jq -e --arg f "$1" --argjson d "$2" '(.[$f] // $d) | if type == "number" and . >= 0 then . else error end' <<<"$loop" 2>/dev/null
}
score=$(number score 0) || exit 0
threshold=$(number threshold 70) || exit 0
round=$(number round 0) || exit 0
max_rounds=$(number max_rounds 5) || exit 0
iteration=$(number iteration 0) || exit 0
max_iterations=$(number max_iterations 15) || exit 0
idle=$(number idle 5) || exit 0
idle_blocks=$(number idle_blocks 0) || exit 0
result=$(jq -r '.result // ""' <<<"$loop")
below=$(jq -r '[.history[-1].result.criteria[]? | select(.score < .floor)] | length' <<<"$loop")
now=$(date +%s)
progress=$(jq -r --argjson now "$now" '(.progress_at // null) | if . then (sub("\\.[0-9]+"; "") | fromdateiso8601) else $now end' <<<"$loop")
files=$(jq -r '.target.files[]?' <<<"$loop" | while IFS= read -r file; do stat -c '%n %s %Y' "$file"; done)
mark=$( (jq -cS 'del(.iteration, .idle_blocks, .mark, .progress_at)' <<<"$loop" && echo "$files") | sha256sum)
mark=${mark%% *}
[ "$mark" = "$(jq -r '.mark // ""' <<<"$loop")" ] || idle_blocks=0

write() {
    tmp=$(mktemp "$state.tmp-XXXXXX") && jq "$@" "$state" >"$tmp" && sync "$tmp" && mv "$tmp" "$state"
}
passed=$(jq -n --argjson s "$score" --argjson t "$threshold" '$s >= $t')
if [ -n "$result" ] || { [ "$passed" = true ] && [ "$below" = 0 ]; } || [ "$round" -gt "$max_rounds" ] ||
    [ "$idle_blocks" -ge "$idle" ] || [ "$iteration" -ge "$max_iterations" ] || [ $((now - progress)) -gt 7200 ]; then
    write '.rulph.status = "completed"'
    exit 0
fi
write --argjson i $((iteration + 1)) --argjson b $((idle_blocks + 1)) --arg m "$mark" '.rulph.iteration = $i | .rulph.idle_blocks = $b | .rulph.mark = $m'
jq -cn --arg reason "rulph, round $round of $max_rounds: score $score of $threshold; run \`hoyeon-cli rulph next\`." '{decision: "block", reason: $reason}'
