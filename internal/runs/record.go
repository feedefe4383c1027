package runs

import (
	"encoding/json"
)

// The decisions of a record.
const (
	Applied    = "applied"    // the change is in the skill now
	Ignored    = "ignored"    // it was turned down, Reason says why
	Relaunched = "relaunched" // it was turned down for another one, proposed from the original text
	Baseline   = "baseline"   // no change was proposed: the skill as it is was scored
)

// Record is one line of a log. Append checks what is written; what an old log holds may miss any of it.
// Marshalled, it is what Append takes: run, date and segment may be left out.
type Record struct {
	Run             int     `json:"run,omitempty"`     // 1, 2, 3, ... over all segments
	Date            string  `json:"date,omitempty"`    // YYYY-MM-DD
	Segment         int     `json:"segment,omitempty"` // at least 1; records of one segment may be compared
	SkillVersion    string  `json:"skill_version,omitempty"`
	InputSummary    string  `json:"input_summary"`
	Scores          Scores  `json:"scores"`
	Issue           string  `json:"issue,omitempty"`
	Change          *string `json:"change"`                     // what was proposed, in a line; nil where nothing was
	PisteEfficience string  `json:"piste_efficience,omitempty"` // an idea for later
	Piste           string  `json:"piste,omitempty"`            // the earlier idea that Change takes up, as the backlog had it
	Decision        string  `json:"decision"`
	Reason          string  `json:"reason,omitempty"`
	RubricHash      string  `json:"rubric_hash,omitempty"`
	SkillHash       string  `json:"skill_hash,omitempty"` // of SKILL.md as it was before the change
	InputHash       string  `json:"input_hash,omitempty"`
	Judge           string  `json:"judge,omitempty"`

	// Raw is the line itself, with the fields that this program does not know.
	Raw json.RawMessage `json:"-"`
}

// Scores are the figures of the text that was on trial. The efficiency figures are nil where nobody counted.
type Scores struct {
	Quality         float64 `json:"quality"`     // 0 to QualityMax
	QualityMax      float64 `json:"quality_max"` // above 0
	MCPCalls        *int    `json:"mcp_calls,omitempty"`
	AskUserQuestion *int    `json:"ask_user_question,omitempty"`
	TokensInjected  *int    `json:"tokens_injected,omitempty"`
	StepsCompleted  string  `json:"steps_completed,omitempty"` // "X/Y"
	Estimated       bool    `json:"estimated,omitempty"`       // the efficiency figures were not counted by the client
}

// Stamps say under what conditions a record came about. Empty ones are left out.
type Stamps struct {
	RubricHash, SkillHash, InputHash, Judge string
}
