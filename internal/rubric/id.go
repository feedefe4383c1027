package rubric

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An id is a key in verdicts, in the state and in the history, and a word in commands: letters and
// digits of any script, and ". _ -" after the first. maxID is its length in runes.
const maxID = 64

// slugWords and slugLen bound the id made from a text: long enough to tell items apart, short enough to
// read in a table.
const (
	slugWords = 6
	slugLen   = 48
)

func validID(id string) bool {
	n := 0
	for _, r := range id {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
		case n > 0 && (r == '.' || r == '_' || r == '-' || unicode.IsMark(r)):
		default:
			return false
		}
		n++
	}
	return n > 0 && n <= maxID
}

// slug makes an id from the first words of a text: "Names the OS!" is "names-the-os". A text without a
// letter or digit gives "".
func slug(text string) string {
	var b strings.Builder
	words, runes := 0, 0
	inWord := false
	for _, r := range text {
		r = unicode.ToLower(r)
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), inWord && unicode.IsMark(r):
		case inWord && (r == '\'' || r == '’'):
			continue // "doesn't" is one word
		default:
			inWord = false
			continue
		}
		if !inWord {
			if words == slugWords || runes+2 > slugLen {
				break
			}
			if words > 0 {
				b.WriteByte('-')
				runes++
			}
			words++
			inWord = true
		}
		if runes == slugLen {
			break
		}
		b.WriteRune(r)
		runes++
	}
	return b.String()
}

// CriterionID is the id that Complete gives a criterion without one, as long as no other has taken it:
// the slug of its name, or its place, counted from 1, where the name has no word.
func CriterionID(name string, place int) string { return derivedID("criterion", name, place) }

// ItemID is CriterionID for an item and its text.
func ItemID(text string, place int) string { return derivedID("item", text, place) }

func derivedID(kind, text string, place int) string {
	if s := slug(text); s != "" {
		return s
	}
	return kind + "-" + strconv.Itoa(place)
}

// idGiver hands out ids that differ from those an author wrote and from each other.
type idGiver map[string]bool

func (taken idGiver) give(base string) string {
	id := base
	for n := 2; taken[id]; n++ {
		suffix := "-" + strconv.Itoa(n)
		id = cut(base, maxID-len(suffix)) + suffix
	}
	taken[id] = true
	return id
}

// cut returns at most n runes of s.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Fold makes texts equal that differ in case or white space alone.
func Fold(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

// oneLine reports whether s is a single line that every reader sees whole: no control characters, no
// line or paragraph separators, no byte order mark, no broken UTF-8.
func oneLine(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == '\ufeff' {
			return false
		}
	}
	return true
}
