package skillscore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rulph/internal/prompt"
	"rulph/internal/skill"
	"rulph/internal/trial"
	"rulph/internal/ui"
)

// Prompt is what one sub-agent reads.
type Prompt struct {
	Session string `json:"session"`
	Part    string `json:"part"`
	Ticket  string `json:"ticket"`
	Text    string `json:"prompt"`
}

// Show is the n-th (from 1) of the pages of a prompt that an agent's shell can show whole.
func (p Prompt) Show(n, limit int, cli prompt.CLI) (string, error) {
	text, err := prompt.Part(p.Text, n, limit, func(n int) string {
		return cli.SkillScore(fmt.Sprintf("prompt --part %s --page %d", p.Part, n))
	})
	if err != nil {
		return "", ui.Fail(ui.BadInput, errors.New(strings.Replace(err.Error(), "--part", "--page", 1)))
	}
	return text, nil
}

// Prompt gives a part its seat and its prompt. Asking twice gives the same prompt.
func (e Engine) Prompt(part string) (Prompt, error) {
	s, err := e.load()
	if err != nil {
		return Prompt{}, err
	}
	if err := e.locked(s); err != nil {
		return Prompt{}, err
	}
	m, err := e.material(s)
	if err != nil {
		return Prompt{}, err
	}
	var seat *trial.Seat
	s, err = e.update(func(s trial.State) (trial.State, error) {
		if s.Phase == trial.Scores {
			s = trial.Deal(s, e.first())
		}
		var err error
		s, seat, err = trial.Sit(s, part, prompt.NewTicket(), func(ticket string) string { return prompt.Fence(ticket, m.all()...) })
		if err != nil {
			return s, ui.Fail(ui.BadInput, err, trial.NextStep(s, e.folder(), e.CLI).Text)
		}
		return s, nil
	})
	if err != nil {
		return Prompt{}, err
	}
	p := Prompt{Session: e.SID, Part: part, Ticket: seat.Ticket}
	switch part {
	case trial.PartOriginal:
		p.Text = dryRunPrompt(s, *seat, m.skill, m.input, s.Skill.Dir)
	case trial.PartVariant:
		p.Text = dryRunPrompt(s, *seat, m.variant, m.input, filepath.Dir(s.Staged))
	case trial.PartChange:
		p.Text = changePrompt(s, *seat, m)
	default:
		p.Text = scorePrompt(s, part, *seat, m)
	}
	return p, nil
}

// material is what the prompts of a trial are made of.
type material struct{ skill, variant, input, original, changed string }

func (m material) all() []string { return []string{m.skill, m.variant, m.input, m.original, m.changed} }

func (e Engine) material(s trial.State) (m material, err error) {
	text, err := e.text(s)
	if err != nil {
		return m, err
	}
	m.skill = string(text)
	for _, f := range []struct {
		path string
		to   *string
	}{{s.Staged, &m.variant}, {given(s), &m.input}, {e.output(s.Original), &m.original}, {e.output(s.Variant), &m.changed}} {
		if f.path == "" {
			continue
		}
		data, err := os.ReadFile(f.path)
		if err != nil {
			return m, err
		}
		*f.to = strings.ToValidUTF8(string(data), "\uFFFD")
	}
	return m, nil
}

func given(s trial.State) string {
	if s.Input == nil {
		return ""
	}
	return s.Input.File
}

// output is where the output of a dry run is.
func (e Engine) output(d *trial.DryRun) string {
	if d == nil {
		return ""
	}
	return filepath.Join(e.folder(), filepath.FromSlash(d.File))
}

// Submission is what became of an answer that was handed in.
type Submission struct {
	Session string `json:"session"`
	trial.Answered
	Next trial.Step `json:"next"`
}

// Submit takes in the answer of a sub-agent, as the SubagentStop hook does by itself. part may be empty: then the
// ticket in the answer says what it answers.
func (e Engine) Submit(part string, answer []byte) (Submission, error) {
	s, err := e.load()
	if err != nil {
		return Submission{}, err
	}
	text, err := e.text(s)
	if err != nil {
		return Submission{}, err
	}
	if tickets := prompt.Tickets(string(answer)); part == "" || len(tickets) > 0 {
		owner, ok := s.PartOf(tickets)
		if open := s.Open(); !ok && len(tickets) == 0 && len(open) == 1 && s.Seats[open[0]] != nil {
			owner, ok = open[0], true // a whole file in the place of a change has no ticket
		}
		switch {
		case !ok && len(tickets) > 0:
			return Submission{}, ui.Fail(ui.BadInput, errors.New("the ticket in the answer is not open: it is of an earlier step, of another session, or answered already"), e.next(s).Text)
		case !ok:
			return Submission{}, ui.Fail(ui.BadInput, errors.New("the answer has no ticket, so nothing says what it answers"), "give --part NAME")
		case part != "" && part != owner:
			return Submission{}, ui.Bad("the ticket in the answer is that of %s, not of %s", owner, part)
		}
		part = owner
	}
	out := Submission{Session: e.SID}
	s, err = e.update(func(s trial.State) (trial.State, error) {
		can := func(d trial.Diff) error {
			_, err := skill.Change(text, toSkill(d))
			return err
		}
		var err error
		if s, out.Answered, err = trial.Take(s, part, answer, nil, can); err != nil {
			return s, ui.Fail(ui.BadInput, err, e.next(s).Text)
		}
		return s, out.Keep(e.folder())
	})
	if err != nil {
		return out, err
	}
	if s, err = e.load(); err != nil {
		return out, err
	}
	out.Next = e.next(s)
	return out, nil
}

func (e Engine) next(s trial.State) trial.Step { return trial.NextStep(s, e.folder(), e.CLI) }
