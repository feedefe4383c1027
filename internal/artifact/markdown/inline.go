package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// inline reads the text of one paragraph or heading from left to right. Code spans, autolinks and HTML
// bind tighter than brackets, so that what is inside them is never a link. What it reads is kept as
// pieces: the pieces of a heading, joined, are its plain text.
type inline struct {
	seg         segment
	definitions map[string]string
	doc         *Document

	pieces   []string
	marks    []mark    // emphasis marks, by piece
	brackets []bracket // not closed yet
	// Brackets below this index that open a link, not an image, are dead: a link holds no link.
	dead int
	// The last position of a run of n backticks: a code span whose run never comes again is not
	// searched for, which would cost the square of the length on a text made of such runs.
	lastRun   map[int]int
	noComment bool // no `-->` follows
}

type bracket struct {
	image bool
	at    int // offset behind the bracket
	piece int
}

type mark struct {
	char        byte
	piece       int
	open, close bool
}

// scanInline adds the targets and anchors of a segment to d and returns its plain text.
func scanInline(seg segment, definitions map[string]string, d *Document) string {
	s := inline{seg: seg, definitions: definitions, doc: d, lastRun: map[int]int{}}
	text := seg.text
	for i := 0; i < len(text); {
		if text[i] == '`' {
			n := run(text[i:])
			s.lastRun[n] = i
			i += n
			continue
		}
		i++
	}
	for i := 0; i < len(text); {
		i += s.step(i)
	}
	s.dropMarks()
	return strings.TrimSpace(strings.Join(s.pieces, ""))
}

// step reads one thing at offset i and returns its length.
func (s *inline) step(i int) int {
	text := s.seg.text[i:]
	switch c := text[0]; c {
	case '\\':
		if len(text) > 1 && isPunct(text[1]) {
			s.add(text[1:2])
			return 2
		}
	case '`':
		return s.code(i)
	case '<':
		if n := s.angle(i); n > 0 {
			return n
		}
	case '!':
		if strings.HasPrefix(text, "![") {
			s.bracket(bracket{image: true, at: i + 2}, "![")
			return 2
		}
	case '[':
		s.bracket(bracket{at: i + 1}, "[")
		return 1
	case ']':
		return s.closeBracket(i)
	case '*', '_', '~':
		return s.mark(i)
	default:
		n := strings.IndexAny(text, "\\`<![]*_~")
		if n < 0 {
			n = len(text)
		}
		s.add(unescapeEntities(text[:n]))
		return n
	}
	s.add(text[:1])
	return 1
}

func (s *inline) add(piece string) { s.pieces = append(s.pieces, piece) }

func (s *inline) bracket(b bracket, piece string) {
	b.piece = len(s.pieces)
	s.brackets = append(s.brackets, b)
	s.add(piece)
}

// run is the number of times s repeats its first byte.
func run(s string) int { return skip(s, s[:1]) }

// code reads a code span, or a run of backticks that opens none.
func (s *inline) code(i int) int {
	text := s.seg.text
	n := run(text[i:])
	if s.lastRun[n] > i {
		for j := i + n; j < len(text); {
			at := strings.IndexByte(text[j:], '`')
			if at < 0 {
				break
			}
			j += at
			m := run(text[j:])
			if m == n {
				s.add(codeText(text[i+n : j]))
				return j + n - i
			}
			j += m
		}
	}
	s.add(text[i : i+n])
	return n
}

func codeText(s string) string {
	s = strings.ReplaceAll(s, "\n", " ")
	if len(s) > 2 && s[0] == ' ' && s[len(s)-1] == ' ' && !blank(s) {
		s = s[1 : len(s)-1]
	}
	return s
}

// angle reads what starts with `<`: a comment, an autolink or a tag; 0 when it is a plain character.
func (s *inline) angle(i int) int {
	text := s.seg.text[i:]
	if !s.noComment {
		switch n := comment(text); {
		case n > 0:
			return n
		case n < 0:
			s.noComment = true
		}
	}
	if n := autolink(text); n > 0 {
		s.add(text[1 : n-1])
		return n
	}
	t, n := parseTag(text)
	if n > 0 {
		t.record(s.doc, s.seg.at(i))
	}
	return n
}

