package rubric

import (
	"hash/fnv"
	"math/rand/v2"

	"rulph/internal/verdict"
)

// Form returns what one judge is asked: the items that only a judge can answer, and the levels and
// points. A criterion that is fully answered without a judge is not in it.
//
// Criteria, and items within a criterion, come in an order drawn from seed, because a judge treats what
// comes last worse than the rest (3.5 percent on the last criterion, arXiv 2609.02942). The same seed
// gives the same order; give each judge and round its own. Levels and points keep theirs: their order is
// their meaning.
func (r Rubric) Form(seed string) verdict.Form {
	h := fnv.New64a()
	h.Write([]byte(seed))
	random := rand.New(rand.NewPCG(h.Sum64(), 0))
	var f verdict.Form
	for _, c := range r.Criteria {
		if fc, asked := c.form(); asked {
			f.Criteria = append(f.Criteria, fc)
		}
	}
	shuffle(random, f.Criteria)
	for _, c := range f.Criteria {
		shuffle(random, c.Items)
	}
	return f
}

func shuffle[T any](random *rand.Rand, s []T) {
	random.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
}

func (c Criterion) form() (verdict.FormCriterion, bool) {
	fc := verdict.FormCriterion{ID: c.ID, Name: c.Name}
	switch c.Scale() {
	case Levels:
		fc.Levels, fc.Anchors = true, anchors(c.Levels)
	case Points:
		fc.Points, fc.Anchors = true, anchors(c.Points)
	default:
		for _, it := range c.Items {
			if it.Kind() == ByJudge {
				fc.Items = append(fc.Items, verdict.FormItem{ID: it.ID, Text: it.Text})
			}
		}
		return fc, len(fc.Items) > 0
	}
	return fc, true
}

func anchors(marks []Level) []verdict.Anchor {
	as := make([]verdict.Anchor, len(marks))
	for i, m := range marks {
		as[i] = verdict.Anchor{At: m.At, Text: m.Text}
	}
	return as
}
