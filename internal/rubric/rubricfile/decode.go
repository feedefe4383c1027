package rubricfile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"rulph/internal/artifact"
	"rulph/internal/rubric"
)

// decode fills the rubric from its mapping.
func (d *decoder) decode(n *yaml.Node) {
	if !d.mapping(n, "", "'version: 1' and so on, with the criteria as a list below 'criteria:'") {
		return
	}
	d.top(d.fields(n, "", rubricKeys))
}

func (d *decoder) top(fs []field) {
	r := &d.rubric
	for _, f := range fs {
		switch f.key {
		case "version":
			if v, ok := d.whole(f); ok {
				r.Version = v
			}
		case "title":
			r.Title = d.text(f)
		case "threshold":
			if v, ok := d.number(f); ok {
				r.Threshold = v
			}
		case "floor":
			if v, ok := d.number(f); ok {
				r.Floor = v
			}
		case "max_rounds":
			if v, ok := d.whole(f); ok {
				r.MaxRounds = v
			}
		case "evidence":
			r.Evidence = rubric.Evidence(d.text(f))
		case "target":
			r.Target = d.text(f)
		case "holdout":
			if v, ok := d.number(f); ok {
				r.Holdout = v
			}
		case "criteria":
			d.criteria(f)
		}
	}
}

func (d *decoder) criteria(f field) {
	if !d.list(f.value, f.path, "begin each criterion with '- name:'") {
		return
	}
	for i, n := range f.value.Content {
		path := fmt.Sprintf("%s[%d]", f.path, i)
		d.places[path] = place(n)
		c := rubric.Criterion{}
		if d.mapping(n, path, "'- name: ...' with weight, items and so on below") {
			c = d.criterion(path, d.fields(n, path, criterionKeys))
		}
		if d.broken[path] || d.broken[path+".weight"] {
			unknown := math.NaN() // out of range, so the sum of the others is not looked at
			c.Stated = &unknown
		}
		d.rubric.Criteria = append(d.rubric.Criteria, c)
	}
}

func (d *decoder) criterion(path string, fs []field) rubric.Criterion {
	var c rubric.Criterion
	for _, f := range fs {
		switch f.key {
		case "id":
			c.ID = d.filled(f)
		case "name":
			c.Name = d.text(f)
		case "weight":
			if v, ok := d.number(f); ok {
				c.Stated = &v
			}
		case "floor":
			if v, ok := d.number(f); ok {
				c.Floor = &v
			}
		case "items":
			c.Items = d.items(f)
		case "levels":
			c.Levels = d.marks(f)
		case "points":
			c.Points = d.marks(f)
		}
	}
	return c
}

// marks reads levels or points; the model says which numbers they must have.
func (d *decoder) marks(f field) []rubric.Level {
	if !d.mapping(f.value, f.path, "'0: ...' and so on, one line for each mark") {
		return nil
	}
	var ms []rubric.Level
	seen := map[int]bool{}
	for i := 0; i+1 < len(f.value.Content); i += 2 {
		key, value := f.value.Content[i], f.value.Content[i+1]
		at, err := strconv.Atoi(key.Value)
		if err != nil {
			d.breaks(key, f.path, "%s have numbers as keys; %q is none", f.key, clip(key.Value))
			continue
		}
		m := field{key.Value, join(f.path, strconv.Itoa(at)), value}
		if seen[at] {
			d.add(place(key), m.path, "%s have %d twice", f.key, at)
			continue
		}
		seen[at] = true
		d.places[m.path] = place(key)
		if isNull(value) {
			d.breaks(key, m.path, "%d has no text; say what the artifact looks like there", at)
		}
		ms = append(ms, rubric.Level{At: at, Text: d.text(m)})
	}
	slices.SortFunc(ms, func(a, b rubric.Level) int { return cmp.Compare(a.At, b.At) })
	return ms
}

func (d *decoder) items(f field) []rubric.Item {
	if !d.list(f.value, f.path, "begin each item with '- '") {
		return nil
	}
	var items []rubric.Item
	for i, n := range f.value.Content {
		path := fmt.Sprintf("%s[%d]", f.path, i)
		d.places[path] = place(n)
		switch {
		case isNull(n):
			d.breaks(n, path, "the item is empty; write a question that a reader answers with yes or no")
			items = append(items, rubric.Item{})
		case n.Kind == yaml.ScalarNode:
			items = append(items, rubric.Item{Text: d.text(field{"text", path, n})})
		case n.Kind == yaml.SequenceNode:
			d.breaks(n, path, "an item must be a text or a mapping; put a text that begins with a bracket in quotes")
			items = append(items, rubric.Item{})
		default:
			items = append(items, d.item(d.fields(n, path, itemKeys)))
		}
	}
	return items
}

func (d *decoder) item(fs []field) rubric.Item {
	var it rubric.Item
	var p artifact.Probe
	probed := false
	for _, f := range fs {
		switch f.key {
		case "id":
			it.ID = d.filled(f)
		case "text":
			it.Text = d.text(f)
		case "check":
			it.Check = d.filled(f)
		case "fix":
			it.Fix = d.filled(f)
		default:
			probed = d.probe(&p, f) || probed
		}
	}
	if probed {
		it.Probe = &p
	}
	return it
}

// probe sets one field of p and reports whether it could.
func (d *decoder) probe(p *artifact.Probe, f field) bool {
	switch f.key {
	case "match":
		p.Match = d.filled(f)
	case "lacks":
		p.Lacks = d.filled(f)
	case "heading":
		p.Heading = d.filled(f)
	case "max_words", "min_words":
		v, ok := d.whole(f)
		if ok && f.key == "max_words" {
			p.MaxWords = &v
		} else if ok {
			p.MinWords = &v
		}
	case "links":
		if f.value.Kind != yaml.ScalarNode || f.value.Value != "true" || !isPlain(f.value) {
			d.breaks(f.value, f.path, "links can only be true; remove the line to leave the links alone")
		} else {
			p.Links = true
		}
	}
	return !d.broken[f.path]
}
