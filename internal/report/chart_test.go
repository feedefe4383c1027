package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The plot is 266 units high from 26 (100 points) to 292 (0 points), and 786 wide from 46 to 832.

func TestChartHeightsFollowTheScore(t *testing.T) {
	for score, want := range map[float64]float64{0: 292, 50: 159, 100: 26, 70: 105.8, -5: 292, 140: 26} {
		if got := chartY(score); got != want {
			t.Errorf("chartY(%v) = %v, want %v", score, got, want)
		}
	}
}

func TestChartColumnsShareTheWidth(t *testing.T) {
	for _, c := range []struct {
		i, n int
		want float64
	}{{0, 1, 439}, {0, 2, 242.5}, {1, 2, 635.5}, {5, 6, 766.5}} {
		if got := chartX(c.i, c.n); got != c.want {
			t.Errorf("chartX(%d, %d) = %v, want %v", c.i, c.n, got, c.want)
		}
	}
	// Three dots nine units apart: the group is 15 + 18 wide and centred.
	if got := pointX(0, 2, 3); got != 226 {
		t.Errorf("pointX = %v, want 226", got)
	}
	if got := pointX(0, 2, 0); got != 242.5 {
		t.Errorf("a rubric without criteria: pointX = %v, want 242.5", got)
	}
}

func TestDotsStayInTheirColumn(t *testing.T) {
	for _, rounds := range []int{1, 6, 20, 40} {
		for _, criteria := range []int{1, 3, 10, 30} {
			column := (chartWidth - chartLeft - chartRight) / float64(rounds)
			left := pointX(0, rounds, criteria)
			right := left + dotGap + float64(criteria-1)*dotStep(rounds, criteria)
			if left < chartLeft-0.1 || right > chartLeft+column+0.1 {
				t.Errorf("%d rounds, %d criteria: from %.1f to %.1f, the column ends at %.1f", rounds, criteria, left, right, chartLeft+column)
			}
		}
	}
}

