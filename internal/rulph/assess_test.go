//go:build unix

package rulph

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rulph/internal/loop"
	"rulph/internal/report"
	"rulph/internal/ui"
)

// oneQuestion has one item that a judge answers; the text answers the others.
const oneQuestion = `version: 1
threshold: 80
floor: 0
criteria:
  - {id: setup, name: Set-up, items: [{id: os, text: Names the system}, {id: there, text: Is there, min_words: 1}]}
  - {id: style, name: Style, items: [{id: short, text: Is short, max_words: 50}, {id: done, text: Is done, lacks: TODO}]}
`

// counter writes a judge that says yes, after what it does first in its shell. There $n is which call this
// is, from 1. The name claude makes it that client, with 1,000 tokens and 0.25 USD a call.
func (l *lab) counter(name, first string) string {
	l.t.Helper()
	dir := filepath.Dir(l.file)
	answer, spec := `{"ticket": "$ticket", "checklist": {"setup": {"os": "yes"}}, "suggestions": {"setup": "none"}}`, "command:./"+name
	if name == "claude" {
		answer = `{"type": "result", "subtype": "success", "result": "` + strings.ReplaceAll(answer, `"`, `\"`) + `", "total_cost_usd": 0.25, "modelUsage": {"m": {"inputTokens": 900, "outputTokens": 100}}}`
		spec = name
	}
	script := fmt.Sprintf(`#!/bin/sh
ticket=$(grep -o 'rulph-[a-z2-7]\{20\}' | head -n 1)
echo >> %[1]s/%[2]s.calls
n=$(wc -l < %[1]s/%[2]s.calls)
%[3]s
cat <<EOF
%[4]s
EOF
`, dir, name, first, answer)
	if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
		l.t.Fatal(err)
	}
	l.Environ, l.Dir, l.Now = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH")), dir, time.Now
	return spec
}

func (l *lab) assess(change func(*AssessOptions)) (report.Evaluation, error) {
	l.t.Helper()
	o := AssessOptions{StartOptions: StartOptions{Cwd: filepath.Dir(l.file), Targets: []string{"NOTES.md"}, Rubric: "rubric.yaml"}}
	change(&o)
	return l.Assess(context.Background(), o)
}

func TestAnswersThatCameBeforeTheTimeWasOverCount(t *testing.T) {
	l := newLab(t, "Linux\n", oneQuestion)
	quick, hung := l.counter("quick", ""), l.counter("hung", "sleep 60")
	ev, err := l.assess(func(o *AssessOptions) {
		o.Judges, o.Limits = []string{quick, hung}, loop.Limits{Seconds: 1}
	})
	if err != nil {
		t.Fatal(err)
	}
	if !ev.Passed || ev.Overall != 100 || !ev.LowConfidence || ev.Repeats != 1 {
		t.Errorf("got %+v", ev)
	}
	if j := ev.Judges[0]; j.State != "AVAILABLE" || j.Calls != 1 {
		t.Errorf("the one that answered is %+v", j)
	}
	if j := ev.Judges[1]; j.State != "DEGRADED" || j.Reason != "cut short: the time limit of 1s is reached" || j.Calls != 1 {
		t.Errorf("the one that hung is %+v", j)
	}
	if want := []string{"the time limit of 1s is reached before all had answered"}; !slices.Equal(ev.Warnings, want) {
		t.Errorf("the warnings are %q", ev.Warnings)
	}
}

func TestALaterRepeatThatIsCutShortCountsWithWhatItHas(t *testing.T) {
	l := newLab(t, "Linux\n", oneQuestion)
	quick, slow := l.counter("quick", ""), l.counter("slow", "test $n = 1 || sleep 60")
	ev, err := l.assess(func(o *AssessOptions) {
		o.Judges, o.Limits, o.Repeats = []string{quick, slow}, loop.Limits{Seconds: 2}, 3
	})
	if err != nil {
		t.Fatal(err)
	}
	if ev.Repeats != 2 || ev.LowConfidence || ev.Judges[1].State != "AVAILABLE" || ev.Judges[1].Calls != 2 {
		t.Errorf("got %+v", ev)
	}
	if want := []string{"the time limit of 2s is reached before all had answered in repeat 2 of 3"}; !slices.Equal(ev.Warnings, want) {
		t.Errorf("the warnings are %q", ev.Warnings)
	}
}

