package skillscore

import (
	"rulph/internal/skill"
	"rulph/internal/trial"
)

// View is a trial as the command line shows it, in words and with --json.
type View struct {
	Session  string         `json:"session"`
	Skill    string         `json:"skill"`
	Plugin   string         `json:"plugin,omitempty"`
	Version  string         `json:"version,omitempty"`
	File     string         `json:"file"`
	Phase    trial.Phase    `json:"phase,omitempty"` // absent where the skill has no rubric yet
	Segment  int            `json:"segment,omitempty"`
	Mode     string         `json:"mode,omitempty"`
	Lang     string         `json:"lang,omitempty"`
	Message  string         `json:"message,omitempty"` // for the user, in their language
	Table    *Comparison    `json:"table,omitempty"`
	Decided  string         `json:"decision,omitempty"`
	Run      int            `json:"run,omitempty"` // number of the record that was written
	Applied  *skill.Applied `json:"applied,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`
	Next     trial.Step     `json:"next"`
}

func (e Engine) view(s trial.State) View {
	v := View{Session: e.SID, Skill: s.Skill.Name, Plugin: s.Skill.Plugin, Version: s.Skill.Version, File: s.Skill.File, Phase: s.Phase,
		Segment: s.History.Segment, Mode: s.History.Mode, Lang: s.Lang, Message: message(s), Next: e.next(s)}
	if s.Note != "" && s.Live() {
		v.Warnings = append(v.Warnings, s.Note)
	}
	return v
}

// Next is the trial as it stands.
func (e Engine) Next() (View, error) {
	s, err := e.load()
	if err != nil {
		return View{}, err
	}
	return e.view(s), nil
}
