package rulph

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rulph/internal/loop"
)

const fixable = `version: 1
threshold: 90
max_rounds: 3
target: NOTES.md
criteria:
  - id: setup
    name: Set-up
    items:
      - {id: os, text: Names the system, match: Linux, fix: 'echo Linux >> "$TARGET"'}
      - {id: install, text: Gives a command, match: make, fix: 'echo make >> "$TARGET"'}
  - id: style
    name: Style
    items:
      - {id: short, text: Is short, max_words: 50}
      - {id: done, text: Is done, lacks: TODO, fix: 'sed s/TODO// "$TARGET" > new && cat new > "$TARGET"'}
`

// options are those of a run of the lab's rubric, whose scorings are noted.
func (l *lab) options(change ...func(*RunOptions)) (RunOptions, *[]View) {
	var scored []View
	o := RunOptions{StartOptions: StartOptions{Cwd: filepath.Dir(l.file), Rubric: "rubric.yaml"},
		Started: func(View, string) {}, Scored: func(v View) { scored = append(scored, v) }}
	for _, f := range change {
		f(&o)
	}
	l.Trusted = func(string, []byte) bool { return true }
	return o, &scored
}

func inPlace(o *RunOptions) { o.InPlace = true }

func TestARunImprovesACopyUntilItPasses(t *testing.T) {
	l := newLab(t, "TODO\n", fixable)
	o, scored := l.options()
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Passed || v.Round != 2 || len(*scored) != 3 {
		t.Fatalf("%v: %+v", err, v)
	}
	if l.text() != "TODO\n" {
		t.Errorf("the original is %q", l.text())
	}
	got, err := os.ReadFile(v.Files[0])
	if err != nil || string(got) != "\nLinux\nmake\n" {
		t.Errorf("%v: the copy is %q", err, got)
	}
}

func TestAHomeInsideTheFolderIsNotCopiedIntoItself(t *testing.T) {
	l := newLab(t, "TODO\n", fixable)
	l.Store.Home = filepath.Join(filepath.Dir(l.file), "state")
	o, _ := l.options()
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Passed {
		t.Fatalf("%v: %+v", err, v)
	}
	work := filepath.Dir(v.Files[0])
	if _, err := os.Stat(filepath.Join(work, "state")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the home was copied: %v", err)
	}
}

func TestARunNeverTouchesTheCopyOfAnotherOfItsSession(t *testing.T) {
	l := newLab(t, "TODO\n", fixable)
	o, _ := l.options()
	first, err := l.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	second, err := l.Run(context.Background(), o)
	if err != nil || first.Files[0] == second.Files[0] {
		t.Errorf("%v: both work on %s", err, second.Files[0])
	}
}

func TestARunIsRefusedBeforeAnythingIsCopied(t *testing.T) {
	l := newLab(t, "Linux.\n", twoCriteria)
	l.start()
	o, _ := l.options(func(o *RunOptions) { o.Targets = []string{"NOTES.md"} })
	_, err := l.Run(context.Background(), o)
	badInput(t, err, "session s1 has an active loop")
	if _, err := os.Stat(filepath.Join(l.Store.Dir("s1"), "copy")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a copy was made: %v", err)
	}
}

func TestARefusedRunLeavesNothing(t *testing.T) {
	for name, change := range map[string]func(*RunOptions){
		"no such target":     func(o *RunOptions) { o.Targets = []string{"missing.md"} },
		"no such rubric":     func(o *RunOptions) { o.Rubric = "missing.yaml" },
		"a threshold of 101": func(o *RunOptions) { v := 101.0; o.Threshold = &v },
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, "TODO\n", fixable)
			o, _ := l.options(change)
			_, err := l.Run(context.Background(), o)
			badInput(t, err, "")
			if _, err := os.Stat(l.Store.Dir("s1")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("a folder was left: %v", err)
			}
		})
	}
}

