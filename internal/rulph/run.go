package rulph

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rulph/internal/artifact"
	"rulph/internal/evaluator"
	"rulph/internal/loop"
	"rulph/internal/rubric"
	"rulph/internal/score"
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

// copyForRun copies the folder that holds both the rubric and the target, or else the target's own,
// and turns the options to the copy. The rubric itself is read, and trusted, where it was.
func (e Engine) copyForRun(o *RunOptions) (string, error) {
	rubricDir := filepath.Dir(absolute(o.Cwd, o.Rubric))
	targets := slices.Clone(o.Targets)
	if len(targets) == 0 {
		r, err := e.readRubric(o.Cwd, o.Rubric)
		if err != nil {
			return "", err
		}
		if r.Target == "" {
			return "", nil // Start says what is missing
		}
		o.Label = r.Target
		targets = []string{filepath.Join(rubricDir, r.Target)}
	} else {
		o.Label = labelOf(targets)
	}
	if targets[0] == "-" {
		return "", nil // a text from standard input is a copy already
	}
	for i, t := range targets {
		targets[i] = absolute(o.Cwd, t)
	}
	if _, err := specOf(o.Cwd, targets, o.Include); err != nil {
		return "", err
	}
	from := rubricDir
	if !within(rubricDir, targets) {
		from = filepath.Dir(targets[0])
		if info, err := os.Stat(targets[0]); err == nil && info.IsDir() {
			from = targets[0]
		}
		if !within(from, targets) {
			return "", ui.Fail(ui.BadInput, fmt.Errorf("%s lie in different folders, so there is no one folder to copy", strings.Join(targets, " and ")), "run with --in-place, or name the folder that holds them")
		}
	}
	work, err := e.copyFolder(filepath.Base(from))
	if err != nil {
		return "", err
	}
	if err := copyTree(from, work, project(e.Store.Home)); err != nil {
		_ = os.RemoveAll(filepath.Dir(work))
		_, _ = e.Store.ClearEmpty(e.SID)
		return "", fmt.Errorf("copy %s: %w", from, err)
	}
	for i, t := range targets {
		rel, err := filepath.Rel(from, t)
		if err != nil {
			return "", err
		}
		targets[i] = filepath.Join(work, rel)
	}
	o.Targets = targets
	if from == rubricDir {
		o.Dir = work
	}
	return work, nil
}

// copyFolder is a place for the copy that no earlier run of the session has used: what that one
// achieved stays where its report says.
func (e Engine) copyFolder(name string) (string, error) {
	if err := e.Store.EnsureDir(e.SID); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		dir := filepath.Join(e.Store.Dir(e.SID), "copy")
		if n > 1 {
			dir = fmt.Sprintf("%s-%d", dir, n)
		}
		err := os.Mkdir(dir, 0o700)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		return filepath.Join(dir, name), err
	}
}

func within(dir string, paths []string) bool {
	return !slices.ContainsFunc(paths, func(p string) bool {
		rel, err := filepath.Rel(dir, p)
		return err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator))
	})
}

// improve runs the fix commands of the target criterion's open items. It returns why nothing could be
// improved, or "" when the artifact changed. When it is interrupted it puts the kept version back: a
// fix that was cut short may have left half a file.
func (e Engine) improve(ctx context.Context) (reason string, err error) {
	s, err := e.live()
	if err != nil {
		return "", err
	}
	if _, scored := s.Kept(); !scored {
		return "nothing could be scored: this run has no judge, and no item is answered by the text or by a command that may run", nil
	}
	c, ok := s.Criterion(s.Next)
	if !ok {
		return "no criterion can be improved", nil
	}
	fixes := fixesOf(s.Rubric.Body, c)
	switch {
	case len(fixes) == 0:
		return fmt.Sprintf("no open item of %q has a fix command", c.Name), nil
	case !e.trusted(s):
		return "the fix commands of the rubric are not trusted", nil
	}
	failed, err := e.fix(ctx, s, c, fixes)
	if err != nil {
		if _, restoreErr := e.restore(s, s.Best); restoreErr != nil {
			err = errors.Join(err, restoreErr)
		}
		return "", err
	}
	a, err := artifact.Read(s.Target.Spec)
	if err != nil {
		if _, restoreErr := e.restore(s, s.Best); restoreErr != nil {
			return "", restoreErr
		}
		return fmt.Sprintf("the fix commands of %q left an artifact that cannot be read (%v); the kept version was put back", c.Name, err), nil
	}
	if a.Hash() == s.Target.Hash {
		reason = fmt.Sprintf("the fix commands of %q changed nothing", c.Name)
		if len(failed) > 0 {
			reason += "; failed: " + strings.Join(failed, ", ")
		}
	}
	return reason, nil
}

// fix runs the commands one after the other and lists those that failed, with the reason.
func (e Engine) fix(ctx context.Context, s loop.State, c score.Criterion, items []rubric.Item) (failed []string, err error) {
	for _, it := range items {
		e.Notef("fix %s/%s", c.ID, it.ID)
		out, err := evaluator.Run(ctx, e.command(s, it.Fix))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("fix of %s/%s: %w", c.ID, it.ID, err)
		}
		if fault := evaluator.Fault(out); fault != "" {
			failed = append(failed, fmt.Sprintf("%s (%s)", it.ID, fault))
		}
	}
	return failed, nil
}

// fixesOf lists the items of the criterion that are open and have a fix.
func fixesOf(r rubric.Rubric, c score.Criterion) (out []rubric.Item) {
	for _, rc := range r.Criteria {
		if rc.ID != c.ID {
			continue
		}
		for _, it := range rc.Items {
			if it.Fix != "" && slices.Contains(c.Open, it.ID) {
				out = append(out, it)
			}
		}
	}
	return out
}
