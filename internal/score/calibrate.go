package score

import (
	"errors"
	"fmt"
	"math"

	"rulph/internal/rubric"
)

// Calibration is how far judges differ from themselves: the same artifact scored several times.
type Calibration struct {
	Repeats int `json:"repeats"` // scorings of the artifact that count
	Items   int `json:"items"`   // units that at least one judge answered twice: items, and criteria with levels or points
	// Flip is the probability that two answers of one judge to one item about the same artifact differ:
	// the mean over items and judges.
	Flip   Rate         `json:"flip"`
	Judges []JudgeNoise `json:"judges"`
	SD     float64      `json:"sd"` // points: standard deviation of the panel's overall score
	// Band is in points: 95 of 100 differences between two scorings without any change are within it.
	Band  float64     `json:"band"`
	Shaky []ItemNoise `json:"shaky,omitempty"` // at most 10 units, the worst first, then in rubric order
	// Artifact and Models are the caller's: the hash of what was scored, and each judge's model.
	Artifact string            `json:"artifact,omitempty"`
	Models   map[string]string `json:"models,omitempty"`
}

// Rate is a share from 0 to 1 with its 95 % interval. Pairs is how many disjoint pairs of answers the
// interval rests on.
type Rate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Pairs int     `json:"pairs"`
}

// JudgeNoise is one judge's part: its flip rate (0-1), and the standard deviation of its own overall
// score in points, over the repeats in which it was available. A judge that was available once is left out.
type JudgeNoise struct {
	Name     string  `json:"name"`
	Repeats  int     `json:"repeats"`
	FlipRate float64 `json:"flip_rate"`
	SD       float64 `json:"sd"`
}

// ItemNoise is a unit that flips: the mean over the judges of its flip rate, 0-1. Item is empty for a
// criterion with levels or points.
type ItemNoise struct {
	Criterion string  `json:"criterion"`
	Item      string  `json:"item,omitempty"`
	FlipRate  float64 `json:"flip_rate"`
}

// Calibrate measures the noise of judges. Repeats are scorings of one artifact with one panel by rubric r.
// Void ones count for nothing. It is an error to have fewer than two others, a rubric without anything that
// a judge answers, or no answer that any judge gave twice.
//
// The band is student(N-1) x sqrt(2) x SD for the difference of two single scorings, and never below
// 1.96 x sqrt(2) x the deviation that the flip rates predict: two repeats that happen to be equal are no
// proof of silence. docs/scoring.md derives both.
func Calibrate(r rubric.Rubric, repeats []Result) (Calibration, error) {
	asked := len(repeats)
	if repeats = Counted(repeats); len(repeats) < 2 {
		return Calibration{}, fmt.Errorf("calibrate: noise shows in two scorings or more; of %d repeats %d scored anything", asked, len(repeats))
	}
	if !asksJudges(r) {
		return Calibration{}, errors.New("calibrate: the text and commands answer every item, and they do not err; nothing has to be calibrated")
	}
	n := measure(r, repeats)
	if n.pairs == 0 {
		return Calibration{}, errors.New("calibrate: no judge answered any item twice; see why they failed, then repeat")
	}
	cal := Calibration{Repeats: len(repeats), Items: len(n.units), Judges: n.judges}
	cal.Flip = Rate{Value: n.flip(), Pairs: n.pairs}
	cal.Flip.Low, cal.Flip.High = wilson(cal.Flip.Value, n.pairs)
	var scores []float64
	for _, res := range repeats {
		scores = append(scores, res.Overall)
	}
	cal.SD = deviation(scores)
	seen := student(len(repeats)-1) * math.Sqrt2 * cal.SD
	cal.Band = inRange(max(seen, z95*math.Sqrt2*math.Sqrt(n.variance())))
	cal.Shaky = n.shaky()
	return cal, nil
}

func asksJudges(r rubric.Rubric) bool {
	for _, c := range r.Criteria {
		for _, u := range units(c) {
			if !u.fixed {
				return true
			}
		}
	}
	return false
}
