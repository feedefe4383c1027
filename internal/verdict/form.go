package verdict

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Form is what one judge is asked: the criteria that need a judge, each with the questions that
// nothing but a judge can answer. The order is the order of the prompt.
type Form struct {
	Criteria []FormCriterion `json:"criteria"`
}

// FormCriterion asks either for an answer to each of Items, or, where Levels or Points is set, for one
// number: one of 0, 25, 50, 75, 100 or one of 0, 1, 2. Anchors says what each of these numbers means.
type FormCriterion struct {
	ID      string     `json:"id"`
	Name    string     `json:"name"`
	Items   []FormItem `json:"items,omitempty"`
	Levels  bool       `json:"levels,omitempty"`
	Points  bool       `json:"points,omitempty"`
	Anchors []Anchor   `json:"anchors,omitempty"`
}

// FormItem is one yes or no question.
type FormItem struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Anchor is what one level or point of a criterion looks like in the artifact.
type Anchor struct {
	At   int    `json:"at"`
	Text string `json:"text"`
}

// scale returns the numbers the criterion may be given; nil for a checklist.
func (c FormCriterion) scale() []float64 {
	switch {
	case c.Levels:
		return []float64{0, 25, 50, 75, 100}
	case c.Points:
		return []float64{0, 1, 2}
	}
	return nil
}

// questions counts the answers the form asks for.
func (f Form) questions() int {
	n := 0
	for _, c := range f.Criteria {
		if c.scale() != nil {
			n++
		} else {
			n += len(c.Items)
		}
	}
	return n
}

// Questions lists what the form asks, as a prompt shows it: a line for each criterion, item and mark of a scale.
func (f Form) Questions() string {
	var b strings.Builder
	for _, c := range f.Criteria {
		fmt.Fprintf(&b, "criterion %s: %s\n", c.ID, c.Name)
		for _, it := range c.Items {
			fmt.Fprintf(&b, "  item %s: %s\n", it.ID, it.Text)
		}
		for _, l := range c.Anchors {
			fmt.Fprintf(&b, "  level %d: %s\n", l.At, l.Text)
		}
	}
	return b.String()
}

// ShapeWith is Shape with more members before it, each a name and a text.
func (f Form) ShapeWith(members ...[2]string) string {
	var head strings.Builder
	for _, m := range members {
		head.WriteString("  " + jsonString(m[0]) + ": " + jsonString(m[1]) + ",\n")
	}
	return "{\n" + head.String() + strings.TrimPrefix(f.Shape(), "{\n")
}

// Shape is the skeleton the prompt shows: every id of the form at its place, with placeholders for the
// answers. The placeholders are chosen so that a judge that merely repeats the skeleton is malformed.
func (f Form) Shape() string {
	var checklist, levels, suggestions []string
	for _, c := range f.Criteria {
		id := jsonString(c.ID)
		switch {
		case c.Levels:
			levels = append(levels, "    "+id+": <0|25|50|75|100>")
		case c.Points:
			levels = append(levels, "    "+id+": <0|1|2>")
		default:
			items := make([]string, len(c.Items))
			for i, it := range c.Items {
				items[i] = "      " + jsonString(it.ID) + `: {"verdict": "yes|no|unsure", "evidence": "<exact quotation from the artifact>"}`
			}
			checklist = append(checklist, "    "+id+": {\n"+strings.Join(items, ",\n")+"\n    }")
		}
		suggestions = append(suggestions, "    "+id+`: "<one concrete action>"`)
	}
	var parts []string
	for _, p := range []struct {
		name string
		rows []string
	}{{"checklist", checklist}, {"levels", levels}, {"suggestions", suggestions}} {
		if len(p.rows) > 0 {
			parts = append(parts, "  "+jsonString(p.name)+": {\n"+strings.Join(p.rows, ",\n")+"\n  }")
		}
	}
	return "{\n" + strings.Join(parts, ",\n") + "\n}"
}

func jsonString(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string cannot fail to encode
	return strings.TrimSuffix(b.String(), "\n")
}
