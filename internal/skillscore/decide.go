package skillscore

import (
	"encoding/json"
	"errors"
	"strings"

	"rulph/internal/runs"
	"rulph/internal/skill"
	"rulph/internal/trial"
	"rulph/internal/ui"
)

// record is the line of the log before package runs completes it. The scores are those of the text that stays: the
// variant's where it is applied, else the original's, since what comes next is compared with that.
type record struct {
	SkillVersion string      `json:"skill_version,omitempty"`
	InputSummary string      `json:"input_summary"`
	Scores       runs.Scores `json:"scores"`
	Issue        string      `json:"issue,omitempty"`
	Change       *string     `json:"change"`
	Idea         string      `json:"piste_efficience,omitempty"`
	Took         string      `json:"piste,omitempty"`
	Decision     string      `json:"decision"`
	Reason       string      `json:"reason,omitempty"`
	RubricHash   string      `json:"rubric_hash"`
	SkillHash    string      `json:"skill_hash"`
	InputHash    string      `json:"input_hash"`
	Judge        string      `json:"judge"`
	Compared     *compared   `json:"compared,omitempty"`
}

// compared keeps both sides of the table.
type compared struct {
	Original runs.Scores `json:"original"`
	Variant  runs.Scores `json:"variant"`
}

func (c Column) scores() runs.Scores {
	return runs.Scores{Quality: c.Quality, QualityMax: c.QualityMax, MCPCalls: &c.Calls, AskUserQuestion: &c.Questions,
		TokensInjected: &c.Tokens, StepsCompleted: c.Steps, Estimated: c.Estimated}
}

// Decide carries out what the person decided, and keeps the record of it in every case.
func (e Engine) Decide(decision, reason string) (View, error) {
	s, err := e.load()
	if err != nil {
		return View{}, err
	}
	reason = strings.Join(strings.Fields(reason), " ")
	if decision == trial.Ignore && reason == "" {
		if s.Change != nil {
			return View{}, ui.Fail(ui.BadInput, errors.New("a change is ignored for a reason, by which the next one is better"), "ask the user why, and give --reason-file FILE")
		}
		reason = s.Failed
	}
	if _, err := trial.Decide(s, decision, reason); err != nil {
		return View{}, ui.Fail(ui.BadInput, err, e.next(s).Text)
	}
	table, err := e.compare(s)
	if err != nil {
		return View{}, err
	}
	line, err := json.Marshal(e.record(s, *table, decision, reason))
	if err != nil {
		return View{}, err
	}
	var done *skill.Applied
	run := 0
	// While the state is locked nobody else decides. The log is written before the state: of a process that dies in
	// between a decision is left that can be taken again, never one without a record.
	s, err = e.update(func(s trial.State) (trial.State, error) {
		after, err := trial.Decide(s, decision, reason)
		if err != nil {
			return s, err
		}
		if decision != trial.Apply {
			rec, err := runs.Append(s.Skill.Log, line)
			run = rec.Run
			return after, err
		}
		found, err := e.find(s.Skill.Ref)
		if err != nil {
			return s, err
		}
		applied, err := skill.Apply(found, toSkill(*s.Change), s.Skill.Hash, line)
		done, run = &applied, applied.Run
		return after, err
	})
	if err != nil {
		return View{}, err
	}
	if !s.Live() {
		e.forget(s)
	}
	v := e.view(s)
	v.Run, v.Applied, v.Decided = run, done, decided(decision)
	v.Message = doneText(s, v)
	return v, nil
}

func (e Engine) record(s trial.State, t Comparison, decision, reason string) record {
	stays := t.Original
	if decision == trial.Apply {
		stays = *t.Variant
	}
	r := record{SkillVersion: s.Skill.Version, InputSummary: s.Original.Summary, Scores: stays.scores(), Issue: stays.Weakest, Idea: stays.Idea,
		Decision: decided(decision), Reason: reason, RubricHash: s.Rubric.Hash, SkillHash: s.Skill.Hash, InputHash: s.Input.Hash, Judge: e.judge(s)}
	if r.Idea == "" && t.Variant != nil {
		r.Idea = t.Variant.Idea
	}
	if s.Change != nil {
		line := s.Change.Line()
		r.Change, r.Took = &line, s.Change.Idea
	}
	if t.Variant != nil {
		r.Compared = &compared{Original: t.Original.scores(), Variant: t.Variant.scores()}
	}
	return r
}

// judge says who scored.
func (e Engine) judge(s trial.State) string {
	if len(s.Cards) == 0 {
		return Embedded
	}
	return e.Client + " sub-agent, blind"
}

func decided(decision string) string {
	switch decision {
	case trial.Apply:
		return runs.Applied
	case trial.Relaunch:
		return runs.Relaunched
	}
	return runs.Ignored
}
