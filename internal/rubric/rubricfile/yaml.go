package rubricfile

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// yaml reads a rubric that is one YAML document.
func (d *decoder) yaml() {
	if n := d.document(d.src.text, "the file"); n != nil {
		d.decode(n)
	}
}

// document parses one YAML document and returns its value, nil where a finding says why there is none.
// Aliases and tags are refused: a rubric needs neither, and a few lines of aliases stand for gigabytes.
func (d *decoder) document(text, where string) *yaml.Node {
	dec := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	var doc yaml.Node
	err := dec.Decode(&doc)
	switch {
	case errors.Is(err, io.EOF) || err == nil && isNull(doc.Content[0]):
		d.broken[""] = true
		d.add(position{1, 1}, "", "%s is empty; 'hoyeon-cli rubric init' writes one to start from", where)
		return nil
	case err != nil:
		d.syntax(err, text)
		return nil
	}
	var next yaml.Node
	if err := dec.Decode(&next); err == nil {
		d.broken[""] = true
		d.add(place(&next), "", "a second document begins here; a rubric is one document")
		return nil
	} else if !errors.Is(err, io.EOF) {
		d.syntax(err, text)
		return nil
	}
	if !d.simple(doc.Content[0]) {
		d.broken[""] = true
		return nil
	}
	return doc.Content[0]
}

// simple reports whether the tree has neither aliases nor tags, with a finding for each it has.
func (d *decoder) simple(n *yaml.Node) bool {
	ok := true
	switch {
	case n.Kind == yaml.AliasNode:
		d.add(place(n), "", "aliases (*%s) are not read in a rubric; write the value out", clip(n.Value))
		return false
	case n.Style&yaml.TaggedStyle != 0:
		d.add(place(n), "", "tags (%s) are not read in a rubric; remove it", clip(n.Tag))
		ok = false
	}
	for _, child := range n.Content {
		ok = d.simple(child) && ok
	}
	return ok
}

// syntax reports an error of yaml.v3, which tells the line in its text alone, and no line for the first.
func (d *decoder) syntax(err error, text string) {
	d.broken[""] = true
	line, problem := 1, strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, found := strings.CutPrefix(problem, "line "); found {
		if number, reason, found := strings.Cut(rest, ": "); found {
			if n, err := strconv.Atoi(number); err == nil {
				line, problem = min(max(n, 1), len(d.src.starts)), reason
			}
		}
	}
	if at, found := tabIndent(text, line); found {
		d.add(at, "", "YAML is indented with spaces; this line begins with a tab")
		return
	}
	indent := len(d.src.line(line)) - len(strings.TrimLeft(d.src.line(line), " "))
	d.add(position{line, indent + 1}, "", "the YAML can't be read here or shortly before: %s; a text with \": \", or one that begins with a mark such as ` @ & * [ {, needs quotes", problem)
}

// tabIndent finds a line indented with a tab, which YAML forbids and yaml.v3 words as a character that
// starts no token, at most one line away from where it stopped.
func tabIndent(text string, near int) (position, bool) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		rest := strings.TrimLeft(line, " ")
		if n >= near-1 && n <= near+1 && strings.HasPrefix(rest, "\t") && strings.TrimSpace(rest) != "" {
			return position{n, len(line) - len(rest) + 1}, true
		}
	}
	return position{}, false
}
