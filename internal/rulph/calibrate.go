package rulph

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"rulph/internal/artifact"
	"rulph/internal/loop"
	"rulph/internal/prompt"
	"rulph/internal/score"
	"rulph/internal/ui"
)

// CalibrateOptions are what `rulph calibrate` is given.
type CalibrateOptions struct {
	Repeats int
	Timeout time.Duration
}

// FewestRepeats are the least that tell a noise.
const FewestRepeats = 2

// Calibrate has the programs of the loop judge the artifact as it is again and again, and keeps with the
// loop how far their answers differ: from then on a change within that noise counts for none. It scores no
// round.
func (e Engine) Calibrate(ctx context.Context, o CalibrateOptions) (View, error) {
	if o.Repeats < FewestRepeats {
		return View{}, ui.Bad("%d repeats tell no noise; at least %d do, and 5 or more tell it well", o.Repeats, FewestRepeats)
	}
	s, err := e.evaluable(EvaluateOptions{})
	if err != nil {
		return View{}, err
	}
	release, err := e.claim(s)
	if err != nil {
		return View{}, err
	}
	defer release()
	if err := e.stopWhenUnlocked(s); err != nil {
		return View{}, err
	}
	if err := e.someUsable(s); err != nil {
		return View{}, err
	}
	a, err := e.read(s)
	if err != nil {
		return View{}, err
	}
	fixed, err := e.fixed(ctx, s, a)
	if err != nil {
		return View{}, err
	}
	limit, stop := e.limited(ctx, s)
	defer stop()
	results, err := e.repeat(limit, s, a, fixed, o, func(spent loop.Spent) error {
		s, err := e.update(func(s loop.State) (loop.State, error) { return loop.Charge(s, spent), nil })
		if err != nil {
			return err
		}
		if d := loop.Decide(s, e.Now()); d.Over && d.Result == loop.Budget {
			return ui.Fail(ui.BudgetSpent, fmt.Errorf("the budget does not last for the calibration: %s", d.Reason))
		}
		return nil
	})
	if err != nil {
		return View{}, err
	}
	c, err := score.Calibrate(s.Rubric.Body, results)
	if err != nil {
		return View{}, ui.Fail(ui.NoJudge, fmt.Errorf("calibrate: %w", err))
	}
	c.Artifact = a.Hash()
	s, err = e.update(func(s loop.State) (loop.State, error) {
		s.Calibration = &c
		s.ProgressAt = e.Now().UTC()
		return s, nil
	})
	if err != nil {
		return View{}, err
	}
	return e.view(s), nil
}

// repeat has the programs of the loop answer so many times, each time with the items in another order, as
// another round would have them. charge is called after each time.
func (e Engine) repeat(ctx context.Context, s loop.State, a artifact.Artifact, fixed answered, o CalibrateOptions, charge func(loop.Spent) error) ([]score.Result, error) {
	var results []score.Result
	for n := range o.Repeats {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		if o.Repeats > 1 {
			e.Notef("repeat %d of %d", n+1, o.Repeats)
		}
		seats, err := e.once(ctx, s, a, fmt.Sprintf("repeat %d", n), o.Timeout)
		var spent loop.Spent
		for _, seat := range seats {
			if seat.Work != nil {
				spent = spent.Add(seat.Work.Spent)
			}
		}
		if chargeErr := charge(spent); chargeErr != nil || err != nil {
			return nil, errors.Join(err, chargeErr)
		}
		results = append(results, compute(s, a, fixed, seats))
	}
	return results, nil
}

// once has the programs of the loop answer one time, outside of any round.
func (e Engine) once(ctx context.Context, s loop.State, a artifact.Artifact, seed string, timeout time.Duration) (map[string]loop.Seat, error) {
	var chairs []chair
	for _, name := range s.ProgramNames() {
		form := s.Rubric.Body.Form(fmt.Sprintf("%s/%s/%s", s.StartedAt.UTC().Format(time.RFC3339Nano), name, seed))
		chairs = append(chairs, chair{judge: name, program: s.Programs[name], form: form, ticket: prompt.NewTicket()})
	}
	var mu sync.Mutex
	seats := map[string]loop.Seat{}
	q := question{artifact: a, rubric: s.Rubric.Body, dir: s.Rubric.Dir, timeout: timeout, usd: left(s)}
	err := e.ask(ctx, chairs, q, func(c chair, seat loop.Seat) {
		mu.Lock()
		defer mu.Unlock()
		seats[c.judge] = seat
	})
	return seats, err
}

// compute scores what the programs answered outside of a round.
func compute(s loop.State, a artifact.Artifact, fixed answered, seats map[string]loop.Seat) score.Result {
	var judges []score.Judge
	for _, name := range s.ProgramNames() {
		seat := seats[name]
		j := score.Judge{Name: name, State: seat.State, Reason: seat.Reason}
		if seat.Verdict != nil {
			j.Verdict = *seat.Verdict
		}
		judges = append(judges, j)
	}
	return score.Compute(score.Input{Rubric: s.Rubric.Body, Floor: s.Floor, Judges: judges, Fixed: fixed.outcomes, Quoted: a.Quoted()})
}

