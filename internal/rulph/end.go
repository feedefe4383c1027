package rulph

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"rulph/internal/artifact"
	"rulph/internal/loop"
	"rulph/internal/report"
	"rulph/internal/session"
	"rulph/internal/ui"
)

// end closes the loop: the result is noted, the report is written, and only then is it completed. A
// report that cannot be written does not keep the loop open; the error says so.
func (e Engine) end(s loop.State, d loop.Decision) (loop.State, error) {
	if err := e.takeBack(s); err != nil {
		return s, err
	}
	s, err := e.update(func(s loop.State) (loop.State, error) {
		return loop.Finish(s, d, e.Now().UTC()), nil
	})
	if err != nil {
		return s, err
	}
	return e.close(s)
}

// takeBack writes the kept version over one that a program or a fix command has written and nobody has
// scored. That one is kept beside the others.
func (e Engine) takeBack(s loop.State) error {
	if _, scored := s.Kept(); s.Improvement == nil || s.Target == nil || !scored || !e.changed(s) {
		return nil
	}
	a, err := e.read(s)
	if err != nil {
		return err
	}
	if err := a.Save(filepath.Join(e.dir(s), "unscored")); err != nil {
		return fmt.Errorf("keep the version that was not scored: %w", err)
	}
	if _, err := e.restore(s, s.Best); err != nil {
		return err
	}
	_, err = e.update(func(s loop.State) (loop.State, error) {
		s.Unscored = s.Improvement
		s.Improvement, s.Pending = nil, nil
		return s, nil
	})
	return err
}

// putBack is the other way of takeBack: a loop that goes on after all goes on with the version that nobody had
// scored. One that somebody has changed meanwhile stays as it is.
func (e Engine) putBack(s loop.State) error {
	if s.Unscored == nil || s.Target == nil {
		return nil
	}
	kept, err := artifact.Load(filepath.Join(e.dir(s), "unscored"), s.Target.Root)
	if err == nil && !e.changed(s) {
		// The note goes first, as in takeOver.
		if _, err := e.same(s, func(s loop.State) (loop.State, error) { s.Improvement, s.Unscored = s.Unscored, nil; return s, nil }); err != nil {
			return err
		}
		if _, err := artifact.Restore(s.Target.Spec, kept); err != nil {
			return fmt.Errorf("go on with the version that was not scored: %w", err)
		}
		return nil
	}
	_, err = e.same(s, func(s loop.State) (loop.State, error) { s.Unscored = nil; return s, nil })
	return err
}

func (e Engine) close(s loop.State) (loop.State, error) {
	dir, reportErr := e.writeReport(s, "")
	s, err := e.update(func(s loop.State) (loop.State, error) {
		return loop.Complete(s, dir), nil
	})
	if err != nil {
		return s, err
	}
	if reportErr != nil {
		return s, ui.Fail(ui.Failed, fmt.Errorf("the loop ended %s, but its report could not be written: %w", s.Result, reportErr), "make room, then run '"+e.CLI.Rulph("report")+"'")
	}
	return s, nil
}

func (e Engine) writeReport(s loop.State, out string) (string, error) {
	base := filepath.Join(e.Store.Home, "reports")
	switch {
	case out != "":
		base = out
	case s.Out != "":
		base = s.Out
	}
	data := e.data(s)
	at := s.EndedAt
	if at.IsZero() {
		at = e.Now()
	}
	return report.Write(report.Dir(base, at, data.Title), data)
}

// Report writes the report of a loop, or of a loop that still goes on what there is so far. A loop
// whose end was noted but not closed is closed. out overrides where the report goes.
func (e Engine) Report(out string) (View, error) {
	s, err := e.load()
	if err != nil {
		return View{}, err
	}
	if s.Live() {
		if d := loop.Decide(s, e.Now()); d.Over {
			if s, err = e.end(s, d); err != nil {
				return View{}, err
			}
		}
	}
	dir := s.Report
	if dir == "" || out != "" {
		if dir, err = e.writeReport(s, out); err != nil {
			return View{}, err
		}
		if s.Result != "" {
			if s, err = e.update(func(s loop.State) (loop.State, error) { return loop.Complete(s, dir), nil }); err != nil {
				return View{}, err
			}
		}
	}
	v := e.view(s)
	v.Report = dir
	return v, nil
}