func TestNobodyWhoAnsweredInTimeIsNoScore(t *testing.T) {
	l := newLab(t, "Linux\n", oneQuestion)
	broken, hung := l.counter("broken", "exit 1"), l.counter("hung", "sleep 60")
	_, err := l.assess(func(o *AssessOptions) {
		o.Judges, o.Limits = []string{broken, hung}, loop.Limits{Seconds: 0.5}
	})
	if ui.CodeOf(err) != ui.BudgetSpent || err.Error() != "the time limit of 500ms is reached before anything was scored" {
		t.Errorf("got %v", err)
	}
}

// What programs are told of a limit says nothing of a loop where there is none.
func TestWithoutALoopNobodySpeaksOfOne(t *testing.T) {
	l := newLab(t, "Linux\n", oneQuestion)
	var said []string
	l.Watch = func(ev JudgeEvent) { said = append(said, ev.Reason) }
	hung := l.counter("hung", "sleep 60")
	_, err := l.assess(func(o *AssessOptions) { o.Judges, o.Limits = []string{hung}, loop.Limits{Seconds: 0.2} })
	o := StartOptions{Cwd: filepath.Dir(l.file), Targets: []string{"NOTES.md"}, Rubric: "rubric.yaml", Judges: []string{hung}, Limits: loop.Limits{Seconds: 0.2}}
	_, calErr := l.CalibrateFile(context.Background(), o, CalibrateOptions{Repeats: 2})
	for _, text := range append(said, err.Error(), calErr.Error()) {
		if strings.Contains(text, "loop") {
			t.Errorf("it says %q", text)
		}
	}
	if calErr.Error() != "the budget does not last for the calibration: the time limit of 200ms is reached" || !slices.Contains(said, "the time limit is reached") {
		t.Errorf("it says %v, %q", calErr, said)
	}
}

func TestOnlyRepeatsThatScoredAnythingAreCounted(t *testing.T) {
	l := newLab(t, "Linux\n", oneQuestion)
	flaky := l.counter("flaky", "test $n != 2 || exit 1")
	ev, err := l.assess(func(o *AssessOptions) { o.Judges, o.Repeats = []string{flaky}, 3 })
	if err != nil {
		t.Fatal(err)
	}
	if ev.Void || ev.Overall != 100 || ev.Repeats != 2 || ev.SD == nil || *ev.SD != 0 {
		t.Errorf("got %+v", ev)
	}
	if want := []string{"no judge answered in 1 of 3 repeats, which count for nothing"}; !slices.Equal(ev.Warnings, want) {
		t.Errorf("the warnings are %q", ev.Warnings)
	}
	broken := l.counter("broken", "exit 1")
	if ev, err = l.assess(func(o *AssessOptions) { o.Judges, o.Repeats = []string{broken}, 2 }); err != nil || !ev.Void || ev.Repeats != 1 || len(ev.Warnings) != 0 {
		t.Errorf("%v: got %+v", err, ev)
	}
}

func TestATextFromStandardInputIsInNoFile(t *testing.T) {
	l := newLab(t, "Linux\n", oneQuestion)
	judge := l.counter("judge", "")
	ev, err := l.assess(func(o *AssessOptions) {
		o.Judges, o.Targets, o.Text = []string{judge}, []string{"-"}, []byte("Linux\n")
	})
	if err != nil || ev.Target != "the text from standard input" || len(ev.Files) != 0 {
		t.Errorf("%v: %q, %q", err, ev.Target, ev.Files)
	}
	if ev, err = l.assess(func(o *AssessOptions) { o.Judges = []string{judge} }); err != nil || !slices.Equal(ev.Files, []string{"NOTES.md"}) {
		t.Errorf("%v: %q", err, ev.Files)
	}
}
