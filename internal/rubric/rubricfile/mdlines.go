package rubricfile

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"gopkg.in/yaml.v3"
)

// criterionNode gathers what stands below one heading of the second level.
type criterionNode struct {
	node  *yaml.Node // the mapping
	items *yaml.Node
	marks *yaml.Node
}

// weightSuffix is a weight at the end of a heading. What stands in brackets there and is no number is part
// of the name.
var weightSuffix = regexp.MustCompile(`^(.*?)\s*\(\s*([-+]?[0-9]*\.?[0-9]+)\s*%\s*\)$`)

func newCriterionNode(heading *yaml.Node) *criterionNode {
	c := &criterionNode{node: &yaml.Node{Kind: yaml.MappingNode, Line: heading.Line, Column: heading.Column}}
	name := *heading
	if m := weightSuffix.FindStringSubmatch(heading.Value); m != nil {
		name.Value = m[1]
		weight := *heading
		weight.Value = m[2]
		weight.Column += len([]rune(heading.Value[:strings.LastIndex(heading.Value, m[2])]))
		c.add("weight", heading, &weight)
	}
	c.add("name", heading, &name)
	return c
}

// add gives the mapping one more key. A name or weight that is given below the heading is the one that
// counts.
func (c *criterionNode) add(key string, at, value *yaml.Node) {
	if key == "name" || key == "weight" {
		for i := 0; i < len(c.node.Content); i += 2 {
			if k := c.node.Content[i]; k.Value == key && k.Line == c.node.Line {
				k.Line, k.Column, c.node.Content[i+1] = at.Line, at.Column, value
				return
			}
		}
	}
	k := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: at.Line, Column: at.Column}
	c.node.Content = append(c.node.Content, k, value)
}

// mapping is the criterion as the YAML form has it. Marks of 0, 1 and 2 are points, all others levels.
func (c *criterionNode) mapping() *yaml.Node {
	if c.items != nil {
		c.add("items", c.items, c.items)
	}
	if c.marks != nil {
		scale := "levels"
		for i := 0; i < len(c.marks.Content); i += 2 {
			switch c.marks.Content[i].Value {
			case "1", "2":
				scale = "points"
			}
		}
		c.add(scale, c.marks, c.marks)
	}
	return c.node
}

