package rulph

import (
	"context"
	"fmt"
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
	v, err := e.begin(ctx, &o)
	if err != nil {
		return v, err
	}
	for {
		if v, err = e.Score(ctx, ScoreOptions{Again: o.Resume}); err != nil {
			return v, err
		}
		o.Resume = false
		o.Scored(v)
		if v.Result != "" {
			return v, nil
		}
		if err := ctx.Err(); err != nil {
			return v, err
		}
		reason, err := e.improve(ctx)
		if err != nil {
			return v, err
		}
		if reason != "" {
			s, err := e.load()
			if err != nil {
				return v, err
			}
			if s, err = e.end(s, loop.Decision{Over: true, Result: loop.Blocked, Reason: reason}); err != nil {
				return v, err
			}
			return e.view(s), nil
		}
	}
}

func (e Engine) begin(ctx context.Context, o *RunOptions) (View, error) {
	if o.Resume {
		v, err := e.Resume(ResumeOptions{})
		if err == nil {
			o.Started(v, strings.Join(v.Files, ", "))
		}
		return v, err
	}
	o.Headless = true
	work := ""
	if !o.InPlace {
		var err error
		if work, err = e.copyForRun(o); err != nil {
			return View{}, err
		}
	}
	v, err := e.Start(ctx, o.StartOptions)
	if err != nil {
		return v, err
	}
	if work == "" {
		work = strings.Join(v.Files, ", ")
	}
	o.Started(v, work)
	return v, nil
}

// copyForRun copies the folder that holds both the rubric and the target, or else the target's own,
// and turns the options to the copy. The rubric itself is read, and trusted, where it was.
func (e Engine) copyForRun(o *RunOptions) (string, error) {
	rubricDir := filepath.Dir(absolute(o.Cwd, o.Rubric))
	targets := slices.Clone(o.Targets)
	if len(targets) > 0 {
		o.Label = targets[0]
	}
	if len(targets) == 1 && targets[0] == "-" {
		return "", nil // a text from standard input is a copy already
	}
	for i, t := range targets {
		targets[i] = absolute(o.Cwd, t)
	}
	from := rubricDir
	if len(targets) > 0 && !within(rubricDir, targets) {
		from = filepath.Dir(targets[0])
		if info, err := os.Stat(targets[0]); err == nil && info.IsDir() {
			from = targets[0]
		}
		if !within(from, targets) {
			return "", ui.Fail(ui.BadInput, fmt.Errorf("rulph run: %s lie in different folders, so there is no one folder to copy", strings.Join(targets, " and ")), "run with --in-place, or name the folder that holds them")
		}
	}
	if err := e.Store.EnsureDir(e.SID); err != nil {
		return "", err
	}
	work := filepath.Join(e.Store.Dir(e.SID), "work", filepath.Base(from))
	if err := copyTree(from, work); err != nil {
		return "", fmt.Errorf("rulph run: copy %s: %w", from, err)
	}
	for i, t := range targets {
		rel, err := filepath.Rel(from, t)
		if err != nil {
			return "", err
		}
		targets[i] = filepath.Join(work, rel)
	}
	if len(targets) == 0 {
		r, err := readRubric(absolute(o.Cwd, o.Rubric))
		if err != nil {
			return "", err
		}
		if r.Target != "" {
			targets, o.Label = []string{filepath.Join(work, r.Target)}, r.Target
		}
	}
	o.Targets = targets
	if from == rubricDir {
		o.Dir = work
	}
	return work, nil
}

func within(dir string, paths []string) bool {
	return !slices.ContainsFunc(paths, func(p string) bool {
		rel, err := filepath.Rel(dir, p)
		return err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator))
	})
}

// improve runs the fix commands of the target criterion's open items. It returns why nothing could be
// improved, or "" when the artifact changed.
func (e Engine) improve(ctx context.Context) (reason string, err error) {
	s, err := e.load()
	if err != nil {
		return "", err
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
	var failed []string
	for _, it := range fixes {
		e.Notef("fix %s/%s", c.ID, it.ID)
		out, err := evaluator.Run(ctx, e.command(s, it.Fix))
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil {
			return "", fmt.Errorf("fix of %s/%s: %w", c.ID, it.ID, err)
		}
		if out.Code != 0 || out.TimedOut {
			_, why := evaluator.Answer(out)
			failed = append(failed, fmt.Sprintf("%s (%s)", it.ID, why))
		}
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
