package score

import (
	"slices"

	"rulph/internal/rubric"
	"rulph/internal/verdict"
)

// outcome is what an item comes to for the judge with this verdict.
func (in Input) outcome(c rubric.Criterion, it rubric.Item, v verdict.Verdict) Outcome {
	if o, ok := in.Fixed[c.ID][it.ID]; ok {
		if o == Yes || o == No {
			return o
		}
		return Unknown
	}
	if !in.judged(c, it) {
		return Unknown // the command or probe was not run, and no judge was asked
	}
	answer := v.Items[c.ID][it.ID]
	switch answer.Word {
	case verdict.Yes:
		return in.verified(answer.Evidence)
	case verdict.No:
		return No
	case verdict.Unsure:
		return Unsure
	}
	return Missing
}

// judged reports whether the answer to an item is a judge's.
func (in Input) judged(c rubric.Criterion, it rubric.Item) bool {
	_, fixed := in.Fixed[c.ID][it.ID]
	return !fixed && it.Kind() == rubric.ByJudge
}

// verified is what a yes with this evidence comes to under the rubric's rule.
func (in Input) verified(evidence string) Outcome {
	switch {
	case in.Rubric.Evidence == rubric.Off:
		return Yes
	case evidence == "":
		if in.Rubric.Evidence == rubric.Required {
			return Unverified
		}
		return Yes
	case in.Quoted != nil && in.Quoted(evidence):
		return Yes
	}
	return Unverified
}

// mark is the score of a level or of points, which a judge gave in the criterion's own scale. It is
// false for a number that is not on the scale: nobody says what it means.
func mark(c rubric.Criterion, given float64) (float64, bool) {
	scale, top := c.Levels, 100.0
	if c.Scale() == rubric.Points {
		scale, top = c.Points, 2
	}
	if !slices.ContainsFunc(scale, func(l rubric.Level) bool { return float64(l.At) == given }) {
		return 0, false
	}
	return inRange(given / top * 100), true
}

// tally counts outcomes.
type tally struct{ yes, no, unsure, missing, unverified, unknown int }

func (t *tally) add(o Outcome) {
	switch o {
	case Yes:
		t.yes++
	case No:
		t.no++
	case Unsure:
		t.unsure++
	case Unverified:
		t.unverified++
	case Unknown:
		t.unknown++
	default:
		t.missing++
	}
}

// score is checked / (yes + no + unverified) x 100; false when nothing was answered.
func (t tally) score() (float64, bool) {
	answered := t.yes + t.no + t.unverified
	if answered == 0 {
		return 0, false
	}
	return 100 * float64(t.yes) / float64(answered), true
}
