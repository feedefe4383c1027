package score

import (
	"math"
	"testing"
)

func result(overall float64, cs ...Criterion) Result {
	return Result{Overall: overall, Criteria: cs}
}

func crit(id string, weight, floor, score float64) Criterion {
	return Criterion{ID: id, Weight: weight, Floor: floor, Score: &score}
}

func TestBothTheThresholdAndEveryFloorMustHold(t *testing.T) {
	for name, c := range map[string]struct {
		result    Result
		threshold float64
		want      bool
	}{
		"above both":                     {result(92, crit("a", 80, 60, 100), crit("b", 20, 60, 60)), 90, true},
		"a criterion below its floor":    {result(92, crit("a", 80, 70, 100), crit("b", 20, 70, 60)), 90, false},
		"below its own floor alone":      {result(92, crit("a", 80, 0, 100), crit("b", 20, 61, 60)), 90, false},
		"exactly the threshold":          {result(90, crit("a", 100, 0, 90)), 90, true},
		"just below the threshold":       {result(89.99999, crit("a", 100, 0, 89.99999)), 90, false},
		"a fraction above a fraction":    {result(91.65, crit("a", 100, 60, 91.65)), 91.6, true},
		"exactly the floor":              {result(80, crit("a", 100, 80, 80)), 70, true},
		"just below the floor":           {result(79.99999, crit("a", 100, 80, 79.99999)), 70, false},
		"threshold 0 at score 0":         {result(0, crit("a", 100, 0, 0)), 0, true},
		"threshold 0 below the floor":    {result(0, crit("a", 100, 1, 0)), 0, false},
		"a criterion without a score":    {result(100, crit("a", 50, 0, 100), Criterion{ID: "b", Weight: 50}), 0, false},
		"void":                           {Result{Void: true, Criteria: []Criterion{crit("a", 100, 0, 100)}}, 0, false},
		"no criteria":                    {Result{Overall: 100}, 0, false},
		"not a number never passes":      {result(math.NaN(), crit("a", 100, 0, 100)), 0, false},
		"rounded below, but only so far": {result(70-1e-13, crit("a", 100, 60, 60-1e-13)), 70, true},
	} {
		if got := Passed(c.result, c.threshold); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// No float64 is a third. Scores and weights made of thirds must still reach what they reach on paper.
func TestRoundingOfFloatsDecidesNothing(t *testing.T) {
	third := 100.0 / 3
	r := of(checklist("a", third, 10), checklist("b", third, 10), checklist("c", third, 10))
	got := Compute(round(r, available("codex", "a=yyyyyyynnn b=yyyyyyynnn c=yyyyyyynnn")))
	if !Passed(got, 70) {
		t.Errorf("three times 70 is %v and does not reach 70", got.Overall)
	}
	for n := 1; n <= 24; n++ { // n of 24 twice, and half of it by another judge
		for _, w := range []float64{0.1, 1, 33.3, 49.99, 70} {
			r := of(checklist("a", w, 24), checklist("b", 100-w, 24))
			r.Floor = 100 * float64(n) / 24
			said := ""
			for i := range 24 {
				said += map[bool]string{true: "y", false: "n"}[i < n]
			}
			got := Compute(round(r, available("1", "a="+said+" b="+said), available("2", "a="+said+" b="+said), available("3", "a="+said+" b="+said)))
			if !Passed(got, r.Floor) {
				t.Errorf("%d of 24, weight %v: overall %v, criteria %v %v, does not reach %v", n, w, got.Overall, scoreOf(got, 0), scoreOf(got, 1), r.Floor)
			}
			if Passed(got, r.Floor+1e-6) {
				t.Errorf("%d of 24 reaches more than it is", n)
			}
		}
	}
}

func TestAtLeastAllowsForRoundingAlone(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want bool
	}{
		{70, 70, true}, {70.1, 70, true}, {69.9, 70, false}, {70 - 1e-12, 70, true}, {70 - 1e-8, 70, false},
		{0.1 + 0.2, 0.3, true}, {0.3, 0.1 + 0.2, true}, {0, 0, true}, {math.NaN(), 0, false}, {0, math.NaN(), false},
	} {
		if got := AtLeast(c.a, c.b); got != c.want {
			t.Errorf("AtLeast(%v, %v) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestTargetIsTheLowestBelowItsFloorElseTheLowest(t *testing.T) {
	none := Criterion{ID: "none", Weight: 90, Floor: 60}
	for name, c := range map[string]struct {
		criteria []Criterion
		want     string // "": nothing to improve
	}{
		"the lowest":                            {[]Criterion{crit("a", 50, 60, 80), crit("b", 20, 60, 70), crit("c", 30, 60, 90)}, "b"},
		"the lowest below the floor":            {[]Criterion{crit("a", 50, 60, 59), crit("b", 20, 60, 30), crit("c", 30, 60, 90)}, "b"},
		"below its own floor before a lower":    {[]Criterion{crit("a", 50, 20, 30), crit("b", 50, 80, 70)}, "b"},
		"the lowest of two below their floors":  {[]Criterion{crit("a", 50, 90, 50), crit("b", 50, 60, 40)}, "b"},
		"a tie goes to the weight":              {[]Criterion{crit("a", 20, 60, 50), crit("b", 50, 60, 50), crit("c", 30, 60, 50)}, "b"},
		"a tie of weights goes to rubric order": {[]Criterion{crit("a", 20, 60, 90), crit("b", 40, 60, 50), crit("c", 40, 60, 50)}, "b"},
		"a tie but for rounding is a tie":       {[]Criterion{crit("a", 30, 60, 200.0/3-1e-13), crit("b", 70, 60, 200.0/3)}, "b"},
		"exactly the floor is not below":        {[]Criterion{crit("a", 90, 60, 60), crit("b", 10, 65, 62)}, "b"},
		"without a score is no target":          {[]Criterion{none, crit("b", 10, 60, 99)}, "b"},
		"full marks are no target":              {[]Criterion{crit("a", 90, 60, 100), crit("b", 10, 60, 99)}, "b"},
		"all have full marks":                   {[]Criterion{crit("a", 90, 60, 100), crit("b", 10, 60, 100)}, ""},
		"none has a score":                      {[]Criterion{none}, ""},
		"no criteria":                           {nil, ""},
	} {
		got, ok := Target(c.criteria)
		if got.ID != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q %v, want %q", name, got.ID, ok, c.want)
		}
	}
}
