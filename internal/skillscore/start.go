package skillscore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"rulph/internal/prompt"
	"rulph/internal/runs"
	"rulph/internal/skill"
	"rulph/internal/trial"
	"rulph/internal/ui"
)

// StartOptions are what `skill-score start` is given.
type StartOptions struct {
	Name    string
	Lang    string // en or fr
	Replace bool   // drop a trial that goes on
}

// Start begins a trial of a skill. A skill without a rubric gets none: the view's next step says how it comes by
// one.
func (e Engine) Start(o StartOptions) (View, error) {
	found, err := e.find(o.Name)
	if err != nil {
		return View{}, err
	}
	if doc, err := e.Store.Load(e.SID); err == nil && !o.Replace {
		if s, err := trial.Parse(doc); err == nil && s.Live() {
			return View{}, e.busy(s)
		}
	}
	r, err := e.rubric(found.Rubric())
	if errors.Is(err, fs.ErrNotExist) {
		return e.withoutRubric(found, o.Lang), nil
	}
	if err != nil {
		return View{}, err
	}
	text, err := os.ReadFile(found.File)
	if err != nil {
		return View{}, err
	}
	c, err := runs.Context(found.Runs())
	if err != nil {
		return View{}, err
	}
	raw, err := json.Marshal(c)
	if err != nil {
		return View{}, err
	}
	s := trial.Begin(trial.State{Lang: o.Lang, StartedAt: e.Now().UTC(), Rubric: trial.Locked{Path: found.Rubric(), Hash: r.Hash(), Body: *r},
		Skill: trial.Subject{Name: found.Name, Ref: found.Ref, Plugin: found.Plugin, Version: found.Version, File: found.File, Dir: found.Dir, Log: found.Runs(), Hash: skill.Hash(text)},
		History: trial.History{Segment: c.Segment, Mode: c.Mode, Stagnant: c.Stagnation.ConsecutiveNoImprovement,
			AllAtMax: c.Stagnation.AllAtQualityMax, Context: raw}}, c.RubricHash)
	if err := e.Store.EnsureDir(e.SID); err != nil {
		return View{}, err
	}
	if err := os.MkdirAll(e.path(s, ""), 0o700); err != nil {
		return View{}, err
	}
	err = e.Store.Transform(e.SID, func(old []byte) ([]byte, error) {
		if prev, err := trial.Parse(old); err == nil && prev.Live() {
			if !o.Replace {
				return nil, e.busy(prev)
			}
			e.forget(prev)
		}
		return s.Write(old)
	})
	if err != nil {
		return View{}, err
	}
	v := e.view(s)
	if c.Damaged > 0 {
		v.Warnings = append(v.Warnings, fmt.Sprintf("%d lines of %s are no records and were passed over", c.Damaged, found.Runs()))
	}
	return v, nil
}

func (e Engine) busy(s trial.State) error {
	return ui.Fail(ui.BadInput, fmt.Errorf("session %s has a trial of %s that goes on (%s)", e.SID, s.Skill.Name, s.Phase),
		"go on with it: '"+e.CLI.SkillScore("next")+"'", "begin over it with --replace")
}

func (e Engine) withoutRubric(f skill.Found, lang string) View {
	check, start := e.CLI.Program+" rubric check "+prompt.Quote(f.Rubric()), e.CLI.SkillScore("start "+prompt.Quote(f.Ref))
	fill := e.CLI.Program + " runs init " + prompt.Quote(f.Evals)
	return View{Session: e.SID, Skill: f.Name, Plugin: f.Plugin, Version: f.Version, File: f.File, Lang: lang,
		Message: fmt.Sprintf("%s has no rubric yet", f.Name),
		Next: trial.Step{Commands: []string{check, fill, start}, Text: fmt.Sprintf(
			"write the rubric %s from %s: 5 or 6 criteria of 2 points each. Show it to the user, who may change it now and not later. Then run `%s`, `%s` and `%s`.", f.Rubric(), f.File, check, fill, start)}}
}

// Gate carries out the answer A, B or C. A opens the new segment at once, whether or not a run follows.
func (e Engine) Gate(letter string) (View, error) {
	s, err := e.load()
	if err != nil {
		return View{}, err
	}
	segment, raw := 0, []byte(nil)
	if letter == "A" && s.Phase == trial.Gate {
		reason := "a new angle after runs without improvement"
		if s.GateFor == trial.NewRubric {
			reason = "the rubric has changed"
		}
		if segment, err = runs.OpenSegment(s.Skill.Log, reason); err != nil {
			return View{}, err
		}
		c, err := runs.Context(s.Skill.Log)
		if err != nil {
			return View{}, err
		}
		if raw, err = json.Marshal(c); err != nil {
			return View{}, err
		}
	}
	s, err = e.update(func(s trial.State) (trial.State, error) { return trial.Answer(s, letter, segment, raw) })
	if err != nil {
		return View{}, err
	}
	if !s.Live() {
		e.forget(s)
	}
	return e.view(s), nil
}

// Input takes what the skill is tried on. One that an earlier run had is refused, unless again is set: what was
// learnt from it is in the skill already.
func (e Engine) Input(text []byte, again bool) (View, error) {
	s, err := e.load()
	if err != nil {
		return View{}, err
	}
	if len(text) == 0 {
		return View{}, ui.Bad("the input is empty")
	}
	in := trial.Given{File: e.path(s, "input.txt"), Hash: skill.Hash(text), Size: len(text)}
	var c runs.ContextJSON
	if err := json.Unmarshal(s.History.Context, &c); err == nil {
		in.Repeated = slices.Contains(c.InputHashes, in.Hash)
	}
	if in.Repeated && !again {
		return View{}, ui.Fail(ui.BadInput, errors.New("an earlier run had this very input, so it would show nothing new"),
			"ask the user for another one", "where the user wants it all the same: --again")
	}
	if s.Phase == trial.Input {
		if err := os.MkdirAll(filepath.Dir(in.File), 0o700); err != nil {
			return View{}, err
		}
		if err := os.WriteFile(in.File, text, 0o600); err != nil {
			return View{}, fmt.Errorf("keep the input: %w", err)
		}
	}
	s, err = e.update(func(s trial.State) (trial.State, error) { return trial.Give(s, in) })
	if err != nil {
		return View{}, err
	}
	return e.view(s), nil
}

// forget removes what only the trial needed: the user's input and the copies. The outputs stay.
func (e Engine) forget(s trial.State) {
	_ = os.Remove(e.path(s, "input.txt"))
	for n := range s.Round + 1 {
		_ = os.RemoveAll(e.path(s, fmt.Sprintf("copy-%d", n+1)))
	}
}
