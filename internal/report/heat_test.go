package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHeatMapHasAColumnForEachJudgeThatAnswered(t *testing.T) {
	d := Data{
		Criteria: []CriterionInfo{{ID: "a", Name: "A", Items: []ItemInfo{{"x", "X", "judge", false}, {"y", "Y", "command", false}}}},
		Rounds: []Round{
			{Number: 0,
				Judges: []Judge{
					{Name: "codex", State: "AVAILABLE", Items: answers(map[string][]string{"a": {"x", "no", "y", "unknown"}})},
					{Name: "gemini", State: "DEGRADED", Items: answers(map[string][]string{"a": {"x", "yes"}})},
					{Name: "a judge with a long name", State: "AVAILABLE", Items: answers(map[string][]string{"a": {"y", "odd"}})},
				},
				Criteria: []CriterionScore{{ID: "a", Score: ptr(0), ByJudge: map[string]float64{"codex": 0, "gemini": 100}}},
			},
			{Number: 1, Void: true, Judges: []Judge{{Name: "codex", State: "DEGRADED"}}},
		},
	}
	got := heatMap(d)
	first := func(c heatCell) heatCell { c.First = true; return c }
	want := heat{
		Rounds: []heatRound{
			{"Baseline", []heatJudge{{"codex", "codex"}, {"a judge with a lo…", "a judge with a long name"}}},
			{"Round 1", []heatJudge{{}}},
		},
		Groups: []heatGroup{{Rows: []heatRow{
			{Text: "A", Cells: []heatCell{{"s0", "0.0", "0.0", true}, noAnswer, first(noAnswer)}},
			{Text: "X", Cells: []heatCell{{"no", "✗", "no", true}, noAnswer, first(noAnswer)}},
			{Text: "Y", By: "by a command", Cells: []heatCell{{"unknown", "⊘", "unknown", true}, {"none", "·", "odd", false}, first(noAnswer)}},
		}}},
		Legend: []heatCell{{Kind: "no", Mark: "✗", Word: "no"}, {Kind: "unknown", Mark: "⊘", Word: heatMeans["unknown"]}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHeatMapShadesScoresByFifths(t *testing.T) {
	for score, want := range map[float64]string{0: "s0", 19.9: "s0", 20: "s1", 59.9: "s2", 60: "s3", 80: "s4", 100: "s4", -3: "s0", 300: "s4"} {
		d := Data{Rounds: []Round{{Judges: []Judge{{Name: "j", State: "AVAILABLE"}}, Criteria: []CriterionScore{{ID: "a", ByJudge: map[string]float64{"j": score}}}}}}
		if got := scoreCells(d, CriterionInfo{ID: "a"})[0].Kind; got != want {
			t.Errorf("%v is %s, want %s", score, got, want)
		}
	}
}
