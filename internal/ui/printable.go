package ui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable makes text that others wrote safe to show. Control characters would let an artifact or a
// judge move the cursor, retitle the window or hide what follows, and bidirectional overrides would
// let it show one thing and say another, so each becomes a visible stand-in. Line feeds and tabs
// stay; bytes that are no UTF-8 become U+FFFD.
func Printable(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case r == '\r' && strings.HasPrefix(s[i:], "\n"):
			// A Windows line ending is a line ending.
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r < 0x20:
			b.WriteRune('\u2400' + r) // the control pictures follow the order of ASCII
		case r == 0x7f:
			b.WriteRune('\u2421')
		case deceives(r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r) // utf8.RuneError for a byte that is no UTF-8
		}
	}
	return b.String()
}

// OneLine is Printable with each run of white space made one space: a table cell, a line of progress.
func OneLine(s string) string {
	return strings.Join(strings.Fields(Printable(s)), " ")
}

// deceives reports whether r changes how the text around it is laid out without being seen itself:
// the C1 controls, line and paragraph separators, and the bidirectional marks and overrides.
func deceives(r rune) bool {
	switch {
	case r >= 0x80 && r <= 0x9f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	case r == 0x2028, r == 0x2029, r == 0x200e, r == 0x200f, r == 0x061c, r == 0xfeff:
		return true
	}
	return unicode.In(r, unicode.Noncharacter_Code_Point) || (r >= 0xe0000 && r <= 0xe007f)
}

// plain spares the usual text the copy.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x7f || (c < 0x20 && c != '\n' && c != '\t') {
			return false
		}
	}
	return true
}
