package report

import (
	"strings"

	"rulph/internal/ui"
)

// mdActive are the characters that start something in CommonMark or GitHub's dialect of it inside a
// line: emphasis, code, links, HTML, entities, tables, strike-through, formulas, and the bare
// addresses a renderer would turn into links. CommonMark lets any ASCII punctuation be escaped.
const mdActive = "\\`*_[]<>&|~$@"

// md is one line of text that renders as itself: no markup, no link, no table cell ends in it.
func md(s string) string {
	s = ui.OneLine(s)
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i, r := range s {
		if strings.ContainsRune(mdActive, r) || mdStarts(s, i) || mdAddress(s, i) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// mdStarts reports whether the character at i would make a block of the line it stands on: a heading,
// a rule, a list item.
func mdStarts(s string, i int) bool {
	switch s[i] {
	case '#', '+', '-', '=', ':':
		return i == 0
	case '.', ')':
		ends := i+1 == len(s) || s[i+1] == ' '
		return ends && i > 0 && i < 10 && strings.Trim(s[:i], "0123456789") == ""
	}
	return false
}

// mdAddress reports whether the character at i is the one without which a bare address is none: the
// colon of a scheme, the dot after www.
func mdAddress(s string, i int) bool {
	switch s[i] {
	case ':':
		return strings.HasPrefix(s[i:], "://")
	case '.':
		return i >= 3 && strings.EqualFold(s[i-3:i], "www")
	}
	return false
}

// mdCode is s as a code span, its fence longer than any run of backticks in it. It is not for tables,
// which would split it at its pipes.
func mdCode(s string) string {
	s = ui.OneLine(s)
	if s == "" {
		return ""
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	pad := ""
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		pad = " "
	}
	return fence + pad + s + pad + fence
}

// mdFence is s as a fenced block that nothing in s can close.
func mdFence(language, s string) string {
	s = strings.TrimRight(ui.Printable(s), "\n")
	fence := strings.Repeat("`", max(3, longestRun(s, '`')+1))
	return fence + language + "\n" + s + "\n" + fence + "\n"
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// mdTable is a table of cells that are Markdown already. A column whose title starts with ">" is
// aligned to the right.
func mdTable(titles []string, rows [][]string) string {
	var b strings.Builder
	rule := make([]string, len(titles))
	for i, title := range titles {
		rule[i] = "---"
		if right, ok := strings.CutPrefix(title, ">"); ok {
			titles[i], rule[i] = right, "---:"
		}
	}
	for _, row := range append([][]string{titles, rule}, rows...) {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	return b.String()
}
