// Package verdict turns the text a judge returned into a strict verdict, or into a typed refusal the
// judge can mend its answer from. It knows the form the judge was asked to fill in and nothing else:
// it computes no score, looks at no artifact, and refuses to guess what a doubtful answer meant.
package verdict

// Word is the answer to one yes or no question.
type Word string

// The three words. A question without an answer has no word: it is missing.
const (
	Yes    Word = "yes"
	No     Word = "no"
	Unsure Word = "unsure"
)

// Answer is what a judge said about one item. Evidence is a quotation the judge claims to have found in
// the artifact, cleaned and cut to TextLimit bytes, or empty; nobody has looked for it yet.
type Answer struct {
	Word     Word   `json:"verdict"`
	Evidence string `json:"evidence,omitempty"`
}

// Verdict is one judge's complete answer to a Form. Every id in it is an id of that form, and at most
// a fifth of what the form asks is missing.
type Verdict struct {
	// Ticket is the "ticket" string of the answer as it was written, or empty. Whether it is a valid
	// one is for the loop to say.
	Ticket string `json:"ticket,omitempty"`
	// Items holds the answers by criterion id and item id. A missing item has no entry, and neither
	// has a criterion none of whose items was answered. It is never nil.
	Items map[string]map[string]Answer `json:"items"`
	// Levels holds what the judge chose for a criterion with levels (0, 25, 50, 75 or 100) or with
	// points (0, 1 or 2), as the judge gave it.
	Levels map[string]float64 `json:"levels,omitempty"`
	// Suggestions holds one cleaned text of at most TextLimit bytes by criterion id.
	Suggestions map[string]string `json:"suggestions,omitempty"`
	// Claimed holds the scores the judge computed itself, by criterion id, in whatever range it
	// liked. They are compared with the counted ones and otherwise ignored.
	Claimed map[string]float64 `json:"claimed,omitempty"`
	// Missing counts the questions of the form without an answer; a criterion with levels or points
	// is one question.
	Missing int `json:"missing,omitempty"`
}

// Malformed is the refusal of an answer. Reason is one sentence without a full stop, written for the
// model that has to mend the answer: it names the place, what stands there and what was expected. It
// repeats little of the model's own text, and no control characters.
type Malformed struct{ Reason string }

func (m *Malformed) Error() string { return "malformed verdict: " + m.Reason }
