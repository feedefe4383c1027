package runs

// The two aims of the next change.
const (
	Quality    = "qualite"
	Efficiency = "efficience"
)

// ContextJSON is what the next trial has to know of the earlier ones. Every key is always there.
type ContextJSON struct {
	Segment           int        `json:"segment"`    // the one the next record belongs to
	LastScore         *LastScore `json:"last_score"` // of the segment; null where it has no record
	Mode              string     `json:"mode"`       // qualite | efficience
	IgnoredChanges    []Rejected `json:"ignored_changes"`
	EfficienceBacklog []Idea     `json:"efficience_backlog"`
	Stagnation        Stagnation `json:"stagnation"`
	AppliedChanges    []string   `json:"applied_changes"` // of the segment, oldest first
	InputHashes       []string   `json:"input_hashes"`    // of all segments, each once, oldest first
	RubricHash        string     `json:"rubric_hash"`     // of the segment's last record that has one
	Runs              int        `json:"runs"`            // records in the log
	Damaged           int        `json:"damaged"`         // lines that are no record and were passed over
	LeftOut           LeftOut    `json:"left_out"`
}

// LastScore is the last record of the segment. Quality and QualityMax are null where the record does not say.
type LastScore struct {
	Quality    *float64 `json:"quality"`
	QualityMax *float64 `json:"quality_max"`
	Decision   *string  `json:"decision"`
}

// Rejected is a change of this segment that was not taken.
type Rejected struct {
	Change   string `json:"change"`
	Decision string `json:"decision"` // ignored | relaunched
	Reason   string `json:"reason,omitempty"`
}

// Idea is an idea for later, at the place where it first came up.
type Idea struct {
	Idea    string `json:"idea"`
	Applied bool   `json:"applied"`         // a change that took it up is in the skill
	Tried   string `json:"tried,omitempty"` // the last decision on a change that took it up
}

// Stagnation counts the records at the end of the segment that brought no applied change.
type Stagnation struct {
	ConsecutiveNoImprovement int  `json:"consecutive_no_improvement"`
	AllAtQualityMax          bool `json:"all_at_quality_max"` // each of them at a known maximum; false where there is none
}

// LeftOut counts what a very long log has more of than a context can hold; the newest is kept.
type LeftOut struct {
	IgnoredChanges    int `json:"ignored_changes"`
	AppliedChanges    int `json:"applied_changes"`
	EfficienceBacklog int `json:"efficience_backlog"`
	InputHashes       int `json:"input_hashes"`
}
