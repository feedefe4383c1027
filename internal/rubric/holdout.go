package rubric

import (
	"bytes"
	"crypto/sha256"
	"math"
	"slices"
)

// Held returns the items that an improver never sees, by criterion id and item id: round(n x Holdout) of
// each checklist of n items, at least one where n is 3 or more, and never all. An item with a fix is not
// held, since the improver that runs fixes has to know it. It is nil where nothing is held.
//
// Which items they are is drawn by the hash of what scores, so every loop with this rubric holds the same
// ones, and neither the order in the file nor a changed fix, title or threshold moves them.
func (r Rubric) Held() map[string]map[string]bool {
	if !(r.Holdout > 0) {
		return nil
	}
	seed := r.Hash()
	var held map[string]map[string]bool
	for _, c := range r.Criteria {
		for _, it := range c.draw(seed, r.Holdout) {
			if held == nil {
				held = map[string]map[string]bool{}
			}
			if held[c.ID] == nil {
				held[c.ID] = map[string]bool{}
			}
			held[c.ID][it.ID] = true
		}
	}
	return held
}

// draw picks the held items of a criterion: those whose digest under the seed comes first.
func (c Criterion) draw(seed string, share float64) []Item {
	type lot struct {
		item   Item
		digest [sha256.Size]byte
	}
	var lots []lot
	for _, it := range c.Items {
		if it.Fix == "" {
			lots = append(lots, lot{it, sha256.Sum256([]byte(seed + "\x00" + c.ID + "\x00" + it.ID))})
		}
	}
	slices.SortFunc(lots, func(a, b lot) int { return bytes.Compare(a.digest[:], b.digest[:]) })
	n := len(c.Items)
	want := int(math.Round(float64(n) * share))
	if n >= 3 {
		want = max(want, 1)
	}
	want = min(want, n-1, len(lots))
	if want <= 0 {
		return nil
	}
	items := make([]Item, want)
	for i := range items {
		items[i] = lots[i].item
	}
	return items
}
