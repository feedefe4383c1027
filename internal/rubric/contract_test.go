package rubric

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheContractHasTheShapeOfTheOriginal(t *testing.T) {
	r := New()
	for _, name := range []string{"Accuracy", "Depth"} {
		r.Criteria = append(r.Criteria, Criterion{Name: name, Items: items("A", "B", "C", "D", "E")})
	}
	r.Complete()
	want := `## Evaluation Contract

**Target**: notes.md
**Threshold**: 70/100
**Per-criterion floor**: 60/100
**Max rounds**: 5
**Scoring method**: Checklist Decomposition

| # | Criterion | Weight | Sub-items | Formula |
|---|---|---|---|---|
| 1 | Accuracy | 50% | □ A · □ B · □ C · □ D · □ E | (checked/5) × 100 |
| 2 | Depth | 50% | □ A · □ B · □ C · □ D · □ E | (checked/5) × 100 |

Pass condition: overall >= 70 AND every criterion >= 60
Rubric locked. Starting evaluation.
`
	if diff := cmp.Diff(want, r.Contract("notes.md")); diff != "" {
		t.Error(diff)
	}
}

func TestTheContractShowsScalesAndFloorsThatDiffer(t *testing.T) {
	want := `## Evaluation Contract

**Target**: HANDBOOK.md
**Threshold**: 80/100
**Per-criterion floor**: 60/100 (Set-up instructions: 70/100)
**Max rounds**: 5
**Scoring method**: Checklist Decomposition + 5-Level Anchors + 3-Point Scale

| # | Criterion | Weight | Sub-items | Formula |
|---|---|---|---|---|
| 1 | Set-up instructions | 40% | □ Names the supported operating systems · □ Leaves nothing to be done · □ Gives an install command in a code block · □ Says how to remove it | (checked/4) × 100 |
| 2 | Writing tone | 20% | 0=only praise · 25=mostly praise · 50=half of it facts · 75=mostly facts · 100=only facts | level |
| 3 | Fidelity to intent | 40% | 0=another topic · 1=the topic, not the goal · 2=the goal | (points/2) × 100 |

Pass condition: overall >= 80 AND every criterion >= 60 (Set-up instructions >= 70)
Rubric locked. Starting evaluation.
`
	if diff := cmp.Diff(want, handbook().Contract("")); diff != "" {
		t.Error(diff)
	}
}

func TestThePassConditionNamesEveryFloor(t *testing.T) {
	for name, c := range map[string]struct {
		floor float64
		own   []*float64
		line  string
		want  string
	}{
		"no floor at all":      {0, []*float64{nil, nil}, "off", "overall >= 70"},
		"the same one again":   {60, []*float64{pointer(60.0), nil}, "60/100", "overall >= 70 AND every criterion >= 60"},
		"one without":          {60, []*float64{pointer(0.0), nil}, "60/100 (A: off)", "overall >= 70 AND every criterion >= 60 (A without a floor)"},
		"only those of others": {0, []*float64{pointer(50.0), pointer(62.5)}, "off (A: 50/100, B: 62.5/100)", "overall >= 70 AND A >= 50 AND B >= 62.5"},
	} {
		r := weighted(0, 0)
		r.Floor = c.floor
		r.Criteria[0].Floor, r.Criteria[1].Floor = c.own[0], c.own[1]
		if got := r.passCondition(); got != c.want {
			t.Errorf("%s: pass condition %q, want %q", name, got, c.want)
		}
		if got := r.floorLine(); got != c.line {
			t.Errorf("%s: floor %q, want %q", name, got, c.line)
		}
	}
}

func TestACellHoldsAnyText(t *testing.T) {
	r := New()
	r.Criteria = []Criterion{
		{Name: "a | b", Items: items("uses `x | y`", "c")},
		{Name: "b", Stated: nil, Items: items("d", "e")},
	}
	r.Complete()
	want := `| 1 | a \| b | 50% | □ uses ` + "`x \\| y`" + ` · □ c | (checked/2) × 100 |`
	if got := r.Contract("two\nlines"); !contains(got, want) || !contains(got, "**Target**: two lines") {
		t.Errorf("the contract is\n%s\nwant a line\n%s", got, want)
	}
}

func TestTheContractShowsTheWeightsAsWritten(t *testing.T) {
	if got := weighted(33, 33, 34.5).Contract(""); !contains(got, "| 1 | A | 33% |") || !contains(got, "| 3 | C | 34.5% |") {
		t.Error(got)
	}
	if got := weighted(0, 0, 0).Contract(""); !contains(got, "| 1 | A | 33.3% |") {
		t.Error(got)
	}
}

func TestTheDraftHasThreeItemsARowAndTheScalesApart(t *testing.T) {
	want := `## Draft Rubric

| # | Criterion | Weight | Sub-items (yes/no each) |
|---|---|---|---|
| 1 | Set-up instructions | 40% | □ Names the supported operating systems · □ Leaves nothing to be done · □ Gives an install command in a code block |
|  |  |  | □ Says how to remove it |
|  |  |  | score = (checked / 4) × 100 |

| # | Criterion | Weight | Scoring Guidance |
|---|---|---|---|
| 2 | Writing tone | 20% | 0=only praise · 25=mostly praise · 50=half of it facts · 75=mostly facts · 100=only facts |
| 3 | Fidelity to intent | 40% | 0=another topic · 1=the topic, not the goal · 2=the goal |
`
	if diff := cmp.Diff(want, handbook().DraftTable()); diff != "" {
		t.Error(diff)
	}
}

func TestNumbersAreWrittenAsAPersonWould(t *testing.T) {
	for _, c := range []struct {
		n        float64
		decimals int
		want     string
	}{{70, 2, "70"}, {33.3, 2, "33.3"}, {100.0 / 3, 1, "33.3"}, {0.1 + 0.2, 6, "0.3"}, {-0.0001, 2, "0"}, {100, 0, "100"}, {0, 1, "0"}} {
		if got := Number(c.n, c.decimals); got != c.want {
			t.Errorf("Number(%v, %d) is %q, want %q", c.n, c.decimals, got, c.want)
		}
	}
}
