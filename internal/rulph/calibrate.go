package rulph

import (
	"context"
	"errors"
	"fmt"
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
func (e Engine) Calibrate(ctx context.Context, o CalibrateOptions) (score.Calibration, error) {
	s, err := e.evaluable(EvaluateOptions{})
	if err != nil {
		return score.Calibration{}, err
	}
	release, err := e.claim(s)
	if err != nil {
		return score.Calibration{}, err
	}
	defer release()
	if err := e.stopWhenUnlocked(s); err != nil {
		return score.Calibration{}, err
	}
	a, err := e.read(s)
	if err != nil {
		return score.Calibration{}, err
	}
	limit, stop := e.limited(ctx, s)
	defer stop()
	limit, unheed := e.heed(limit, s)
	defer unheed()
	c, err := e.calibrate(limit, s, a, o, func(seats map[string]loop.Seat) (loop.State, error) {
		return e.same(s, func(s loop.State) (loop.State, error) { return charge(s, "calibration", seats), nil })
	})
	if err != nil {
		return c, e.gone(s, err)
	}
	_, err = e.same(s, func(s loop.State) (loop.State, error) {
		s.Calibration = &c
		s.ProgressAt = e.Now().UTC()
		return s, nil
	})
	return c, err
}

// CalibrateFile measures judges without a loop. Of the options those count that say what is judged, by
// whom, and what it may cost.
func (e Engine) CalibrateFile(ctx context.Context, start StartOptions, o CalibrateOptions) (score.Calibration, error) {
	s, a, err := e.single(start)
	if err != nil {
		return score.Calibration{}, err
	}
	if len(s.Programs) == 0 {
		return score.Calibration{}, ui.Fail(ui.NoJudge, errors.New("there is no judge to measure: the rubric has no question for one, or no model client is installed"), "name one with --judge, for instance --judge command:./judge.sh")
	}
	ctx, stop := e.limited(ctx, s)
	defer stop()
	return e.calibrate(ctx, s, a, o, func(seats map[string]loop.Seat) (loop.State, error) {
		s = charge(s, "calibration", seats)
		return s, nil
	})
}

// outOfBudget is the error of a calibration that a limit has stopped too early.
func outOfBudget(why string) error {
	return ui.Fail(ui.BudgetSpent, fmt.Errorf("the budget does not last for the calibration: %s", why), "take fewer repeats, or a larger budget")
}

// charging is told what each time of asking took, the last one too, and gives the state in which that is counted.
type charging func(seats map[string]loop.Seat) (loop.State, error)

// calibrate has the programs answer again and again, and counts. A limit that is reached on the way makes
// the calibration smaller, and no calibration only where it leaves too little.
func (e Engine) calibrate(ctx context.Context, s loop.State, a artifact.Artifact, o CalibrateOptions, charged charging) (c score.Calibration, err error) {
	if o.Repeats < FewestRepeats {
		return c, ui.Bad("%d repeats tell no noise; at least %d do, and 5 or more tell it well", o.Repeats, FewestRepeats)
	}
	if err := e.someUsable(s); err != nil {
		return c, err
	}
	if why := loop.Exhausted(s, e.Now()); why != "" {
		return c, outOfBudget(why)
	}
	fixed, err := e.fixed(ctx, s, a)
	if err != nil {
		return c, err
	}
	e.foretell(s, a, o.Repeats)
	if o.Repeats < 3 {
		e.Notef("warning: from %d repeats the noise is only known to be small or large; 5 or more tell it well", o.Repeats)
	}
	got, err := e.repeat(ctx, s, a, fixed, o, charged)
	if err != nil {
		return c, err
	}
	done, counted := len(got.results), len(score.Counted(got.results))
	if got.limit != "" && counted < FewestRepeats {
		return c, outOfBudget(got.limit)
	}
	if c, err = score.Calibrate(s.Rubric.Body, got.results); err != nil {
		return c, ui.Fail(ui.NoJudge, fmt.Errorf("calibrate: %w", err), "see why with '"+e.CLI.Program+" evaluate'")
	}
	if done < o.Repeats {
		e.Notef("warning: %s after %d of %d repeats, so that the noise is known from fewer than were wanted", got.limit, done, o.Repeats)
	}
	if counted < done {
		e.Notef("warning: no judge answered in %d of %d repeats, which count for nothing", done-counted, done)
	}
	c.Artifact = a.Hash()
	for _, seats := range got.answers {
		for name, seat := range seats {
			if seat.Work != nil && seat.Work.Model != "" {
				if c.Models == nil {
					c.Models = map[string]string{}
				}
				c.Models[name] = seat.Work.Model
			}
		}
	}
	return c, nil
}

// scorings are what asking again and again came to.
type scorings struct {
	results []score.Result         // of the times that all have ended by themselves
	answers []map[string]loop.Seat // in each of them
	limit   string                 // which limit is reached; "": none
	cut     map[string]loop.Seat   // of a last time that it has cut short: those that had ended, or cost something
}

// repeat has the programs of the loop answer so many times, each time with the items in another order, as
// another round would have them. It ends early where a limit is reached, which is no error.
func (e Engine) repeat(ctx context.Context, s loop.State, a artifact.Artifact, fixed answered, o CalibrateOptions, charged charging) (got scorings, err error) {
	for n := range o.Repeats {
		if o.Repeats > 1 {
			e.Notef("repeat %d of %d", n+1, o.Repeats)
		}
		seats, err := e.once(ctx, s, a, fmt.Sprintf("repeat %d", n), o.Timeout)
		paid, chargeErr := charged(seats)
		switch {
		case errors.Is(err, errTime):
			got.cut, err = seats, nil
			got.limit = errTime.Error()
		case err == nil:
			got.results, got.answers = append(got.results, compute(s, a, fixed, seats)), append(got.answers, seats)
		}
		if err != nil || chargeErr != nil {
			return got, errors.Join(err, chargeErr)
		}
		s = paid // the next ones may cost what is left
		if why := loop.Exhausted(s, e.Now()); why != "" {
			got.limit = why
		}
		if got.limit != "" {
			return got, nil
		}
	}
	return got, nil
}

// charge adds what asking them all took, each in this role.
func charge(s loop.State, role string, seats map[string]loop.Seat) loop.State {
	for name, seat := range seats {
		if seat.Work != nil {
			s = loop.Charge(s, role+" "+name, seat.Work.Spent)
		}
	}
	return s
}

// once has the programs of the loop answer one time, outside of any round.
func (e Engine) once(ctx context.Context, s loop.State, a artifact.Artifact, seed string, timeout time.Duration) (map[string]loop.Seat, error) {
	var chairs []chair
	for _, name := range s.ProgramNames() {
		form := s.Rubric.Body.Form(fmt.Sprintf("%s/%s/%s", s.StartedAt.UTC().Format(time.RFC3339Nano), name, seed))
		chairs = append(chairs, chair{judge: name, program: s.Programs[name], form: form, ticket: prompt.NewTicket()})
	}
	seats := map[string]loop.Seat{}
	q := question{artifact: a, rubric: s.Rubric.Body, timeout: timeout, usd: left(s)}
	err := e.ask(ctx, chairs, q, func(c chair, seat loop.Seat) {
		seats[c.judge] = seat
	})
	return seats, err
}

// compute scores what the programs answered outside of a round.
func compute(s loop.State, a artifact.Artifact, fixed answered, seats map[string]loop.Seat) score.Result {
	var judges []score.Judge
	for _, name := range s.ProgramNames() {
		judges = append(judges, seats[name].Judge(name))
	}
	return score.Compute(score.Input{Rubric: s.Rubric.Body, Floor: s.Floor, Judges: judges, Fixed: fixed.outcomes, Quoted: a.Quoted()})
}
