package ui

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestProgressPrintsOneLineAnEventWhereLinesStay(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, Look{})
	p.Livef("judges at work: %d", 3)
	p.Eventf(Good, "round %d: %s", 1, "82.4")
	p.Lines([]string{"codex", "gemini"})
	p.Eventf(Wrong, "gemini: DEGRADED\n\x1b[2Jtimed out")
	p.Done()
	if got, want := out.String(), "round 1: 82.4\ngemini: DEGRADED ␛[2Jtimed out\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestProgressRewritesItsLiveBlockOnATerminal(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, Look{Live: true, Width: 12})
	p.Livef("waiting for three judges")
	p.Eventf(Plain, "codex: 80.0")
	p.Lines([]string{"a\x1b[2J", "b\nc"})
	p.Done()
	p.Done()
	want := "waiting fo…" + "\r\x1b[K" + "codex: 80.0\n" + "waiting fo…" + "\r\x1b[K" + "a␛[2J\nb c" + "\r\x1b[1A\x1b[J"
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestProgressKeepsLinesWholeWhenJudgesReportAtOnce(t *testing.T) {
	s, p := onScreen(t, 40, 10)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 50 {
				p.Lines([]string{fmt.Sprintf("judge %d", i), fmt.Sprintf("%d of 50", j)})
				p.Eventf(Plain, "verdict taken in")
			}
		})
	}
	wg.Wait()
	p.Done()
	if got, want := s.text(), strings.TrimSuffix(strings.Repeat("verdict taken in\n", 400), "\n"); got != want {
		t.Errorf("%d whole lines of %d, want 400 of 400", strings.Count(got, "verdict taken in"), strings.Count(got, "\n")+1)
	}
}
