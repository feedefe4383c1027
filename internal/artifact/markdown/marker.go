package markdown

import "strings"

// What a line can start with. Every function takes a line without the markers of its containers; four
// columns of indent make it code, so that no marker counts.

func blank(s string) bool { return strings.Trim(s, " \n") == "" }

func indent(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// quoteMarker returns what follows `>` and one space.
func quoteMarker(s string) (string, bool) {
	if indent(s) >= 4 {
		return s, false
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(s, " "), ">")
	if !ok {
		return s, false
	}
	return strings.TrimPrefix(rest, " "), true
}

// itemMarker returns the columns up to the content of a list item. Inside a paragraph only an item
// with content starts a list, and a numbered one only with 1.
func itemMarker(s string, inParagraph bool) (int, bool) {
	ind := indent(s)
	if ind >= 4 || ind == len(s) {
		return 0, false
	}
	t := s[ind:]
	w := 0
	if strings.IndexByte("-+*", t[0]) >= 0 {
		w = 1
	} else {
		for w < len(t) && w < 9 && '0' <= t[w] && t[w] <= '9' {
			w++
		}
		if w == 0 || w == len(t) || t[w] != '.' && t[w] != ')' || inParagraph && t[:w] != "1" {
			return 0, false
		}
		w++
	}
	after := t[w:]
	if blank(after) {
		return ind + w + 1, !inParagraph
	}
	spaces := indent(after)
	switch {
	case spaces == 0:
		return 0, false
	case spaces > 4: // one space, then indented code
		spaces = 1
	}
	return ind + w + spaces, true
}

// isBreak tells whether the line is a thematic break.
func isBreak(s string) bool {
	if indent(s) >= 4 {
		return false
	}
	s = strings.Trim(s, " ")
	marks := 0
	for i := range len(s) {
		if s[i] == s[0] {
			marks++
		} else if s[i] != ' ' {
			return false
		}
	}
	return marks >= 3 && strings.IndexByte("-_*", s[0]) >= 0
}

// isUnderline tells whether the line makes the paragraph above it a heading.
func isUnderline(s string) bool {
	if indent(s) >= 4 {
		return false
	}
	s = strings.Trim(s, " ")
	return s != "" && (s[0] == '=' || s[0] == '-') && strings.Trim(s, s[:1]) == ""
}

// atx returns the text of a `#` heading.
func atx(s string) (string, bool) {
	if indent(s) >= 4 {
		return "", false
	}
	s = strings.Trim(s, " ")
	t := strings.TrimLeft(s, "#")
	if n := len(s) - len(t); n < 1 || n > 6 || t != "" && t[0] != ' ' {
		return "", false
	}
	closed := strings.TrimRight(t, "#")
	if closed == "" || strings.HasSuffix(closed, " ") {
		t = closed
	}
	return strings.Trim(t, " "), true
}

// opensFence returns the run that opens a fenced code block, or "". The words after a run of
// backticks hold no backtick, else the line is prose with a code span.
func opensFence(s string) string {
	s = strings.TrimLeft(s, " ")
	if s == "" || s[0] != '`' && s[0] != '~' {
		return ""
	}
	t := strings.TrimLeft(s, s[:1])
	run := s[:len(s)-len(t)]
	if len(run) < 3 || s[0] == '`' && strings.Contains(t, "`") {
		return ""
	}
	return run
}

func closesFence(s, run string) bool {
	if indent(s) >= 4 {
		return false
	}
	s = strings.Trim(s, " ")
	return len(s) >= len(run) && strings.Trim(s, run[:1]) == ""
}
