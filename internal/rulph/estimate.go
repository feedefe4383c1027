package rulph

import (
	"fmt"

	"rulph/internal/artifact"
	"rulph/internal/evaluator"
	"rulph/internal/loop"
	"rulph/internal/rubric"
)

// Estimate is what a loop takes at most, before it begins: all rounds, no second tries, no calibration.
// Tokens are those of our own prompts and of answers to them, at four bytes a token; a client adds its own.
type Estimate struct {
	Judging   int   `json:"judging"`   // calls of judges that are programs
	Improving int   `json:"improving"` // calls of a program that improves
	Scoring   int64 `json:"scoring"`   // tokens of one round of judging
	Tokens    int64 `json:"tokens"`    // of all of it
}

// String is the estimate in a line.
func (e Estimate) String() string {
	calls := fmt.Sprintf("%d calls to judge", e.Judging)
	if e.Judging == 1 {
		calls = "1 call to judge"
	}
	if e.Improving > 0 {
		calls += fmt.Sprintf(" and %d to improve", e.Improving)
	}
	return fmt.Sprintf("at most %s, without second tries; about %d tokens a scoring and %d in all, beside what the clients add of their own", calls, e.Scoring, e.Tokens)
}

// foretell says before a number of scorings what they take.
func (e Engine) foretell(s loop.State, a artifact.Artifact, scorings int) {
	s.MaxRounds, s.Improver = scorings-1, ""
	if est := estimate(s, a); est != nil {
		e.Notef("estimate: %s", est)
	}
}

// estimate is nil where no program is asked. An answer is taken for what its form shows and a quotation for
// each item; an improvement reads the artifact and writes it once.
func estimate(s loop.State, a artifact.Artifact) *Estimate {
	const perToken, quotation = 4, 120
	names := s.ProgramNames()
	if len(names) == 0 && s.Improver == "" {
		return nil
	}
	var e Estimate
	for _, name := range names {
		form := s.Form(name)
		bytes := len(promptText(form, a, name, "", rubric.Optional)) + len(form.Shape())
		for _, c := range form.Criteria {
			bytes += quotation * len(c.Items)
		}
		e.Scoring += int64(bytes / perToken)
	}
	e.Judging = len(names) * (s.MaxRounds + 1)
	e.Tokens = e.Scoring * int64(s.MaxRounds+1)
	if spec, err := evaluator.ParseImprover(s.Improver); err == nil && spec.Kind != evaluator.Fix {
		size := 0
		for _, f := range a.Files {
			size += len(f.Data)
		}
		e.Improving = s.MaxRounds
		e.Tokens += int64(2*size/perToken) * int64(s.MaxRounds)
	}
	return &e
}
