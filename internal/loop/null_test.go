package loop

import (
	"fmt"
	"strconv"
	"testing"

	"rulph/internal/score"
)

// simulated is how many loops, or calibrations, each row of a table rests on.
const simulated = 1000

// The settings pair each number of items with each flip rate, and each number of judges with both.
var panels = []panel{
	{10, 0.05, 1}, {10, 0.136, 2}, {10, 0.25, 3},
	{25, 0.05, 2}, {25, 0.136, 3}, {25, 0.25, 1},
	{50, 0.05, 3}, {50, 0.136, 1}, {50, 0.25, 2},
}

// A loop of five rounds in which nothing changes but the judges' minds. The same scorings are given to
// a loop, to a loop with a calibration of five repeats, and to the rule of loops that call every rise by
// more than 2 points over the best score an improvement. All five rounds are played, though most of
// these loops would have stagnated: each rule gets every chance to be wrong.
func TestALoopWithoutAnyChangeHardlyEverSaysImproved(t *testing.T) {
	const rounds = 5
	var rows [][]string
	for _, x := range panels {
		gains := make([]float64, simulated)
		said := share(simulated, func(seed int) []string {
			w := x.world(uint64(seed))
			plain, measured := w.start(rounds), w.start(rounds)
			cal := w.calibrated(5)
			measured.Calibration = &cal
			best, first, rose := 0.0, 0.0, false
			for n := range rounds + 1 {
				res := w.score()
				plain, measured = play(plain, res), play(measured, res)
				if n == 0 {
					best, first = res.Overall, res.Overall
				}
				rose = rose || res.Overall > best+2
				best = max(best, res.Overall)
			}
			gains[seed] = best - first
			out := append(words("", plain), words("calibrated ", measured)...)
			if rose {
				out = append(out, "rose")
			}
			return out
		})
		for _, which := range []string{"", "calibrated "} {
			if n := said[which+string(score.Improved)]; n > simulated/20 {
				t.Errorf("%s: %d of %d %sloops said IMPROVED", x, n, simulated, which)
			}
		}
		if said["rose"] < simulated/10 {
			t.Errorf("%s: the old rule was wrong in %d loops alone: the simulation has no noise", x, said["rose"])
		}
		gain := 0.0
		for _, g := range gains {
			gain += g / simulated
		}
		rows = append(rows, []string{strconv.Itoa(x.items), percent(int(1000*x.flip), 1000), strconv.Itoa(x.judges),
			percent(said[string(score.Improved)], simulated), percent(said["calibrated "+string(score.Improved)], simulated),
			percent(said["rose"], simulated), fmt.Sprintf("%+.1f", gain),
			percent(said[string(score.Regressed)], simulated), percent(said["calibrated "+string(score.Regressed)], simulated)})
	}
	inScoring(t, "loops without any change", []string{"items", "flip rate", "judges", "IMPROVED", "calibrated", "rose by more than 2", "best score",
		"REGRESSED", "calibrated"}, rows)
}

// words lists each word that a loop said of any of its rounds, once.
func words(prefix string, s State) (said []string) {
	seen := map[score.Word]bool{}
	for _, r := range s.History {
		if r.Change != nil && !seen[r.Change.Word] {
			seen[r.Change.Word] = true
			said = append(said, prefix+string(r.Change.Word))
		}
	}
	return said
}