func TestChartJoinsKeptRoundsAndHangsRolledBackOnesOffTheirBase(t *testing.T) {
	c := scoreChart(Data{Best: 3, Threshold: 80, Rounds: []Round{
		{Number: 0, Overall: 50, Kept: true},
		{Number: 1, Overall: 40, RolledBack: true},
		{Number: 2, Void: true},
		{Number: 3, Overall: 100, Kept: true},
	}})
	wantLines := []chartLine{
		{144.3, 159, 340.8, 185.6, "back"},
		{144.3, 159, 733.8, 26, "kept"},
	}
	if diff := cmp.Diff(wantLines, c.Lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	wantPoints := []chartPoint{
		{X: 144.3, Y: 159, LabelY: 146, Text: "50.0", Title: "Baseline: 50.0", Kind: "kept"},
		{X: 340.8, Y: 185.6, LabelY: 208.6, Text: "40.0", Title: "Round 1: 40.0", Kind: "back"},
		{X: 537.3, Y: 292, LabelY: 279, Text: "void", Title: "Round 2: void, no judge answered", Kind: "void"},
		{X: 733.8, Y: 26, LabelY: 49, Text: "100.0", Title: "Round 3: 100.0", Kind: "best"},
	}
	if diff := cmp.Diff(wantPoints, c.Points); diff != "" {
		t.Errorf("points (-want +got):\n%s", diff)
	}
	if want := "144.3,292 144.3,159 733.8,26 733.8,292"; c.Area != want {
		t.Errorf("area %q, want %q", c.Area, want)
	}
	if want := "Overall score: baseline 50.0, round 1 40.0 (rolled back), round 2 void, round 3 100.0. Threshold 80."; c.Desc != want {
		t.Errorf("desc %q, want %q", c.Desc, want)
	}
}

func TestTheNoiseBandLiesAroundTheKeptScore(t *testing.T) {
	d := Data{Best: 1, Calibration: &Calibration{Band: 10}, Rounds: []Round{{Number: 0, Overall: 20, Kept: true}, {Number: 1, Overall: 50, Kept: true}, {Number: 2, Overall: 90, RolledBack: true}}}
	// 60 points are at 132.4, 40 at 185.6.
	if diff := cmp.Diff(&chartBand{132.4, 53.2, "noise band ±10.0 around 50.0"}, scoreChart(d).Band); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	d.Rounds[1].Overall = 97
	if diff := cmp.Diff(&chartBand{26, 34.6, "noise band ±10.0 around 97.0"}, scoreChart(d).Band); diff != "" {
		t.Errorf("at the edge (-want +got):\n%s", diff)
	}
	for name, change := range map[string]func(*Data){
		"nothing measured": func(d *Data) { d.Calibration = nil },
		"no noise":         func(d *Data) { d.Calibration = &Calibration{} },
		"nothing kept":     func(d *Data) { d.Best = -1 },
	} {
		other := d
		if change(&other); scoreChart(other).Band != nil {
			t.Errorf("%s: a band", name)
		}
	}
}

func TestChartMarksCriteriaBelowTheirFloor(t *testing.T) {
	d := Data{Floor: 60, Criteria: []CriterionInfo{{ID: "a", Name: "A", Floor: 60}, {ID: "b", Name: "B", Floor: 60}, {ID: "c", Name: "C", Floor: 60}},
		Rounds: []Round{{Overall: 60, Criteria: []CriterionScore{{ID: "a", Score: ptr(50), Below: true}, {ID: "c", Score: ptr(75)}}}}}
	want := []chartDot{
		{X: 437.5, Y: 159, R: 3, Below: true, Text: "A: 50.0"},
		{X: 455.5, Y: 92.5, R: 3, Text: "C: 75.0"}, // the place of B stays empty
	}
	if diff := cmp.Diff(want, scoreChart(d).Dots); diff != "" {
		t.Errorf("dots (-want +got):\n%s", diff)
	}
}

func TestLabelsOfThresholdAndFloorDoNotOverlap(t *testing.T) {
	for _, c := range []struct {
		threshold, floor float64
		want             []chartBar
	}{
		{80, 60, []chartBar{{79.2, 79.2, "threshold 80", "threshold"}, {132.4, 132.4, "floor 60", "floor"}}},
		{70, 70, []chartBar{{105.8, 97.8, "threshold 70", "threshold"}, {105.8, 113.8, "floor 70", "floor"}}},
		{60, 62, []chartBar{{132.4, 137.8, "threshold 60", "threshold"}, {127.1, 121.8, "floor 62", "floor"}}},
		{90, 0, []chartBar{{52.6, 52.6, "threshold 90", "threshold"}}},
	} {
		got := chartBars(c.threshold, c.floor)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("threshold %v, floor %v (-want +got):\n%s", c.threshold, c.floor, diff)
		}
	}
}

func TestTrendBreaksWhereARoundHasNoScore(t *testing.T) {
	score := func(v float64, below bool) []CriterionScore {
		return []CriterionScore{{ID: "a", Score: ptr(v), Below: below}}
	}
	d := Data{Best: 4, Rounds: []Round{
		{Number: 0, Criteria: score(0, true)},
		{Number: 1, Criteria: score(50, false)},
		{Number: 2, Void: true},
		{Number: 3, Criteria: score(25, true), RolledBack: true},
		{Number: 4, Criteria: score(100, false)},
	}}
	got := trend(d, CriterionInfo{ID: "a", Floor: 50})
	want := spark{
		Width: 120, Height: 34, Floor: 17, Desc: "By round: 0.0, 50.0, 25.0 (rolled back), 100.0",
		Paths: []string{"4,30 32,17"},
		Dots:  []sparkDot{{4, 30, "below"}, {32, 17, "kept"}, {88, 23.5, "back"}, {116, 4, "best"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := trend(Data{}, CriterionInfo{ID: "a"}).Desc; got != "Never scored" {
		t.Errorf("no rounds: %q", got)
	}
	if got := sparkX(0, 1); got != 60 {
		t.Errorf("a single round stands at %v, want the middle", got)
	}
}

func TestMeterFillsAndTicksInProportion(t *testing.T) {
	if got, want := scoreMeter(120, ptr(75), 60, false), (meter{Width: 120, Filled: 90, Tick: 72}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := scoreMeter(120, nil, 0, true), (meter{Width: 120, Below: true}); got != want {
		t.Errorf("no score: %+v, want %+v", got, want)
	}
}
