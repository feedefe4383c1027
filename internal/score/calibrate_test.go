package score

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rulph/internal/rubric"
)

// repeats are scorings by one judge of a criterion with as many items; each text is one scoring.
func repeats(r rubric.Rubric, answers ...string) (list []Result) {
	for _, a := range answers {
		list = append(list, Compute(round(r, available("1", a))))
	}
	return list
}

func calibrate(t *testing.T, r rubric.Rubric, list []Result) Calibration {
	t.Helper()
	cal, err := Calibrate(r, list)
	if err != nil {
		t.Fatal(err)
	}
	return cal
}

// 2y(n-y) / (n(n-1)), y of n scorings said yes.
func TestTheFlipRateCountsPairsThatDiffer(t *testing.T) {
	r := of(checklist("a", 100, 4))
	// a 4 of 4: 0; b 2 of 4: 8/12; c 1 of 4: 6/12; d 1 of 2, unsure twice: 2/2
	cal := calibrate(t, r, repeats(r, "a=yyyy", "a=yynn", "a=ynnu", "a=ynnu"))
	near(t, "flip rate", cal.Flip.Value, (0+8.0/12+6.0/12+1)/4, 1e-12)
	if cal.Items != 4 || cal.Repeats != 4 || cal.Flip.Pairs != 2+2+2+1 {
		t.Errorf("%+v", cal)
	}
	want := []ItemNoise{{"a", "d", 1}, {"a", "b", 8.0 / 12}, {"a", "c", 0.5}}
	if diff := cmp.Diff(want, cal.Shaky); diff != "" {
		t.Errorf("shaky:\n%s", diff)
	}
}

func TestEachJudgeHasItsOwnNoise(t *testing.T) {
	r := of(checklist("a", 50, 2), levels("l", 50))
	var list []Result
	for i, second := range []string{"a=yn l=50", "a=nn l=75", "", "a=yn l=50"} {
		judges := []Judge{available("steady", "a=yn l=50"), {Name: "shy", State: Degraded}, {Name: "ill", State: Skipped}}
		if second != "" {
			judges[1] = available("shy", second)
		}
		if i == 0 {
			judges[2] = available("ill", "a=yn l=0")
		}
		list = append(list, Compute(round(r, judges...)))
	}
	cal := calibrate(t, r, list)
	// shy: a/a 2 of 3 pairs differ, a/b none, l 2 of 3; its scores 50, 37.5 (0 and 75), 50.
	want := []JudgeNoise{{"steady", 4, 0, 0}, {"shy", 3, 4.0 / 9, 12.5 / math.Sqrt(3)}}
	if diff := cmp.Diff(want, cal.Judges, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })); diff != "" {
		t.Error(diff)
	}
	near(t, "flip rate", cal.Flip.Value, (0+0+0+2.0/3+0+2.0/3)/6, 1e-12)
	if cal.Items != 3 || cal.Flip.Pairs != 3*2+3*1 {
		t.Errorf("%+v", cal)
	}
	if diff := cmp.Diff([]ItemNoise{{"a", "a", 1.0 / 3}, {"l", "", 1.0 / 3}}, cal.Shaky, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })); diff != "" {
		t.Error(diff)
	}
}

// spread are eight scorings of m items in which the first flipped items differ in one scoring each, up and
// down in turn, so that each has a flip rate of 2 x 7 / 56 = 1/4 and the overall score hardly moves.
func spread(m, flipped int) []string {
	rows := make([][]byte, 8)
	for i := range rows {
		rows[i] = []byte("a=" + strings.Repeat("yn", m)[:m])
	}
	for i := range flipped {
		row := rows[i/2%8]
		row[2+i] = map[byte]byte{'y': 'n', 'n': 'y'}[row[2+i]]
	}
	out := make([]string, 8)
	for i, r := range rows {
		out[i] = string(r)
	}
	return out
}

func many(id string, n int) rubric.Criterion {
	c := rubric.Criterion{ID: id, Name: id, Weight: 100}
	for i := range n {
		c.Items = append(c.Items, rubric.Item{ID: itemID(i), Text: "?"})
	}
	return c
}

// 1.96 x sqrt(2) x 100 x sqrt(f / 2m): the band for m items of one weight and a flip rate f.
func TestTheFlipRatesPredictTheBand(t *testing.T) {
	for _, c := range []struct {
		m, flipped int
		flip       float64
		band       string
	}{{10, 2, 0.05, "13.9"}, {25, 5, 0.05, "8.8"}, {50, 10, 0.05, "6.2"}, {25, 25, 0.25, "19.6"}} {
		r := of(many("a", c.m))
		cal := calibrate(t, r, repeats(r, spread(c.m, c.flipped)...))
		near(t, "flip rate", cal.Flip.Value, c.flip, 1e-12)
		if got := fmt.Sprintf("%.1f", cal.Band); got != c.band {
			t.Errorf("%d items, flip rate %v: band %s, want %s (sd %v)", c.m, c.flip, got, c.band, cal.SD)
		}
	}
}

func TestTwoJudgesHalveThePredictedVariance(t *testing.T) {
	r := of(many("a", 25))
	var list []Result
	for _, a := range spread(25, 5) {
		list = append(list, Compute(round(r, available("1", a), available("2", spread(25, 0)[0]))))
	}
	// The second judge does not flip: 1/4 of one judge's variance.
	near(t, "band", calibrate(t, r, list).Band, z95*math.Sqrt2*100*math.Sqrt(0.05/50)/2, 1e-9)
}

