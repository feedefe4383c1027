package rubric

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func weighted(stated ...float64) Rubric {
	r := New()
	for i, w := range stated {
		c := Criterion{Name: string(rune('A' + i)), Items: items("one", "two")}
		if w != 0 {
			c.Stated = pointer(w)
		}
		r.Criteria = append(r.Criteria, c)
	}
	r.Complete()
	return r
}

func weightsOf(r Rubric) []float64 {
	var ws []float64
	for _, c := range r.Criteria {
		ws = append(ws, c.Weight)
	}
	return ws
}

func TestWeightsWithinOneOfAHundredAreScaled(t *testing.T) {
	third := 100.0 / 3
	for name, c := range map[string]struct{ stated, want []float64 }{
		"none are equal":       {[]float64{0, 0, 0, 0}, []float64{25, 25, 25, 25}},
		"thirds rounded down":  {[]float64{33, 33, 33}, []float64{third, third, third}},
		"thirds to a decimal":  {[]float64{33.3, 33.3, 33.3}, []float64{third, third, third}},
		"rounded up":           {[]float64{51, 50}, []float64{5100.0 / 101, 5000.0 / 101}},
		"a hundred stays":      {[]float64{7, 93}, []float64{7, 93}},
		"too far off is left":  {[]float64{40, 40, 30}, []float64{40, 40, 30}},
		"some missing is left": {[]float64{40, 0}, []float64{40, 0}},
	} {
		got := weightsOf(weighted(c.stated...))
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("%s: weights %v, want %v", name, got, c.want)
				break
			}
		}
	}
}

func TestEqualWeightsStayEqualToTheLastBit(t *testing.T) {
	for n := 2; n <= 60; n++ {
		stated := make([]float64, n)
		for i := range stated {
			stated[i] = math.Round(10000/float64(n)) / 100
		}
		for _, r := range []Rubric{weighted(stated...), weighted(make([]float64, n)...)} {
			sum := 0.0
			for _, w := range weightsOf(r) {
				if w != r.Criteria[0].Weight {
					t.Fatalf("%d criteria: %v and %v differ, so a tie would go to one of them", n, w, r.Criteria[0].Weight)
				}
				sum += w
			}
			if math.Abs(sum-100) > 1e-9 {
				t.Errorf("%d criteria: the weights add up to %v", n, sum)
			}
		}
	}
}

func TestTheWrittenWeightIsKept(t *testing.T) {
	r := weighted(33, 33, 33)
	if got := *r.Criteria[1].Stated; got != 33 {
		t.Errorf("the written weight is %v now, want 33", got)
	}
	built := New() // by code that knows nothing of Stated
	built.Criteria = []Criterion{{Name: "A", Weight: 30}, {Name: "B", Weight: 70}}
	built.Complete()
	if diff := cmp.Diff([]float64{30, 70}, weightsOf(built)); diff != "" {
		t.Error(diff)
	}
	if got := *built.Criteria[0].Stated; got != 30 {
		t.Errorf("a weight given in code counts as %v, want 30", got)
	}
}

func TestCompletingTwiceChangesNothing(t *testing.T) {
	for _, r := range []Rubric{handbook(), weighted(33, 33, 33), weighted(0, 0, 0), weighted(40, 40, 30), weighted(40, 0)} {
		again := r.Clone()
		again.Complete()
		if diff := cmp.Diff(r, again); diff != "" {
			t.Error(diff)
		}
	}
}

func TestIDsComeFromTheFirstWords(t *testing.T) {
	for text, want := range map[string]string{
		"Names the supported operating systems":         "names-the-supported-operating-systems",
		"Names the OS, the shell and the editor first!": "names-the-os-the-shell-and",
		"Doesn't use `go get`":                          "doesnt-use-go-get",
		"日本語の見出し":                                       "日本語の見出し",
		"Überschrift – für alle":                        "überschrift-für-alle",
		"😀 !!":                                          "item-3",
		"__proto__":                                     "proto",
		strings.Repeat("a", 100):                        strings.Repeat("a", 48),
		"100 % of x":                                    "100-of-x",
	} {
		got := ItemID(text, 3)
		if got != want {
			t.Errorf("the id of %q is %q, want %q", text, got, want)
		}
		if !validID(got) {
			t.Errorf("%q is no valid id", got)
		}
	}
}

func TestADerivedIDNeverTakesAWrittenOne(t *testing.T) {
	r := New()
	r.Criteria = []Criterion{
		{Name: "Tone", Items: []Item{{Text: "Same"}, {Text: "same!"}, {ID: "same", Text: "other"}, {Text: "Same", ID: "x"}}},
		{Name: "Tone", Items: items("a", "b")},
		{Name: "What", ID: "tone", Items: items("a", "b")},
	}
	r.Complete()
	var got []string
	for _, c := range r.Criteria {
		got = append(got, c.ID)
	}
	for _, it := range r.Criteria[0].Items {
		got = append(got, it.ID)
	}
	want := []string{"tone-2", "tone-3", "tone", "same-2", "same-3", "same", "x"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestACloneSharesNothing(t *testing.T) {
	r := handbook()
	before := handbook()
	c := r.Clone()
	c.Criteria[0].Items[1].Probe.Lacks = "x"
	c.Criteria[0].Items[0].Text = "x"
	*c.Criteria[0].Stated, *c.Criteria[0].Floor = 1, 1
	c.Criteria[1].Levels[0].Text = "x"
	c.Criteria[2].Points[0].Text = "x"
	c.Criteria[2].Name = "x"
	if diff := cmp.Diff(before, r); diff != "" {
		t.Errorf("a change of the clone has changed the original:\n%s", diff)
	}
}