// A list line is an item, a mark, or a key.
var (
	itemLine = regexp.MustCompile(`^\[([^\]]?)\](?:\s+(.*))?$`)
	markLine = regexp.MustCompile(`^([-+]?[0-9]+)\s*:(?:\s+(.*))?$`)
	keyLine  = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_-]*)\s*:(?:\s+(.*))?$`)
)

const howToWrite = "write '- [ ] text' for an item, '- 25: text' for a level, '- key: value' for a key"

// line adds one list line below the heading.
func (m *mdReader) line(n ast.Node) {
	first, rest := m.opening(n)
	if first == nil {
		m.d.add(m.place(n), "", "this list line is empty; %s", howToWrite)
		return
	}
	if m.now == nil {
		m.d.add(place(first), "", "this list line stands above the first criterion; put it below its '## Name (40%%)'")
		return
	}
	if box := itemLine.FindStringSubmatch(first.Value); box != nil {
		m.item(first, box[1], box[2], rest)
		return
	}
	if mark := markLine.FindStringSubmatch(first.Value); mark != nil {
		if m.now.marks == nil {
			m.now.marks = &yaml.Node{Kind: yaml.MappingNode, Line: first.Line, Column: first.Column}
		}
		m.now.marks.Content = append(m.now.marks.Content, with(first, mark[1]), with(first, mark[2]))
		m.nothingBelow(rest)
		return
	}
	if key, value := m.setting(first, rest); key != nil {
		m.now.add(key.Value, key, value)
	}
}

// opening returns the text a list line begins with, and what follows in it.
func (m *mdReader) opening(n ast.Node) (first *yaml.Node, rest ast.Node) {
	child := n.FirstChild()
	if child == nil || child.Kind() != ast.KindTextBlock && child.Kind() != ast.KindParagraph {
		return nil, nil
	}
	return m.text(child), child.NextSibling()
}

// with is a scalar at the place of n.
func with(n *yaml.Node, value string) *yaml.Node {
	c := *n
	c.Value = value
	return &c
}

// item adds an item and the keys below it.
func (m *mdReader) item(first *yaml.Node, box, text string, rest ast.Node) {
	if box != " " {
		m.d.add(place(first), "", "an item begins with '[ ]', an open box; it is for each judge to check")
	}
	node := &yaml.Node{Kind: yaml.MappingNode, Line: first.Line, Column: first.Column}
	question := with(first, text)
	question.Column += len([]rune(first.Value)) - len([]rune(text))
	node.Content = append(node.Content, with(first, "text"), question)
	for ; rest != nil; rest = rest.NextSibling() {
		list, ok := rest.(*ast.List)
		if !ok {
			m.nothingBelow(rest)
			break
		}
		for line := list.FirstChild(); line != nil; line = line.NextSibling() {
			begin, below := m.opening(line)
			if begin == nil {
				m.d.add(m.place(line), "", "this list line is empty; write '- key: value' for a key of the item above")
				continue
			}
			if key, value := m.setting(begin, below); key != nil {
				node.Content = append(node.Content, key, value)
			}
		}
	}
	if m.now.items == nil {
		m.now.items = &yaml.Node{Kind: yaml.SequenceNode, Line: first.Line, Column: first.Column}
	}
	m.now.items.Content = append(m.now.items.Content, node)
}

// setting reads "key: value"; nil, with a finding, where the line is none.
func (m *mdReader) setting(first *yaml.Node, rest ast.Node) (key, value *yaml.Node) {
	parts := keyLine.FindStringSubmatch(first.Value)
	if parts == nil {
		m.d.add(place(first), "", "this list line is neither an item nor a key; %s", howToWrite)
		return nil, nil
	}
	key, value = with(first, parts[1]), with(first, parts[2])
	value.Column += len([]rune(first.Value)) - len([]rune(parts[2]))
	if isCode(parts[1]) {
		value.Value = fromCodeSpan(value.Value)
	}
	if block, ok := rest.(*ast.FencedCodeBlock); ok && value.Value == "" && isCode(parts[1]) {
		value.Value = m.code(block)
		rest = rest.NextSibling()
	}
	if value.Value == "" {
		value.Tag = "!!null"
	}
	m.nothingBelow(rest)
	return key, value
}

// isCode reports whether a value of the key is code, which may stand between backticks.
func isCode(key string) bool {
	switch key {
	case "check", "fix", "match", "lacks":
		return true
	}
	return false
}

// code is what stands in a code block. One marked as json holds a JSON string, for a script with lines that
// Markdown would change, such as one of blanks alone.
func (m *mdReader) code(block *ast.FencedCodeBlock) string {
	var b strings.Builder
	for i := range block.Lines().Len() {
		line := block.Lines().At(i)
		b.Write(line.Value(m.src))
	}
	if string(block.Language(m.src)) == "json" {
		var s string
		if json.Unmarshal([]byte(b.String()), &s) == nil {
			return s
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// nothingBelow refuses blocks that would be lost. Comments are notes and may stand anywhere.
func (m *mdReader) nothingBelow(n ast.Node) {
	for ; n != nil; n = n.NextSibling() {
		if n.Kind() != ast.KindHTMLBlock {
			m.d.add(m.place(n), "", "this belongs to the list line above and is not read there; %s, or move a note out of the list", howToWrite)
			return
		}
	}
}

// fromCodeSpan removes the backticks around a value that is one code span from end to end, as CommonMark
// does, with one space on either side where both are there.
func fromCodeSpan(s string) string {
	ticks := len(s) - len(strings.TrimLeft(s, "`"))
	if ticks == 0 || len(s) < 2*ticks+1 {
		return s
	}
	fence := s[:ticks]
	inner, found := strings.CutSuffix(s[ticks:], fence)
	if !found || hasRun(inner, ticks) || strings.HasSuffix(inner, "`") {
		return s
	}
	if strings.HasPrefix(inner, " ") && strings.HasSuffix(inner, " ") && strings.TrimLeft(inner, " ") != "" {
		return inner[1 : len(inner)-1]
	}
	return inner
}

// hasRun reports whether s has a run of exactly n backticks.
func hasRun(s string, n int) bool {
	for _, run := range strings.FieldsFunc(s, func(r rune) bool { return r != '`' }) {
		if len(run) == n {
			return true
		}
	}
	return false
}
