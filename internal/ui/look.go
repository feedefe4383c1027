package ui

import (
	"io"
	"os"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/term"
)

// Look is how a stream is written to. The zero Look is a pipe or a file: whole lines, no colour, no
// limit to their length.
type Look struct {
	Live  bool // a line may be rewritten: a terminal that can move its cursor
	Color bool // never without Live
	Width int  // columns; 0 where nothing limits a line
}

// Look finds out what w can show. NO_COLOR (any value but the empty one, see no-color.org) turns
// colour off; TERM=dumb turns off colour and rewriting.
func (o IO) Look(w io.Writer) Look {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(file.Fd()) {
		return Look{}
	}
	width, _, err := term.GetSize(file.Fd())
	if err != nil {
		width = 0
	}
	return terminalLook(o.Getenv, width)
}

const usualWidth = 80 // of a terminal that does not tell

func terminalLook(getenv func(string) string, width int) Look {
	if width <= 0 {
		width = usualWidth
	}
	live := getenv("TERM") != "dumb"
	return Look{Live: live, Color: live && getenv("NO_COLOR") == "", Width: width}
}

// Tone is what a colour stands for. The words beside it say the same, for those who see none.
type Tone int

// The tones. They use the sixteen colours of the terminal's own theme, so that they are readable on
// its background.
const (
	Plain Tone = iota
	Good
	Warn
	Wrong
	Faint
	Strong
)

func (t Tone) style() lipgloss.Style {
	s := lipgloss.NewStyle()
	switch t {
	case Good:
		return s.Foreground(lipgloss.Green)
	case Warn:
		return s.Foreground(lipgloss.Yellow)
	case Wrong:
		return s.Foreground(lipgloss.Red)
	case Faint:
		return s.Faint(true)
	case Strong:
		return s.Bold(true)
	}
	return s
}

// Paint gives s the tone where the stream shows colour, and leaves it alone elsewhere.
func (l Look) Paint(t Tone, s string) string {
	if !l.Color || t == Plain || s == "" {
		return s
	}
	return t.style().Render(s)
}
