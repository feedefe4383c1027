// Package markdown finds the headings, anchors and link targets of a Markdown text, as CommonMark and
// GitHub read it. It renders nothing and follows no link: a program that only asks where links lead
// should not carry a renderer. What stands in code, HTML comments or front matter is no heading and
// no link.
package markdown

import (
	"sort"
	"strings"
)

// Document is what Scan found, in the order of the text.
type Document struct {
	Headings []Heading
	Links    []Link
	anchors  map[string]bool
}

// Heading is an ATX (`## Text`) or setext (underlined) heading.
type Heading struct {
	Text string // without emphasis marks, link targets, images and HTML tags
	Slug string // its anchor on GitHub, without #
	Line int    // from 1
}

// Link is the target of a link, an image, or an <a href> or <img src>.
type Link struct {
	To   string // escapes resolved, percent signs as they are
	Line int    // from 1
}

// Anchor tells whether `#fragment` leads somewhere: to a heading by its GitHub slug, or to an HTML id
// or name. The empty fragment and `top` are the top of the page.
func (d Document) Anchor(fragment string) bool {
	return fragment == "" || fragment == "top" || d.anchors[fragment]
}

// segment is a run of text for the inline scanner: a paragraph, a heading or a block of raw HTML.
type segment struct {
	text  string
	line  int   // of its first byte
	kind  uint8 // one of those below
	atoms []int // offsets at which its lines start
}

const (
	proseKind uint8 = iota
	headingKind
	htmlKind
)

func newSegment(kind uint8, line int, lines []string) segment {
	s := segment{text: strings.Join(lines, "\n"), line: line, kind: kind}
	for i := range len(s.text) {
		if s.text[i] == '\n' {
			s.atoms = append(s.atoms, i+1)
		}
	}
	return s
}

// at is the line of the document that holds offset i of the segment.
func (s segment) at(i int) int {
	return s.line + sort.Search(len(s.atoms), func(k int) bool { return s.atoms[k] > i })
}

// Scan reads a whole text. Every text is Markdown, so there is no error. Time grows with the length of
// the text, whatever is in it.
func Scan(text string) Document {
	text = strings.TrimPrefix(text, "\ufeff")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	lines := strings.Split(text, "\n")
	b := blocks{definitions: map[string]string{}}
	for i := frontMatter(lines); i < len(lines); i++ {
		b.line(i+1, expandTabs(lines[i]))
	}
	b.closeTo(0)

	d := Document{anchors: map[string]bool{}}
	slugs := slugger{}
	for _, seg := range b.segments {
		if seg.kind == htmlKind {
			scanHTML(seg, &d)
			continue
		}
		plain := scanInline(seg, b.definitions, &d)
		if seg.kind == headingKind {
			h := Heading{Text: plain, Slug: slugs.next(plain), Line: seg.line}
			d.Headings = append(d.Headings, h)
			d.anchors[h.Slug] = true
		}
	}
	return d
}

// frontMatter is the number of lines that a YAML block at the top takes up. Without its closing line
// it is none, and the text starts with a thematic break.
func frontMatter(lines []string) int {
	if strings.TrimRight(lines[0], " \t") != "---" {
		return 0
	}
	for i, l := range lines[1:] {
		if l = strings.TrimRight(l, " \t"); l == "---" || l == "..." {
			return i + 2
		}
	}
	return 0
}

// expandTabs replaces tabs by spaces up to columns of four, as the block structure reads them.
func expandTabs(line string) string {
	if !strings.Contains(line, "\t") {
		return line
	}
	var out strings.Builder
	col := 0
	for _, r := range line {
		if r != '\t' {
			out.WriteRune(r)
			col++
			continue
		}
		for n := 4 - col%4; n > 0; n-- {
			out.WriteByte(' ')
			col++
		}
	}
	return out.String()
}
