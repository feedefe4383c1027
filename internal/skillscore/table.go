package skillscore

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"rulph/internal/artifact"
	"rulph/internal/rubric"
	"rulph/internal/score"
	"rulph/internal/trial"
	"rulph/internal/ui"
)

// Column is one output as the comparison shows it.
type Column struct {
	Quality    float64    `json:"quality"`     // sum of the points
	QualityMax float64    `json:"quality_max"` // two for each criterion that has a score
	Points     []*float64 `json:"points"`      // by criterion, 0 to 2; null: nothing was answered
	Calls      int        `json:"mcp_calls"`
	Questions  int        `json:"ask_user_question"`
	Tokens     int        `json:"tokens_injected"`
	Steps      string     `json:"steps_completed"`
	Estimated  bool       `json:"estimated"`
	File       string     `json:"file"` // the output
	Weakest    string     `json:"weakest,omitempty"`
	Idea       string     `json:"piste_efficience,omitempty"`
}

// Comparison is the table that a person decides by. Variant is nil where no change could be made.
type Comparison struct {
	Criteria []string `json:"criteria"`
	Original Column   `json:"original"`
	Variant  *Column  `json:"variant"`
	Change   string   `json:"change,omitempty"`
	Old      string   `json:"old,omitempty"`
	New      string   `json:"new,omitempty"`
}

// Table counts both scores.
func (e Engine) Table() (View, error) {
	s, err := e.load()
	if err != nil {
		return View{}, err
	}
	c, err := e.compare(s)
	if err != nil {
		return View{}, err
	}
	v := e.view(s)
	v.Table, v.Next = c, trial.Shown(v.Next)
	return v, nil
}

func (e Engine) compare(s trial.State) (*Comparison, error) {
	if s.Phase != trial.Decision {
		return nil, ui.Fail(ui.BadInput, errors.New("there is nothing to compare yet"), e.next(s).Text)
	}
	if err := e.locked(s); err != nil {
		return nil, err
	}
	m, err := e.material(s)
	if err != nil {
		return nil, err
	}
	c := &Comparison{}
	for _, crit := range s.Rubric.Body.Criteria {
		c.Criteria = append(c.Criteria, crit.Name)
	}
	if c.Original, err = e.column(s, trial.Original, *s.Original, m.original, len(m.skill)+len(m.input)); err != nil {
		return nil, err
	}
	if s.Variant == nil || s.Change == nil {
		return c, nil
	}
	variant, err := e.column(s, trial.Variant, *s.Variant, m.changed, len(m.variant)+len(m.input))
	c.Variant, c.Change, c.Old, c.New = &variant, s.Change.Line(), s.Change.Old, s.Change.New
	return c, err
}

func (e Engine) column(s trial.State, side trial.Phase, d trial.DryRun, output string, read int) (Column, error) {
	var judges []score.Judge
	idea := ""
	for part, is := range s.Sides {
		if card := s.Cards[part]; is == side && card != nil {
			judges, idea = []score.Judge{{Name: "scorer", State: score.Available, Verdict: card.Verdict}}, card.Idea
		}
	}
	col, err := count(s.Rubric.Body, output, judges)
	if err != nil {
		return col, err
	}
	col.Calls, col.Questions, col.Steps, col.Estimated = d.Calls, d.Questions, d.Steps, d.Estimated
	if col.Tokens = d.Tokens; col.Tokens == 0 {
		for _, ref := range d.References {
			if info, err := os.Stat(s.Skill.Dir + "/" + ref); err == nil && info.Mode().IsRegular() {
				read += int(info.Size())
			}
		}
		col.Tokens = tokens(read)
	}
	col.Idea, col.File = idea, e.output(&d)
	return col, nil
}

// tokens is the seed's estimate of what was read: bytes of text by four, rounded.
func tokens(read int) int { return (read + 2) / 4 }

// count scores one output. What the text answers is the same for every judge, and no judge is asked for it.
func count(r rubric.Rubric, output string, judges []score.Judge) (Column, error) {
	a := artifact.Artifact{Files: []artifact.File{{Path: "output.md", Data: []byte(output)}}}
	fixed := score.Fixed{}
	set := func(c, it string, o score.Outcome) {
		if fixed[c] == nil {
			fixed[c] = map[string]score.Outcome{}
		}
		fixed[c][it] = o
	}
	for _, c := range r.Criteria {
		for _, it := range c.Items {
			switch {
			case it.Probe != nil:
				yes, _, err := it.Probe.Answer(a)
				if err != nil {
					return Column{}, fmt.Errorf("rubric item %s/%s: %w", c.ID, it.ID, err)
				}
				o := score.No
				if yes {
					o = score.Yes
				}
				set(c.ID, it.ID, o)
			case it.Check != "":
				set(c.ID, it.ID, score.Unknown) // an output is a text, and no command runs on it
			}
		}
	}
	if judges == nil {
		judges = []score.Judge{{Name: score.Checks, State: score.Available}}
	}
	res := score.Compute(score.Input{Rubric: r, Floor: r.Floor, Judges: judges, Fixed: fixed, Quoted: a.Quoted()})
	var col Column
	for _, c := range res.Criteria {
		var points *float64
		if c.Score != nil {
			p := math.Round(*c.Score*2) / 100 // 0-100 to 0-2, two decimals
			points = &p
			col.Quality += p
			col.QualityMax += 2
		}
		col.Points = append(col.Points, points)
	}
	col.Quality = math.Round(col.Quality*100) / 100
	if col.QualityMax == 0 {
		return col, ui.Fail(ui.NoJudge, errors.New("not one criterion got a score"), "ask the scorers again")
	}
	if weakest, ok := score.Target(res.Criteria); ok {
		col.Weakest = weakest.Name
		for _, sg := range weakest.Suggestions {
			col.Weakest += ": " + sg.Text
			break
		}
	}
	return col, nil
}

// number shows points without decimals that say nothing.
func number(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
}
