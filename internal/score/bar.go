package score

// Tolerance is how far apart two scores may be and still be the same. A score is a sum of some hundred
// products of numbers up to 100, so the error of float64 stays below 1e-11; two scores that differ by
// what somebody answered are at least 1e-6 apart in any rubric of a sensible size.
const Tolerance = 1e-9

// AtLeast reports a >= b for scores. It lets through what only the rounding of float64 keeps below b:
// three criteria of weight 33.33 and score 70 have an overall score of 70, whatever the last bit says.
func AtLeast(a, b float64) bool {
	return a >= b-Tolerance
}

// exceeds reports a > b for scores; a difference within the tolerance is none.
func exceeds(a, b float64) bool {
	return a > b+Tolerance
}

// Passed reports whether the overall score reaches the threshold (0-100) and every criterion its floor.
// Exactly equal is enough for both. A criterion without a score never passes, and neither does a void
// round.
func Passed(r Result, threshold float64) bool {
	if r.Void || len(r.Criteria) == 0 || !AtLeast(r.Overall, threshold) {
		return false
	}
	for _, c := range r.Criteria {
		if c.Score == nil || c.below() {
			return false
		}
	}
	return true
}

// Target picks the one criterion to improve next: the lowest below its floor, else the lowest. Ties go
// to the heavier weight, then to rubric order. A criterion without a score, or with full marks, is never
// picked; false means that there is nothing to improve.
func Target(cs []Criterion) (Criterion, bool) {
	best, found := Criterion{}, false
	for _, c := range cs {
		if c.Score == nil || AtLeast(*c.Score, 100) {
			continue
		}
		if !found || c.before(best) {
			best, found = c, true
		}
	}
	return best, found
}

// before reports whether c is to be improved rather than d. Both have a score.
func (c Criterion) before(d Criterion) bool {
	switch {
	case c.below() != d.below():
		return c.below()
	case exceeds(*d.Score, *c.Score):
		return true
	case exceeds(*c.Score, *d.Score):
		return false
	}
	return exceeds(c.Weight, d.Weight)
}

func (c Criterion) below() bool {
	return c.Score != nil && !AtLeast(*c.Score, c.Floor)
}
