package rubricfile

import (
	"fmt"
	"strings"

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

// Excerpt is the source line with a caret below the place, two lines each ended by a line feed. What the
// file says is made printable.
func (f Finding) Excerpt() string { return ui.Excerpt(f.Line, f.Column, f.source) }

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
