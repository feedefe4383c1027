//go:build unix

package rulph

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"rulph/internal/evaluator"
	"rulph/internal/loop"
	"rulph/internal/score"
	"rulph/internal/ui"
)

// measure calibrates the judge on the lab's file, and gives what a person is told beside.
func (l *lab) measure(judge string, repeats int, limits loop.Limits) (score.Calibration, []string, error) {
	var told []string
	l.Notef = func(format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) }
	o := StartOptions{Cwd: filepath.Dir(l.file), Targets: []string{"NOTES.md"}, Rubric: "rubric.yaml", Judges: []string{judge}, Limits: limits}
	c, err := l.CalibrateFile(context.Background(), o, CalibrateOptions{Repeats: repeats})
	return c, slices.DeleteFunc(told, func(line string) bool { return len(line) < 8 || line[:8] != "warning:" }), err
}

func TestACalibrationIsKeptWhoseLastRepeatReachesTheLimit(t *testing.T) {
	l := newLab(t, "Linux\n", oneQuestion)
	c, told, err := l.measure(l.counter("claude", ""), 3, loop.Limits{Tokens: 3000})
	if err != nil || c.Repeats != 3 || len(told) != 0 {
		t.Errorf("%v, %q: %+v", err, told, c)
	}
}

func TestALimitMakesACalibrationSmallerAndItSaysSo(t *testing.T) {
	for name, c := range map[string]struct {
		limits loop.Limits
		first  string
		why    string
	}{
		"tokens": {loop.Limits{Tokens: 2000}, "", "2000 of 2000 tokens are spent"},
		"time":   {loop.Limits{Seconds: 2}, "test $n -lt 3 || sleep 60", "the time limit of 2s is reached"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, "Linux\n", oneQuestion)
			got, told, err := l.measure(l.counter("claude", c.first), 5, c.limits)
			want := []string{"warning: " + c.why + " after 2 of 5 repeats, so that the noise is known from fewer than were wanted"}
			if err != nil || got.Repeats != 2 || !slices.Equal(told, want) {
				t.Errorf("%v, %q: %+v", err, told, got)
			}
		})
	}
}

func TestALimitThatLeavesOneRepeatLeavesNoCalibration(t *testing.T) {
	l := newLab(t, "Linux\n", oneQuestion)
	_, _, err := l.measure(l.counter("claude", ""), 5, loop.Limits{Tokens: 1})
	if ui.CodeOf(err) != ui.BudgetSpent || err.Error() != "the budget does not last for the calibration: 1000 of 1 tokens are spent" {
		t.Errorf("got %v", err)
	}
}

func TestARepeatThatFailedIsNoPartOfACalibration(t *testing.T) {
	l := newLab(t, "Linux\n", oneQuestion)
	c, told, err := l.measure(l.counter("flaky", "test $n != 2 || exit 1"), 4, loop.Limits{})
	want := []string{"warning: no judge answered in 1 of 4 repeats, which count for nothing"}
	if err != nil || c.Repeats != 3 || !slices.Equal(told, want) {
		t.Errorf("%v, %q: %+v", err, told, c)
	}
}

// The loop keeps what it has paid for, and its budget ends it at the next decision.
func TestARunThatItsCalibrationUsesUpKeepsTheCalibration(t *testing.T) {
	l := newLab(t, "Linux\n", oneQuestion)
	o, _ := l.options(inPlace)
	o.Targets, o.Judges, o.Improver, o.Calibrate, o.Limits = []string{"NOTES.md"}, []string{l.counter("claude", "")}, "fix", 5, loop.Limits{Tokens: 3000}
	measured := 0
	o.Measured = func(c score.Calibration) { measured = c.Repeats }
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Budget || measured != 3 || v.Calibration == nil || v.Calibration.Repeats != 3 || v.Spent.Tokens != 3000 {
		t.Errorf("%v: measured from %d repeats; %+v", err, measured, v)
	}
}

func TestACalibrationEndsWithItsLoop(t *testing.T) {
	l := newLab(t, "Linux\n", oneQuestion)
	judge := l.counter("hung", "sleep 60")
	l.start(func(o *StartOptions) { o.Judges = []string{judge} })
	asked := make(chan struct{})
	l.Watch = func(ev JudgeEvent) {
		if ev.Kind == evaluator.Started {
			close(asked)
		}
	}
	ended := make(chan error)
	go func() {
		_, err := l.Calibrate(context.Background(), CalibrateOptions{Repeats: 2})
		ended <- err
	}()
	<-asked
	if _, err := l.Cancel("enough"); err != nil {
		t.Fatal(err)
	}
	badInput(t, <-ended, "the loop is over")
	if v, err := l.Status(); err != nil || v.Status != loop.Cancelled || v.Calibration != nil || v.Spent.Calls != 1 {
		t.Errorf("%v: %+v", err, v)
	}
}
