package score

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rulph/internal/rubric"
)

// The one stored report of the original says 91.65 for its first round, added up by a model.
func TestOverallIsTheWeightedMean(t *testing.T) {
	r := of(checklist("a", 20, 1), checklist("b", 20, 1), checklist("c", 25, 100), checklist("d", 15, 1), checklist("e", 20, 1))
	for _, c := range []struct {
		yes  int
		want float64
	}{{67, 91.75}, {83, 95.75}} {
		answers := "a=y b=y d=y e=y c=" + strings.Repeat("y", c.yes) + strings.Repeat("n", 100-c.yes)
		got := Compute(round(r, available("codex", answers)))
		wantScore(t, "criterion c", scoreOf(got, 2), float64(c.yes))
		wantScore(t, "overall", got.Overall, c.want)
	}
}

func TestOnlyAnswersAreInTheDenominator(t *testing.T) {
	for _, c := range []struct {
		answers string
		want    float64 // -1: no score
		counts  [6]int  // yes no unsure missing unverified unknown
	}{
		{"yyyn", 75, [6]int{3, 1, 0, 0, 0, 0}},
		{"nnnn", 0, [6]int{0, 4, 0, 0, 0, 0}},
		{"yyyu", 100, [6]int{3, 0, 1, 0, 0, 0}},
		{"yyy-", 100, [6]int{3, 0, 0, 1, 0, 0}},
		{"ynuu", 50, [6]int{1, 1, 2, 0, 0, 0}},
		{"qqqx", 75, [6]int{3, 0, 0, 0, 1, 0}},
		{"xxxx", 0, [6]int{0, 0, 0, 0, 4, 0}},
		{"yxu-", 50, [6]int{1, 0, 1, 1, 1, 0}},
		{"uuuu", -1, [6]int{0, 0, 4, 0, 0, 0}},
		{"----", -1, [6]int{0, 0, 0, 4, 0, 0}},
	} {
		got := Compute(round(of(checklist("c", 50, 4), levels("l", 50)), available("codex", "l=50 c="+c.answers)))
		wantScore(t, c.answers, scoreOf(got, 0), c.want)
		k := got.Criteria[0]
		if counts := [6]int{k.Yes, k.No, k.Unsure, k.Missing, k.Unverified, k.Unknown}; counts != c.counts {
			t.Errorf("%s: counts %v, want %v", c.answers, counts, c.counts)
		}
	}
}

func TestCriterionWithoutAScoreDropsOutOfTheOverall(t *testing.T) {
	r := of(checklist("a", 30, 2), levels("b", 45), checklist("c", 25, 2))
	got := Compute(round(r, available("codex", "a=yn b=100 c=u-")))
	// (30 x 50 + 45 x 100) / 75
	wantScore(t, "overall", got.Overall, 80)
	if got.Criteria[2].Score != nil || got.Criteria[2].Below {
		t.Errorf("criterion c: %+v; want no score, and not below the floor", got.Criteria[2])
	}
	if Passed(got, 0) {
		t.Error("passed with a criterion nobody answered")
	}
}

func TestLevelsAndPointsAreScores(t *testing.T) {
	r := of(levels("l", 50), points("p", 50))
	for answers, want := range map[string][3]float64{ // level, points, overall
		"l=75 p=1":   {75, 50, 62.5},
		"l=0 p=0":    {0, 0, 0},
		"l=100 p=2":  {100, 100, 100},
		"l=25":       {25, -1, 25},
		"l=80 p=2":   {-1, 100, 100}, // 80 is no level: nobody said what it means
		"l=75 p=100": {75, -1, 75},
	} {
		got := Compute(round(r, available("codex", answers)))
		if g := [3]float64{scoreOf(got, 0), scoreOf(got, 1), got.Overall}; g != want {
			t.Errorf("%s: %v, want %v", answers, g, want)
		}
		if want[1] == -1 && got.Criteria[1].Missing != 1 {
			t.Errorf("%s: missing = %d, want 1", answers, got.Criteria[1].Missing)
		}
	}
}

func TestCriterionIsTheMeanOverAvailableJudges(t *testing.T) {
	r := of(checklist("a", 50, 4), levels("b", 50))
	gone := available("gemini", "a=nnnn b=0")
	gone.State, gone.Reason = Degraded, "timed out after 60 s"
	absent := available("other", "a=nnnn b=0")
	absent.State = Skipped
	got := Compute(round(r, available("codex", "a=yyyn b=50"), gone, available("claude", "a=ynuu"), absent))
	wantScore(t, "a", scoreOf(got, 0), 62.5) // (75 + 50) / 2
	wantScore(t, "b", scoreOf(got, 1), 50)   // claude gave none
	if diff := cmp.Diff(map[string]float64{"codex": 75, "claude": 50}, got.Criteria[0].ByJudge); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]float64{"codex": 50}, got.Criteria[1].ByJudge); diff != "" {
		t.Error(diff)
	}
	if got.LowConfidence || got.Void {
		t.Errorf("low confidence %v, void %v with two judges", got.LowConfidence, got.Void)
	}
	if j := got.Judges[1]; j.Name != "gemini" || j.State != Degraded || j.Reason != "timed out after 60 s" || j.Items != nil || j.Overall != nil {
		t.Errorf("degraded judge: %+v", j)
	}
	wantScore(t, "codex overall", *got.Judges[0].Overall, 62.5)
	wantScore(t, "claude overall", *got.Judges[2].Overall, 50)
}

