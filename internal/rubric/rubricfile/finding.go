package rubricfile

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rulph/internal/ui"
)

// Severity says whether a finding keeps a rubric from being used.
type Severity string

// The severities.
const (
	Wrong    Severity = "error"
	Doubtful Severity = "warning"
)

// Finding is one thing to mend in a rubric file, or to reconsider.
type Finding struct {
	Severity Severity `json:"severity"`
	Line     int      `json:"line"`   // from 1
	Column   int      `json:"column"` // from 1, in characters
	Path     string   `json:"path"`   // such as criteria[1].items[0].text; empty where the file can't be read at all
	Message  string   `json:"message"`
	source   string
}

// An excerpt is excerptWidth characters of its line, at most excerptBefore of them before the column.
const (
	excerptWidth  = 120
	excerptBefore = 60
)

// Excerpt is the source line with a caret below the place, two lines each ended by a line feed. What the
// file says is made printable.
func (f Finding) Excerpt() string {
	line := []rune(f.source)
	at := min(max(f.Column-1, 0), len(line))
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
	margin := fmt.Sprintf("%5d | ", f.Line)
	return strings.TrimRight(margin+before+after, " ") + "\n" +
		strings.Repeat(" ", len(margin)-2) + "| " + strings.Repeat(" ", ansi.StringWidth(before)) + "^\n"
}

func shown(line []rune) string {
	return strings.ReplaceAll(ui.Printable(string(line)), "\t", " ")
}

// At is the finding as one line that an editor can jump to.
func (f Finding) At(name string) string {
	message := f.Message
	if f.Severity == Doubtful {
		message = "warning: " + message
	}
	return fmt.Sprintf("%s:%d:%d: %s", ui.OneLine(name), f.Line, f.Column, message)
}

// Error is why a rubric file can't be used: at least one finding, in the order of the file.
type Error struct {
	Name     string // of the file, as it was given
	Findings []Finding
}

func (e *Error) Error() string {
	var b strings.Builder
	for i, f := range e.Findings {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(f.At(e.Name) + "\n" + strings.TrimSuffix(f.Excerpt(), "\n"))
	}
	return b.String()
}
