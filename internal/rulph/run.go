package rulph

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rulph/internal/loop"
	"rulph/internal/score"
	"rulph/internal/ui"
)

// RunOptions are what `rulph run` is given.
type RunOptions struct {
	StartOptions
	InPlace   bool
	Resume    bool          // go on with the run of this session
	Timeout   time.Duration // of each call of a program; 0: the evaluator's
	Calibrate int           // measure the judges first, by so many repeats; 0: do not
	// Started, Measured and Scored are called as the run proceeds, for a person to see.
	Started  func(v View, work string)
	Measured func(c score.Calibration)
	Scored   func(v View)
}

// Run drives a whole loop without an agent. The text, the commands of the rubric and the programs that
// judge answer its items; fix commands and the program that improves work on the target criterion.
// Cancelling ctx leaves a state that `rulph run --resume` goes on from.
func (e Engine) Run(ctx context.Context, o RunOptions) (View, error) {
	judge, release, err := e.begin(ctx, o)
	if err != nil {
		return View{}, err
	}
	defer release()
	if o.Calibrate > 0 {
		c, err := e.Calibrate(ctx, CalibrateOptions{o.Calibrate, o.Timeout})
		if err != nil {
			return e.ended(err)
		}
		o.Measured(c)
	}
	defer func() {
		if ctx.Err() != nil { // until here its time counts
			_, _ = e.update(func(s loop.State) (loop.State, error) { s.ProgressAt = e.Now().UTC(); return s, nil })
		}
	}()
	for {
		if judge {
			v, err := e.round(ctx, o)
			if err != nil {
				return e.ended(err)
			}
			if v.Result != "" {
				return v, nil
			}
			o.Resume = false
			if v.Rounds[len(v.Rounds)-1].Void && len(v.Judges) > 0 {
				continue // the same version is judged once more
			}
		}
		judge = true
		if err := ctx.Err(); err != nil {
			return View{}, err
		}
		reason, err := e.improve(ctx, o.Timeout)
		if err != nil {
			return e.ended(err)
		}
		if reason != "" {
			return e.block(reason)
		}
	}
}

// round scores the artifact as it is. A loop that is over before it can be scored is ended.
func (e Engine) round(ctx context.Context, o RunOptions) (View, error) {
	s, err := e.live()
	if err != nil {
		return View{}, err
	}
	if len(s.Programs) > 0 {
		v, err := e.Evaluate(ctx, EvaluateOptions{Timeout: o.Timeout, Again: o.Resume})
		if err != nil || v.Result != "" {
			if len(v.Rounds) > len(s.History) { // it was scored with what was answered by then
				o.Scored(v)
			}
			return v, err
		}
	} else if d := loop.Decide(s, e.Now()); d.Over {
		s, err = e.end(s, d)
		return e.view(s), err
	}
	v, err := e.Score(ctx, ScoreOptions{Again: o.Resume && len(s.Programs) == 0, Partial: true})
	if err == nil {
		o.Scored(v)
	}
	return v, err
}

// ended is the result of a run that something else has ended meanwhile: its budget is spent, somebody
// cancelled it, or changed its rubric. Any other error stays one.
func (e Engine) ended(err error) (View, error) {
	late := errors.Is(err, errTime) || ui.CodeOf(err) == ui.BudgetSpent
	if !late && ui.CodeOf(err) != ui.BadInput {
		return View{}, err
	}
	s, loadErr := e.load()
	if loadErr != nil {
		return View{}, err
	}
	if late && s.Live() {
		if d := loop.Decide(s, e.Now()); d.Over {
			if s, err = e.end(s, d); err != nil {
				return View{}, err
			}
		}
	}
	if s.Result == "" {
		return View{}, err
	}
	return e.view(s), nil
}

