package score

import (
	"fmt"
	"strings"
	"testing"

	"rulph/internal/artifact"
	"rulph/internal/rubric"
	"rulph/internal/verdict"
)

// The tests write a judge's answers to the items of a criterion as one letter each:
//
//	y yes   n no   u unsure   - missing   q yes, quoting what occurs   x yes, quoting what does not
//
// Items are named a, b, c, ...
const truth = "go install ./..."

func quoted(s string) bool { return s == truth }

func itemID(i int) string { return string(rune('a' + i)) }

func checklist(id string, weight float64, items int) rubric.Criterion {
	c := rubric.Criterion{ID: id, Name: "The " + id, Weight: weight}
	for i := range items {
		c.Items = append(c.Items, rubric.Item{ID: itemID(i), Text: "Item " + itemID(i)})
	}
	return c
}

func levels(id string, weight float64) rubric.Criterion {
	c := rubric.Criterion{ID: id, Name: "The " + id, Weight: weight}
	for _, at := range []int{0, 25, 50, 75, 100} {
		c.Levels = append(c.Levels, rubric.Level{At: at, Text: fmt.Sprint("level ", at)})
	}
	return c
}

func points(id string, weight float64) rubric.Criterion {
	c := rubric.Criterion{ID: id, Name: "The " + id, Weight: weight}
	for _, at := range []int{0, 1, 2} {
		c.Points = append(c.Points, rubric.Level{At: at, Text: fmt.Sprint("points ", at)})
	}
	return c
}

func of(criteria ...rubric.Criterion) rubric.Rubric {
	r := rubric.New()
	r.Criteria = criteria
	return r
}

func floor(c rubric.Criterion, f float64) rubric.Criterion {
	c.Floor = &f
	return c
}

// probed makes the text answer an item.
func probed(c rubric.Criterion, item int) rubric.Criterion {
	c.Items[item].Probe = &artifact.Probe{Match: "x"}
	return c
}

// available is a judge with these answers: "setup=yyn tone=75".
func available(name, answers string) Judge {
	v := verdict.Verdict{Items: map[string]map[string]verdict.Answer{}, Levels: map[string]float64{}}
	for _, part := range strings.Fields(answers) {
		id, said, _ := strings.Cut(part, "=")
		var level float64
		if _, err := fmt.Sscan(said, &level); err == nil {
			v.Levels[id] = level
			continue
		}
		v.Items[id] = map[string]verdict.Answer{}
		for i, letter := range said {
			if a, ok := map[rune]verdict.Answer{
				'y': {Word: verdict.Yes}, 'n': {Word: verdict.No}, 'u': {Word: verdict.Unsure},
				'q': {Word: verdict.Yes, Evidence: truth}, 'x': {Word: verdict.Yes, Evidence: "invented"},
			}[letter]; ok {
				v.Items[id][itemID(i)] = a
			}
		}
	}
	return Judge{Name: name, State: Available, Verdict: v}
}

func round(r rubric.Rubric, judges ...Judge) Input {
	return Input{Rubric: r, Floor: r.Floor, Judges: judges, Quoted: quoted}
}

// scoreOf is the score of the i-th criterion, -1 for none.
func scoreOf(r Result, i int) float64 {
	if r.Criteria[i].Score == nil {
		return -1
	}
	return *r.Criteria[i].Score
}

func wantScore(t *testing.T, what string, got, want float64) {
	t.Helper()
	if got != want {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}
