package score

import (
	"reflect"
	"testing"

	"rulph/internal/rubric"
	"rulph/internal/verdict"
)

// said is what one judge says of the two items of the criteria a and b, as in "yn" for yes and no; "-" is a
// judge that failed.
func said(t *testing.T, r rubric.Rubric, words map[string]string) Result {
	t.Helper()
	in := Input{Rubric: r, Floor: 50}
	for _, name := range []string{"j1", "j2"} {
		j := Judge{Name: name, State: Degraded, Reason: "it failed"}
		if w := words[name]; w != "-" {
			j = Judge{Name: name, State: Available, Verdict: verdict.Verdict{Items: map[string]map[string]verdict.Answer{}}}
			for i, c := range r.Criteria {
				items := map[string]verdict.Answer{}
				for k, it := range c.Items {
					items[it.ID] = verdict.Answer{Word: map[byte]verdict.Word{'y': verdict.Yes, 'n': verdict.No, 'u': verdict.Unsure}[w[2*i+k]]}
				}
				j.Verdict.Items[c.ID] = items
			}
		}
		in.Judges = append(in.Judges, j)
	}
	return Compute(in)
}

func poolRubric() rubric.Rubric {
	item := func(id string) rubric.Item { return rubric.Item{ID: id, Text: id} }
	return rubric.Rubric{Evidence: rubric.Off, Criteria: []rubric.Criterion{
		{ID: "a", Name: "A", Weight: 50, Items: []rubric.Item{item("1"), item("2")}},
		{ID: "b", Name: "B", Weight: 50, Items: []rubric.Item{item("3"), item("4")}},
	}}
}

func TestAPoolIsTheMeanOfItsScorings(t *testing.T) {
	r := poolRubric()
	one, two := said(t, r, map[string]string{"j1": "yyyn", "j2": "yynn"}), said(t, r, map[string]string{"j1": "ynyn", "j2": "ynnn"})
	got := Pool(r, []Result{one, two})
	// a: 100 and 50; b: (50+0)/2 both times.
	if got.Overall != (62.5+37.5)/2 || *got.Criteria[0].Score != 75 || *got.Criteria[1].Score != 25 || !got.Criteria[1].Below || got.Criteria[0].Below {
		t.Errorf("got %+v", got.Criteria)
	}
	if got.Criteria[0].ByJudge["j1"] != 75 || got.Criteria[1].ByJudge["j1"] != 50 || got.Criteria[1].ByJudge["j2"] != 0 {
		t.Errorf("by judge: %v %v", got.Criteria[0].ByJudge, got.Criteria[1].ByJudge)
	}
	if len(got.Disagreements) != 1 || got.Disagreements[0].Criterion != "b" || got.Disagreements[0].Gap != 50 {
		t.Errorf("disagreements: %+v", got.Disagreements)
	}
	if j := got.Judges[0]; j.Items["a"]["1"] != Yes || j.Items["a"]["2"] != Unsure || j.Items["b"]["4"] != No || *j.Overall != 62.5 {
		t.Errorf("the first judge is %+v", j)
	}
	if want := []string{"2"}; !reflect.DeepEqual(got.Criteria[0].Open, want) || !reflect.DeepEqual(got.Criteria[1].Open, []string{"3", "4"}) {
		t.Errorf("open: %v %v", got.Criteria[0].Open, got.Criteria[1].Open)
	}
	if sd := Spread([]Result{one, two}); sd == nil || *sd < 17.67 || *sd > 17.68 { // |62.5-37.5| / sqrt 2
		t.Errorf("the spread is %v", sd)
	}
}

func TestAPoolLeavesOutWhatWasNotScored(t *testing.T) {
	r := poolRubric()
	good, half, void := said(t, r, map[string]string{"j1": "yyyy", "j2": "yyyy"}), said(t, r, map[string]string{"j1": "nnnn", "j2": "-"}), said(t, r, map[string]string{"j1": "-", "j2": "-"})
	got := Pool(r, []Result{good, void, half})
	if got.Void || got.LowConfidence || got.Overall != 50 || *got.Criteria[0].Score != 50 {
		t.Errorf("got %+v", got)
	}
	if j := got.Judges[1]; j.State != Available || j.Reason != "it failed" || *j.Overall != 100 {
		t.Errorf("the judge that failed twice is %+v", j)
	}
	if got := Pool(r, []Result{void, void}); !got.Void || got.Judges[0].State != Degraded {
		t.Errorf("a pool of nothing is %+v", got)
	}
	if got := Pool(r, []Result{half, half}); !got.LowConfidence {
		t.Error("one judge alone, twice, is not of low confidence")
	}
	if got := Pool(r, nil); !got.Void {
		t.Error("no scoring at all is a score")
	}
	if got := Pool(r, []Result{half}); !reflect.DeepEqual(got, half) {
		t.Errorf("one scoring is not its own pool: %+v", got)
	}
	if Spread([]Result{half, void}) != nil {
		t.Error("one score has a spread")
	}
}

func TestTheUsualOutcomeIsTheMostFrequentOne(t *testing.T) {
	for _, c := range []struct {
		of   []Outcome
		want Outcome
	}{
		{[]Outcome{Yes}, Yes}, {[]Outcome{No, Yes, No}, No}, {[]Outcome{Yes, No}, Unsure},
		{[]Outcome{Yes, No, Unsure, Unsure}, Unsure}, {[]Outcome{No, Yes, Yes, No, Unverified, Yes}, Yes},
	} {
		if got := Usual(c.of); got != c.want {
			t.Errorf("%v: got %s, want %s", c.of, got, c.want)
		}
	}
}