// begin starts the run, or lets an earlier one go on. judge says whether it has to be scored first. Until
// release no other call drives it.
func (e Engine) begin(ctx context.Context, o RunOptions) (judge bool, release func(), err error) {
	if o.Resume {
		return e.goOn(o)
	}
	if err := e.free(o.Replace); err != nil {
		return false, nil, err
	}
	o.Headless = true
	work := ""
	if !o.InPlace {
		if work, err = e.copyForRun(&o); err != nil {
			return false, nil, err
		}
	}
	v, err := e.Start(ctx, o.StartOptions)
	if err != nil {
		if work != "" {
			_ = os.RemoveAll(filepath.Dir(work))
			_, _ = e.Store.ClearEmpty(e.SID)
		}
		return false, nil, err
	}
	s, err := e.load()
	if err != nil {
		return false, nil, err
	}
	if release, err = e.drive(s); err != nil {
		return false, nil, err
	}
	o.Started(v, work)
	return true, release, nil
}

// drive makes sure that one call drives the run.
func (e Engine) drive(s loop.State) (release func(), err error) {
	return e.hold(s, "driving.lock", fmt.Errorf("the run %s is being driven already, by another process", e.SID), "look at it with '"+e.CLI.Rulph("status")+"'", "end it with '"+e.CLI.Rulph("cancel")+"'")
}

// goOn resumes a run, with a scoring where something is left to score, else with the improvement.
func (e Engine) goOn(o RunOptions) (judge bool, release func(), err error) {
	before, err := e.load()
	switch {
	case errors.Is(err, errNoLoop):
		return false, nil, ui.Fail(ui.BadInput, fmt.Errorf("there is no run %s", e.SID), "'"+e.CLI.Program+" session list' shows the runs there are")
	case err != nil:
		return false, nil, err
	}
	if !before.Headless {
		return false, nil, ui.Fail(ui.BadInput, fmt.Errorf("the loop of session %s belongs to an agent, not to a run", e.SID), "go on with '"+e.CLI.Rulph("resume")+"'")
	}
	if release, err = e.drive(before); err != nil {
		return false, nil, err
	}
	if judge, err = e.resumeRun(before, o); err != nil {
		release()
		return false, nil, err
	}
	return judge, release, nil
}

// resumeRun lets the run go on. It is scored again where it was blocked, since what stood in its way may have
// been mended anywhere, and where the version on disk has no score.
func (e Engine) resumeRun(before loop.State, o RunOptions) (judge bool, err error) {
	if err := e.someUsable(before); err != nil {
		return false, err
	}
	limits := o.Limits
	if limits.Seconds == 0 && before.Limits != nil && before.Limits.Seconds > 0 && before.Result == "" {
		limits.Seconds = before.Limits.Seconds
		limits.From = e.Now().UTC().Add(-max(0, before.ProgressAt.Sub(before.Counting()))) // the pause does not count
	}
	rounds := 0
	if o.MaxRounds != nil {
		rounds = *o.MaxRounds
	}
	v, err := e.Resume(ResumeOptions{MaxRounds: rounds, Limits: limits})
	if err != nil {
		return false, err
	}
	o.Started(v, "")
	kept, scored := before.Kept()
	blocked := before.Result == loop.Blocked && (len(before.Programs) == 0 || !answeredAll(kept.Result))
	return blocked || !scored || before.Void > 0 || e.changed(before), nil
}

// answeredAll says that every criterion has a score, so that judging the same version again would tell nothing.
func answeredAll(r score.Result) bool {
	return !slices.ContainsFunc(r.Criteria, func(c score.Criterion) bool { return c.Score == nil })
}

// block ends the run because nothing can be improved, or for what else has ended it meanwhile.
func (e Engine) block(reason string) (View, error) {
	s, err := e.load()
	if err != nil {
		return View{}, err
	}
	d := loop.Decide(s, e.Now())
	if !d.Over {
		d = loop.Decision{Over: true, Result: loop.Blocked, Reason: strings.TrimSpace(reason)}
	}
	if s, err = e.end(s, d); err != nil {
		return View{}, err
	}
	return e.view(s), nil
}
