package ui

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// Progress tells a person what goes on while a command works: one line an event on standard error,
// and on a terminal a block of live lines below them that is rewritten in place. Judges run side by
// side, so all of it may be called from several goroutines.
type Progress struct {
	mu   sync.Mutex
	out  io.Writer
	look Look
	// size is the terminal as it is now, 0 where it does not tell: a person may resize it at any time.
	size  func() (width, height int)
	lines []string // the live block as it is wanted, each one printable line
	drawn []int    // how wide each line is that the terminal shows below the events, from the top
}

// breaks makes one row of a line.
var breaks = strings.NewReplacer("\n", " ", "\t", " ")

// usualHeight is of a terminal that does not tell, usualWidth its twin.
const usualHeight = 24

// Progress is the progress writer of this command.
func (o IO) Progress() *Progress { return NewProgress(o.Err, o.Look(o.Err)) }

// NewProgress writes to out with the given look. Where out is a terminal, its size is asked for at each
// change, and the width of the look counts only when it does not tell.
func NewProgress(out io.Writer, look Look) *Progress {
	p := &Progress{out: out, look: look, size: func() (int, int) { return 0, 0 }}
	if file, ok := out.(*os.File); ok && look.Live {
		p.size = func() (int, int) {
			width, height, err := term.GetSize(file.Fd())
			if err != nil {
				return 0, 0
			}
			return width, height
		}
	}
	return p
}

// Eventf prints one thing that happened. It stays, above the live block.
func (p *Progress) Eventf(t Tone, format string, args ...any) {
	line := p.look.Paint(t, OneLine(fmt.Sprintf(format, args...)))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.write(line + "\n")
}

// Lines replaces the live block. Each line is cut to the width of the terminal. A block that is taller
// than the terminal loses lines above its last one, which is where a total stands. Where lines cannot be
// rewritten nothing is printed: a log of every tick helps nobody.
func (p *Progress) Lines(lines []string) {
	if !p.look.Live {
		return
	}
	wanted := make([]string, len(lines))
	for i, line := range lines {
		wanted[i] = strings.TrimRight(breaks.Replace(Printable(line)), " ") // its columns stay aligned
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = wanted
	p.write("")
}

// Livef is Lines with one line; an empty one removes the block.
func (p *Progress) Livef(format string, args ...any) {
	line := OneLine(fmt.Sprintf(format, args...))
	if line == "" {
		p.Lines(nil)
		return
	}
	p.Lines([]string{line})
}

// Done removes the live block. What was printed by Eventf stays.
func (p *Progress) Done() { p.Lines(nil) }

// write erases the live block, prints what stays, and draws the block again below it. It is one call of
// Write, so that the terminal shows no state in between and another writer cannot get into the middle.
func (p *Progress) write(stays string) {
	width, height := p.size()
	if width <= 0 {
		width = p.look.Width
	}
	if width <= 0 {
		width = usualWidth
	}
	if height <= 0 {
		height = usualHeight
	}
	var b strings.Builder
	b.WriteString(p.erase(width))
	b.WriteString(stays)
	p.drawn = nil
	for i, line := range fit(p.lines, height) {
		if i > 0 {
			b.WriteByte('\n')
		}
		// One column stays free: a terminal that has just filled its last one is in a state of its own,
		// and they differ in what the next character does there.
		line = ansi.Truncate(line, max(1, width-1), "…")
		p.drawn = append(p.drawn, ansi.StringWidth(line))
		b.WriteString(p.look.Paint(Faint, line))
	}
	if b.Len() > 0 {
		io.WriteString(p.out, b.String())
	}
}

// erase goes to where the live block begins and clears all below it. Lines that were drawn on a wider
// terminal take several rows by now: terminals wrap what they show again when they are made narrower.
func (p *Progress) erase(width int) string {
	if len(p.drawn) == 0 {
		return ""
	}
	rows := 0
	for _, w := range p.drawn {
		rows += max(1, (w+width-1)/width)
	}
	if rows == 1 {
		return "\r\x1b[K"
	}
	return fmt.Sprintf("\r\x1b[%dA\x1b[J", rows-1)
}

// fit leaves one row of the terminal to what happened last.
func fit(lines []string, height int) []string {
	most := max(1, height-1)
	if len(lines) <= most {
		return lines
	}
	last := lines[len(lines)-1]
	if most == 1 {
		return []string{last}
	}
	hidden := fmt.Sprintf("… %d more", len(lines)-most+1)
	return append(slices.Clone(lines[:most-2]), hidden, last)
}
