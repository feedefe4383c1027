package rubricfile

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// The keys of each mapping, in the order in which they are written.
var (
	rubricKeys    = []string{"version", "title", "threshold", "floor", "max_rounds", "evidence", "target", "holdout", "criteria"}
	criterionKeys = []string{"id", "name", "weight", "floor", "items", "levels", "points"}
	itemKeys      = []string{"id", "text", "match", "lacks", "heading", "max_words", "min_words", "links", "check", "fix"}
)

type field struct {
	key   string
	path  string
	value *yaml.Node
}

// fields returns the known fields of the mapping n, each once. Whatever else is in it becomes a finding.
func (d *decoder) fields(n *yaml.Node, path string, known []string) []field {
	var fs []field
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if first, twice := seen[key.Value]; twice {
			d.add(place(key), join(path, key.Value), "%q is given twice; the first is on line %d", key.Value, first)
			continue
		}
		seen[key.Value] = key.Line
		if !isKnown(key.Value, known) {
			d.unknown(key, path, known)
			continue
		}
		f := field{key.Value, join(path, key.Value), value}
		d.places[f.path] = place(value)
		if value.Kind != yaml.ScalarNode {
			d.places[f.path] = place(key)
		}
		if isNull(value) {
			d.breaks(key, f.path, "%q has no value; give it one or remove the line", f.key)
			continue
		}
		fs = append(fs, f)
	}
	return fs
}

func isKnown(key string, known []string) bool {
	for _, k := range known {
		if k == key {
			return true
		}
	}
	return false
}

func (d *decoder) unknown(key *yaml.Node, path string, known []string) {
	d.strange[path] = true
	near, edits := nearest(key.Value, known)
	if path != "" && edits > 2 && startsSentence(key.Value) {
		d.add(place(key), path, "the colon makes a key of what stands before it (%q); put the text in quotes", clip(key.Value))
		return
	}
	d.add(place(key), path, "unknown key %q; the nearest known key is %q", clip(key.Value), near)
}

// startsSentence tells a text with a colon in it from a key: it has several words, or a capital.
func startsSentence(key string) bool {
	r, _ := utf8.DecodeRuneInString(key)
	return strings.Contains(key, " ") || unicode.IsUpper(r)
}

// clip shortens what a message repeats of the file.
func clip(s string) string {
	if r := []rune(s); len(r) > keyLimit {
		return string(r[:keyLimit]) + "…"
	}
	return s
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// mapping and list report whether the node is one, with a finding that says how to write it if not.
func (d *decoder) mapping(n *yaml.Node, path, want string) bool {
	if n.Kind == yaml.MappingNode {
		return true
	}
	d.breaks(n, path, "%s must be a mapping: %s", what(path), want)
	return false
}

func (d *decoder) list(n *yaml.Node, path, want string) bool {
	if n.Kind == yaml.SequenceNode {
		return true
	}
	d.breaks(n, path, "%s must be a list: %s", what(path), want)
	return false
}

// what names a path in a message by its last part.
func what(path string) string {
	if path == "" {
		return "the rubric"
	}
	if i := strings.LastIndex(path, "."); i >= 0 {
		path = path[i+1:]
	}
	if strings.HasPrefix(path, "criteria[") {
		return "a criterion"
	}
	if strings.HasPrefix(path, "items[") {
		return "an item"
	}
	return path
}

// text reads a scalar as the text it was written as: `- 2026` and `- true` are texts too.
func (d *decoder) text(f field) string {
	if f.value.Kind != yaml.ScalarNode {
		d.breaks(f.value, f.path, "%s must be a text; put it in quotes if it begins with a bracket", what(f.path))
		return ""
	}
	if lost := f.value.LineComment; f.value.Style == 0 && len(lost) > 1 && lost[0] == '#' && lost[1] != ' ' && lost[1] != '\t' {
		d.add(place(f.value), f.path, "the text ends before %q, which YAML reads as a comment; put the text in quotes, or a space after the #", clip(lost))
	}
	return f.value.Value
}

// filled is text for a value whose empty form would be the same as none.
func (d *decoder) filled(f field) string {
	s := d.text(f)
	if s == "" && !d.broken[f.path] {
		d.breaks(f.value, f.path, "%s is empty; give it a value or remove the line", what(f.path))
	}
	return s
}

// number reads a decimal number, with or without a percent sign. It refuses what YAML offers beyond that:
// .nan, .inf, 0x10, 1_000, and numbers in quotes.
func (d *decoder) number(f field) (float64, bool) {
	n := f.value
	s := strings.TrimSuffix(n.Value, "%")
	if n.Kind == yaml.ScalarNode && isPlain(n) && s != "" && strings.Trim(s, "0123456789+-.eE") == "" {
		if x, err := strconv.ParseFloat(s, 64); err == nil {
			return x + 0, true // no negative zero
		}
	}
	d.breaks(n, f.path, "%s must be a number; it is %s", what(f.path), shownValue(n))
	return 0, false
}

func (d *decoder) whole(f field) (int, bool) {
	x, ok := d.number(f)
	if !ok {
		return 0, false
	}
	if x != math.Trunc(x) || math.Abs(x) > math.MaxInt32 {
		d.breaks(f.value, f.path, "%s must be a whole number; it is %s", what(f.path), shownValue(f.value))
		return 0, false
	}
	return int(x), true
}

func isPlain(n *yaml.Node) bool {
	return n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
}

func shownValue(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	if !isPlain(n) {
		return "the text " + strconv.Quote(clip(n.Value))
	}
	return strconv.Quote(clip(n.Value))
}
