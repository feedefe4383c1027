package rulph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rulph/internal/artifact"
	"rulph/internal/evaluator"
	"rulph/internal/loop"
	"rulph/internal/rubric"
	"rulph/internal/score"
)

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
