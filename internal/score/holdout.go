package score

import "rulph/internal/rubric"

// partLimit is how many points more than the held-out score the shown one may rise without a warning.
const partLimit = 20

// Parted reports that what the improver was shown rose by more than 20 points more than what was held
// out from it, since the baseline: it may have learnt the questions rather than mended the artifact. It
// is false where either round has no held-out score.
func Parted(baseline, now Result) bool {
	if baseline.Shown == nil || baseline.Held == nil || now.Shown == nil || now.Held == nil {
		return false
	}
	return exceeds((*now.Shown-*baseline.Shown)-(*now.Held-*baseline.Held), partLimit)
}

// parts are the overall scores of the items that the improver is shown and of those held out from it:
// weighted like the overall score, over the criteria that have such items. Levels and points are shown.
// Both are nil where the rubric holds nothing out.
func parts(r rubric.Rubric, judges []JudgeResult) (shown, held *float64) {
	out := r.Held()
	if out == nil {
		return nil, nil
	}
	if v, ok := overall(r, judges, func(c, item string) bool { return !out[c][item] }); ok {
		shown = &v
	}
	if v, ok := overall(r, judges, func(c, item string) bool { return out[c][item] }); ok {
		held = &v
	}
	return shown, held
}

// overall is the overall score of the available judges from the items that count says yes to. A
// criterion with levels or points counts as one item without an id.
func overall(r rubric.Rubric, judges []JudgeResult, count func(criterion, item string) bool) (float64, bool) {
	scores := make([]*float64, len(r.Criteria))
	for i, c := range r.Criteria {
		var each []float64
		for _, j := range judges {
			if j.State != Available {
				continue
			}
			if v, ok := j.part(c, count); ok {
				each = append(each, v)
			}
		}
		if v, ok := mean(each); ok {
			scores[i] = &v
		}
	}
	return weighted(scores, weights(r))
}

// part is the judge's score for a criterion from the items that count.
func (j JudgeResult) part(c rubric.Criterion, count func(criterion, item string) bool) (float64, bool) {
	if c.Scale() != rubric.Checklist {
		given, ok := j.Levels[c.ID]
		if !ok || !count(c.ID, "") {
			return 0, false
		}
		return mark(c, given)
	}
	var t tally
	for _, it := range c.Items {
		if count(c.ID, it.ID) {
			t.add(j.Items[c.ID][it.ID])
		}
	}
	return t.score()
}
