package rulph

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rulph/internal/artifact"
	"rulph/internal/loop"
	"rulph/internal/score"
	"rulph/internal/ui"
)

// ScoreOptions are what `rulph score` is given.
type ScoreOptions struct {
	Partial bool // judges that have not answered are DEGRADED
	Again   bool // score although the artifact has not changed; only where no judge is asked
}

// Score aggregates the open round, records it, keeps the better version of the artifact, decides, and
// where the loop is over writes the report and closes it.
func (e Engine) Score(ctx context.Context, o ScoreOptions) (View, error) {
	s, err := e.live()
	if err != nil {
		return View{}, err
	}
	if err := e.stopWhenUnlocked(s); err != nil {
		return View{}, err
	}
	a, err := e.read(s)
	if err != nil {
		return View{}, err
	}
	if s, err = e.ready(s, a, o); err != nil {
		return View{}, err
	}
	fixed, err := e.fixed(ctx, s, a)
	if err != nil {
		return View{}, err
	}
	if err := a.Save(e.snapshot(s, s.Pending.Round)); err != nil {
		return View{}, fmt.Errorf("keep a copy of the artifact: %w", err)
	}
	s, err = e.record(s, a, fixed)
	if err != nil {
		return View{}, err
	}
	if s.Restoring != nil {
		if s, err = e.rollBack(s); err != nil {
			return View{}, err
		}
	}
	if d := loop.Decide(s, e.Now()); d.Over {
		if s, err = e.end(s, d); err != nil {
			return View{}, err
		}
	}
	v := e.view(s)
	v.Why = openAnswers(s, fixed)
	return v, nil
}

// ready opens the round where no judge had to, and refuses to score what has not been judged.
func (e Engine) ready(s loop.State, a artifact.Artifact, o ScoreOptions) (loop.State, error) {
	if len(s.Judges) == 0 {
		opened, err := loop.Open(s, a.Hash(), o.Again, e.Now().UTC())
		if err != nil {
			return s, e.unchanged(s, err)
		}
		return e.update(func(s loop.State) (loop.State, error) {
			return loop.Open(s, opened.Pending.Artifact, true, e.Now().UTC())
		})
	}
	step := loop.NextStep(s, a.Hash() != s.Target.Hash, e.CLI)
	switch {
	case s.Pending == nil && o.Again:
		return s, ui.Fail(ui.BadInput, errors.New("--again is for a rubric without judges"), "let the judges read the artifact once more with '"+e.CLI.Rulph("prompt --again --judge "+s.Judges[0])+"'; that counts as a round")
	case s.Pending == nil:
		return s, ui.Fail(ui.BadInput, errors.New("no round has been judged"), step.Text)
	case s.Pending.Artifact != a.Hash():
		s.Pending = nil // in this copy only: the step has to name every judge again
		return s, ui.Fail(ui.BadInput, errors.New("the artifact was changed after the judges read it, so their verdicts do not hold for it"), loop.NextStep(s, true, e.CLI).Text)
	}
	if missing := s.Unanswered(); len(missing) > 0 && !o.Partial {
		return s, ui.Fail(ui.BadInput, fmt.Errorf("%s of round %d has not answered", strings.Join(missing, ", "), s.Pending.Round), step.Text,
			"a judge that cannot answer is left out as DEGRADED with --partial")
	}
	return s, nil
}

func (e Engine) record(s loop.State, a artifact.Artifact, fixed answered) (loop.State, error) {
	judged := s.Pending
	body := s.Rubric.Body
	return e.update(func(s loop.State) (loop.State, error) {
		if s.Pending == nil || s.Pending.Round != judged.Round || s.Pending.Artifact != judged.Artifact {
			return s, ui.Fail(ui.BadInput, errors.New("the round was scored by another call meanwhile"), loop.NextStep(s, e.changed(s), e.CLI).Text)
		}
		res := score.Compute(score.Input{Rubric: body, Floor: s.Floor, Judges: s.Answers(), Fixed: fixed.outcomes, Quoted: a.Quoted()})
		s, err := loop.Record(s, res, e.Now().UTC())
		if err != nil {
			return s, err
		}
		s.Deviations = fixed.warnings()
		return look(s, a), nil
	})
}

// rollBack writes the kept version back. The state says so before and after, so that a crash between
// the two is finished by the next call.
func (e Engine) rollBack(s loop.State) (loop.State, error) {
	if _, err := e.restore(s, *s.Restoring); err != nil {
		return s, err
	}
	a, err := e.read(s)
	if err != nil {
		return s, err
	}
	return e.update(func(s loop.State) (loop.State, error) {
		s.Restoring = nil
		return look(s, a), nil
	})
}

// stopWhenUnlocked ends the loop when its rubric was changed on the way.
func (e Engine) stopWhenUnlocked(s loop.State) error {
	err := e.locked(s)
	if err == nil {
		return nil
	}
	if _, endErr := e.end(s, loop.Decision{Over: true, Result: loop.Blocked, Reason: err.Error()}); endErr != nil {
		return endErr
	}
	return ui.Fail(ui.BadInput, fmt.Errorf("the loop is stopped: %w", err),
		"put the rubric back and run '"+e.CLI.Rulph("resume")+"', or start a new loop with the changed one")
}
