package loop

import (
	"errors"
	"fmt"
	"time"

	"rulph/internal/score"
)

// Record puts the result of the open round into the state and keeps the better version.
//
// A round that is worse than what is kept (see keep.go), or takes a criterion below a floor that held, is
// rolled back: Restoring names the round whose snapshot has to be written back. A void round counts for
// nothing but itself: the same round is judged again.
func Record(s State, res score.Result, now time.Time) (State, error) {
	if s.Pending == nil {
		return s, errors.New("no round is being judged")
	}
	r := Round{Number: s.Pending.Round, Artifact: s.Pending.Artifact, Improved: s.Next, Result: res, At: now,
		Seconds: now.Sub(s.Pending.OpenedAt).Seconds(), Work: s.Pending.work(), Improvement: s.Improvement}
	if s.Target != nil && r.Artifact == s.Target.Hash {
		r.Improved = "" // the kept version once more: nothing was worked on
	}
	s.Pending = nil
	s.History = append(s.History[:len(s.History):len(s.History)], r)
	last := &s.History[len(s.History)-1]
	if res.Void {
		s.Void++
		last.Note, last.Improvement = "void: nothing was scored", nil // the next scoring is of the same version
		return s, nil
	}
	s.Improvement = nil
	s.Void, s.Iteration, s.IdleBlocks, s.Mark, s.Waiting = 0, 0, 0, "", false
	s.Round, s.ProgressAt = r.Number, now

	kept, has := State{History: s.History[:len(s.History)-1], Best: s.Best}.Kept()
	var why string
	if has {
		change := score.Compare(s.body(), kept.Result, res, s.level(), s.band())
		last.Change = &change
		why, last.Note = s.worse(kept.Result, res, change), s.tiny(change)
	}
	if why != "" {
		last.RolledBack, last.Note = true, "rolled back to round "+fmt.Sprint(kept.Number)+": "+why
		best := kept.Number
		s.Restoring = &best
	} else {
		last.Kept = true
		kept, s.Best = *last, r.Number
		if s.Target != nil {
			t := *s.Target
			t.Hash = r.Artifact
			s.Target = &t
		}
	}
	s.Score, s.Next = kept.Result.Overall, ""
	if c, ok := score.Target(kept.Result.Criteria); ok {
		s.Next = c.ID
	}
	return s, nil
}

// work is what the judges of the round took that are programs.
func (p Pending) work() map[string]Work {
	var out map[string]Work
	for name, seat := range p.Seats {
		if seat.Work != nil {
			if out == nil {
				out = map[string]Work{}
			}
			out[name] = *seat.Work
		}
	}
	return out
}

// Finish ends the loop for this reason. The report has to exist before Complete.
func Finish(s State, d Decision, now time.Time) State {
	if s.Result == "" {
		s.Result, s.Reason = d.Result, d.Reason
	}
	if s.EndedAt.IsZero() {
		s.EndedAt = now
	}
	return s
}

// Complete closes a finished loop whose report is in this folder ("" when it could not be written).
func Complete(s State, report string) State {
	if report != "" {
		s.Report = report
	}
	s.Pending, s.Waiting = nil, false
	if s.Result == CancelledEnd {
		s.Status = Cancelled
	} else {
		s.Status = Completed
	}
	return s
}

// Cancel ends the loop for good: whatever sets the status later, it stays cancelled.
func Cancel(s State, reason string, now time.Time) State {
	s.Result, s.Reason, s.CancelledAt = CancelledEnd, reason, now
	s.EndedAt = now
	return s
}

// ErrNotResumable says why a loop cannot go on.
var ErrNotResumable = errors.New("this loop cannot be resumed")

// ErrBudget says that a loop cannot go on within its budget.
var ErrBudget = errors.New("the budget of this loop is spent")

// Resume lets an ended loop go on: from a cap or a block as it is, from the circuit breaker or a
// stagnation with more rounds (0 adds the default number when the limit is reached). The budget stays, and
// what was spent of it: one that is spent has to be raised first (Limited), or it is ErrBudget. Of a loop
// that goes on anyway it changes the limit of rounds alone.
func Resume(s State, rounds int, now time.Time) (State, error) {
	goesOn := s.Live() && s.Result == ""
	switch {
	case goesOn && rounds == 0:
		return s, nil
	case s.Status == Cancelled || !s.CancelledAt.IsZero():
		return s, fmt.Errorf("%w: it was cancelled; start a new one", ErrNotResumable)
	case s.Result == Passed:
		return s, fmt.Errorf("%w: it has passed; start a new one with a higher threshold", ErrNotResumable)
	}
	if rounds > 0 {
		s.MaxRounds = rounds
	} else if s.Round >= s.MaxRounds {
		s.MaxRounds = s.Round + DefaultMaxRounds
	}
	if s.MaxRounds <= s.Round {
		return s, fmt.Errorf("%w: round %d is scored; give a higher --max-rounds", ErrNotResumable, s.Round)
	}
	if goesOn {
		return s, nil
	}
	if why := Exhausted(s, now); why != "" {
		return s, fmt.Errorf("%w: %s", ErrBudget, why)
	}
	s.Status, s.Result, s.Reason, s.Report, s.EndedAt = Active, "", "", "", time.Time{}
	s.Since, s.Void, s.Iteration, s.IdleBlocks, s.Mark, s.ProgressAt = s.Round, 0, 0, 0, "", now
	return s, nil
}
