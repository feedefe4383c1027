package loop

import (
	"fmt"
	"strings"

	"rulph/internal/rubric"
	"rulph/internal/score"
)

// Which of two versions is kept:
//
//	                       not calibrated        calibrated
//	a floor that held      rolled back           rolled back
//	  is broken
//	REGRESSED              rolled back           rolled back
//	the score fell         rolled back           rolled back when it is lower than the highest kept
//	                                             score by more than the measured noise
//	anything else          kept                  kept
//
// A fall within the noise is no fall: a judge that is asked again takes as much back. It is measured
// from the highest score that was kept and not from the last one, or a version could sink by a little less
// than the noise in each round.

// level is what one comparison may use up of the 5 % of loops that may say IMPROVED without any change:
// a loop of max_rounds improvements makes so many comparisons (Bonferroni).
func (s State) level() float64 {
	return score.Significance / float64(max(1, s.MaxRounds))
}

// band is the measured noise in points; nil where nobody measured it.
func (s State) band() *float64 {
	if s.Calibration == nil {
		return nil
	}
	return &s.Calibration.Band
}

func (s State) body() rubric.Rubric {
	if s.Rubric == nil {
		return rubric.Rubric{}
	}
	return s.Rubric.Body
}

// worse says why a new result may not replace the kept one; "" when it may. An equal score may: the
// loop goes on from what is on disk.
func (s State) worse(kept, res score.Result, change score.Change) string {
	var why []string
	if fall := s.fall(kept, res, change); fall != "" {
		why = append(why, fall)
	}
	if broken := brokenFloors(kept, res); len(broken) > 0 {
		why = append(why, "it took "+strings.Join(broken, ", ")+" below a floor that held")
	}
	return strings.Join(why, ", and ")
}

func (s State) fall(kept, res score.Result, change score.Change) string {
	band, top := s.band(), s.top()
	switch {
	case band != nil && !score.AtLeast(res.Overall+*band, top):
		return fmt.Sprintf("the overall score fell from %.1f, the highest that was kept, to %.1f, by more than the measured noise of %.1f", top, res.Overall, *band)
	case band != nil && change.Word != score.Regressed:
		return ""
	case !score.AtLeast(res.Overall, kept.Overall):
		return fmt.Sprintf("the overall score fell from %.1f to %.1f", kept.Overall, res.Overall)
	}
	return ""
}

// tiny is the note on a kept version whose score moved by no more than the measured noise; "" where it
// moved by more or not at all, and where something says that the move is real.
func (s State) tiny(change score.Change) string {
	band := s.band()
	real := change.Word == score.Improved || change.Word == score.Regressed
	if band == nil || real || score.AtLeast(0, max(change.Delta, -change.Delta)) || !score.AtLeast(*band, max(change.Delta, -change.Delta)) {
		return ""
	}
	move := "rise"
	if change.Delta < 0 {
		move = "fall"
	}
	return fmt.Sprintf("the %s of %.1f is within the measured noise of %.1f", move, max(change.Delta, -change.Delta), *band)
}

// top is the highest score that was kept.
func (s State) top() (top float64) {
	for _, r := range s.History {
		if r.Kept && !r.Result.Void {
			top = max(top, r.Result.Overall)
		}
	}
	return top
}

// brokenFloors names the criteria whose floor held and does not hold any more.
func brokenFloors(kept, res score.Result) (broken []string) {
	held := map[string]bool{}
	for _, c := range kept.Criteria {
		held[c.ID] = c.Score != nil && score.AtLeast(*c.Score, c.Floor)
	}
	for _, c := range res.Criteria {
		if held[c.ID] && (c.Score == nil || !score.AtLeast(*c.Score, c.Floor)) {
			broken = append(broken, c.Name)
		}
	}
	return broken
}
