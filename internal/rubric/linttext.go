package rubric

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// blankQuotes is the text in lower case with every byte of a quotation, a piece of code or a remark in
// brackets made an x: what an item quotes is what the artifact has to hold, and no claim. An index into it
// is an index into the text, so a letter whose lower case has another length stays as it is.
func blankQuotes(text string) string {
	var b strings.Builder
	before := ' '
	for rest := text; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if end := closing(r, before, rest[size:]); end >= 0 {
			b.WriteString(strings.Repeat("x", size+end))
			before, rest = 'x', rest[size+end:]
			continue
		}
		if low := unicode.ToLower(r); utf8.RuneLen(low) == size {
			b.WriteRune(low)
		} else {
			b.WriteString(rest[:size])
		}
		before, rest = r, rest[size:]
	}
	return b.String()
}

// closing returns where the quotation that open begins ends in rest, past its last mark, or -1. A single
// quote opens only at the start of a word and closes only at the end of one, so an apostrophe does
// neither.
func closing(open, before rune, rest string) int {
	switch open {
	case '`', '"':
		return past(rest, string(open))
	case '“':
		return past(rest, "”")
	case '«':
		return past(rest, "»")
	case '(':
		return past(rest, ")")
	case '\'', '‘':
		if wordRune(before) {
			return -1
		}
		for i, r := range rest {
			if r != '\'' && r != '’' {
				continue
			}
			end := i + utf8.RuneLen(r)
			if next, _ := utf8.DecodeRuneInString(rest[end:]); !wordRune(next) {
				return end
			}
		}
	}
	return -1
}

func past(s, mark string) int {
	if i := strings.Index(s, mark); i >= 0 {
		return i + len(mark)
	}
	return -1
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// words splits a lower-case text at everything that is no letter, digit, apostrophe or hyphen.
func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !wordRune(r) && r != '\'' && r != '’' && r != '-' })
}

// findPhrase returns where the words of phrase stand together in ws, or -1.
func findPhrase(ws []string, phrase string) int {
	want := strings.Fields(phrase)
search:
	for i := 0; i+len(want) <= len(ws); i++ {
		for j := range want {
			if ws[i+j] != want[j] {
				continue search
			}
		}
		return i
	}
	return -1
}

// upperFirst begins a sentence with s.
func upperFirst(s string) string {
	if s == "" {
		return s
	}
	r, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(string(r)) + s[size:]
}
