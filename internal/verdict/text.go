package verdict

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// TextLimit is the most bytes a suggestion or a piece of evidence keeps.
const TextLimit = 2000

// ticketLimit is far above the length of any ticket the loop gives out; what is longer is none.
const ticketLimit = 256

// echoLimit is the most runes of the model's own text that a reason repeats in one place. No reason
// has more than two such places.
const echoLimit = 50

// clean makes a model's text fit to be kept and shown: white space of any kind becomes a space, other
// control characters go, and what is beyond limit bytes is cut at a rune border. A true quotation
// stays true: white space is folded when it is looked up, and a part of a quotation occurs wherever
// the whole does.
func clean(s string, limit int) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case unicode.IsControl(r):
			continue
		}
		if b.Len()+utf8.RuneLen(r) > limit {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}

// echo quotes the beginning of a piece of the model's text for a reason.
func echo(s string) string {
	var b strings.Builder
	runes, space := 0, false
	for _, r := range s {
		if runes == echoLimit {
			b.WriteString("...")
			break
		}
		switch {
		case unicode.IsSpace(r):
			if space {
				continue
			}
			b.WriteByte(' ')
		case unicode.IsPrint(r):
			b.WriteRune(r)
		}
		runes++
		space = unicode.IsSpace(r)
	}
	return strconv.Quote(b.String())
}

// fold makes two spellings of a name equal that differ in case or white space alone. Case is folded
// rune by rune (Unicode simple case folding), so "ß" and "ss" stay different.
func fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(foldRune(r))
	}
	return b.String()
}

// foldRune returns the smallest rune that differs from r in case alone.
func foldRune(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return least
}
