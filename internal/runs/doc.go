// Package runs keeps the history of a skill's trials in runs.jsonl: one JSON object a line, written once, never
// rewritten. It knows how a record is checked, numbered and appended, and what the next trial has to
// know of the earlier ones; it reads logs of any length in one pass and little memory. It refuses to judge: what is
// in a record was decided elsewhere, and a field it does not know is kept as it came.
package runs