func TestEvidenceRule(t *testing.T) {
	for _, c := range []struct {
		rule    rubric.Evidence
		answers string
		want    string // outcomes
	}{
		{rubric.Optional, "yqxnu-", "yes yes unverified no unsure missing"},
		{rubric.Required, "yqxnu-", "unverified yes unverified no unsure missing"},
		{rubric.Off, "yqxnu-", "yes yes yes no unsure missing"},
	} {
		r := of(checklist("c", 100, 6))
		r.Evidence = c.rule
		got := outcomes(Compute(round(r, available("codex", "c="+c.answers))), 0, "c", 6)
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.rule, got, c.want)
		}
	}
}

func TestWithoutAnArtifactNoQuotationIsVerified(t *testing.T) {
	in := round(of(checklist("c", 100, 2)), available("codex", "c=qy"))
	in.Quoted = nil
	if got := outcomes(Compute(in), 0, "c", 2); got != "unverified yes" {
		t.Errorf("got %s", got)
	}
}

func outcomes(r Result, judge int, criterion string, items int) string {
	var words []string
	for i := range items {
		words = append(words, string(r.Judges[judge].Items[criterion][itemID(i)]))
	}
	return strings.Join(words, " ")
}

func TestFixedAnswersAreTheSameForEveryJudge(t *testing.T) {
	in := round(of(probed(probed(checklist("c", 100, 6), 3), 4)), available("codex", "c=nyyyyy"), available("claude", "c=ynnnnn"))
	in.Fixed = Fixed{"c": {"a": Yes, "b": No, "c": Unknown, "d": No, "f": "sort of"}}
	got := Compute(in)
	for judge := range 2 {
		// e has a probe that was not run, so a judge's answer to it does not count.
		if words := outcomes(got, judge, "c", 6); words != "yes no unknown no unknown unknown" {
			t.Errorf("judge %d: %s", judge, words)
		}
	}
	wantScore(t, "score", scoreOf(got, 0), 100.0/3)
	if got.Criteria[0].Unknown != 6 || got.Criteria[0].Yes != 2 {
		t.Errorf("%+v", got.Criteria[0])
	}
	if got.Agreement != nil || got.Alpha != nil || got.LowConfidence {
		t.Error("answers of no judge counted as a judge's")
	}
}

func TestOneJudgeIsLowConfidence(t *testing.T) {
	mixed := of(probed(checklist("c", 100, 2), 0))
	fixed := Fixed{"c": {"a": Yes}}
	for name, c := range map[string]struct {
		judges []Judge
		want   bool
	}{
		"one":                      {[]Judge{available("codex", "c=-y")}, true},
		"one, unsure":              {[]Judge{available("codex", "c=-u")}, true},
		"one that said nothing":    {[]Judge{available("codex", "c=--")}, false},
		"two":                      {[]Judge{available("codex", "c=-y"), available("claude", "c=-y")}, false},
		"one of two":               {[]Judge{available("codex", "c=-y"), {Name: "claude", State: Degraded}}, true},
		"no judge":                 {nil, false},
		"a judge that is not here": {[]Judge{{Name: "claude", State: Skipped}}, false},
	} {
		in := round(mixed, c.judges...)
		in.Fixed = fixed
		if got := Compute(in).LowConfidence; got != c.want {
			t.Errorf("%s: low confidence = %v, want %v", name, got, c.want)
		}
	}
	if !Compute(round(of(levels("l", 100)), available("codex", "l=50"))).LowConfidence {
		t.Error("one judge's level alone is not low confidence")
	}
}

