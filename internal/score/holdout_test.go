package score

import (
	"testing"

	"rulph/internal/rubric"
)

// holding is a rubric that holds out one item of each checklist of three.
func holding(t *testing.T) (r rubric.Rubric, held [2]int) {
	t.Helper()
	r = of(checklist("a", 60, 3), checklist("b", 20, 3), levels("l", 20))
	r.Holdout = 0.3
	for i, id := range []string{"a", "b"} {
		out := r.Held()[id]
		if len(out) != 1 {
			t.Fatalf("held of %s: %v", id, out)
		}
		for n := range 3 {
			if out[itemID(n)] {
				held[i] = n
			}
		}
	}
	return r, held
}

// with puts one letter at the held place of three, and the others around it.
func with(held int, letter byte, others string) string {
	return others[:held] + string(letter) + others[held:]
}

func TestShownAndHeldAreScoredApart(t *testing.T) {
	r, h := holding(t)
	// Shown: a 1/2 and 2/2, mean 75; b 0; l 50 and 100, mean 75: (60x75 + 20x0 + 20x75)/100 = 60.
	// Held: a 1/1 and 0/1, mean 50; b 100 of the one that answered: (60x50 + 20x100)/80 = 62.5.
	got := Compute(round(r,
		available("1", "a="+with(h[0], 'y', "yn")+" b="+with(h[1], 'y', "nn")+" l=50"),
		available("2", "a="+with(h[0], 'x', "yy")+" b="+with(h[1], 'u', "nn")+" l=100")))
	if got.Shown == nil || got.Held == nil {
		t.Fatalf("shown %v, held %v", got.Shown, got.Held)
	}
	near(t, "shown", *got.Shown, 60, 1e-12)
	near(t, "held", *got.Held, 62.5, 1e-12)
}

func TestWithoutAHoldoutNothingIsScoredApart(t *testing.T) {
	r, _ := holding(t)
	r.Holdout = 0
	if got := Compute(round(r, available("1", "a=yyy b=yyy l=50"))); got.Shown != nil || got.Held != nil {
		t.Errorf("shown %v, held %v", got.Shown, got.Held)
	}
	r.Holdout = 0.3
	if got := Compute(round(r, Judge{Name: "1", State: Degraded})); got.Shown != nil || got.Held != nil {
		t.Errorf("without a judge: shown %v, held %v", got.Shown, got.Held)
	}
	if got := Compute(round(r, available("1", "l=50"))); got.Shown == nil || *got.Shown != 50 || got.Held != nil {
		t.Errorf("nothing held was answered: shown %v, held %v", got.Shown, got.Held)
	}
}

func TestShownAndHeldPartAtMoreThanTwentyPoints(t *testing.T) {
	at := func(shown, held float64) Result { return Result{Shown: &shown, Held: &held} }
	for name, c := range map[string]struct {
		from, to Result
		want     bool
	}{
		"the shown rose alone by 20.1":     {at(50, 50), at(70.1, 50), true},
		"by 20 exactly":                    {at(50, 50), at(70, 50), false},
		"both rose":                        {at(30, 20), at(90, 70), false},
		"the held fell":                    {at(50, 50), at(60, 39), true},
		"they were apart at the baseline":  {at(80, 40), at(90, 40), false},
		"the held rose more":               {at(50, 50), at(50, 100), false},
		"a baseline without held items":    {Result{}, at(100, 0), false},
		"a round in which none was scored": {at(0, 0), Result{}, false},
	} {
		if got := Parted(c.from, c.to); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
