package score

import "testing"

func TestEffectiveNumberOfJudges(t *testing.T) {
	r := of(checklist("a", 50, 4), checklist("b", 50, 4), levels("l", 10))
	for name, c := range map[string]struct {
		judges []Judge
		want   float64 // -1: none
	}{
		"two that agree in all are one":         {[]Judge{available("1", "a=yynn b=ynyn"), available("2", "a=yynn b=ynyn")}, 1},
		"two that have nothing in common":       {[]Judge{available("1", "a=yynn"), available("2", "a=ynyn")}, 2},
		"disagreement makes no more than there": {[]Judge{available("1", "a=yynn"), available("2", "a=nnyy")}, 2},
		// n11 3, n00 3, n10 1, n01 1: phi = 8/16 = 0.5; 2 / 1.5
		"half in common": {[]Judge{available("1", "a=yyyy b=nnnn"), available("2", "a=yyyn b=nnny")}, 2 / 1.5},
		// pairs: 1, 0, 0, mean 1/3; 3 / (1 + 2/3)
		"two of three are the same":      {[]Judge{available("1", "a=yynn"), available("2", "a=yynn"), available("3", "a=ynyn")}, 1.8},
		"an unverified yes is a no":      {[]Judge{available("1", "a=yynn"), available("2", "a=yyxx")}, 1},
		"unsure leaves the pair of them": {[]Judge{available("1", "a=yynn"), available("2", "a=yunn")}, 1},
		// The third always says yes: no pair with it has a correlation, but it is a judge all the same.
		"one that does not vary counts":  {[]Judge{available("1", "a=yynn"), available("2", "a=yynn"), available("3", "a=yyyy")}, 1},
		"one judge":                      {[]Judge{available("1", "a=yynn")}, -1},
		"nobody varies":                  {[]Judge{available("1", "a=yyyy"), available("2", "a=yynn")}, -1},
		"nothing was answered by both":   {[]Judge{available("1", "a=yn--"), available("2", "a=--yn")}, -1},
		"levels alone":                   {[]Judge{available("1", "l=25"), available("2", "l=50")}, -1},
		"one that is not available":      {[]Judge{available("1", "a=yynn"), {Name: "2", State: Degraded}}, -1},
		"one that answered nothing else": {[]Judge{available("1", "a=yynn"), available("2", "a=ynyn"), available("3", "l=50")}, 2},
	} {
		got := Compute(round(r, c.judges...)).Independent
		switch {
		case c.want < 0 && got != nil:
			t.Errorf("%s: %v, want none", name, *got)
		case c.want >= 0 && got == nil:
			t.Errorf("%s: none, want %v", name, c.want)
		case got != nil:
			near(t, name, *got, c.want, 1e-12)
		}
	}
}

func TestFixedAnswersMakeNoJudgesAlike(t *testing.T) {
	in := round(of(checklist("a", 100, 8)), available("1", "a=yynn"), available("2", "a=ynyn"))
	in.Fixed = Fixed{"a": {"e": Yes, "f": Yes, "g": No, "h": No}}
	if got := Compute(in).Independent; got == nil || *got != 2 {
		t.Errorf("got %v, want 2", got)
	}
}
