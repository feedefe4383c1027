package rubric

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"

	"rulph/internal/artifact"
)

// What scores, in the form the hash is taken of. The field names are part of the hash.
type (
	scoring struct {
		Scheme   string
		Evidence Evidence
		Criteria []scoringCriterion
	}
	scoringCriterion struct {
		ID, Name, Weight string
		Items            []scoringItem
		Levels, Points   []Level
	}
	scoringItem struct {
		ID, Text string
		Probe    *artifact.Probe
		Check    string
	}
)

// hashScheme changes when the same rubric would score differently.
const hashScheme = "rubric 1"

// Hash identifies what scores: evidence rule, criteria, weights, items with what answers them, levels and
// points. Two rubrics with one hash give an artifact the same scores, so their scores may be compared. The
// pass bar (threshold, floors, rounds), title, target, holdout and fixes are not in it, and neither is the
// order of criteria and items, which judges don't see. Weights count to a millionth of a percent.
func (r Rubric) Hash() string {
	s := scoring{Scheme: hashScheme, Evidence: r.Evidence}
	for _, c := range r.Criteria {
		sc := scoringCriterion{
			ID: c.ID, Name: c.Name, Weight: strconv.FormatFloat(c.Weight, 'f', 6, 64),
			Levels: c.Levels, Points: c.Points,
		}
		for _, it := range c.Items {
			sc.Items = append(sc.Items, scoringItem{it.ID, it.Text, it.Probe, it.Check})
		}
		slices.SortFunc(sc.Items, func(a, b scoringItem) int { return cmp.Compare(a.ID, b.ID) })
		s.Criteria = append(s.Criteria, sc)
	}
	slices.SortFunc(s.Criteria, func(a, b scoringCriterion) int { return cmp.Compare(a.ID, b.ID) })
	body, err := json.Marshal(s)
	if err != nil {
		panic("rubric: hash: " + err.Error()) // strings and integers always encode
	}
	sum := sha256.Sum256(body)
	return "sha256:" + hex.EncodeToString(sum[:])
}