func TestAnInterruptedFixIsTakenBackAndItsRoundIsNotSpent(t *testing.T) {
	slow := strings.Replace(fixable, `echo Linux >> "$TARGET"`, `echo half >> "$TARGET"; test -e go || sleep 60; echo Linux >> "$TARGET"`, 1)
	l := newLab(t, "TODO\n", slow)
	o, _ := l.options(inPlace, func(o *RunOptions) { one := 1; o.MaxRounds = &one })
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if b, err := os.ReadFile(l.file); err == nil && strings.Contains(string(b), "half") {
				cancel()
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	if _, err := l.Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if l.text() != "TODO\n" {
		t.Errorf("half a fix was left: %q", l.text())
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(l.file), "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	o, scored := l.options(func(o *RunOptions) { o.Resume = true })
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.CircuitBreaker || v.Round != 1 || len(*scored) != 1 || l.text() != "TODO\nhalf\nLinux\nmake\n" {
		t.Errorf("%v, %q: %+v", err, l.text(), v)
	}
}

func TestARunThatWasBlockedIsScoredAgain(t *testing.T) {
	l := newLab(t, "TODO\n", fixable)
	o, _ := l.options(inPlace)
	l.Trusted = nil
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Blocked || v.Reason != "the fix commands of the rubric are not trusted" {
		t.Fatalf("%v: %+v", err, v)
	}
	nine := 9
	o, _ = l.options(func(o *RunOptions) { o.Resume, o.MaxRounds = true, &nine })
	v, err = l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Passed || v.Round != 3 || v.MaxRounds != 9 {
		t.Errorf("%v: %+v", err, v)
	}
}

func TestALoopOfAnAgentIsNotResumedAsARun(t *testing.T) {
	l := newLab(t, "Linux.\n", twoCriteria)
	l.start()
	o, _ := l.options(func(o *RunOptions) { o.Resume = true })
	_, err := l.Run(context.Background(), o)
	badInput(t, err, "belongs to an agent")
}

func TestARunThatSomebodyCancelsEndsCancelled(t *testing.T) {
	l := newLab(t, "TODO\n", fixable)
	o, _ := l.options(inPlace, func(o *RunOptions) {
		o.Scored = func(View) {
			if _, err := l.Cancel("enough"); err != nil {
				t.Error(err)
			}
		}
	})
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.CancelledEnd || v.Reason != "enough" || v.Report == "" || l.text() != "TODO\n" {
		t.Errorf("%v, %q: %+v", err, l.text(), v)
	}
}

func TestAnAgentCanGoOnWithARunThatNeedsJudges(t *testing.T) {
	l := newLab(t, "Hello. TODO\n", twoCriteria)
	l.SID = "run-1"
	o, _ := l.options(inPlace, func(o *RunOptions) { o.Targets = []string{"NOTES.md"} })
	if v, err := l.Run(context.Background(), o); err != nil || v.Result != loop.Blocked {
		t.Fatalf("%v: %+v", err, v)
	}
	l.SID = "s1"
	v, err := l.Resume(ResumeOptions{From: "run-1"})
	if err != nil || len(v.Judges) != 2 || v.Next.Act != loop.Improve {
		t.Fatalf("%v: %+v", err, v)
	}
	l.write("Linux: make.\n")
	l.judge("yes", "yes")
	if v := l.score(); v.Result != loop.Passed {
		t.Errorf("got %+v", v)
	}
}

func TestAFixThatFailsIsNamedWithItsReason(t *testing.T) {
	l := newLab(t, "TODO\n", strings.NewReplacer(`echo Linux >> "$TARGET"`, "echo no room >&2; exit 1", `echo make >> "$TARGET"`, "true").Replace(fixable))
	o, _ := l.options(inPlace)
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Blocked || v.Reason != `the fix commands of "Set-up" changed nothing; failed: os (it exited 1: no room)` {
		t.Errorf("%v: %s", err, v.Reason)
	}
}

func TestARunWithNothingToAnswerItSaysSo(t *testing.T) {
	l := newLab(t, "Linux.\n", strings.NewReplacer(", max_words: 50", "", ", lacks: TODO", "").Replace(twoCriteria))
	o, _ := l.options(func(o *RunOptions) { o.Targets = []string{"NOTES.md"} })
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Blocked || !v.NoJudge() || !strings.HasPrefix(v.Reason, "nothing could be scored: this run has no judge") {
		t.Errorf("%v: %+v", err, v)
	}
}

func TestARunTakesATextFromStandardInput(t *testing.T) {
	l := newLab(t, "unused\n", fixable)
	o, _ := l.options(func(o *RunOptions) { o.Targets, o.Text = []string{"-"}, []byte("TODO\n") })
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Passed || v.Target != "the text from standard input" {
		t.Errorf("%v: %+v", err, v)
	}
}