func TestRoundWithoutAScoreIsVoid(t *testing.T) {
	r := of(checklist("a", 50, 2), levels("b", 50))
	for name, in := range map[string]Input{
		"no judges":         round(r),
		"none available":    round(r, Judge{Name: "codex", State: Skipped}, Judge{Name: "claude", State: Degraded}),
		"an unknown state":  round(r, Judge{Name: "codex", State: "available"}),
		"nothing but doubt": round(r, available("codex", "a=uu"), available("claude", "a=u-")),
		"an empty rubric":   round(of(), available("codex", "")),
	} {
		got := Compute(in)
		if !got.Void || got.Overall != 0 || got.LowConfidence || Passed(got, 0) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := Compute(round(r, available("codex", "a=nn b=0"))); got.Void {
		t.Error("a round of noes is void")
	}
}

func TestChecksStandForAJudgeWhereNoneIsAsked(t *testing.T) {
	in := round(of(probed(checklist("a", 60, 2), 0), levels("b", 40)))
	in.Fixed = Fixed{"a": {"a": Yes, "b": No}}
	got := Compute(in)
	wantScore(t, "overall", got.Overall, 50)
	if len(got.Judges) != 1 || got.Judges[0].Name != "checks" || got.Judges[0].State != Available || got.Void || got.LowConfidence {
		t.Errorf("%+v", got)
	}
	if got.Criteria[1].Score != nil {
		t.Error("a criterion with levels has a score without a judge")
	}
	delete(in.Fixed["a"], "b") // now a judge would be needed
	if got := Compute(in); !got.Void || got.Judges != nil {
		t.Errorf("%+v", got)
	}
	if got := Compute(round(of(levels("b", 100)))); !got.Void || got.Judges != nil {
		t.Errorf("%+v", got)
	}
}

func TestItemIsOpenUnlessMoreThanHalfOfTheJudgesSayYes(t *testing.T) {
	r := of(checklist("c", 100, 5))
	for _, c := range []struct {
		judges []Judge
		want   string
	}{
		{[]Judge{available("1", "c=ynu-x")}, "b c d e"},
		{[]Judge{available("1", "c=yyyyy"), available("2", "c=ynu-x")}, "b c d e"},
		{[]Judge{available("1", "c=yyyyy"), available("2", "c=yynqx"), available("3", "c=ynuuu")}, "c e"},
		{[]Judge{available("1", "c=yyyyy"), {Name: "2", State: Degraded}}, ""},
		{[]Judge{{Name: "2", State: Degraded}}, ""},
	} {
		if got := strings.Join(Compute(round(r, c.judges...)).Criteria[0].Open, " "); got != c.want {
			t.Errorf("open = %q, want %q", got, c.want)
		}
	}
}

func TestFloorIsTheCriterionsElseTheLoops(t *testing.T) {
	r := of(floor(levels("a", 30), 80), levels("b", 30), floor(levels("c", 40), 0))
	in := round(r, available("codex", "a=75 b=75 c=0"))
	in.Floor = 75 // the rubric's is 60
	got := Compute(in)
	for i, want := range []struct {
		floor float64
		below bool
	}{{80, true}, {75, false}, {0, false}} {
		if c := got.Criteria[i]; c.Floor != want.floor || c.Below != want.below {
			t.Errorf("criterion %s: floor %v below %v, want %v %v", c.ID, c.Floor, c.Below, want.floor, want.below)
		}
	}
}

func TestSuggestionsAreKeptWithTheirJudge(t *testing.T) {
	a, b, gone := available("codex", "c=yn"), available("claude", "c=yn"), available("gemini", "c=yn")
	a.Verdict.Suggestions = map[string]string{"c": "Add an example.", "unknown": "x"}
	b.Verdict.Suggestions = map[string]string{"c": "Name the licence."}
	gone.Verdict.Suggestions = map[string]string{"c": "Stale."}
	gone.State = Degraded
	got := Compute(round(of(checklist("c", 100, 2)), a, gone, b)).Criteria[0].Suggestions
	if diff := cmp.Diff([]Suggestion{{"codex", "Add an example."}, {"claude", "Name the licence."}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestClaimedScoreThatDisagreesIsReported(t *testing.T) {
	in := round(of(probed(checklist("c", 40, 4), 3), levels("l", 30), points("p", 30)), available("codex", "c=yyx- l=75 p=1"))
	in.Fixed = Fixed{"c": {"d": No}}
	for _, c := range []struct {
		claimed map[string]float64
		want    []Claim
	}{
		{nil, nil},
		{map[string]float64{"c": 100, "l": 75, "p": 50}, nil}, // its own answers are three yes
		{map[string]float64{"c": 99.5, "p": 1}, nil},          // rounded; the points themselves
		{map[string]float64{"c": 99.4, "l": 80, "p": 49}, []Claim{{"c", 99.4, 100}, {"l", 80, 75}, {"p", 49, 50}}},
		{map[string]float64{"c": 1e9}, []Claim{{"c", 1e9, 100}}},
	} {
		in.Judges[0].Verdict.Claimed = c.claimed
		got := Compute(in)
		if diff := cmp.Diff(c.want, got.Judges[0].Claims); diff != "" {
			t.Errorf("%v: %s", c.claimed, diff)
		}
		wantScore(t, "criterion", scoreOf(got, 0), 50) // two of yes, yes, unverified, no
	}
}

func TestReasonIsCutAtARuneBorder(t *testing.T) {
	in := round(of(checklist("c", 100, 2)), Judge{Name: "codex", State: Degraded, Reason: "\xff" + strings.Repeat("é", 400)})
	// U+FFFD has three bytes, and 248 times two more make 499: the 249th would end at 501.
	if got, want := Compute(in).Judges[0].Reason, "\uFFFD"+strings.Repeat("é", 248); got != want {
		t.Errorf("reason of %d bytes: %q", len(got), got)
	}
}
