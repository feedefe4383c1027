package rubric

import "rulph/internal/artifact"

// Evidence says whether a judge has to quote the artifact for a yes.
type Evidence string

// The three rules. With Required a yes without a quotation does not count; with Optional a quotation is
// looked up when there is one; with Off it is not looked at.
const (
	Required Evidence = "required"
	Optional Evidence = "optional"
	Off      Evidence = "off"
)

// Version is the version of the file format and of the model.
const Version = 1

// Rubric is what an artifact is measured by. Its JSON form loses nothing; it is what a loop keeps of
// the rubric it has locked. Start from New, which sets the defaults, and call Complete after a change.
type Rubric struct {
	Version   int         `json:"version"`
	Title     string      `json:"title,omitempty"`
	Threshold float64     `json:"threshold"`  // of the overall score, 0-100
	Floor     float64     `json:"floor"`      // of every criterion without one of its own, 0-100; 0 is no floor
	MaxRounds int         `json:"max_rounds"` // improvements after the baseline; 0 is the baseline alone
	Evidence  Evidence    `json:"evidence"`
	Target    string      `json:"target,omitempty"`  // path of the artifact, relative to the rubric's folder
	Holdout   float64     `json:"holdout,omitempty"` // share of the cases an improver never sees, 0-0.9
	Criteria  []Criterion `json:"criteria"`
}

// Criterion is one dimension of quality. Exactly one of Items, Levels and Points is set.
type Criterion struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Weight is in percent, and the weights of a rubric add up to 100 but for the last bits of the
	// floats. Complete computes it from Stated.
	Weight float64 `json:"weight"`
	// Stated is the weight as its author wrote it, such as the 33 of 33/33/33; nil where none was
	// written, which makes all weights equal.
	Stated *float64 `json:"stated,omitempty"`
	Floor  *float64 `json:"floor,omitempty"` // nil: the rubric's
	Items  []Item   `json:"items,omitempty"`
	Levels []Level  `json:"levels,omitempty"` // five: 0 25 50 75 100
	Points []Level  `json:"points,omitempty"` // three: 0 1 2
}

// Level is what the artifact looks like at one mark of a scale.
type Level struct {
	At   int    `json:"at"`
	Text string `json:"text"`
}

// Item is one question that a reader of the artifact answers with yes or no. At most one of Probe and
// Check is set; without either a judge answers.
type Item struct {
	ID    string          `json:"id"`
	Text  string          `json:"text"`
	Probe *artifact.Probe `json:"probe,omitempty"`
	Check string          `json:"check,omitempty"` // shell: exit 0 is yes, 1 is no, anything else unknown
	Fix   string          `json:"fix,omitempty"`   // shell, run by the headless improver; only beside Probe or Check
}

// New returns a rubric without criteria that has every default: threshold 70, floor 60, five rounds,
// optional evidence.
func New() Rubric {
	return Rubric{Version: Version, Threshold: 70, Floor: 60, MaxRounds: 5, Evidence: Optional}
}

// Scale is how a criterion is answered.
type Scale string

// The scales of a criterion. Undecided stands for none of them or several, which Validate refuses.
const (
	Checklist Scale = "checklist" // yes or no to each item; the score is checked/answered x 100
	Levels    Scale = "levels"    // one of 0 25 50 75 100, which is the score
	Points    Scale = "points"    // one of 0 1 2; the score is points/2 x 100
	Undecided Scale = ""
)

// Scale returns the one scale the criterion has.
func (c Criterion) Scale() Scale {
	switch hasItems, hasLevels, hasPoints := len(c.Items) > 0, len(c.Levels) > 0, len(c.Points) > 0; {
	case hasItems && !hasLevels && !hasPoints:
		return Checklist
	case hasLevels && !hasItems && !hasPoints:
		return Levels
	case hasPoints && !hasItems && !hasLevels:
		return Points
	}
	return Undecided
}

// FloorOr returns the criterion's own floor, else rubricFloor.
func (c Criterion) FloorOr(rubricFloor float64) float64 {
	if c.Floor != nil {
		return *c.Floor
	}
	return rubricFloor
}

// Kind is who answers an item.
type Kind string

// The three who answer.
const (
	ByText    Kind = "text"    // the artifact itself, through a probe
	ByCommand Kind = "command" // a check
	ByJudge   Kind = "judge"
)

// Kind returns who answers the item.
func (it Item) Kind() Kind {
	switch {
	case it.Probe != nil:
		return ByText
	case it.Check != "":
		return ByCommand
	}
	return ByJudge
}
