package rubricfile

import (
	"bytes"
	"encoding/json"
	"strconv"

	"rulph/internal/rubric"
)

// object is a JSON object that keeps the order of its keys.
type object []pair

// MarshalJSON writes the keys in the order of the slice.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(jsonString(p.key) + ":")
		enc := json.NewEncoder(&b) // json.Marshal would escape < and >
		enc.SetEscapeHTML(false)
		if err := enc.Encode(p.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func writeJSON(r rubric.Rubric) ([]byte, error) {
	var criteria []object
	for i, c := range r.Criteria {
		o := object(criterionPairs(c, i+1))
		var items []any
		for j, it := range c.Items {
			if ps := itemPairs(it, j+1); len(ps) > 1 {
				items = append(items, object(ps))
			} else {
				items = append(items, object(ps)[0].value)
			}
		}
		if len(items) > 0 {
			o = append(o, pair{"items", items})
		}
		for _, scale := range []struct {
			key   string
			marks []rubric.Level
		}{{"levels", c.Levels}, {"points", c.Points}} {
			var marks object
			for _, m := range scale.marks {
				marks = append(marks, pair{strconv.Itoa(m.At), m.Text})
			}
			if len(marks) > 0 {
				o = append(o, pair{scale.key, marks})
			}
		}
		criteria = append(criteria, o)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(append(object(head(r)), pair{"criteria", criteria}))
	return b.Bytes(), err
}
