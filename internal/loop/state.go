// Package loop is the improvement loop as a value. It knows the state, the one decision about it and
// every transition: opening a round, taking a verdict in, recording a score, counting a blocked stop.
// It is pure: no clock, no disk, no environment. The command line, the hooks and the headless run all
// ask the same functions, so they cannot disagree.
package loop

// One round, and who moves it on:
//
//	            open            take (one per judge)          record
//	improve ───────────▶ judging ─────────────────▶ judging ─────────▶ improve ──▶ …
//	   ▲    artifact               verdicts                      │
//	   │    changed                                              ▼
//	   └──────────────── Decide: go on ◀──────────────────── Decide: end ──▶ report, completed
//
// Round 0 is the baseline. Round n is the n-th improvement, and at most max_rounds of them follow.
// Decide reads a state and changes nothing; the transitions take a State and return the next one.

import (
	"time"

	"rulph/internal/artifact"
	"rulph/internal/rubric"
	"rulph/internal/score"
	"rulph/internal/verdict"
)

// Schema is the newest version of the state's form that this program reads and writes.
const Schema = 1

// Status says whether the loop runs. Only Active can block a stop.
type Status string

const (
	Init      Status = "init"
	Active    Status = "active"
	Completed Status = "completed"
	Cancelled Status = "cancelled"
)

// End is why a loop is over.
type End string

const (
	Passed         End = "PASSED"
	CircuitBreaker End = "CIRCUIT_BREAKER" // max_rounds improvements were made
	Stagnated      End = "STAGNATED"       // the best score left the noise band in none of three rounds
	Blocked        End = "BLOCKED"         // it cannot be scored, or nothing can be improved
	Budget         End = "BUDGET"          // time, tokens or money are spent
	CancelledEnd   End = "CANCELLED"
	Capped         End = "CAPPED" // a limit on blocked stops was reached
)

// Defaults for fields that a state leaves out.
const (
	DefaultThreshold     = 70
	DefaultFloor         = 60
	DefaultMaxRounds     = 5
	DefaultMaxIterations = 15
	DefaultIdle          = 5
	DefaultNoise         = 2 // points, where no calibration has measured it
	// Patience is how long after the last real progress a stop is still blocked.
	Patience = 2 * time.Hour
)

// State is `.rulph` of a session's state.json. Scores, threshold and floor are 0-100.
type State struct {
	Schema        int     `json:"schema"`
	Status        Status  `json:"status"`
	Round         int     `json:"round"`      // the last scored round
	MaxRounds     int     `json:"max_rounds"` // improvements after the baseline
	Score         float64 `json:"score"`      // of the version that is kept
	Threshold     float64 `json:"threshold"`
	Floor         float64 `json:"floor"`          // for criteria that name none
	Iteration     int     `json:"iteration"`      // blocked stops in this round
	MaxIterations int     `json:"max_iterations"` // limit of Iteration

	Target *Target  `json:"target,omitempty"`
	Rubric *Locked  `json:"rubric,omitempty"` // nil in a loop armed by `session set` alone: its score decides
	Judges []string `json:"judges,omitempty"` // who is asked in each round; empty: nobody is
	// Programs are the judges among them that are programs and no sub-agents of a session, each with how
	// it is asked: "codex:model=...".
	Programs   map[string]string `json:"programs,omitempty"`
	Attached   bool              `json:"attached,omitempty"` // what asks programs does not outlive a command here: it is not detached
	Improver   string            `json:"improver,omitempty"` // the program that improves in a run; empty or fix: the rubric's commands
	History    []Round           `json:"history,omitempty"`
	Best       int               `json:"best"`                // number of the round that is kept; -1 before the baseline
	Pending    *Pending          `json:"pending,omitempty"`   // the round that is being judged
	Restoring  *int              `json:"restoring,omitempty"` // a rollback to this round has begun and is not known to be done
	Next       string            `json:"next,omitempty"`      // id of the criterion to improve
	Void       int               `json:"void,omitempty"`      // void rounds in a row
	Result     End               `json:"result,omitempty"`
	Reason     string            `json:"reason,omitempty"`
	Report     string            `json:"report,omitempty"` // folder of the report
	Out        string            `json:"out,omitempty"`    // folder for reports, where it is not the home's
	StartedAt  time.Time         `json:"started_at,omitzero"`
	ProgressAt time.Time         `json:"progress_at,omitzero"` // last change of score, round or artifact
	EndedAt    time.Time         `json:"ended_at,omitzero"`
	// CancelledAt outlives whatever is merged into the state later: a loop that was cancelled stays so.
	CancelledAt time.Time `json:"cancelled_at,omitzero"`
	Limits      *Limits   `json:"budget,omitempty"`
	Spent       *Spent    `json:"spent,omitempty"`
	// Took is what Spent is made of, by role and name: "judge codex", "calibration codex", "improver claude".
	Took  map[string]Spent `json:"took,omitempty"`
	Noise *float64         `json:"noise,omitempty"` // band in points where there is no calibration; nil: DefaultNoise
	// Calibration is how far this loop's judges differ from themselves; its band is the noise band.
	Calibration *score.Calibration `json:"calibration,omitempty"`
	Since       int                `json:"since,omitempty"`       // stagnation counts from this round: the loop was resumed there
	Idle        int                `json:"idle"`                  // limit of blocked stops in a row without any change
	IdleBlocks  int                `json:"idle_blocks,omitempty"` // of them so far
	Mark        string             `json:"mark,omitempty"`        // what state and artifact looked like at the last blocked stop
	Waiting     bool               `json:"waiting,omitempty"`     // a person has been asked; no stop is blocked
	Deviations  []string           `json:"warnings,omitempty"`    // what the report should warn of, as of the last scoring
	Caveats     []string           `json:"caveats,omitempty"`     // what it should warn of whatever happens
	// Improvement is what made the version that is on disk now, until a round is recorded with it.
	Improvement *Improvement `json:"improvement,omitempty"`
	// Unscored is what made a version that was taken back before anybody scored it; it is kept in the folder unscored.
	Unscored *Improvement `json:"unscored,omitempty"`
	Headless bool         `json:"headless,omitempty"` // driven by `rulph run`, not by a session
}

