// Package report turns what a loop did into something a person reads: Markdown, one HTML page with
// inline SVG, and JSON. It takes plain Data and refuses to know how a
// score or a decision came about: it computes none and only shows what it is given. Every text in
// Data counts as hostile (an artifact, a judge and a rubric wrote it), and a report links to nothing
// outside itself.
package report

import "time"

// SchemaVersion is the version of the shape of report.json, see schemas/report.schema.json.
const SchemaVersion = 1

// Data is all a report shows. Its JSON form is report.json.
type Data struct {
	Schema    int             `json:"schema"` // Write sets it to SchemaVersion
	Title     string          `json:"title"`
	Target    string          `json:"target"` // the artifact, as the user named it
	Result    string          `json:"result"` // PASSED CIRCUIT_BREAKER STAGNATED BLOCKED BUDGET CANCELLED CAPPED, empty while the loop goes on
	Reason    string          `json:"reason"` // one sentence
	Started   time.Time       `json:"started,omitzero"`
	Ended     time.Time       `json:"ended,omitzero"`
	Session   string          `json:"session,omitempty"`
	Rubric    RubricInfo      `json:"rubric"`
	Threshold float64         `json:"threshold"` // 0-100
	Floor     float64         `json:"floor"`     // 0-100, 0 = off
	MaxRounds int             `json:"max_rounds"`
	Best      int             `json:"best"` // number of the round that was kept; a number no round has where none counted
	Criteria  []CriterionInfo `json:"criteria"`
	Rounds    []Round         `json:"rounds"` // in the order they happened; number 0 is the baseline
	Tokens    int64           `json:"tokens,omitempty"`
	USD       float64         `json:"usd,omitempty"`      // of the tokens whose price is known
	Unpriced  int64           `json:"unpriced,omitempty"` // those of Tokens whose price nobody told
	Silent    int             `json:"silent,omitempty"`   // calls that told no usage: they are in no sum
	Limits    Limits          `json:"limits,omitzero"`
	Agents    []Agent         `json:"agents,omitempty"`
	Warnings  []string        `json:"warnings,omitempty"`

	Calibration *Calibration `json:"calibration,omitempty"` // nil where the noise was not measured
}

// RubricInfo says which rubric scored.
type RubricInfo struct {
	Title string `json:"title,omitempty"`
	Hash  string `json:"hash,omitempty"`
	Path  string `json:"path,omitempty"`
}

// CriterionInfo is one criterion of the rubric.
type CriterionInfo struct {
	ID     string      `json:"id"`
	Name   string      `json:"name"`
	Weight float64     `json:"weight"` // percent
	Floor  float64     `json:"floor"`  // 0-100, the one that holds for this criterion
	Kind   string      `json:"kind"`   // checklist levels points
	Items  []ItemInfo  `json:"items,omitempty"`
	Levels []LevelInfo `json:"levels,omitempty"` // of the kinds levels and points
}

// ItemInfo is one item of a checklist.
type ItemInfo struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	By   string `json:"by"`             // who answers it: text command judge
	Held bool   `json:"held,omitempty"` // kept from the improver
}

// LevelInfo is one step of a scale.
type LevelInfo struct {
	At   int    `json:"at"`
	Text string `json:"text"`
}

// Round is one scoring of the artifact.
type Round struct {
	Number        int              `json:"number"`
	Overall       float64          `json:"overall"` // 0-100, unrounded; without meaning in a void round
	Void          bool             `json:"void,omitempty"`
	LowConfidence bool             `json:"low_confidence,omitempty"`
	Kept          bool             `json:"kept,omitempty"`
	RolledBack    bool             `json:"rolled_back,omitempty"`
	Passed        bool             `json:"passed,omitempty"`
	Note          string           `json:"note,omitempty"`
	Target        string           `json:"target,omitempty"` // id of the criterion that was improved to get here
	Criteria      []CriterionScore `json:"criteria,omitempty"`
	Judges        []Judge          `json:"judges,omitempty"`
	Agreement     *float64         `json:"agreement,omitempty"` // percent of pairs of answers that agree, 0-100
	Alpha         *float64         `json:"alpha,omitempty"`     // Krippendorff's alpha, at most 1
	Disagreements []Disagreement   `json:"disagreements,omitempty"`
	Independent   *float64         `json:"independent,omitempty"` // how many independent judges these are worth
	Change        *Change          `json:"change,omitempty"`      // against the round this one was built on
	Shown         *float64         `json:"shown,omitempty"`       // 0-100, of the items the improver knows; only with a holdout
	Held          *float64         `json:"held,omitempty"`        // 0-100, of the items kept from it
	Dropped       []string         `json:"dropped,omitempty"`     // files the improver touched and that were not taken
	Diff          string           `json:"diff,omitempty"`        // unified, against the round this one was built on
	Tokens        int64            `json:"tokens,omitempty"`
	USD           float64          `json:"usd,omitempty"`
	Seconds       float64          `json:"seconds,omitempty"`
}

// CriterionScore is what one criterion got in one round.
type CriterionScore struct {
	ID          string             `json:"id"`
	Score       *float64           `json:"score,omitempty"` // 0-100, unrounded; nil where nothing was answered
	Below       bool               `json:"below,omitempty"` // below its floor
	ByJudge     map[string]float64 `json:"by_judge,omitempty"`
	Open        []string           `json:"open,omitempty"` // ids of the items that are not yes for a majority of judges
	Suggestions []Suggestion       `json:"suggestions,omitempty"`
}

// Suggestion is one action a judge proposes.
type Suggestion struct {
	Judge string `json:"judge,omitempty"`
	Text  string `json:"text"`
}

// Judge is one judge in one round.
type Judge struct {
	Name    string                       `json:"name"`
	State   string                       `json:"state"` // AVAILABLE SKIPPED DEGRADED
	Reason  string                       `json:"reason,omitempty"`
	Items   map[string]map[string]string `json:"items,omitempty"` // criterion id -> item id -> yes no unsure missing unverified unknown
	Seconds float64                      `json:"seconds,omitempty"`
	Tokens  int64                        `json:"tokens,omitempty"`
	Model   string                       `json:"model,omitempty"` // as the client reports it
}

// Disagreement is a pair of judges too far apart on one criterion.
type Disagreement struct {
	Criterion string  `json:"criterion"` // id
	Low       string  `json:"low"`       // the judge with the lower score
	High      string  `json:"high"`
	Gap       float64 `json:"gap"` // points
}
