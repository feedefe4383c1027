package report

import (
	"strings"
	"testing"

	"rulph/internal/ui"
)

func TestSummarySaysWhatStopsALoopThatDidNotPass(t *testing.T) {
	d := Data{
		Target: "x.md", Result: "BLOCKED", Reason: "No judge answered in two rounds.", Threshold: 70, Floor: 60, Best: -1,
		Criteria: []CriterionInfo{{ID: "a", Name: "A", Weight: 100, Floor: 60}},
		Rounds:   []Round{{Number: 0, Void: true}, {Number: 1, Void: true}},
	}
	want := "BLOCKED: No judge answered in two rounds.\nx.md, threshold 70, floor 60\n\n" +
		"Criterion  Weight  Floor  Base  R1\nA            100%     60     –   –\nOverall                      –   –\n\nNo round counted\n"
	if got := Summary(d); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSummaryNamesACriterionBelowItsFloorThatHasNoItems(t *testing.T) {
	d := handbook()
	d.Best = 4
	if got, want := Summary(d), "Still open:\n  Set-up instructions: Says how to check that the installation works (codex no)\n  Writing tone: below its floor\n"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}

func TestSummaryOfHostileTextCannotActOnTheTerminal(t *testing.T) {
	got := Summary(hostile())
	if strings.ContainsAny(got, "\x00\x1b\x07\r\u202e") {
		t.Errorf("control characters in %q", got)
	}
	styled := SummaryFor(handbook(), ui.Look{Live: true, Color: true, Width: 80})
	for _, want := range []string{"\x1b[32mPASSED\x1b[m", "\x1b[31m▼25.0"} {
		if !strings.Contains(styled, want) {
			t.Errorf("no %q in\n%q", want, styled)
		}
	}
}
