package markdown

import "strings"

// blocks reads the block structure line by line, after the two phases of the CommonMark appendix: a
// line first continues the containers that are open (block quotes, list items), then may open new
// ones, and what is left belongs to a leaf: a paragraph, a heading, code or HTML.
type blocks struct {
	open        []container
	paragraph   []string // lines so far; none: no paragraph is open
	paraLine    int
	fence       string // the run of ` or ~ that opened a code block, else ""
	html        htmlBlock
	segments    []segment
	definitions map[string]string // of reference links, by folded label
}

// maxDepth bounds the containers in one another, as cmark bounds what it nests: a line of a hundred
// thousand `- ` would else be looked through again for every blank line below it.
const maxDepth = 100

// container is a block quote, or a list item whose content starts after indent columns.
type container struct {
	quote  bool
	indent int
	empty  bool // an item without content yet: a blank line ends it
}

func (b *blocks) line(n int, text string) {
	rest, matched := b.continued(text)
	all := matched == len(b.open)
	if all && b.fence != "" {
		if closesFence(rest, b.fence) {
			b.fence = ""
		}
		return
	}
	if all && b.html.open {
		b.addHTML(rest)
		return
	}
	if !all {
		if len(b.paragraph) > 0 && !blank(rest) && !startsBlock(rest) {
			b.paragraph = append(b.paragraph, strings.TrimLeft(rest, " "))
			return
		}
		b.closeTo(matched)
	}
	if len(b.paragraph) > 0 && isUnderline(rest) && b.heading() {
		return
	}
	b.leaf(n, b.opened(rest))
}

// continued strips from a line what the open containers claim, and counts those that go on.
func (b *blocks) continued(rest string) (string, int) {
	for i, c := range b.open {
		switch {
		case c.quote:
			after, ok := quoteMarker(rest)
			if !ok {
				return rest, i
			}
			rest = after
		case blank(rest) && !c.empty:
			rest = ""
		case indent(rest) >= c.indent && !blank(rest):
			rest = rest[c.indent:]
			b.open[i].empty = false
		default:
			return rest, i
		}
	}
	return rest, len(b.open)
}

// opened strips the markers of new containers.
func (b *blocks) opened(rest string) string {
	for len(b.open) < maxDepth {
		if after, ok := quoteMarker(rest); ok {
			b.endParagraph()
			b.open = append(b.open, container{quote: true})
			rest = after
			continue
		}
		width, ok := itemMarker(rest, len(b.paragraph) > 0)
		if !ok || isBreak(rest) {
			return rest
		}
		b.endParagraph()
		b.open = append(b.open, container{indent: width, empty: width >= len(rest) || blank(rest[width:])})
		rest = rest[min(width, len(rest)):]
	}
	return rest
}

func (b *blocks) leaf(n int, rest string) {
	switch {
	case blank(rest):
		b.endParagraph()
	case indent(rest) >= 4 && len(b.paragraph) == 0:
		// indented code
	case indent(rest) < 4 && opensFence(rest) != "":
		b.endParagraph()
		b.fence = opensFence(rest)
	case isBreak(rest):
		b.endParagraph()
	default:
		if title, ok := atx(rest); ok {
			b.endParagraph()
			b.segments = append(b.segments, newSegment(headingKind, n, []string{title}))
			return
		}
		if h, ok := opensHTML(rest, len(b.paragraph) > 0); ok {
			b.endParagraph()
			b.html = h
			b.html.line = n
			b.addHTML(rest)
			return
		}
		if len(b.paragraph) == 0 {
			b.paraLine = n
		}
		b.paragraph = append(b.paragraph, strings.TrimLeft(rest, " "))
	}
}

// closeTo closes the containers after the first n, and every leaf.
func (b *blocks) closeTo(n int) {
	b.endParagraph()
	b.endHTML()
	b.fence = ""
	b.open = b.open[:n]
}

// endParagraph keeps the text of the paragraph, without the link definitions it starts with.
func (b *blocks) endParagraph() {
	if seg, ok := b.takeParagraph(); ok {
		b.segments = append(b.segments, seg)
	}
}

// heading makes the open paragraph a setext heading. One that holds only definitions is none.
func (b *blocks) heading() bool {
	seg, ok := b.takeParagraph()
	if ok {
		seg.kind = headingKind
		b.segments = append(b.segments, seg)
	}
	return ok
}

func (b *blocks) takeParagraph() (segment, bool) {
	if len(b.paragraph) == 0 {
		return segment{}, false
	}
	seg := newSegment(proseKind, b.paraLine, b.paragraph)
	b.paragraph = nil
	at := 0
	for {
		label, to, n := definition(seg.text[at:])
		if n == 0 {
			break
		}
		if _, have := b.definitions[label]; !have {
			b.definitions[label] = to
		}
		at += n
	}
	if at > 0 {
		seg.line = seg.at(at)
		seg = newSegment(proseKind, seg.line, []string{seg.text[at:]})
	}
	return seg, !blank(seg.text)
}

// startsBlock tells whether a line ends a paragraph that it would otherwise continue lazily.
func startsBlock(rest string) bool {
	if _, ok := quoteMarker(rest); ok {
		return true
	}
	if _, ok := itemMarker(rest, false); ok {
		return true
	}
	if _, ok := atx(rest); ok {
		return true
	}
	if _, ok := opensHTML(rest, true); ok {
		return true
	}
	return isBreak(rest) || indent(rest) < 4 && opensFence(rest) != ""
}
