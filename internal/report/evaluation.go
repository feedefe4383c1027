package report

import (
	"bytes"
	"encoding/json"
)

// EvaluationSchema is the version of the shape of an evaluation, see schemas/evaluation.schema.json.
const EvaluationSchema = 1

// Evaluation is one scoring without a loop, as scripts and CI read it. Its JSON form is what JSON
// writes; Markdown, JUnit and GitHub show the same values.
type Evaluation struct {
	Schema        int             `json:"schema"` // JSON sets it to EvaluationSchema
	Title         string          `json:"title"`
	Target        string          `json:"target"`         // the artifact, as the user named it
	Rubric        string          `json:"rubric"`         // path of the rubric
	Hash          string          `json:"hash,omitempty"` // of what scores
	Threshold     float64         `json:"threshold"`      // 0-100
	Passed        bool            `json:"passed"`         // the threshold and every floor are reached
	Overall       float64         `json:"overall"`        // 0-100, unrounded; without meaning where Void
	Void          bool            `json:"void,omitempty"` // no judge answered
	LowConfidence bool            `json:"low_confidence,omitempty"`
	Repeats       int             `json:"repeats"`      // how often the artifact was judged, at least 1
	SD            *float64        `json:"sd,omitempty"` // points, of the overall scores of the repeats
	Criteria      []EvalCriterion `json:"criteria"`
	Judges        []EvalJudge     `json:"judges"`
	Disagreements []Disagreement  `json:"disagreements,omitempty"`
	Agreement     *float64        `json:"agreement,omitempty"`   // percent of pairs of answers that agree, 0-100
	Alpha         *float64        `json:"alpha,omitempty"`       // Krippendorff's alpha, at most 1
	Independent   *float64        `json:"independent,omitempty"` // how many independent judges these are worth
	Tokens        int64           `json:"tokens,omitempty"`
	USD           float64         `json:"usd,omitempty"` // of the tokens whose price is known
	Seconds       float64         `json:"seconds,omitempty"`
	Warnings      []string        `json:"warnings,omitempty"`
	Files         []string        `json:"files,omitempty"` // what was scored, relative to the working folder
}

// EvalCriterion is one criterion with its score.
type EvalCriterion struct {
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	Weight      float64      `json:"weight"`          // percent
	Floor       float64      `json:"floor"`           // 0-100, 0 = off
	Score       *float64     `json:"score,omitempty"` // 0-100, unrounded; nil where nothing was answered
	Below       bool         `json:"below,omitempty"` // below its floor
	Items       []EvalItem   `json:"items,omitempty"` // of a checklist
	Suggestions []Suggestion `json:"suggestions,omitempty"`
}

// EvalItem is one item with the answers to it.
type EvalItem struct {
	ID       string            `json:"id"`
	Text     string            `json:"text"`
	Outcome  string            `json:"outcome"` // yes no unsure missing unverified unknown, by majority
	ByJudge  map[string]string `json:"by_judge,omitempty"`
	Evidence string            `json:"evidence,omitempty"` // quoted from the artifact
	Why      string            `json:"why,omitempty"`      // a check's or a judge's reason
}

// EvalJudge is one judge with what it spent.
type EvalJudge struct {
	Name     string   `json:"name"`
	Program  string   `json:"program,omitempty"` // as it is asked for on the command line
	Model    string   `json:"model,omitempty"`   // as the client reports it
	State    string   `json:"state"`             // AVAILABLE SKIPPED DEGRADED
	Reason   string   `json:"reason,omitempty"`
	Overall  *float64 `json:"overall,omitempty"` // 0-100, what its answers alone give
	Seconds  float64  `json:"seconds,omitempty"`
	Calls    int      `json:"calls,omitempty"`
	Tokens   int64    `json:"tokens,omitempty"`
	USD      float64  `json:"usd,omitempty"`      // of the tokens whose price is known
	Unpriced int64    `json:"unpriced,omitempty"` // those of Tokens whose price nobody told
	Silent   int      `json:"silent,omitempty"`   // those of Calls that told no usage
}

// JSON is the evaluation as one indented document.
func (e Evaluation) JSON() ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	e.Schema = EvaluationSchema
	e.Repeats = max(1, e.Repeats)
	if e.Criteria == nil {
		e.Criteria = []EvalCriterion{}
	}
	if e.Judges == nil {
		e.Judges = []EvalJudge{}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(e); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (e Evaluation) check() error {
	numbers := finite{"threshold": e.Threshold, "overall": e.Overall, "usd": e.USD, "seconds": e.Seconds}
	numbers.add("sd", e.SD)
	numbers.add("agreement", e.Agreement)
	numbers.add("alpha", e.Alpha)
	numbers.add("independent", e.Independent)
	for _, c := range e.Criteria {
		numbers["weight of "+c.ID] = c.Weight
		numbers["floor of "+c.ID] = c.Floor
		numbers.add("score of "+c.ID, c.Score)
	}
	for _, j := range e.Judges {
		numbers["seconds of "+j.Name] = j.Seconds
		numbers["usd of "+j.Name] = j.USD
		numbers.add("overall of "+j.Name, j.Overall)
	}
	for _, g := range e.Disagreements {
		numbers["gap of "+g.Criterion] = g.Gap
	}
	return numbers.check()
}
