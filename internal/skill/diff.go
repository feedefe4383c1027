package skill

import (
	"bytes"
	"encoding/json"

	"rulph/internal/session"
)

// ParseDiff reads one JSON object {"section", "old", "new", "rationale"}; other keys are passed over. The error is a
// *Refusal that a model can act on, also where it returned the whole file in its place.
func ParseDiff(text []byte) (Diff, error) {
	trimmed := bytes.TrimSpace(bytes.TrimPrefix(text, bom))
	if front, _ := split(trimmed); len(front) > 0 {
		return Diff{}, refuse(Whole, `this is a whole SKILL.md; return {"section", "old", "new", "rationale"} with the one passage that changes`)
	}
	if err := session.Object(trimmed); err != nil {
		return Diff{}, refuse(NotText, `the change is no JSON object {"section", "old", "new", "rationale"}: %v`, err)
	}
	var given struct {
		Section, Rationale string
		Old, New           *string
		Gains              json.RawMessage
	}
	if err := json.Unmarshal(trimmed, &given); err != nil {
		return Diff{}, refuse(NotText, "the change: %v", err)
	}
	if given.Old == nil || given.New == nil {
		return Diff{}, refuse(Empty, "the change has no old or no new, each a text")
	}
	return Diff{given.Section, *given.Old, *given.New, given.Rationale, given.Gains}, nil
}
