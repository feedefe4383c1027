package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// An excerpt is excerptWidth characters of its line, at most excerptBefore of them before the column.
const (
	excerptWidth  = 120
	excerptBefore = 60
)

// Excerpt is a line of a file with a caret below a column of it, two lines each ended by a line feed. Lines
// and columns count from 1, columns in characters. What the file says is made printable.
func Excerpt(number, column int, text string) string {
	line := []rune(text)
	at := min(max(column-1, 0), len(line))
	from := 0
	if len(line) > excerptWidth {
		from = max(0, at-excerptBefore)
	}
	to := min(len(line), from+excerptWidth)
	before, after := shown(line[from:at]), shown(line[at:to])
	if from > 0 {
		before = "…" + before
	}
	if to < len(line) {
		after += "…"
	}
	margin := fmt.Sprintf("%5d | ", number)
	return strings.TrimRight(margin+before+after, " ") + "\n" +
		strings.Repeat(" ", len(margin)-2) + "| " + strings.Repeat(" ", ansi.StringWidth(before)) + "^\n"
}

func shown(line []rune) string {
	return strings.ReplaceAll(Printable(string(line)), "\t", " ")
}
