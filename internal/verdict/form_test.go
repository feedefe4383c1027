package verdict

import (
	"regexp"
	"strings"
	"testing"
)

func TestShapeShowsEveryQuestionAtItsPlace(t *testing.T) {
	form := Form{Criteria: []FormCriterion{
		{ID: "setup", Name: "Set-up", Items: []FormItem{{ID: "os", Text: "Names the systems"}, {ID: "in\"stall", Text: "Installs"}}},
		{ID: "tone", Name: "Tone", Levels: true},
		{ID: "fidelity", Name: "Fidelity", Points: true},
	}}
	want := `{
  "checklist": {
    "setup": {
      "os": {"verdict": "yes|no|unsure", "evidence": "<exact quotation from the artifact>"},
      "in\"stall": {"verdict": "yes|no|unsure", "evidence": "<exact quotation from the artifact>"}
    }
  },
  "levels": {
    "tone": <0|25|50|75|100>,
    "fidelity": <0|1|2>
  },
  "suggestions": {
    "setup": "<one concrete action>",
    "tone": "<one concrete action>",
    "fidelity": "<one concrete action>"
  }
}`
	if got := form.Shape(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFilledInShapeIsAVerdict(t *testing.T) {
	text := handbook.Shape()
	text = regexp.MustCompile(`"<exact[^"]*"`).ReplaceAllString(text, `"a quotation"`)
	text = strings.NewReplacer("yes|no|unsure", "yes", "<0|25|50|75|100>", "25", "<0|1|2>", "1").Replace(text)
	if got := accept(t, text, handbook); got.Missing != 0 || len(got.Items) != 2 || got.Levels["fidelity"] != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestShapeItselfIsMalformed(t *testing.T) {
	reason(t, handbook.Shape(), handbook)
	checklist := Form{Criteria: handbook.Criteria[:2]}
	want := `item "os" of criterion "setup": "yes|no|unsure" is no answer; it must be "yes", "no", or "unsure" where the artifact does not tell`
	if got := reason(t, checklist.Shape(), checklist); got != want {
		t.Errorf("reason = %q, want %q", got, want)
	}
	levels := Form{Criteria: handbook.Criteria[2:]}
	want = `the JSON object breaks at line 3, column 13 before "<0|25|50|75|100>, \"fidelit": expected a value: an object, a string, a number, true, false or null`
	if got := reason(t, levels.Shape(), levels); got != want {
		t.Errorf("reason = %q, want %q", got, want)
	}
}
