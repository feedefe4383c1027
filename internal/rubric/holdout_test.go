package rubric

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rulph/internal/artifact"
)

func withItems(share float64, counts ...int) Rubric {
	r := New()
	r.Holdout = share
	for i, n := range counts {
		c := Criterion{ID: fmt.Sprint("c", i), Name: "C", Weight: 100 / float64(len(counts))}
		for k := range n {
			c.Items = append(c.Items, Item{ID: fmt.Sprint("i", k), Text: fmt.Sprint("Item ", k)})
		}
		r.Criteria = append(r.Criteria, c)
	}
	return r
}

func TestTheShareOfEachChecklistIsHeld(t *testing.T) {
	for _, c := range []struct {
		share   float64
		n, want int
	}{
		{0.3, 10, 3}, {0.3, 5, 2}, {0.3, 4, 1}, {0.25, 10, 3}, {0.5, 2, 1}, {0.3, 2, 1}, {0.2, 2, 0},
		{0.01, 3, 1}, {0.01, 2, 0}, {0.9, 3, 2}, {0.9, 2, 1}, {0.9, 20, 18}, {0.9, 1, 0}, {0, 10, 0},
	} {
		r := withItems(c.share, c.n, 4)
		if got := len(r.Held()["c0"]); got != c.want {
			t.Errorf("%v of %d: %d held, want %d", c.share, c.n, got, c.want)
		}
	}
}

func TestNothingIsHeldWithoutAHoldout(t *testing.T) {
	if got := withItems(0, 10, 10).Held(); got != nil {
		t.Errorf("got %v", got)
	}
	if got := withItems(0.2, 2, 2).Held(); got != nil {
		t.Errorf("a share that comes to no item: %v", got)
	}
}

func TestTheSameItemsAreHeldWhateverDoesNotScore(t *testing.T) {
	r := withItems(0.3, 10, 7)
	want := r.Held()
	other := withItems(0.3, 10, 7)
	slices.Reverse(other.Criteria)
	for _, c := range other.Criteria {
		slices.Reverse(c.Items)
	}
	other.Title, other.Threshold, other.MaxRounds = "Another", 95, 1
	if diff := cmp.Diff(want, other.Held()); diff != "" {
		t.Error(diff)
	}
}

func TestAnotherRubricHoldsOtherItems(t *testing.T) {
	r := withItems(0.3, 30, 30)
	other := withItems(0.3, 30, 30)
	other.Criteria[1].Items[0].Text = "Something else"
	if cmp.Equal(r.Held()["c0"], other.Held()["c0"]) {
		t.Error("the draw does not depend on what scores")
	}
	if cmp.Equal(r.Held()["c0"], r.Held()["c1"]) {
		t.Error("two criteria hold the items of the same places")
	}
}

func TestAnItemWithAFixIsNeverHeld(t *testing.T) {
	r := withItems(0.5, 10, 3)
	for i := range r.Criteria[0].Items {
		r.Criteria[0].Items[i].Check = "true"
		if i < 8 {
			r.Criteria[0].Items[i].Fix = "true"
		}
	}
	if diff := cmp.Diff(map[string]bool{"i8": true, "i9": true}, r.Held()["c0"]); diff != "" {
		t.Errorf("two can be held, though five are asked for:\n%s", diff)
	}
	for i := range r.Criteria[0].Items {
		r.Criteria[0].Items[i].Fix = "true"
	}
	if got := r.Held()["c0"]; got != nil {
		t.Errorf("all have a fix: %v", got)
	}
}

func TestItemsOfTheTextAndOfCommandsCanBeHeld(t *testing.T) {
	r := withItems(0.9, 10, 3)
	for i := range r.Criteria[0].Items {
		if i%2 == 0 {
			r.Criteria[0].Items[i].Probe = &artifact.Probe{Match: "x"}
		} else {
			r.Criteria[0].Items[i].Check = "true"
		}
	}
	if got := len(r.Held()["c0"]); got != 9 {
		t.Errorf("%d held of ten, want 9", got)
	}
}

func TestTheDrawFavoursNoPlace(t *testing.T) {
	times := make([]int, 10)
	for n := range 1000 {
		r := withItems(0.3, 10)
		r.Criteria[0].Name = fmt.Sprint("Rubric ", n)
		for i := range times {
			if r.Held()["c0"][fmt.Sprint("i", i)] {
				times[i]++
			}
		}
	}
	for i, n := range times { // 300 expected, standard deviation 14.5
		if n < 240 || n > 360 {
			t.Errorf("place %d is held by %d of 1000 rubrics", i, n)
		}
	}
}
