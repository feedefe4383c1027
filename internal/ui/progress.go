package ui

import (
	"fmt"
	"io"
	"sync"

	"github.com/charmbracelet/x/ansi"
)

// Progress tells a person what goes on while a command works: one line an event on standard error,
// and on a terminal one more line, below them, that is rewritten in place. Judges run side by side,
// so all of it may be called from several goroutines.
type Progress struct {
	mu   sync.Mutex
	out  io.Writer
	look Look
	live string // what the last line of the terminal shows now
}

// Progress is the progress writer of this command.
func (o IO) Progress() *Progress { return NewProgress(o.Err, o.Look(o.Err)) }

// NewProgress writes to out with the given look.
func NewProgress(out io.Writer, look Look) *Progress {
	return &Progress{out: out, look: look}
}

// Eventf prints one thing that happened. It stays.
func (p *Progress) Eventf(t Tone, format string, args ...any) {
	line := p.look.Paint(t, OneLine(fmt.Sprintf(format, args...)))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	fmt.Fprintln(p.out, line)
	p.draw()
}

// Livef replaces the live line. Where lines cannot be rewritten it prints nothing: a log of every
// tick helps nobody.
func (p *Progress) Livef(format string, args ...any) {
	if !p.look.Live {
		return
	}
	line := OneLine(fmt.Sprintf(format, args...))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	// One column stays free: a full line would wrap, and a wrapped line cannot be erased.
	p.live = ansi.Truncate(line, max(1, p.look.Width-1), "…")
	p.draw()
}

// Done removes the live line. What was printed by Eventf stays.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	p.live = ""
}

func (p *Progress) erase() {
	if p.live != "" {
		io.WriteString(p.out, "\r\x1b[K")
	}
}

func (p *Progress) draw() {
	if p.live != "" {
		io.WriteString(p.out, p.look.Paint(Faint, p.live))
	}
}
