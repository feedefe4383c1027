package ui

import (
	"bytes"
	"strings"
	"sync"
	"testing"
)

func TestProgressPrintsOneLineAnEventWhereLinesStay(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, Look{})
	p.Livef("judges at work: %d", 3)
	p.Eventf(Good, "round %d: %s", 1, "82.4")
	p.Livef("judges at work: %d", 2)
	p.Eventf(Wrong, "gemini: DEGRADED\n\x1b[2Jtimed out")
	p.Done()
	if got, want := out.String(), "round 1: 82.4\ngemini: DEGRADED ␛[2Jtimed out\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestProgressRewritesItsLiveLineOnATerminal(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, Look{Live: true, Width: 12})
	p.Livef("waiting for three judges")
	p.Eventf(Plain, "codex: 80.0")
	p.Done()
	p.Done()
	want := "waiting fo…" + "\r\x1b[K" + "codex: 80.0\n" + "waiting fo…" + "\r\x1b[K"
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestProgressKeepsLinesWholeWhenJudgesReportAtOnce(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, Look{Live: true, Width: 40})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				p.Livef("at work")
				p.Eventf(Plain, "verdict taken in")
			}
		})
	}
	wg.Wait()
	p.Done()
	if got := strings.Count(out.String(), "verdict taken in\n"); got != 400 {
		t.Errorf("%d whole lines, want 400", got)
	}
}
