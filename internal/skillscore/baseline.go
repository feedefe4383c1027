package skillscore

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"rulph/internal/rubric"
	"rulph/internal/runs"
	"rulph/internal/skill"
	"rulph/internal/trial"
	"rulph/internal/ui"
)

// Embedded is the judge that is part of the program: it answers what a text itself answers, and nothing else.
const Embedded = "embedded"

// BaselineOptions are what `skill-score baseline` is given.
type BaselineOptions struct {
	Name    string
	Input   []byte
	Output  []byte // what the skill made of it
	Summary string // of the input, in a line
}

// Baseline scores an output of the skill as it is with the embedded judge alone and keeps the record. It changes
// nothing else; no trial is needed.
func (e Engine) Baseline(o BaselineOptions) (runs.Record, error) {
	var rec runs.Record
	found, err := e.find(o.Name)
	if err != nil {
		return rec, err
	}
	r, err := e.rubric(found.Rubric())
	if err != nil {
		return rec, bad(err)
	}
	text, err := os.ReadFile(found.File)
	if err != nil {
		return rec, err
	}
	switch {
	case len(o.Input) == 0 || len(o.Output) == 0:
		return rec, ui.Bad("the input or the output is empty")
	case o.Summary == "":
		return rec, ui.Bad("--summary has to say in a line what the input is")
	}
	col, err := count(*r, string(o.Output), nil)
	if err != nil {
		return rec, ui.Fail(ui.NoJudge, errors.New("the rubric has no item that the text itself answers"), "mend "+found.Rubric())
	}
	read := tokens(len(text) + len(o.Input))
	reason := "scored by the program alone, from what the text itself answers"
	if left := asked(*r); left > 0 {
		reason += fmt.Sprintf("; %d questions that only a judge answers are left out", left)
	}
	line, err := json.Marshal(record{SkillVersion: found.Version, InputSummary: o.Summary, Issue: col.Weakest, Decision: runs.Baseline, Reason: reason,
		Scores:     runs.Scores{Quality: col.Quality, QualityMax: col.QualityMax, TokensInjected: &read, Estimated: true},
		RubricHash: r.Hash(), SkillHash: skill.Hash(text), InputHash: skill.Hash(o.Input), Judge: Embedded})
	if err != nil {
		return rec, err
	}
	if rec, err = runs.Append(found.Runs(), line); err != nil {
		return rec, bad(err)
	}
	return rec, nil
}

// asked counts the questions that only a judge answers.
func asked(r rubric.Rubric) (n int) {
	for _, c := range r.Form(string(trial.Original)).Criteria {
		if n += len(c.Items); len(c.Items) == 0 {
			n++
		}
	}
	return n
}