// autolink is the length of `<https://...>` or `<me@example.org>`. Both lead outside, so that only the
// length matters.
func autolink(s string) int {
	end := strings.IndexAny(s[1:], " \n<>")
	if end < 1 || s[1+end] != '>' {
		return 0
	}
	in := s[1 : 1+end]
	if Scheme(in) != "" || strings.Contains(in, "@") && strings.IndexByte("/=\"'", in[0]) < 0 {
		return end + 2
	}
	return 0
}

// Scheme is the URL scheme a target starts with, such as "https" or "mailto", or "". A single letter
// is none: it is a drive.
func Scheme(to string) string {
	n := 0
	for n < len(to) && n < 33 && (isLetter(to[n]) || n > 0 && ('0' <= to[n] && to[n] <= '9' || strings.IndexByte("+.-", to[n]) >= 0)) {
		n++
	}
	if n < 2 || n > 32 || n == len(to) || to[n] != ':' {
		return ""
	}
	return strings.ToLower(to[:n])
}

// closeBracket ends a link or an image when its bracket is open and a target follows.
func (s *inline) closeBracket(i int) int {
	text := s.seg.text
	if len(s.brackets) == 0 {
		s.add("]")
		return 1
	}
	top := len(s.brackets) - 1
	b := s.brackets[top]
	s.brackets = s.brackets[:top]
	alive := b.image || top >= s.dead
	s.dead = min(s.dead, top)
	if !alive {
		s.add("]")
		return 1
	}
	to, n, ok := s.target(text[b.at:i], text[i+1:])
	if !ok {
		s.add("]")
		return 1
	}
	s.doc.Links = append(s.doc.Links, Link{To: to, Line: s.seg.at(i)})
	if b.image {
		s.pieces = s.pieces[:b.piece]
		for len(s.marks) > 0 && s.marks[len(s.marks)-1].piece >= b.piece {
			s.marks = s.marks[:len(s.marks)-1]
		}
	} else {
		s.pieces[b.piece] = ""
		s.dead = top
	}
	return 1 + n
}

// target reads what follows the closing bracket: `(to "title")`, `[label]`, `[]` or nothing, the last
// three for a label that is defined somewhere. n is the length of what follows and belongs to it.
func (s *inline) target(label, after string) (to string, n int, ok bool) {
	if to, n, ok := inlineTarget(after); ok {
		return to, n, true
	}
	if l, n := linkLabel(after); n > 0 {
		to, ok := s.definitions[l]
		return to, n, ok
	}
	if strings.HasPrefix(after, "[]") {
		n = 2
	}
	if len(label) > maxLabel {
		return "", 0, false
	}
	to, ok = s.definitions[foldLabel(label)]
	return to, n, ok
}

// mark reads a run of emphasis marks and notes whether it can open or close emphasis.
func (s *inline) mark(i int) int {
	text := s.seg.text
	n := run(text[i:])
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+n:])
	spaceBefore, spaceAfter := i == 0 || unicode.IsSpace(before), i+n == len(text) || unicode.IsSpace(after)
	punctBefore, punctAfter := punctuation(before), punctuation(after)
	left := !spaceAfter && (!punctAfter || spaceBefore || punctBefore)
	right := !spaceBefore && (!punctBefore || spaceAfter || punctAfter)
	m := mark{char: text[i], piece: len(s.pieces), open: left, close: right}
	if text[i] == '_' {
		m.open, m.close = left && (!right || punctBefore), right && (!left || punctAfter)
	}
	if text[i] != '~' || n <= 2 {
		s.marks = append(s.marks, m)
	}
	s.add(text[i : i+n])
	return n
}

func punctuation(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// dropMarks blanks the marks that pair up. Lengths are not compared: a heading seldom mixes them, and
// its anchor does not change with asterisks and tildes.
func (s *inline) dropMarks() {
	var open []mark
	last := func(char byte) int {
		for k := len(open) - 1; k >= 0 && k >= len(open)-maxDepth; k-- {
			if open[k].char == char {
				return k
			}
		}
		return -1
	}
	for _, m := range s.marks {
		if k := last(m.char); m.close && k >= 0 {
			s.pieces[open[k].piece], s.pieces[m.piece] = "", ""
			open = open[:k]
		} else if m.open {
			open = append(open, m)
		}
	}
}
