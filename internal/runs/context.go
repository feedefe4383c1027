package runs

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"
	"unicode"
)

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
	Torn              bool       `json:"torn"`            // the last line is not whole: it is being written, or a crash left it
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
	Reason   string `json:"reason"`
}

// Idea is an idea for later, at the place where it first came up.
type Idea struct {
	Idea    string `json:"idea"`
	Applied bool   `json:"applied"` // a change that took it up is in the skill
	Tried   string `json:"tried"`   // the last decision on a change that took it up; "" where there was none
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

// Context reads the log at path in one pass, in memory that does not grow with it. A log that is not there is
// an empty one. It takes no lock: what another process is writing meanwhile is not in it.
func Context(path string) (ContextJSON, error) {
	opened, err := openedSegment(path)
	if err != nil {
		return ContextJSON{}, err
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return newGather(max(1, opened)).context(), nil
	}
	if err != nil {
		return ContextJSON{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ContextJSON{}, err
	}
	last, err := lastRecord(f, info.Size())
	if err != nil {
		return ContextJSON{}, err
	}
	g := newGather(max(1, opened, last.segment))
	rest, err := eachLine(io.NewSectionReader(f, 0, info.Size()), g.add)
	if err != nil {
		return ContextJSON{}, err
	}
	torn := false
	if len(rest) > 0 {
		if torn = !g.fields.read(rest); !torn {
			_ = g.add(rest)
		}
	}
	c := g.context()
	c.Torn = torn
	return c, nil
}

func (g *gather) context() ContextJSON {
	c := ContextJSON{
		Segment: g.segment, Mode: Quality, RubricHash: unquoted(g.rubric), Runs: g.runs, Damaged: g.damaged,
		IgnoredChanges: []Rejected{}, AppliedChanges: []string{}, InputHashes: []string{},
		Stagnation: Stagnation{ConsecutiveNoImprovement: g.streak, AllAtQualityMax: g.streak > 0 && g.streakAtMax},
		LeftOut: LeftOut{
			IgnoredChanges: g.rejected.dropped, AppliedChanges: g.applied.dropped,
			EfficienceBacklog: g.ideas.dropped, InputHashes: g.inputs.dropped,
		},
	}
	if g.last.there {
		c.LastScore = &LastScore{Quality: known(g.last.quality), QualityMax: known(g.last.max)}
		if isText(g.last.decision) {
			d := unquoted(g.last.decision)
			c.LastScore.Decision = &d
		}
	}
	if g.last.atMax() && g.before.atMax() {
		c.Mode = Efficiency
	}
	for i := range g.rejected.n {
		parts := strings.SplitN(string(g.rejected.at(i).text), "\n", 3)
		c.IgnoredChanges = append(c.IgnoredChanges, Rejected{unquoted([]byte(parts[0])), unquoted([]byte(parts[1])), unquoted([]byte(parts[2]))})
	}
	for i := range g.applied.n {
		c.AppliedChanges = append(c.AppliedChanges, unquoted(g.applied.at(i).text))
	}
	for i := range g.inputs.n {
		c.InputHashes = append(c.InputHashes, unquoted(g.inputs.at(i).text))
	}
	c.EfficienceBacklog = g.backlog()
	return c
}

// backlog lists the ideas of all segments. One that differs from an earlier one in case, white space or its
// last full stop alone is the same.
func (g *gather) backlog() []Idea {
	type fate struct {
		applied bool
		tried   string
	}
	fates := make(map[string]fate, g.tried.n)
	for i := range g.tried.n {
		e := g.tried.at(i)
		key := fold(unquoted(e.text))
		fates[key] = fate{fates[key].applied || e.applied, e.tried}
	}
	seen := make(map[string]bool, g.ideas.n)
	list := []Idea{}
	for i := range g.ideas.n {
		idea := unquoted(g.ideas.at(i).text)
		key := fold(idea)
		if key == "" || seen[key] {
			continue
		}
		seen[key] = true
		list = append(list, Idea{Idea: idea, Applied: fates[key].applied, Tried: fates[key].tried})
	}
	return list
}

// fold is s without what does not make it another idea.
func fold(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToLower(s), unicode.IsSpace), " ")
	return strings.TrimRight(s, " .!;")
}

func known(n float64) *float64 {
	if math.IsNaN(n) {
		return nil
	}
	return &n
}