// Target is what the loop improves.
type Target struct {
	artifact.Spec
	Label string   `json:"label"`           // as a person named it
	Files []string `json:"files,omitempty"` // absolute, as of the last scoring: what a hook looks at
	Sign  string   `json:"sign,omitempty"`  // artifact.Signature of Files then
	Hash  string   `json:"hash,omitempty"`  // of the version that is kept
}

// Locked is the rubric of the loop. Path may change on disk; Hash may not.
type Locked struct {
	Path  string        `json:"path"`
	Title string        `json:"title,omitempty"`
	Hash  string        `json:"hash"`
	Dir   string        `json:"dir"` // where its commands run
	Body  rubric.Rubric `json:"body"`
}

// Round is one scoring. A void one has no score and counts for nothing.
type Round struct {
	Number     int          `json:"round"`
	Artifact   string       `json:"artifact"`         // hash of what was scored
	Improved   string       `json:"target,omitempty"` // criterion that was worked on to get here
	Result     score.Result `json:"result"`
	Kept       bool         `json:"kept,omitempty"`
	RolledBack bool         `json:"rolled_back,omitempty"`
	Note       string       `json:"note,omitempty"`
	// Change is what lies between the version that was kept until then and this one; nil for the first
	// scored round and for a void one.
	Change  *score.Change `json:"change,omitempty"`
	At      time.Time     `json:"at"`
	Seconds float64       `json:"seconds,omitempty"`
	// Work is what the judges that are programs took, by judge.
	Work        map[string]Work `json:"work,omitempty"`
	Improvement *Improvement    `json:"improvement,omitempty"` // how this version came about
}

// Spent is what it took to make this version and to judge it.
func (r Round) Spent() Spent {
	var sum Spent
	for _, w := range r.Work {
		sum = sum.Add(w.Spent)
	}
	if r.Improvement != nil {
		sum = sum.Add(r.Improvement.Spent)
	}
	return sum
}

// Work is what asking a program took, its second try included.
type Work struct {
	Program string  `json:"program"`         // as it was asked: "codex:model=..."
	Model   string  `json:"model,omitempty"` // as the client reported it
	Seconds float64 `json:"seconds"`
	Spent
}

// Improvement is one improver's part in a round.
type Improvement struct {
	Work
	Dropped []string `json:"dropped,omitempty"` // what else it touched; none of it was taken
}

