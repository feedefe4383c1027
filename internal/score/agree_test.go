package score

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The two worked examples of Krippendorff, Computing Krippendorff's Alpha-Reliability (2011): B, binary
// data of two observers, and C, nominal data of four observers with values missing (0 here).
func TestAlphaOfThePublishedExamples(t *testing.T) {
	byUnit := func(observers ...[]int) [][]int {
		units := make([][]int, len(observers[0]))
		for _, o := range observers {
			for u, v := range o {
				if v != 0 {
					units[u] = append(units[u], v)
				}
			}
		}
		return units
	}
	binary := byUnit( // 1 and 2 for 0 and 1
		[]int{1, 2, 1, 1, 1, 1, 1, 1, 2, 1},
		[]int{2, 2, 2, 1, 1, 2, 1, 1, 1, 1},
	)
	nominal := byUnit(
		[]int{1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0},
		[]int{1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3},
		[]int{0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0},
		[]int{1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0},
	)
	for _, c := range []struct {
		name      string
		units     [][]int
		exact     float64
		published string
	}{
		// 8 disagreeing values of 20, 14 of one kind: 1 - 8 x 19 / (2 x 14 x 6)
		{"binary", binary, 2.0 / 21, "0.095"},
		// 40 pairable values, 9 13 10 5 3 of a kind; units 2, 6 and 8 disagree by 6/3, 12/3 and 6/3:
		// 1 - 8 x 39 / (9x31 + 13x27 + 10x30 + 5x35 + 3x37)
		{"nominal", nominal, 1 - 8*39.0/1216, "0.743"},
	} {
		got := alpha(c.units)
		if got == nil {
			t.Errorf("%s: no alpha", c.name)
			continue
		}
		if math.Abs(*got-c.exact) > 1e-12 {
			t.Errorf("%s: alpha = %v, want %v", c.name, *got, c.exact)
		}
		if s := fmt.Sprintf("%.3f", *got); s != c.published {
			t.Errorf("%s: alpha = %s, published %s", c.name, s, c.published)
		}
	}
}

func TestAgreementOfTwoJudges(t *testing.T) {
	// The binary example again, as two judges' answers to ten items.
	r := of(checklist("a", 50, 6), checklist("b", 50, 4))
	got := Compute(round(r, available("meg", "a=nynnnn b=nnyn"), available("owen", "a=yyynny b=nnnn")))
	if got.Agreement == nil || *got.Agreement != 60 {
		t.Errorf("agreement = %v, want 60", got.Agreement)
	}
	if got.Alpha == nil || math.Abs(*got.Alpha-2.0/21) > 1e-12 {
		t.Errorf("alpha = %v, want %v", got.Alpha, 2.0/21)
	}
}

func TestAgreementLeavesOutWhatIsNotAnswered(t *testing.T) {
	r := of(checklist("c", 50, 6), levels("l", 50))
	// Pairs: a 3 of 3 agree, b 1 of 3, c (one unsure) 0 of 1, d one answer, e none, f: unverified is a no, 1 of 1.
	got := Compute(round(r, available("1", "c=yyyyux l=100"), available("2", "c=yyn-un l=0"), available("3", "c=ynuu-u l=50")))
	if got.Agreement == nil || *got.Agreement != 100*5.0/8 {
		t.Errorf("agreement = %v, want 62.5", got.Agreement)
	}
}

func TestAgreementIsUndefinedWithoutPairs(t *testing.T) {
	r := of(checklist("c", 100, 3))
	for name, in := range map[string]Input{
		"one judge":     round(r, available("1", "c=yny")),
		"one available": round(r, available("1", "c=yny"), Judge{Name: "2", State: Degraded}),
		"no judge":      round(r),
		"no pair":       round(r, available("1", "c=yu-"), available("2", "c=uny")),
		"levels alone":  round(of(levels("l", 100)), available("1", "l=50"), available("2", "l=50")),
	} {
		if got := Compute(in); got.Agreement != nil || got.Alpha != nil {
			t.Errorf("%s: agreement %v, alpha %v, want none", name, got.Agreement, got.Alpha)
		}
	}
}

func TestAlphaIsUndefinedWhenAllAnswersAreTheSame(t *testing.T) {
	got := Compute(round(of(checklist("c", 100, 3)), available("1", "c=yyn"), available("2", "c=yyu")))
	if got.Agreement == nil || *got.Agreement != 100 || got.Alpha != nil {
		t.Errorf("agreement %v, alpha %v; want 100 and none", got.Agreement, got.Alpha)
	}
}

func TestDisagreementIsMoreThanTwentyPointsApart(t *testing.T) {
	r := of(checklist("c", 50, 15), checklist("d", 50, 20))
	said := func(yes, of int) string {
		s := ""
		for i := range of {
			s += map[bool]string{true: "y", false: "n"}[i < yes]
		}
		return s
	}
	judge := func(name string, c, d int) Judge {
		return available(name, "c="+said(c, 15)+" d="+said(d, 20))
	}
	// c: 13 and 10 of 15 are exactly 20 points apart, and 20.000000000000014 in floats.
	// d: 20, 13 and 16 of 20 are 35 apart at most; 13 and 16 are within the limit.
	got := Compute(round(r, judge("codex", 13, 20), judge("claude", 10, 13), judge("gemini", 12, 16)))
	want := []Disagreement{{Criterion: "d", Low: JudgeScore{"claude", 65}, High: JudgeScore{"codex", 100}, Gap: 35}}
	if diff := cmp.Diff(want, got.Disagreements); diff != "" {
		t.Error(diff)
	}
	got = Compute(round(r, judge("codex", 13, 10), judge("claude", 9, 10)))
	if len(got.Disagreements) != 1 || got.Disagreements[0].Criterion != "c" {
		t.Errorf("26.7 points apart: %+v", got.Disagreements)
	}
	gone := judge("gemini", 0, 0)
	gone.State = Degraded
	if got := Compute(round(r, judge("codex", 13, 10), gone)); got.Disagreements != nil {
		t.Errorf("with a judge that is not available: %+v", got.Disagreements)
	}
}