// Weights, fixed items and levels: overall = 0.6 a + 0.4 l, where a has two judged and two fixed items.
func TestThePredictedBandWeighsWhatJudgesAnswer(t *testing.T) {
	r := of(text(checklist("a", 60, 4), 2), levels("l", 40))
	var list []Result
	for _, a := range []string{"a=--yn l=50", "a=--nn l=75", "a=--yy l=75", "a=--nn l=50"} {
		list = append(list, scoring(r, map[string]string{"a": "yn"}, available("1", a)))
	}
	n := measure(r, list)
	// items c: 2 of 4, variance 100² x (8/12)/2; d: 1 of 4, 100² x (6/12)/2; level: 25² x (8/12)/2
	want := math.Pow(0.6/4, 2)*1e4*(8.0/12+6.0/12)/2 + math.Pow(0.4, 2)*625*(8.0/12)/2
	near(t, "variance", n.variance(), want, 1e-9)
	if len(n.units) != 3 || n.pairs != 6 {
		t.Errorf("%+v", n)
	}
}

func TestTheBandIsNotBelowWhatTheScoresShow(t *testing.T) {
	r := of(many("a", 10))
	// All ten items flip together: the score is 100, 0, 100, 0, which no independent flips predict.
	all, none := "a="+strings.Repeat("y", 10), "a="+strings.Repeat("n", 10)
	cal := calibrate(t, r, repeats(r, all, none, all, none))
	near(t, "sd", cal.SD, math.Sqrt(1e4/3), 1e-9)
	if cal.Band != 100 { // 3.18 x 1.41 x 57.7 is more than the scale has
		t.Errorf("band %v", cal.Band)
	}
	half := "a=" + strings.Repeat("y", 9) + "n"
	cal = calibrate(t, r, repeats(r, all, half, all, half))
	near(t, "band", cal.Band, 3.182446305*math.Sqrt2*cal.SD, 1e-6)
}

// Three equal scorings do not prove that the judges never differ.
func TestWithoutAnyFlipTheBandIsThatOfHalfAFlip(t *testing.T) {
	r := of(many("a", 25))
	cal := calibrate(t, r, repeats(r, spread(25, 0)[:3]...))
	if cal.Flip.Value != 0 || cal.Flip.Low != 0 || cal.SD != 0 || cal.Shaky != nil || cal.Flip.Pairs != 25 {
		t.Errorf("%+v", cal)
	}
	near(t, "band", cal.Band, z95*math.Sqrt2*100*math.Sqrt(0.02/50), 1e-9) // half a flip in 25 pairs: 0.02
	one := spread(25, 1)[:3]
	if more := calibrate(t, r, repeats(r, one...)); more.Band <= cal.Band {
		t.Errorf("with a flip %v, without %v", more.Band, cal.Band)
	}
	r = of(levels("l", 50), points("p", 50))
	near(t, "band of levels", calibrate(t, r, repeats(r, "l=50 p=1", "l=50 p=1")).Band,
		z95*math.Sqrt2*math.Sqrt(0.25*(625+2500)*(0.5/2)/2), 1e-9)
}

func TestAtMostTenItemsAreCalledShaky(t *testing.T) {
	r := of(many("a", 14))
	cal := calibrate(t, r, repeats(r, "a=yyyyyyyyyyyyyy", "a=nnnnnnnnnnnnny"))
	if len(cal.Shaky) != 10 || cal.Shaky[0].Item != "a" || cal.Shaky[9].Item != "j" {
		t.Errorf("%+v", cal.Shaky)
	}
}

func TestWhatCannotBeCalibrated(t *testing.T) {
	judged, fixed := of(checklist("a", 100, 4)), of(text(checklist("a", 100, 2), 2))
	good, void := Compute(round(judged, available("1", "a=yynn"))), Compute(round(judged, Judge{Name: "1", State: Degraded}))
	silent := scoring(of(text(checklist("a", 100, 4), 1)), map[string]string{"a": "y"}, available("1", "a=-uuu"))
	checked := scoring(fixed, map[string]string{"a": "yn"})
	for want, c := range map[string]struct {
		rubric  rubric.Rubric
		repeats []Result
	}{
		"of 0 repeats 0 scored": {judged, nil},
		"of 1 repeats 1 scored": {judged, []Result{good}},
		"of 3 repeats 1 scored": {judged, []Result{void, good, void}},
		"answer every item":     {fixed, []Result{checked, checked}},
		"no judge answered any": {of(text(checklist("a", 100, 4), 1)), []Result{silent, silent}},
	} {
		cal, err := Calibrate(c.rubric, c.repeats)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v, %+v", want, err, cal)
		}
	}
}

func TestAScoringThatFailedCostsNoCalibration(t *testing.T) {
	r := of(checklist("a", 100, 4))
	list := repeats(r, "a=yynn", "a=ynnn", "a=yyyn")
	void := Compute(round(r, Judge{Name: "1", State: Degraded}))
	want := calibrate(t, r, list)
	if got := calibrate(t, r, []Result{void, list[0], list[1], void, list[2]}); want.Repeats != 3 || !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

func TestACalibrationSurvivesJSON(t *testing.T) {
	r := of(checklist("a", 60, 3), levels("l", 40))
	cal := calibrate(t, r, repeats(r, "a=yny l=25", "a=nny l=50", "a=yyy l=25"))
	cal.Artifact, cal.Models = "sha256:x", map[string]string{"1": "m"}
	raw, err := json.Marshal(cal)
	if err != nil {
		t.Fatal(err)
	}
	var back Calibration
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(cal, back); diff != "" {
		t.Error(diff)
	}
}
