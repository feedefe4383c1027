// Package score counts: it turns the verdicts of a round's judges into scores of items, criteria and
// the artifact, says how far the judges agree, whether the bar is passed and what to improve next. It is
// pure, and it refuses to fill in what nobody answered: an answer that is missing is counted beside the
// score and is never a 0 or a 50.
package score

// From answers to one number:
//
//	          codex            claude           gemini
//	os        yes              yes  "Linux..."  (malformed twice:
//	install   no               unsure            DEGRADED, drops out)
//	links     no     <- the text itself: the same answer for every judge
//	          |                |
//	          1 of 3 = 33.3    1 of 2 = 50.0    unsure leaves the denominator
//	             \            /
//	setup       mean = 41.7        weight 30 \
//	tone        level 75           weight 45  >  (30 x 41.7 + 45 x 75) / 75 = 61.7 overall
//	fidelity    nobody answered    weight 25 /   no score: its weight drops out
//
// A yes is checked before it counts: a quotation that does not occur in the artifact makes it
// unverified, which counts as a no. Judges are asked for quotations because a claim that can be looked
// up costs a judge something to invent.
//
// The mean over judges, not a majority for each item, so that one judge's doubt moves the score a
// little instead of not at all or entirely. The scores of all judges are kept, and two of them more than
// 20 points apart are reported rather than averaged away in silence. Agreement is Krippendorff's alpha,
// since it is defined with judges and answers missing, with the percent of agreeing pairs beside it,
// since alpha collapses when nearly every answer is yes.
//
// Sums are taken in ascending order of their terms. So the order of judges, criteria and items changes
// no bit of any score: the order of the items is shuffled for each judge, and two rubrics of the same
// hash may list them differently. Nothing is rounded here; see AtLeast for how scores are compared.
//
// The cost is one pass over judges x items, and one look into the artifact for each yes with a
// quotation. docs/scoring.md has every formula and its source.

import (
	"rulph/internal/rubric"
	"rulph/internal/verdict"
)

// Outcome is what one item comes to for one judge.
type Outcome string

// The outcomes. Yes counts as checked, No and Unverified count as not checked, and the others leave the
// denominator.
const (
	Yes        Outcome = "yes"
	No         Outcome = "no"
	Unsure     Outcome = "unsure"     // the judge could not tell
	Missing    Outcome = "missing"    // the judge did not answer
	Unverified Outcome = "unverified" // a yes whose quotation does not occur, or is required and missing
	Unknown    Outcome = "unknown"    // a check that could not answer
)

// State says whether a judge's verdict is there to be used.
type State string

// The states of a judge. Only Available judges count.
const (
	Available State = "AVAILABLE"
	Skipped   State = "SKIPPED"  // not installed
	Degraded  State = "DEGRADED" // installed, and failed
)

// Judge is one judge's part in a round. Verdict is looked at when State is Available alone. The names of
// a round's judges differ.
type Judge struct {
	Name    string
	State   State
	Reason  string // why it is not available
	Verdict verdict.Verdict
}

// Fixed are the answers that the artifact itself or a command gave, by criterion id and item id. They
// are the same for every judge, whatever a verdict says. Anything but Yes and No counts as Unknown.
type Fixed map[string]map[string]Outcome

// Checks is the name of the judge that stands for the fixed answers where no judge is asked.
const Checks = "checks"

// Input is one round.
type Input struct {
	Rubric rubric.Rubric
	Floor  float64 // 0-100, for criteria without one of their own; the loop's may differ from the rubric's
	// Judges are those the round asked. With none, and every item of the rubric in Fixed, one judge
	// named Checks stands for them.
	Judges []Judge
	Fixed  Fixed
	// Quoted tells whether a quotation occurs in the artifact. Without it none does.
	Quoted func(quote string) bool
}

