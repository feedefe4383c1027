package rubricfile

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"gopkg.in/yaml.v3"
)

// markdown reads a rubric written as Markdown: goldmark says what is a heading and what a list, and the
// lists become the tree that the YAML form has.
func (d *decoder) markdown() {
	front, body, closed := splitFrontMatter(d.src.text)
	if !closed {
		d.broken[""] = true
		d.add(position{1, 1}, "", "the front matter has no end; close it with a line of ---")
		return
	}
	var fs []field
	titled := false
	if front != "" {
		// The line of the opening --- stays as an empty one, so that lines count as in the file.
		if n := d.document("\n"+front, "the front matter"); n != nil && d.mapping(n, "", "'threshold: 80' and so on, one key a line") {
			fs = d.fields(n, "", rubricKeys)
		}
		delete(d.broken, "") // the criteria can be read all the same
	}
	for _, f := range fs {
		titled = titled || f.key == "title"
		if f.key == "criteria" {
			d.add(d.places["criteria"], "", "the criteria of a Markdown rubric are its headings: '## Name (40%%)'")
			continue
		}
		d.top([]field{f})
	}
	m := mdReader{d: d, src: []byte(d.src.text), root: &yaml.Node{Kind: yaml.SequenceNode, Line: 1, Column: 1}}
	m.read(body)
	if !titled && m.title != nil {
		d.places["title"] = place(m.title)
		d.rubric.Title = m.title.Value
	}
	d.places["criteria"] = place(m.root)
	d.criteria(field{"criteria", "criteria", m.root})
}

// splitFrontMatter returns the lines between a --- that opens the text and the next one, and the offset of
// what follows. It returns false where there is no next one.
func splitFrontMatter(s string) (front string, body int, closed bool) {
	rest, found := strings.CutPrefix(s, "---\n")
	if !found {
		return "", 0, true
	}
	start := len(s) - len(rest)
	offset := start
	for line := range strings.Lines(rest) {
		if t := strings.TrimRight(line, " \t\n"); t == "---" || t == "..." {
			return s[start:offset], offset + len(line), true
		}
		offset += len(line)
	}
	return "", 0, false
}

// blocks parses the blocks of Markdown and leaves the text in them alone: what an author writes between
// backticks or asterisks is taken as it is.
func blocks(source []byte) ast.Node {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...)).Parse(text.NewReader(source))
}

// mdReader builds the tree of the criteria.
type mdReader struct {
	d      *decoder
	src    []byte
	offset int // of the body, which is parsed alone, in the file
	title  *yaml.Node
	root   *yaml.Node // the list of criteria
	now    *criterionNode
}

func (m *mdReader) read(body int) {
	m.offset = body
	m.src = m.src[body:]
	for n := blocks(m.src).FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			m.heading(n)
		case *ast.List:
			for line := n.FirstChild(); line != nil; line = line.NextSibling() {
				m.line(line)
			}
		}
	}
	m.finish()
}

func (m *mdReader) heading(n *ast.Heading) {
	s := m.text(n)
	switch {
	case n.Level == 1 && m.title == nil && m.now == nil && s.Value != "":
		m.title = s
	case n.Level == 2:
		m.finish()
		m.now = newCriterionNode(s)
	}
}

// finish adds the criterion whose heading came last.
func (m *mdReader) finish() {
	if m.now != nil {
		m.root.Content = append(m.root.Content, m.now.mapping())
		m.now = nil
	}
}

// text is what stands in a block, its lines joined by spaces, as a scalar at its place. An empty block
// has the place of its parent, or of the file's end.
func (m *mdReader) text(n ast.Node) *yaml.Node {
	lines := n.Lines()
	if lines.Len() == 0 {
		at := m.place(n)
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Line: at.line, Column: at.column}
	}
	parts := make([]string, lines.Len())
	for i := range parts {
		segment := lines.At(i)
		parts[i] = strings.TrimSpace(string(segment.Value(m.src)))
	}
	return m.scalar(strings.TrimSpace(strings.Join(parts, " ")), lines.At(0).Start)
}

// scalar is a plain scalar, whose meaning is up to who reads it, at an offset of the body.
func (m *mdReader) scalar(value string, offset int) *yaml.Node {
	at := m.d.src.at(m.offset + offset)
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Line: at.line, Column: at.column}
}

// place is where a block begins, as far as goldmark keeps it.
func (m *mdReader) place(n ast.Node) position {
	for ; n != nil; n = n.Parent() {
		if n.Kind() != ast.KindDocument && n.Type() == ast.TypeBlock && n.Pos() >= 0 {
			return m.d.src.at(m.offset + n.Pos())
		}
	}
	return position{1, 1}
}
