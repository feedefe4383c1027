// Package skillscore holds the use cases of /skill-score: begin a trial of a skill, answer its gate, take the
// input and the answers of sub-agents, stage the proposed change, count both scores, and carry out what a person
// decides. It reads and writes files; which phase follows is decided in package trial, what a change may be in
// package skill, and what history says in package runs.
package skillscore

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"rulph/internal/prompt"
	"rulph/internal/rubric"
	"rulph/internal/rubric/rubricfile"
	"rulph/internal/session"
	"rulph/internal/skill"
	"rulph/internal/trial"
	"rulph/internal/ui"
)

// Engine works on the trial of one session.
type Engine struct {
	Store  session.Store
	SID    string
	CLI    prompt.CLI // how its words name the command line
	Roots  skill.Roots
	Client string // whose sub-agents answer, as the log names it
	Now    func() time.Time
	// First draws which of two outputs the first scorer reads; nil draws by lot.
	First func() trial.Phase
}

func (e Engine) folder() string { return e.Store.Dir(e.SID) }

// path is a file of the trial.
func (e Engine) path(s trial.State, name string) string {
	return filepath.Join(e.folder(), filepath.FromSlash(s.Folder()), name)
}

// update is the one way the trial's state changes.
func (e Engine) update(change func(trial.State) (trial.State, error)) (trial.State, error) {
	var out trial.State
	err := e.Store.Transform(e.SID, func(old []byte) ([]byte, error) {
		s, err := e.parse(old)
		if err != nil {
			return nil, err
		}
		if out, err = change(s); err != nil {
			return nil, bad(err)
		}
		return out.Write(old)
	})
	return out, err
}

// load reads the trial, and stages a change that was taken in and not staged yet.
func (e Engine) load() (trial.State, error) {
	doc, err := e.Store.Load(e.SID)
	if errors.Is(err, fs.ErrNotExist) {
		return trial.State{}, e.none()
	}
	if err != nil {
		return trial.State{}, err
	}
	s, err := e.parse(doc)
	if err != nil || s.Phase != trial.Change || s.Change == nil {
		return s, err
	}
	return e.stage(s)
}

func (e Engine) parse(doc []byte) (trial.State, error) {
	s, err := trial.Parse(doc)
	switch {
	case errors.Is(err, trial.ErrNone):
		return s, e.none()
	case errors.Is(err, trial.ErrNewer):
		return s, ui.Fail(ui.Failed, err, "update the plugin, then run '"+e.CLI.Program+" install'")
	case err != nil:
		return s, ui.Fail(ui.Failed, err, "drop the trial with '"+e.CLI.Program+" session unset --sid "+e.SID+" --path "+trial.Key+"'")
	}
	return s, nil
}

func (e Engine) none() error {
	return ui.Fail(ui.BadInput, fmt.Errorf("session %s has no trial of a skill", e.SID), "begin one with '"+e.CLI.SkillScore("start NAME")+"'")
}

// bad gives a refusal of package trial the exit status of bad input.
func bad(err error) error {
	if _, ok := errors.AsType[*ui.Error](err); ok {
		return err
	}
	return ui.Fail(ui.BadInput, err)
}

// stage makes the proposed change on a copy of the skill. A change that cannot be made goes back to whoever
// proposed it.
func (e Engine) stage(s trial.State) (trial.State, error) {
	found, err := e.find(s.Skill.Ref)
	if err != nil {
		return s, err
	}
	// The folder's name says nothing of what is in it: whoever runs the copy need not know.
	dir := e.path(s, fmt.Sprintf("copy-%d", s.Round+1))
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return s, err
	}
	staged, err := skill.StageCopy(found, toSkill(*s.Change), dir)
	refusal, refused := errors.AsType[*skill.Refusal](err)
	if err != nil && !refused {
		return s, err
	}
	if err == nil && staged.Base != s.Skill.Hash {
		return s, e.moved(s)
	}
	return e.update(func(s trial.State) (trial.State, error) {
		switch {
		case s.Phase != trial.Change || s.Change == nil:
			return s, nil // another call was faster
		case refused:
			return trial.Refuse(s, refusal.Message), nil
		}
		return trial.Staged(s, staged.File), nil
	})
}

func toSkill(d trial.Diff) skill.Diff {
	return skill.Diff{Section: d.Section, Old: d.Old, New: d.New, Rationale: d.Rationale, Gains: d.Gains}
}

func (e Engine) moved(s trial.State) error {
	return ui.Fail(ui.BadInput, fmt.Errorf("%s has changed since the trial began, so what was found out is of another text", s.Skill.File), "begin anew with '"+e.CLI.SkillScore("start "+prompt.Quote(s.Skill.Ref)+" --replace")+"'")
}

// text is the skill on trial as it was when the trial began.
func (e Engine) text(s trial.State) ([]byte, error) {
	text, err := os.ReadFile(s.Skill.File)
	if err != nil {
		return nil, err
	}
	if skill.Hash(text) != s.Skill.Hash {
		return nil, e.moved(s)
	}
	return text, nil
}

func (e Engine) find(name string) (skill.Found, error) {
	found, err := skill.One(e.Roots, name)
	if err != nil {
		return found, bad(err)
	}
	return found, nil
}

// locked reads the rubric of the trial again: it may not change while outputs are compared by it.
func (e Engine) locked(s trial.State) error {
	r, err := e.rubric(s.Rubric.Path)
	if err != nil {
		return err
	}
	if r.Hash() != s.Rubric.Hash {
		return ui.Fail(ui.BadInput, fmt.Errorf("the rubric %s was changed during the trial", s.Rubric.Path), "put it back, or begin anew with '"+e.CLI.SkillScore("start "+prompt.Quote(s.Skill.Ref)+" --replace")+"', which asks for a new segment")
	}
	return nil
}

func (e Engine) rubric(path string) (*rubric.Rubric, error) {
	r, err := rubricfile.Read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, bad(err)
	}
	return r, err
}

// first draws which output the first scorer reads.
func (e Engine) first() trial.Phase {
	if e.First != nil {
		return e.First()
	}
	coin := make([]byte, 1)
	_, _ = rand.Read(coin) // never fails
	if coin[0]&1 == 0 {
		return trial.Original
	}
	return trial.Variant
}
