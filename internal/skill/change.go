package skill

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Change returns text with d made, and every other byte as it was. The error is a *Refusal.
//
// A model writes line feeds whatever the file has. In a file whose every line ends in CRLF those of old are read,
// and those of new written, as CRLF.
func Change(text []byte, d Diff) ([]byte, error) {
	switch {
	case len(text) > MaxSize:
		return nil, refuse(TooLarge, "SKILL.md has %d bytes; at most %d are read", len(text), MaxSize)
	case strings.TrimSpace(d.Old) == "":
		return nil, refuse(Empty, "old is empty; give the exact text that new takes the place of, and repeat it in new to add something to it")
	case d.Old == d.New:
		return nil, refuse(Same, "old and new are the same text")
	case !utf8.ValidString(d.Old) || !utf8.ValidString(d.New) || strings.ContainsRune(d.New, 0):
		return nil, refuse(NotText, "old and new have to be text")
	}
	old, fresh := []byte(d.Old), []byte(d.New)
	if allCRLF(text) {
		old, fresh = withCRLF(old), withCRLF(fresh)
	}
	at, err := place(text, old)
	if err != nil {
		return nil, err
	}
	if err := notWhole(text, old, fresh, at); err != nil {
		return nil, err
	}
	if bytes.Equal(old, fresh) {
		return nil, refuse(Same, "old and new differ in their line ends alone, and those follow the file")
	}
	if len(text)-len(old)+len(fresh) > MaxSize {
		return nil, refuse(TooLarge, "SKILL.md would have %d bytes; at most %d are read", len(text)-len(old)+len(fresh), MaxSize)
	}
	changed := make([]byte, 0, len(text)-len(old)+len(fresh))
	changed = append(changed, text[:at]...)
	changed = append(changed, fresh...)
	changed = append(changed, text[at+len(old):]...)
	if err := sameName(text, changed); err != nil {
		return nil, err
	}
	if err := soundFront(text, changed); err != nil {
		return nil, err
	}
	return changed, nil
}

// allCRLF reports whether the text has line ends, and each is CRLF.
func allCRLF(text []byte) bool {
	n := bytes.Count(text, []byte("\n"))
	return n > 0 && n == bytes.Count(text, []byte("\r\n"))
}

func withCRLF(text []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
}

// place is where old is, and only there. Two places may overlap.
func place(text, old []byte) (int, error) {
	at := bytes.Index(text, old)
	if at < 0 {
		if line := nearly(text, old); line > 0 {
			return 0, refuse(Absent, "old does not occur in SKILL.md; line %d differs from it in white space or quotation marks alone: copy it exactly", line)
		}
		return 0, refuse(Absent, "old does not occur in SKILL.md: copy it exactly, character by character")
	}
	if next := bytes.Index(text[at+1:], old); next >= 0 {
		lines := []any{lineOf(text, at), lineOf(text, at+1+next)}
		return 0, refuse(Repeated, "old occurs more than once in SKILL.md, in lines %d and %d: take more of the text around the one you mean", lines...)
	}
	return at, nil
}

func lineOf(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }

// nearlyLimit keeps the search for an almost equal text from a file for which it would take long.
const nearlyLimit = 1 << 20

// nearly is the line in which a text begins that equals old but for white space and typographic quotation marks; 0:
// there is none.
func nearly(text, old []byte) int {
	if len(text) > nearlyLimit {
		return 0
	}
	folded, lines := fold(text)
	wanted, _ := fold(old)
	wanted = bytes.TrimSpace(wanted)
	at := bytes.Index(folded, wanted)
	if at < 0 || len(wanted) == 0 {
		return 0
	}
	return lines[at]
}

// fold makes each run of white space one space, and each typographic quotation mark a plain one. lines has the line of
// each byte of the folded text.
func fold(text []byte) (folded []byte, lines []int) {
	line, space := 1, false
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		put := text[i : i+n]
		i += n
		switch r {
		case '\n', ' ', '\t', '\r', '\u00a0', '\u202f':
			if !space {
				folded, lines = append(folded, ' '), append(lines, line)
			}
			if space = true; r == '\n' {
				line++
			}
			continue
		case '\u2018', '\u2019':
			put = []byte("'")
		case '\u201c', '\u201d':
			put = []byte(`"`)
		}
		space = false
		for range put {
			lines = append(lines, line)
		}
		folded = append(folded, put...)
	}
	return folded, lines
}
