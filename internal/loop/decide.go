package loop

import (
	"fmt"
	"strings"
	"time"

	"rulph/internal/score"
)

// Decision is what Decide says of a loop.
type Decision struct {
	Over   bool   `json:"over"`
	Result End    `json:"result,omitempty"` // why it is over
	Reason string `json:"reason,omitempty"` // one sentence for a person
}

// Decide says whether the loop goes on. It is the only place that decides it.
//
// A loop with a rubric is judged by the round that is kept: it passes when the overall score reaches
// the threshold and every criterion its floor. A loop that was armed with `session set` alone has no
// criteria, so its score decides, and its breaker is `round > max_rounds`.
func Decide(s State, now time.Time) Decision {
	switch {
	case s.Status == Cancelled || !s.CancelledAt.IsZero():
		return over(CancelledEnd, "it was cancelled")
	case s.Result != "":
		return over(s.Result, s.Reason)
	case s.Rubric == nil:
		return decideBare(s)
	case s.Void >= 2:
		return over(Blocked, "two scorings in a row gave no score at all: "+lastReasons(s))
	}
	kept, scored := s.Kept()
	if scored {
		if score.Passed(kept.Result, s.Threshold) {
			return over(Passed, fmt.Sprintf("overall %.1f reaches %s and every criterion reaches its floor", kept.Result.Overall, number(s.Threshold)))
		}
		if names := unscored(kept.Result); len(names) > 0 && barHolds(kept.Result, s.Threshold) {
			return over(Blocked, "nothing answered any item of "+strings.Join(names, ", ")+", so it cannot be said to hold its floor")
		}
	}
	// What was answered in the open round was paid for: it is scored before a budget ends the loop.
	if reason := Exhausted(s, now); reason != "" && !s.Answered() {
		return over(Budget, reason)
	}
	if !scored {
		return Decision{}
	}
	if s.Round >= s.MaxRounds {
		return over(CircuitBreaker, fmt.Sprintf("%s; the %s of %s", usedUp(s.MaxRounds), standing(s, kept), number(s.Threshold)))
	}
	if rise, stagnant := stagnation(s); stagnant {
		return over(Stagnated, fmt.Sprintf("the best score rose by %.1f in three rounds, within the noise band of %s", rise, number(s.noise())))
	}
	return Decision{}
}

func over(result End, reason string) Decision {
	return Decision{Over: true, Result: result, Reason: reason}
}

func decideBare(s State) Decision {
	switch {
	case score.AtLeast(s.Score, s.Threshold):
		return over(Passed, fmt.Sprintf("score %.1f reaches %s", s.Score, number(s.Threshold)))
	case s.Round > s.MaxRounds:
		return over(CircuitBreaker, fmt.Sprintf("round %d is past the limit of %d", s.Round, s.MaxRounds))
	}
	return Decision{}
}

// stagnation compares the best score now with the best score three rounds ago.
func stagnation(s State) (rise float64, stagnant bool) {
	const rounds = 3
	last, ok := s.Last()
	if !ok || last.Number-s.Since < rounds {
		return 0, false
	}
	best := func(upTo int) (top float64) {
		for _, r := range s.History {
			if r.Kept && !r.Result.Void && r.Number <= upTo {
				top = max(top, r.Result.Overall)
			}
		}
		return top
	}
	rise = best(last.Number) - best(last.Number-rounds)
	return rise, score.AtLeast(s.noise(), rise)
}

// Exhausted says which limit of the budget is reached; "" when none is.
func Exhausted(s State, now time.Time) string {
	if s.Limits == nil {
		return ""
	}
	used := Spent{}
	if s.Spent != nil {
		used = *s.Spent
	}
	deadline, timed := s.Deadline()
	switch l := *s.Limits; {
	case timed && !now.Before(deadline):
		return fmt.Sprintf("the time limit of %s is reached", span(time.Duration(l.Seconds*float64(time.Second))))
	case l.Tokens > 0 && used.Tokens >= l.Tokens:
		return fmt.Sprintf("%d of %d tokens are spent", used.Tokens, l.Tokens)
	case l.USD > 0 && used.USD >= l.USD:
		return fmt.Sprintf("%s of %s USD are spent", dollars(used.USD), dollars(l.USD))
	}
	return ""
}

// dollars shows an amount to the hundredth of a cent, and at least to the cent.
func dollars(v float64) string {
	text := fmt.Sprintf("%.4f", v)
	for strings.HasSuffix(text, "0") && len(text)-strings.IndexByte(text, '.') > 3 {
		text = text[:len(text)-1]
	}
	return text
}

// standing is the score that is kept, and the highest where that is another: a fall within the noise is kept.
func standing(s State, kept Round) string {
	top := kept.Result.Overall
	for _, r := range s.History {
		if r.Kept && !r.Result.Void {
			top = max(top, r.Result.Overall)
		}
	}
	if score.AtLeast(kept.Result.Overall, top) {
		return fmt.Sprintf("best score is %.1f", top)
	}
	return fmt.Sprintf("kept score is %.1f (the highest was %.1f, within the noise)", kept.Result.Overall, top)
}

// usedUp says that no improvement is left.
func usedUp(rounds int) string {
	switch rounds {
	case 0:
		return "no improvement was allowed"
	case 1:
		return "the one improvement is made"
	}
	return fmt.Sprintf("all %d improvements are made", rounds)
}

// span shows a duration without the units that are zero: 45m, not 45m0s.
func span(d time.Duration) string {
	text := d.Round(time.Millisecond).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

func unscored(r score.Result) (names []string) {
	for _, c := range r.Criteria {
		if c.Score == nil {
			names = append(names, c.Name)
		}
	}
	return names
}

// barHolds says that all that could be scored passes: improving it further would change nothing.
func barHolds(r score.Result, threshold float64) bool {
	for _, c := range r.Criteria {
		if c.Score != nil && !score.AtLeast(*c.Score, c.Floor) {
			return false
		}
	}
	return score.AtLeast(r.Overall, threshold)
}

func lastReasons(s State) string {
	for i := len(s.History) - 1; i >= 0; i-- {
		if r := s.History[i]; r.Result.Void {
			var parts []string
			for _, j := range r.Result.Judges {
				reason := j.Reason
				if reason == "" {
					reason = "answered no item"
				}
				parts = append(parts, fmt.Sprintf("%s %s (%s)", j.Name, j.State, reason))
			}
			if len(parts) > 0 {
				return strings.Join(parts, ", ")
			}
		}
	}
	return "none was there"
}

// number shows a setting: without decimals where it has none.
func number(v float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
}