// Result is a scored round. Its JSON form is kept in the state, and reading it back gives the same
// Result to the last bit.
type Result struct {
	Overall float64 `json:"overall"` // 0-100; 0 in a void round, where it means nothing
	// Void is set when no judge was available, or when not one criterion got a score from those that
	// were. Such a round says nothing about the artifact.
	Void bool `json:"void,omitempty"`
	// LowConfidence is set when exactly one judge was available and at least one answer was its own.
	LowConfidence bool           `json:"low_confidence,omitempty"`
	Criteria      []Criterion    `json:"criteria,omitempty"` // in rubric order
	Judges        []JudgeResult  `json:"judges,omitempty"`   // as in the input
	Disagreements []Disagreement `json:"disagreements,omitempty"`
	// Agreement is the percent of pairs of judges' answers that agree, 0-100. Alpha is Krippendorff's
	// alpha for nominal data, at most 1, where 0 is what chance gives. Both are over the items that
	// judges answer, and nil where they are not defined: without two answers to any one item, and alpha
	// also where all answers are the same.
	Agreement *float64 `json:"agreement,omitempty"`
	Alpha     *float64 `json:"alpha,omitempty"`
	// Independent is how many independent judges the panel's answers are worth at least, 1 to the number
	// of judges that answered; nil where no two judges can be compared.
	Independent *float64 `json:"independent,omitempty"`
	// Shown and Held are the overall scores of the items that an improver sees and of those held out from
	// it, 0-100, over the criteria that have such items; nil where the rubric holds nothing out, and
	// where none of the items was answered.
	Shown *float64 `json:"shown,omitempty"`
	Held  *float64 `json:"held,omitempty"`
}

// Criterion is the result of one criterion.
type Criterion struct {
	ID     string  `json:"id"`
	Name   string  `json:"name"`
	Weight float64 `json:"weight"` // percent
	Floor  float64 `json:"floor"`  // 0-100
	// Score is 0-100; nil when nothing was answered. A criterion without a score cannot pass, is not
	// below its floor either, and is left out of the overall score.
	Score   *float64           `json:"score,omitempty"`
	ByJudge map[string]float64 `json:"by_judge,omitempty"` // of the available judges that have one
	Below   bool               `json:"below,omitempty"`
	// How many items came to what, summed over the available judges. A criterion with levels or points
	// only counts as Missing what was not answered.
	Yes        int `json:"yes,omitempty"`
	No         int `json:"no,omitempty"`
	Unsure     int `json:"unsure,omitempty"`
	Missing    int `json:"missing,omitempty"`
	Unverified int `json:"unverified,omitempty"`
	Unknown    int `json:"unknown,omitempty"`
	// Open are the ids of the items that are not a yes for more than half of the available judges, in
	// rubric order; none in a round without judges.
	Open        []string     `json:"open,omitempty"`
	Suggestions []Suggestion `json:"suggestions,omitempty"` // in the order of the judges
}

// Suggestion is what one judge would do about a criterion.
type Suggestion struct {
	Judge string `json:"judge"`
	Text  string `json:"text"`
}

// JudgeResult is what one judge's verdict comes to.
type JudgeResult struct {
	Name   string `json:"name"`
	State  State  `json:"state"`
	Reason string `json:"reason,omitempty"` // at most 500 bytes
	// Items are all items of the rubric, fixed ones too, by criterion id and item id; nil for a judge
	// that was not available.
	Items   map[string]map[string]Outcome `json:"items,omitempty"`
	Levels  map[string]float64            `json:"levels,omitempty"`  // as the judge gave them
	Claims  []Claim                       `json:"claims,omitempty"`  // in rubric order
	Overall *float64                      `json:"overall,omitempty"` // from this judge alone; nil without a score
}

// Claim is a score that a judge computed itself and that its own answers do not add up to, by more than
// rounding to a whole number explains.
type Claim struct {
	Criterion string  `json:"criterion"`
	Claimed   float64 `json:"claimed"`
	Counted   float64 `json:"counted"` // from the judge's answers as it gave them, 0-100
}

// Disagreement is a criterion on which two judges are more than 20 points apart.
type Disagreement struct {
	Criterion string     `json:"criterion"` // id
	Low       JudgeScore `json:"low"`
	High      JudgeScore `json:"high"`
	Gap       float64    `json:"gap"`
}

// JudgeScore is what one judge gave.
type JudgeScore struct {
	Judge string  `json:"judge"`
	Score float64 `json:"score"`
}
