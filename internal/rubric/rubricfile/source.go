package rubricfile

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// source is a file as its findings refer to it: without a byte order mark, every line ended by "\n".
type source struct {
	text   string
	starts []int // offset of each line
}

// position counts lines and columns from 1, columns in characters.
type position struct{ line, column int }

// newSource returns a finding as well where the data is no text.
func newSource(data []byte) (*source, *Finding) {
	text := strings.TrimPrefix(string(data), "\ufeff")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	s := &source{text: text, starts: []int{0}}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			s.starts = append(s.starts, i+1)
		}
	}
	if bad := firstInvalid(text); bad >= 0 {
		message := fmt.Sprintf("byte 0x%02X is not UTF-8; save the file as UTF-8", text[bad])
		if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
			message = "the file is UTF-16; save it as UTF-8"
		}
		f := finding(s.at(bad), "", message)
		return s, &f
	}
	if nul := strings.IndexByte(text, 0); nul >= 0 {
		f := finding(s.at(nul), "", "there is a NUL byte; a rubric is a text file")
		return s, &f
	}
	// yaml.v3 loses its place when one happens to stand at the start of its buffer.
	if bom := strings.Index(text, "\ufeff"); bom >= 0 {
		f := finding(s.at(bom), "", "there is an invisible byte order mark (U+FEFF) inside the text; remove it")
		return s, &f
	}
	return s, nil
}

func firstInvalid(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// at is the position of a byte offset.
func (s *source) at(offset int) position {
	line := sort.SearchInts(s.starts, offset+1)
	return position{line, utf8.RuneCountInString(s.text[s.starts[line-1]:offset]) + 1}
}

// line returns line n without its end; "" where there is none.
func (s *source) line(n int) string {
	if n < 1 || n > len(s.starts) {
		return ""
	}
	text := s.text[s.starts[n-1]:]
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		text = text[:end]
	}
	return text
}

// finding is one at a position; ordered gives it its source line.
func finding(at position, path, message string) Finding {
	return Finding{Severity: Wrong, Line: at.line, Column: at.column, Path: path, Message: message}
}
