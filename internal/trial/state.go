// Package trial is one run of /skill-score as a value: a skill is run dry on a real input, one change of its text
// is proposed and run dry too, both outputs are scored blind, and a person decides. It knows the phases, what may
// be answered in each and what an answer has to look like; it counts no score, reads no skill and keeps no log.
package trial

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"rulph/internal/rubric"
	"rulph/internal/verdict"
)

// Key is the place of the trial in a session's state.
const Key = "skill_score"

// Schema is the newest form of State that this program reads and writes.
const Schema = 1

// ErrNone says that a session state holds no trial.
var ErrNone = errors.New("no trial in this session")

// ErrNewer says that a newer version of the program wrote the trial.
var ErrNewer = errors.New("the trial was written by a newer version")

// Phase is where a trial stands. Each has one thing that it waits for.
type Phase string

const (
	Gate     Phase = "gate"     // a person's answer A, B or C, before anything is run
	Input    Phase = "input"    // a real input
	Original Phase = "original" // the dry run of the skill as it is
	Change   Phase = "change"   // one proposed change
	Variant  Phase = "variant"  // the dry run of the skill with the change
	Scores   Phase = "scores"   // both outputs, each scored by somebody who does not know which it is
	Decision Phase = "decision" // a person's apply, ignore or relaunch
	Done     Phase = "done"
)

// The parts are what sub-agents answer. In the first three a part has the name of its phase.
const (
	PartOriginal = "original"
	PartChange   = "change"
	PartVariant  = "variant"
	PartScore1   = "score-1"
	PartScore2   = "score-2"
)

// State is `.skill_score` of a session's state.json.
type State struct {
	Schema  int     `json:"schema"`
	Phase   Phase   `json:"phase"`
	Lang    string  `json:"lang"` // of what is printed for the user: en or fr
	Skill   Subject `json:"skill"`
	Rubric  Locked  `json:"rubric"`
	History History `json:"history"`
	GateFor string  `json:"gate_for,omitempty"` // Stagnation or NewRubric

	Input    *Given           `json:"input,omitempty"`
	Seats    map[string]*Seat `json:"seats,omitempty"` // by part
	Original *DryRun          `json:"original,omitempty"`
	Change   *Diff            `json:"change,omitempty"`
	Variant  *DryRun          `json:"variant,omitempty"`
	Staged   string           `json:"staged,omitempty"`  // SKILL.md of the variant
	Refusals []string         `json:"refused,omitempty"` // why proposals of this round could not be made
	Failed   string           `json:"failed,omitempty"`  // why there is no change to decide on
	Sides    map[string]Phase `json:"sides,omitempty"`   // score-1, score-2: Original or Variant
	Cards    map[string]*Card `json:"cards,omitempty"`   // by part
	Round    int              `json:"round,omitempty"`   // relaunches so far
	Rejected []Rejected       `json:"rejected,omitempty"`

	Decision  string    `json:"decision,omitempty"`
	Reason    string    `json:"reason,omitempty"`
	Note      string    `json:"note,omitempty"` // what went wrong with the last answer
	StartedAt time.Time `json:"started_at"`
}

// The reasons for a gate.
const (
	Stagnation = "stagnation" // five runs in a row without an applied change
	NewRubric  = "rubric"     // the rubric is not the one the segment was scored with
)

// Subject is the skill on trial. Paths are absolute.
type Subject struct {
	Name    string `json:"name"`
	Ref     string `json:"ref"` // by which it is found again
	Plugin  string `json:"plugin,omitempty"`
	Version string `json:"version,omitempty"`
	File    string `json:"file"`
	Dir     string `json:"dir"`
	Log     string `json:"log"`
	Hash    string `json:"hash"` // of File when the trial began
}

// Locked is the rubric of the trial.
type Locked struct {
	Path string        `json:"path"`
	Hash string        `json:"hash"`
	Body rubric.Rubric `json:"body"`
}

// History is what earlier runs tell this one. Context is all of it, as a proposer of changes reads it.
type History struct {
	Segment  int             `json:"segment"`
	Mode     string          `json:"mode"` // qualite or efficience
	Stagnant int             `json:"stagnant"`
	AllAtMax bool            `json:"all_at_max"`
	Context  json.RawMessage `json:"context,omitempty"`
}

// Given is the input of the trial.
type Given struct {
	File     string `json:"file"` // removed when the trial is over
	Hash     string `json:"hash"`
	Size     int    `json:"size"`
	Repeated bool   `json:"repeated,omitempty"` // an earlier run had it too
}

// Seat is the place of one part: its prompt has been asked for.
type Seat struct {
	Ticket    string `json:"ticket"`
	Word      string `json:"word,omitempty"` // of the lines around blocks in its prompt
	Malformed int    `json:"malformed,omitempty"`
	Answered  bool   `json:"answered,omitempty"`
}

// Rejected is a proposal of this trial that was turned down for another one.
type Rejected struct {
	Change string `json:"change"`
	Reason string `json:"reason,omitempty"`
}

// Card is what one scorer returned.
type Card struct {
	Verdict verdict.Verdict `json:"verdict"`
	Idea    string          `json:"idea,omitempty"` // how the skill could do the same with less
}

// Parse reads the trial out of a whole session state.
func Parse(doc []byte) (State, error) {
	raw := gjson.GetBytes(doc, Key)
	if !raw.Exists() || raw.Type == gjson.Null {
		return State{}, ErrNone
	}
	if v := raw.Get("schema"); v.Num > Schema {
		return State{}, fmt.Errorf("%w (schema %s, this one knows %d)", ErrNewer, v.Raw, Schema)
	}
	var s State
	if err := json.Unmarshal([]byte(raw.Raw), &s); err != nil {
		return State{}, fmt.Errorf("state: .%s: %w", Key, err)
	}
	switch s.Phase {
	case Gate, Input, Original, Change, Variant, Scores, Decision, Done:
		return s, nil
	}
	return State{}, fmt.Errorf("state: .%s.phase is %q, which is none", Key, s.Phase)
}

// Write puts the trial into a whole session state, whose other fields stay as they are.
func (s State) Write(doc []byte) ([]byte, error) {
	if len(strings.TrimSpace(string(doc))) == 0 {
		doc = []byte("{}")
	}
	mine, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	return sjson.SetRawBytes(doc, Key, mine)
}

// Live says that the trial still goes on.
func (s State) Live() bool { return s.Phase != "" && s.Phase != Done }

// Folder is where the files of the trial are, below the session's folder.
func (s State) Folder() string {
	return "skill-score/" + s.StartedAt.UTC().Format("20060102-150405.000")
}
