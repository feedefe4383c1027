package rulph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"rulph/internal/artifact"
	"rulph/internal/evaluator"
	"rulph/internal/loop"
	"rulph/internal/rubric"
	"rulph/internal/score"
)

// improve works on the target criterion: with the fix commands of its open items where they may run, and
// where these change nothing, with the program that improves. It returns why nothing could be improved, or
// "" when the artifact changed. When it is interrupted the kept version stands: a fix that was cut short
// may have left half a file.
func (e Engine) improve(ctx context.Context, timeout time.Duration) (reason string, err error) {
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
	ctx, stop := e.limited(ctx, s)
	defer stop()
	reason, err = e.improveByFix(ctx, s, c)
	if s.Improver == "" || err != nil || reason == "" {
		return reason, err
	}
	return e.improveByProgram(ctx, s, c, timeout)
}

func (e Engine) improveByFix(ctx context.Context, s loop.State, c score.Criterion) (reason string, err error) {
	fixes := fixesOf(s.Rubric.Body, c)
	switch {
	case len(fixes) == 0:
		return fmt.Sprintf("no open item of %q has a fix command", c.Name), nil
	case !e.trusted(s):
		return "the fix commands of the rubric are not trusted", nil
	}
	if _, err := e.same(s, func(s loop.State) (loop.State, error) {
		s.Improvement = &loop.Improvement{Work: loop.Work{Program: string(evaluator.Fix)}}
		return s, nil
	}); err != nil {
		return "", err
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
			return nil, context.Cause(ctx)
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

// attempts is how often in a row a program may change nothing before the run says that nothing can be
// improved: one more than once, since a model may well do with the second try.
const attempts = 2

// improveByProgram has the program work on a copy of the artifact's folder, and takes the artifact over
// from there. Whatever else it touched in the copy is noted and dropped with it.
func (e Engine) improveByProgram(ctx context.Context, s loop.State, c score.Criterion, timeout time.Duration) (reason string, err error) {
	spec, err := evaluator.ParseImprover(s.Improver)
	if err != nil {
		return "", err
	}
	found, err := evaluator.Find(spec, e.Environ, e.Dir)
	if err != nil {
		return fmt.Sprintf("%s cannot be asked: %s", spec, skipped(err)), nil
	}
	for range attempts {
		if s, err = e.live(); err != nil {
			return "", err
		}
		if why := loop.Exhausted(s, e.Now()); why != "" {
			return why, nil // the caller ends the loop for this
		}
		e.Notef("%s improves %s", spec, c.ID)
		reason, err = e.rewrite(ctx, s, c, found, timeout)
		if err != nil || reason == "" {
			return "", err
		}
	}
	return reason, nil
}

// rewrite is one try of the program.
func (e Engine) rewrite(ctx context.Context, s loop.State, c score.Criterion, p evaluator.Program, timeout time.Duration) (reason string, err error) {
	a, err := e.read(s)
	if err != nil || a.Hash() != s.Target.Hash {
		return "", err // somebody else has changed it: that is to be scored
	}
	desk, err := e.newDesk(s, a)
	if err != nil {
		return err.Error(), nil
	}
	defer desk.remove()
	watched, stop := e.heed(ctx, s)
	defer stop()
	reply, err := p.Improve(watched, evaluator.Request{
		Prompt: brief(s, c, desk.files()), Dir: desk.dir, Timeout: timeout, MaxUSD: left(s),
		Note: func(ev evaluator.Event) { e.judging(improverName(p.Spec), ev) },
	})
	done := &loop.Improvement{Work: loop.Work{Program: p.String(), Seconds: reply.Duration.Seconds()}}
	if reply.Usage.Calls > 0 {
		done.Work = *work(p.Spec, reply)
		if _, err := e.same(s, func(s loop.State) (loop.State, error) { return loop.Charge(s, "improver "+p.Name(), done.Spent), nil }); err != nil {
			return "", err
		}
	}
	switch {
	case err != nil:
		return "", e.gone(s, err)
	case reply.Fault != "":
		return fmt.Sprintf("%s did not improve %q: %s", p.Kind, c.Name, reply.Fault), nil
	}
	a, done.Dropped, err = desk.result()
	switch {
	case err != nil:
		return fmt.Sprintf("what %s made of %s was not taken: %v", p.Kind, s.Target.Label, err), nil
	case a.Hash() == s.Target.Hash && len(done.Dropped) > 0:
		return fmt.Sprintf("%s left %s as it is, and changed %s instead, which was dropped", p.Kind, s.Target.Label, listed(done.Dropped)), nil
	case a.Hash() == s.Target.Hash:
		return fmt.Sprintf("%s changed nothing for %q", p.Kind, c.Name), nil
	}
	return "", e.takeOver(s, a, done)
}

// takeOver writes what a program made of the artifact over it. The state says so first: a version that
// nobody has scored is known for one whatever happens then, and a loop that is over takes none.
func (e Engine) takeOver(s loop.State, a artifact.Artifact, done *loop.Improvement) error {
	s, err := e.same(s, func(s loop.State) (loop.State, error) {
		if _, over := s.Ended(); over {
			return s, e.over(s)
		}
		s.Improvement = done
		return s, nil
	})
	if err != nil {
		return err
	}
	if _, err := artifact.Restore(s.Target.Spec, a); err != nil {
		return fmt.Errorf("take over what %s wrote: %w", done.Program, err)
	}
	if s, err = e.load(); err != nil {
		return err
	}
	if _, over := s.Ended(); over { // between the two
		return errors.Join(e.over(s), e.takeBack(s))
	}
	if len(done.Dropped) > 0 {
		e.Notef("dropped what else %s touched: %s", done.Program, listed(done.Dropped))
	}
	return nil
}

// improverName is how progress calls an improver, beside judges of the same name.
func improverName(s evaluator.Spec) string { return s.Name() + " (improver)" }

// listed names a few of these and counts the rest.
func listed(paths []string) string {
	const most = 5
	if len(paths) <= most {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(paths[:most], ", "), len(paths)-most)
}
