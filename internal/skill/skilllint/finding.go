// Package skilllint reads the folder of a skill, or the file of a sub-agent, and says what keeps the clients from
// taking it, or makes it less useful than it could be. What the clients do with a skill they do not like is to leave it
// out without a word, and their validators let most of it pass; so the rules of agentskills.io are here, with what is
// known of Claude Code and Codex beyond them. It runs nothing and changes nothing.
package skilllint

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"rulph/internal/ui"
)

// Severity says how bad a finding is.
type Severity string

// The severities.
const (
	Wrong    Severity = "error"   // a client leaves the skill out, or takes it for something else
	Doubtful Severity = "warning" // it works, and could serve better
)

// Finding is one thing to mend, or to reconsider.
type Finding struct {
	Severity Severity `json:"severity"`
	Rule     string   `json:"rule"`   // such as name-form
	File     string   `json:"file"`   // relative to the skill's folder, slash separated
	Line     int      `json:"line"`   // from 1
	Column   int      `json:"column"` // from 1, in characters
	Message  string   `json:"message"`
	source   string
}

// At is the finding as one line that an editor can jump to; dir is shown in front of the file.
func (f Finding) At(dir string) string {
	message := f.Message
	if f.Severity == Doubtful {
		message = "warning: " + message
	}
	return fmt.Sprintf("%s:%d:%d: %s (%s)", ui.OneLine(dir+f.File), f.Line, f.Column, ui.OneLine(message), f.Rule)
}

// Excerpt is the source line with a caret below the place, two lines each ended by a line feed.
func (f Finding) Excerpt() string { return ui.Excerpt(f.Line, f.Column, f.source) }

// Errors are the findings that are errors.
func Errors(all []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f Finding) bool { return f.Severity != Wrong })
}

// A text is one file as its findings refer to it.
type text struct {
	file   string
	data   string
	starts []int // offset of each line
	out    *[]Finding
}

func newText(file string, data []byte, out *[]Finding) *text {
	t := &text{file: file, data: string(data), starts: []int{0}, out: out}
	for i := range len(t.data) {
		if t.data[i] == '\n' {
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

// at adds a finding at an offset.
func (t *text) at(offset int, severity Severity, rule, format string, args ...any) {
	line := sort.SearchInts(t.starts, offset+1)
	start := t.starts[line-1]
	source, _, _ := strings.Cut(t.data[start:], "\n")
	*t.out = append(*t.out, Finding{
		severity, rule, t.file, line, utf8.RuneCountInString(t.data[start:offset]) + 1, fmt.Sprintf(format, args...), strings.TrimSuffix(source, "\r"),
	})
}

// in adds a finding at a line and column, both from 1, as YAML counts them.
func (t *text) in(line, column int, severity Severity, rule, format string, args ...any) {
	line = min(max(line, 1), len(t.starts))
	start := t.starts[line-1]
	source, _, _ := strings.Cut(t.data[start:], "\n")
	*t.out = append(*t.out, Finding{severity, rule, t.file, line, max(column, 1), fmt.Sprintf(format, args...), strings.TrimSuffix(source, "\r")})
}

// order sorts findings as a reader meets them.
func order(all []Finding) []Finding {
	slices.SortStableFunc(all, func(a, b Finding) int {
		first := func(f Finding) bool { return strings.EqualFold(f.File, "SKILL.md") }
		switch {
		case first(a) != first(b):
			if first(a) {
				return -1
			}
			return 1
		}
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column)
	})
	return all
}