// Cancel ends the loop for good and leaves a report of what was reached.
func (e Engine) Cancel(reason string) (View, error) {
	s, err := e.load()
	if err != nil {
		return View{}, err
	}
	if s.Status == loop.Cancelled {
		return e.view(s), nil
	}
	if s.Status == loop.Completed {
		return View{}, e.over(s)
	}
	if reason == "" {
		reason = "it was cancelled"
	}
	if err := e.takeBack(s); err != nil {
		return View{}, err
	}
	if s, err = e.update(func(s loop.State) (loop.State, error) {
		return loop.Cancel(s, reason, e.Now().UTC()), nil
	}); err != nil {
		return View{}, err
	}
	if s, err = e.close(s); err != nil {
		return View{}, err
	}
	return e.view(s), nil
}

// ResumeOptions are what `rulph resume` is given.
type ResumeOptions struct {
	MaxRounds int  // 0: as it is, or more when it is used up
	Restore   bool // write the kept version of the artifact back first
	From      string
	Limits    loop.Limits // replace those of the loop where they are given
}

// Resume lets a loop go on that was capped, blocked, stagnated, or out of rounds, or that another
// session began. A loop that cannot is left alone, and so are its artifact and the other session.
func (e Engine) Resume(o ResumeOptions) (View, error) {
	o.Limits = e.counted(o.Limits)
	if o.From != "" && o.From != e.SID {
		if err := e.adopt(o.From, o); err != nil {
			return View{}, err
		}
	}
	s, err := e.load()
	if err != nil {
		return View{}, err
	}
	if _, err := e.resumed(s.Limited(o.Limits), o.MaxRounds); err != nil {
		return View{}, err
	}
	if o.Restore {
		if s.Target == nil {
			return View{}, ui.Bad("this loop keeps no version of an artifact")
		}
		if _, err := e.restore(s, s.Best); err != nil {
			return View{}, err
		}
	}
	s, err = e.update(func(s loop.State) (loop.State, error) {
		s, err := e.resumed(s.Limited(o.Limits), o.MaxRounds)
		s.Waiting = false
		return s, err
	})
	if err == nil && !o.Restore {
		if err = e.putBack(s); err == nil {
			s, err = e.load()
		}
	}
	if err != nil {
		return View{}, err
	}
	return e.view(s), nil
}

func (e Engine) resumed(s loop.State, rounds int) (loop.State, error) {
	s, err := loop.Resume(s, rounds, e.Now().UTC())
	if errors.Is(err, loop.ErrBudget) {
		return s, ui.Fail(ui.BadInput, err, "give a larger one with --max-time, --max-tokens or --max-usd")
	}
	if err != nil {
		return s, ui.Fail(ui.BadInput, err)
	}
	return s, nil
}

// adopt moves the loop of another session here, with its snapshots. The other session keeps no loop,
// so that only one of them goes on. A run that comes to an agent gets judges where its rubric has
// questions for them.
func (e Engine) adopt(from string, o ResumeOptions) error {
	if err := session.CheckSID(from); err != nil {
		return ui.Fail(ui.BadInput, err)
	}
	if err := e.free(false); err != nil {
		return err
	}
	other := e
	other.SID = from
	s, err := other.load()
	if err != nil {
		return err
	}
	if s.Rubric == nil || s.Target == nil {
		return ui.Bad("the loop of session %s has no rubric to go on with", from)
	}
	if _, err := e.resumed(s.Limited(o.Limits), o.MaxRounds); err != nil {
		return err
	}
	if err := e.Store.EnsureDir(e.SID); err != nil {
		return err
	}
	if err := copyTree(other.dir(s), e.dir(s), func(string, fs.DirEntry) bool { return false }); err != nil {
		return fmt.Errorf("copy what session %s kept: %w", from, err)
	}
	s.Pending = nil // its judges answer to the other session
	if s.Headless {
		s.Headless, s.Improver = false, ""
		if hasJudgeItems(s.Rubric.Body) && len(s.Judges) == 0 {
			s.Judges = slices.Clone(DefaultJudges)
		}
	}
	if err := e.Store.Transform(e.SID, func(old []byte) ([]byte, error) { return s.Write(dropLoop(old)) }); err != nil {
		return err
	}
	_, err = other.update(func(s loop.State) (loop.State, error) {
		return loop.Complete(loop.Cancel(s, "it goes on in session "+e.SID, e.Now().UTC()), ""), nil
	})
	return err
}
