package rulph

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"rulph/internal/loop"
	"rulph/internal/ui"
)

// RunOptions are what `rulph run` is given.
type RunOptions struct {
	StartOptions
	InPlace bool
	Resume  bool // go on with the run of this session
	// Started and Scored are called as the run proceeds, for a person to see.
	Started func(v View, work string)
	Scored  func(v View)
}

// Run drives a whole loop without an agent: the text and the commands of the rubric answer its items,
// and the fix commands of the target criterion improve it. Cancelling ctx leaves a state that
// `rulph run --resume` goes on from.
func (e Engine) Run(ctx context.Context, o RunOptions) (View, error) {
	score, err := e.begin(ctx, o)
	if err != nil {
		return View{}, err
	}
	for {
		if score {
			v, err := e.Score(ctx, ScoreOptions{Again: o.Resume})
			if err != nil {
				return e.ended(err)
			}
			o.Scored(v)
			if v.Result != "" {
				return v, nil
			}
		}
		score, o.Resume = true, false
		if err := ctx.Err(); err != nil {
			return View{}, err
		}
		reason, err := e.improve(ctx)
		if err != nil {
			return e.ended(err)
		}
		if reason != "" {
			return e.block(reason)
		}
	}
}

// ended is the result of a run that something else has ended meanwhile: somebody cancelled it, or
// changed its rubric. Any other error stays one.
func (e Engine) ended(err error) (View, error) {
	if ui.CodeOf(err) != ui.BadInput {
		return View{}, err
	}
	s, loadErr := e.load()
	if loadErr != nil || s.Result == "" {
		return View{}, err
	}
	return e.view(s), nil
}

// begin starts the run, or lets an earlier one go on. score says whether it has to score first.
func (e Engine) begin(ctx context.Context, o RunOptions) (score bool, err error) {
	if o.Resume {
		return e.goOn(o)
	}
	if err := e.free(o.Replace); err != nil {
		return false, err
	}
	o.Headless = true
	work := ""
	if !o.InPlace {
		if work, err = e.copyForRun(&o); err != nil {
			return false, err
		}
	}
	v, err := e.Start(ctx, o.StartOptions)
	if err != nil {
		if work != "" {
			_ = os.RemoveAll(filepath.Dir(work))
			_, _ = e.Store.ClearEmpty(e.SID)
		}
		return false, err
	}
	o.Started(v, work)
	return true, nil
}

// goOn resumes a run. One that had ended is scored again, since what stood in its way may have been
// mended anywhere; one that was interrupted after a scoring goes on with the improvement.
func (e Engine) goOn(o RunOptions) (score bool, err error) {
	before, err := e.load()
	switch {
	case errors.Is(err, errNoLoop):
		return false, ui.Fail(ui.BadInput, fmt.Errorf("there is no run %s", e.SID), "'"+e.CLI.Program+" session list' shows the runs there are")
	case err != nil:
		return false, err
	}
	if !before.Headless {
		return false, ui.Fail(ui.BadInput, fmt.Errorf("the loop of session %s belongs to an agent, not to a run", e.SID), "go on with '"+e.CLI.Rulph("resume")+"'")
	}
	rounds := 0
	if o.MaxRounds != nil {
		rounds = *o.MaxRounds
	}
	v, err := e.Resume(ResumeOptions{MaxRounds: rounds})
	if err != nil {
		return false, err
	}
	o.Started(v, "")
	_, scored := before.Kept()
	_, ended := before.Ended()
	return ended || !scored || before.Void > 0 || e.changed(before), nil
}

// block ends the run because nothing can be improved.
func (e Engine) block(reason string) (View, error) {
	s, err := e.load()
	if err != nil {
		return View{}, err
	}
	if s, err = e.end(s, loop.Decision{Over: true, Result: loop.Blocked, Reason: reason}); err != nil {
		return View{}, err
	}
	return e.view(s), nil
}
