package artifact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Contains tells whether a quote occurs, as a whole, in one of the files. See Quoted.
func (a Artifact) Contains(quote string) bool {
	return a.Quoted()(quote)
}

// Quoted prepares the test whether a quote occurs, as a whole, in one of the files. The preparation
// costs as much as reading the text once, each test a search.
//
// What a model changes when it copies a passage makes no difference: every run of white space, line
// breaks and non-breaking spaces included, is one space; typographic quotes, dashes and the ellipsis
// are their ASCII forms; soft hyphens and other characters without a width are dropped. Everything
// else counts, case and Markdown marks included. A quote without a letter or a digit never occurs: it
// would be evidence for anything.
func (a Artifact) Quoted() func(quote string) bool {
	texts := make([]string, len(a.Files))
	for i, f := range a.Files {
		texts[i] = fold(string(f.Data))
	}
	return func(quote string) bool {
		if !strings.ContainsFunc(quote, saysSomething) {
			return false
		}
		quote = strings.TrimSpace(fold(quote))
		for _, t := range texts {
			if strings.Contains(t, quote) {
				return true
			}
		}
		return false
	}
}

func saysSomething(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// fold writes a text the way quotes are compared.
func fold(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	space := false
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			i++
			switch c {
			case ' ', '\n', '\t', '\r', '\v', '\f':
				if !space {
					out.WriteByte(' ')
				}
				space = true
			default:
				out.WriteByte(c)
				space = false
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case unicode.IsSpace(r):
			if !space {
				out.WriteByte(' ')
			}
			space = true
		case invisible(r):
		default:
			space = false
			if ascii := plain(r); ascii != "" {
				out.WriteString(ascii)
			} else {
				out.WriteRune(r)
			}
		}
	}
	return out.String()
}

// invisible is true for characters that only steer line breaking, and for the byte order mark.
func invisible(r rune) bool {
	return r == '\u00ad' || r == '\u200b' || r == '\u2060' || r == '\ufeff'
}

// plain is the ASCII form of a typographic character, or "".
func plain(r rune) string {
	switch r {
	case '‘', '’', '‚', '‛', '‹', '›', '′':
		return "'"
	case '“', '”', '„', '‟', '«', '»', '″':
		return `"`
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return "-"
	case '…':
		return "..."
	}
	return ""
}