// One round in which some of 25 items really become true, in a loop of five.
func TestARealChangeIsCalledImprovedTheMoreItemsItMends(t *testing.T) {
	var rows [][]string
	for _, x := range []panel{{25, 0.05, 1}, {25, 0.05, 3}, {25, 0.136, 1}, {25, 0.136, 3}} {
		last := -1
		for _, mended := range []int{4, 8, 12} {
			said := share(simulated, func(seed int) []score.Word {
				w := x.world(uint64(seed))
				s := play(w.start(5), w.score())
				w.improve(mended)
				s = play(s, w.score())
				said := []score.Word{s.History[1].Change.Word}
				if better, worse := everyMove(s.History[0].Result, s.History[1].Result); better > worse && score.SignTest(better, worse) <= s.level() {
					said = append(said, "every move")
				}
				return said
			})
			row := []string{strconv.Itoa(mended), percent(int(1000*x.flip), 1000), strconv.Itoa(x.judges)}
			for _, word := range []score.Word{score.Improved, score.Underpowered, score.NoChange, score.Regressed, "every move"} {
				row = append(row, percent(said[word], simulated))
			}
			rows = append(rows, row)
			if said[score.Improved] <= last || said[score.Regressed] > 0 {
				t.Errorf("%s, %d mended: %v", x, mended, said)
			}
			last = said[score.Improved]
		}
		if last < simulated*3/4 {
			t.Errorf("%s: twelve mended items are called IMPROVED in %d of %d loops", x, last, simulated)
		}
	}
	inScoring(t, "loops with a real change", []string{"mended of 25", "flip rate", "judges", "IMPROVED", "UNDERPOWERED", "NO CREDIBLE CHANGE", "REGRESSED", "IMPROVED if every move counted"}, rows)
}

// everyMove counts the items whose share of yes rose or fell by anything: the rule that was not taken.
func everyMove(before, after score.Result) (better, worse int) {
	rise := map[string]int{}
	for by, res := range map[int]score.Result{-1: before, 1: after} {
		for _, j := range res.Judges {
			for _, items := range j.Items {
				for id, o := range items {
					if o == score.Yes {
						rise[id] += by
					}
				}
			}
		}
	}
	for _, n := range rise {
		if n > 0 {
			better++
		} else if n < 0 {
			worse++
		}
	}
	return better, worse
}

// The interval of the flip rate holds the true one in 95 of 100 calibrations at least. The band, which
// claims 95 of 100 differences of two scorings without any change, holds a little fewer where few answers
// flip, since a score moves by whole items.
func TestACalibrationHoldsWhatIsTrueInItsInterval(t *testing.T) {
	var rows [][]string
	for _, repeats := range []int{2, 3, 5} {
		for _, x := range []panel{{25, 0.05, 1}, {25, 0.136, 2}, {25, 0.25, 1}} {
			bands := make([]float64, simulated)
			held := share(simulated, func(seed int) (held []string) {
				w := x.world(uint64(seed))
				cal := w.calibrated(repeats)
				if cal.Flip.Low <= x.flip && x.flip <= cal.Flip.High {
					held = append(held, "flip rate")
				}
				bands[seed] = cal.Band
				if d := w.score().Overall - w.score().Overall; score.AtLeast(cal.Band, max(d, -d)) {
					held = append(held, "difference")
				}
				return held
			})
			band := 0.0
			for _, b := range bands {
				band += b / simulated
			}
			if held["flip rate"] < simulated*95/100 || held["difference"] < simulated*93/100 {
				t.Errorf("%s, %d repeats, of %d: %v", x, repeats, simulated, held)
			}
			rows = append(rows, []string{strconv.Itoa(repeats), percent(int(1000*x.flip), 1000), strconv.Itoa(x.judges),
				percent(held["flip rate"], simulated), percent(held["difference"], simulated), fmt.Sprintf("%.1f", band)})
		}
	}
	inScoring(t, "calibrations", []string{"repeats", "flip rate", "judges", "interval holds the flip rate", "band holds the difference", "band"}, rows)
}

func TestASeededCalibrationReportsItsFlipRate(t *testing.T) {
	x := panel{25, 0.136, 3}
	cal := x.world(1).calibrated(5)
	if cal.Repeats != 5 || cal.Items != 25 || len(cal.Judges) != 3 || cal.Flip.Pairs != 150 {
		t.Errorf("%+v", cal)
	}
	if !(cal.Flip.Low <= x.flip && x.flip <= cal.Flip.High) || cal.Flip.High-cal.Flip.Low > 0.15 {
		t.Errorf("%+v does not hold %v, or holds anything", cal.Flip, x.flip)
	}
}
