package cli

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"rulph/internal/evaluator"
	"rulph/internal/rulph"
	"rulph/internal/ui"
)

// watch shows programs at work. Each end of one is a line that stays; on a terminal there is also a line for
// each of them that moves, with a total below.
type watch struct {
	progress *ui.Progress
	live     bool
	mu       sync.Mutex
	jobs     []*job // of the calls that began together, by name
	quit     chan struct{}
	closed   sync.Once
}

// job is one program that is or was asked.
type job struct {
	name         string
	began, ended time.Time
	again        bool
	fault        string
	usage        evaluator.Usage
}

// watching has an engine's programs and what else it notes shown. Until close the caller may add lines of its own
// to the progress.
func watching(io ui.IO, e *rulph.Engine) *watch {
	progress := io.Progress()
	w := newWatch(io, progress)
	e.Watch = w.event
	e.Notef = func(format string, args ...any) { progress.Eventf(ui.Faint, format, args...) }
	return w
}

func newWatch(io ui.IO, progress *ui.Progress) *watch {
	w := &watch{progress: progress, live: io.Look(io.Err).Live, quit: make(chan struct{})}
	if w.live {
		go w.tick()
	}
	return w
}

// tick keeps the clocks of the live lines going.
func (w *watch) tick() {
	t := time.NewTicker(200 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case <-w.quit:
			return
		case now := <-t.C:
			w.mu.Lock()
			w.draw(now)
			w.mu.Unlock()
		}
	}
}

// close takes the live lines away. Calling it again is fine.
func (w *watch) close() {
	w.closed.Do(func() { close(w.quit) })
	w.mu.Lock()
	defer w.mu.Unlock()
	w.jobs = nil
	w.progress.Done()
}

// event may be called from several goroutines.
func (w *watch) event(ev rulph.JudgeEvent) {
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	j := w.job(ev.Name, now)
	j.usage = ev.Usage
	switch ev.Kind {
	case evaluator.Started:
		if !w.live {
			w.progress.Eventf(ui.Faint, "%s is asked", ev.Name)
		}
	case evaluator.Retried:
		j.again = true
		w.progress.Eventf(ui.Warn, "%s is asked once more: %s", ev.Name, ev.Reason)
	case evaluator.Ended:
		j.ended, j.fault = now, ev.Reason
		if ev.Reason != "" {
			w.progress.Eventf(ui.Wrong, "%s: %s", ev.Name, ev.Reason)
		} else {
			w.progress.Eventf(ui.Faint, "%s is done after %s%s", ev.Name, seconds(ev.Elapsed), used(ev.Usage))
		}
	}
	w.draw(now)
}

// job is the one that goes on under this name, or a new one. The first after all have ended begins a new
// block.
func (w *watch) job(name string, now time.Time) *job {
	going := false
	for _, j := range w.jobs {
		if j.name == name && j.ended.IsZero() {
			return j
		}
		going = going || j.ended.IsZero()
	}
	if !going {
		w.jobs = nil
	}
	j := &job{name: name, began: now}
	w.jobs = append(w.jobs, j)
	slices.SortFunc(w.jobs, func(a, b *job) int { return strings.Compare(a.name, b.name) }) // they begin in any order
	return j
}

func (w *watch) draw(now time.Time) {
	if !w.live {
		return
	}
	lines, done, width := []string(nil), 0, 0
	var sum evaluator.Usage
	began := now
	for _, j := range w.jobs {
		if j.began.Before(began) {
			began = j.began
		}
		width = max(width, len(j.name))
		sum.Add(j.usage)
		if !j.ended.IsZero() {
			done++
		}
	}
	if done == len(w.jobs) {
		w.progress.Lines(nil)
		return
	}
	for _, j := range w.jobs {
		until, state := now, "reading"
		switch {
		case j.fault != "":
			until, state = j.ended, "failed"
		case !j.ended.IsZero():
			until, state = j.ended, "done"
		case j.again:
			state = "once more"
		}
		lines = append(lines, fmt.Sprintf("%-*s  %-9s  %7s%s", width, j.name, state, seconds(until.Sub(j.began)), used(j.usage)))
	}
	const cells = 20
	full := cells * done / len(w.jobs)
	lines = append(lines, fmt.Sprintf("[%s%s] %d of %d, %s%s", strings.Repeat("#", full), strings.Repeat(".", cells-full), done, len(w.jobs), seconds(now.Sub(began)), used(sum)))
	w.progress.Lines(lines)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// used is what a program took, after a comma; nothing where it told nothing.
func used(u evaluator.Usage) string {
	if u.Tokens() == 0 {
		return ""
	}
	return ", " + cost(u.Tokens(), u.USD, u.Unpriced)
}

// cost is a sum of tokens and what they cost, as far as that is known.
func cost(tokens int64, usd float64, unpriced int64) string {
	out := thousands(tokens) + " tokens"
	if usd > 0 {
		out += fmt.Sprintf(", %.4f USD", usd)
	}
	if unpriced > 0 && unpriced < tokens {
		out += fmt.Sprintf(" without the %s tokens of unknown price", thousands(unpriced))
	}
	return out
}

// thousands groups the digits of a number.
func thousands(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