// Pending is a round that is being judged. Its tickets hold for one version of the artifact.
type Pending struct {
	Round    int              `json:"round"`
	Artifact string           `json:"artifact"` // hash
	OpenedAt time.Time        `json:"opened_at"`
	Seats    map[string]*Seat `json:"seats,omitempty"` // by judge
}

// Seat is one judge's place in a round.
type Seat struct {
	Ticket    string           `json:"ticket"`
	Malformed int              `json:"malformed,omitempty"` // answers that could not be used
	State     score.State      `json:"state,omitempty"`     // empty: not answered yet
	Reason    string           `json:"reason,omitempty"`
	Verdict   *verdict.Verdict `json:"verdict,omitempty"`
	Work      *Work            `json:"work,omitempty"` // of a program
}

// Limits end the loop with Budget. Zero means no limit.
type Limits struct {
	Seconds float64   `json:"seconds,omitempty"` // since From
	Tokens  int64     `json:"tokens,omitempty"`
	USD     float64   `json:"usd,omitempty"`
	From    time.Time `json:"from,omitzero"` // when the time began to count; zero: StartedAt
}

// Counting is when the time began to count.
func (s State) Counting() time.Time {
	if s.Limits != nil && !s.Limits.From.IsZero() {
		return s.Limits.From
	}
	return s.StartedAt
}

// Deadline is when the time is over; false where it is not limited.
func (s State) Deadline() (time.Time, bool) {
	if s.Limits == nil || s.Limits.Seconds <= 0 {
		return time.Time{}, false
	}
	return s.Counting().Add(time.Duration(s.Limits.Seconds * float64(time.Second))), true
}

// Limited is the loop with these limits in the place of its own, where they are given.
func (s State) Limited(more Limits) State {
	if more == (Limits{}) {
		return s
	}
	var l Limits
	if s.Limits != nil {
		l = *s.Limits
	}
	if more.Seconds > 0 {
		l.Seconds, l.From = more.Seconds, more.From
	}
	if more.Tokens > 0 {
		l.Tokens = more.Tokens
	}
	if more.USD > 0 {
		l.USD = more.USD
	}
	s.Limits = &l
	return s
}

// Spent is what programs have used, by their own account.
type Spent struct {
	Calls    int     `json:"calls,omitempty"`
	Tokens   int64   `json:"tokens,omitempty"` // read and written
	USD      float64 `json:"usd,omitempty"`
	Unpriced int64   `json:"unpriced,omitempty"` // of Tokens, those whose price nobody told: they are not in USD
	Silent   int     `json:"silent,omitempty"`   // of Calls, those that told nothing: they are in no figure
}

// Add is the sum of both.
func (a Spent) Add(b Spent) Spent {
	return Spent{a.Calls + b.Calls, a.Tokens + b.Tokens, a.USD + b.USD, a.Unpriced + b.Unpriced, a.Silent + b.Silent}
}

// New is the state that absent fields default to.
func New() State {
	return State{
		Schema: Schema, Status: Active,
		Threshold: DefaultThreshold, Floor: DefaultFloor,
		MaxRounds: DefaultMaxRounds, MaxIterations: DefaultMaxIterations,
		Idle: DefaultIdle, Best: -1,
	}
}

// Last is the newest round that was scored. It returns false before the baseline.
func (s State) Last() (Round, bool) {
	for i := len(s.History) - 1; i >= 0; i-- {
		if !s.History[i].Result.Void {
			return s.History[i], true
		}
	}
	return Round{}, false
}

// Kept is the scored round whose version of the artifact is kept. It returns false before the baseline.
func (s State) Kept() (Round, bool) {
	for i := len(s.History) - 1; i >= 0; i-- {
		if r := s.History[i]; r.Number == s.Best && !r.Result.Void {
			return r, true
		}
	}
	return Round{}, false
}

// Criterion is the criterion of the kept round with this id.
func (s State) Criterion(id string) (score.Criterion, bool) {
	kept, _ := s.Kept()
	for _, c := range kept.Result.Criteria {
		if c.ID == id {
			return c, true
		}
	}
	return score.Criterion{}, false
}

// Live says that the loop can still go on: active, and not cancelled by an earlier call.
func (s State) Live() bool { return s.Status == Active && s.CancelledAt.IsZero() }

func (s State) noise() float64 {
	if s.Calibration != nil {
		return s.Calibration.Band
	}
	if s.Noise != nil {
		return *s.Noise
	}
	return DefaultNoise
}
