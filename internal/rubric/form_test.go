package rubric

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rulph/internal/artifact"
	"rulph/internal/verdict"
)

// byID is a form whose criteria and items are found by id, whatever their order.
func byID(f verdict.Form) map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, c := range f.Criteria {
		out[c.ID] = map[string]string{}
		for _, it := range c.Items {
			out[c.ID][it.ID] = it.Text
		}
		for _, a := range c.Anchors {
			out[c.ID][fmt.Sprint(a.At)] = a.Text
		}
	}
	return out
}

func TestAJudgeIsAskedOnlyWhatNothingElseAnswers(t *testing.T) {
	r := handbook()
	r.Criteria = append(r.Criteria, Criterion{ID: "checked", Name: "Checked", Items: []Item{
		{ID: "a", Text: "A", Check: "true"}, {ID: "b", Text: "B", Probe: &artifact.Probe{Links: true}},
	}})
	want := map[string]map[string]string{
		"set-up-instructions": {
			"names-the-supported-operating-systems": "Names the supported operating systems",
			"says-how-to-remove-it":                 "Says how to remove it",
		},
		"tone":               {"0": "only praise", "25": "mostly praise", "50": "half of it facts", "75": "mostly facts", "100": "only facts"},
		"fidelity-to-intent": {"0": "another topic", "1": "the topic, not the goal", "2": "the goal"},
	}
	f := r.Form("seed")
	if diff := cmp.Diff(want, byID(f)); diff != "" {
		t.Error(diff)
	}
	for _, c := range f.Criteria {
		if c.Levels != (c.ID == "tone") || c.Points != (c.ID == "fidelity-to-intent") {
			t.Errorf("%s: levels %v, points %v", c.ID, c.Levels, c.Points)
		}
		for i := 1; i < len(c.Anchors); i++ {
			if c.Anchors[i-1].At >= c.Anchors[i].At {
				t.Errorf("%s: the anchors are out of order: %v", c.ID, c.Anchors)
			}
		}
	}
}

func TestTheOrderOfAFormFollowsItsSeed(t *testing.T) {
	r := New()
	for _, name := range []string{"A", "B", "C"} {
		r.Criteria = append(r.Criteria, Criterion{Name: name, Items: items("one", "two", "three", "four")})
	}
	r.Complete()
	if diff := cmp.Diff(r.Form("judge 1, round 2"), r.Form("judge 1, round 2")); diff != "" {
		t.Errorf("one seed gives two orders:\n%s", diff)
	}
	lastCriterion, lastItem := map[string]int{}, map[string]int{}
	const forms = 600
	for i := range forms {
		f := r.Form(fmt.Sprintf("judge %d", i))
		lastCriterion[f.Criteria[2].ID]++
		for _, c := range f.Criteria {
			if c.ID == "a" {
				lastItem[c.Items[3].ID]++
			}
		}
	}
	// Each is last in a third of the forms, each item in a quarter; the bounds are six standard deviations.
	for _, c := range r.Criteria {
		if n := lastCriterion[c.ID]; n < 130 || n > 270 {
			t.Errorf("criterion %s is last in %d of %d forms", c.ID, n, forms)
		}
	}
	for _, it := range r.Criteria[0].Items {
		if n := lastItem[it.ID]; n < 86 || n > 214 {
			t.Errorf("item %s is last in %d of %d forms", it.ID, n, forms)
		}
	}
}

func TestAFormLeavesTheRubricAlone(t *testing.T) {
	r := handbook()
	r.Form("x")
	if diff := cmp.Diff(handbook(), r); diff != "" {
		t.Error(diff)
	}
}
