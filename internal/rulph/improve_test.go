//go:build unix

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

const worded = `version: 1
threshold: 100
floor: 0
max_rounds: 2
target: NOTES.md
criteria:
  - id: setup
    name: Set-up
    items:
      - {id: os, text: Names Linux, match: Linux}
      - {id: install, text: Names make, match: make}
  - id: style
    name: Style
    items:
      - {id: short, text: Is short, max_words: 50}
      - {id: done, text: Is done, lacks: TODO}
`

// improver writes a script beside the lab's files and has a run improve with it.
func (l *lab) improver(script string) func(*RunOptions) {
	l.t.Helper()
	path := filepath.Join(filepath.Dir(l.file), "improve.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		l.t.Fatal(err)
	}
	l.Environ, l.Dir = os.Environ(), filepath.Dir(l.file)
	return func(o *RunOptions) { o.Improver = "command:./improve.sh" }
}

func TestOnlyTheArtifactIsTakenFromAProgramThatImproves(t *testing.T) {
	l := newLab(t, "TODO\n", worded)
	facts := filepath.Join(filepath.Dir(l.file), "facts.txt")
	if err := os.WriteFile(facts, []byte("facts\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	o, _ := l.options(inPlace, l.improver(`
test ! -e rubric.yaml || echo rubric >> NOTES.md
cat facts.txt >> NOTES.md
echo 'Linux make' > NOTES.md
echo changed > facts.txt
mkdir -p new && echo new > new/file
rm improve.sh
ln -s NOTES.md link
`))
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Passed {
		t.Fatalf("%v: %+v", err, v)
	}
	if l.text() != "Linux make\n" {
		t.Errorf("the artifact is %q", l.text())
	}
	if got, err := os.ReadFile(facts); err != nil || string(got) != "facts\n" {
		t.Errorf("%v: the file beside it is %q", err, got)
	}
	if got := strings.Join(v.Rounds[1].Dropped, ", "); got != "facts.txt, improve.sh (removed), link, new/file" {
		t.Errorf("dropped: %s", got)
	}
	s, err := l.load()
	if err != nil || s.History[1].Improvement == nil || s.History[1].Improvement.Program != "command:"+filepath.Join(filepath.Dir(l.file), "improve.sh") {
		t.Errorf("%v: the round was improved by %+v", err, s.History[1].Improvement)
	}
}

func TestALinkInThePlaceOfTheArtifactIsNotFollowed(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("Linux make secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := newLab(t, "TODO\n", worded)
	o, _ := l.options(inPlace, l.improver("rm NOTES.md && ln -s '"+secret+"' NOTES.md\n"))
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Blocked || !strings.Contains(v.Reason, "NOTES.md has become a link") {
		t.Fatalf("%v: %s %s", err, v.Result, v.Reason)
	}
	if l.text() != "TODO\n" {
		t.Errorf("the artifact is %q", l.text())
	}
}

func TestAProgramThatImprovesNothingIsAskedTwice(t *testing.T) {
	for script, reason := range map[string]string{
		"exit 0\n":                    `command changed nothing for "Set-up"`,
		"echo more > other.txt\n":     "command left NOTES.md as it is, and changed other.txt instead, which was dropped",
		"echo broken >&2\nexit 7\n":   `command did not improve "Set-up": exited 7: broken`,
		"echo x > NOTES.md; exit 7\n": `command did not improve "Set-up": exited 7`,
		"rm NOTES.md\n":               "what command made of NOTES.md was not taken: ",
	} {
		l := newLab(t, "Done.\n", worded)
		count := filepath.Join(t.TempDir(), "count")
		o, _ := l.options(inPlace, l.improver("echo >> '"+count+"'\n"+script))
		v, err := l.Run(context.Background(), o)
		if err != nil || v.Result != loop.Blocked || !strings.Contains(v.Reason, reason) {
			t.Errorf("%q: %v: %s %s", script, err, v.Result, v.Reason)
		}
		if got, err := os.ReadFile(count); err != nil || len(got) != 2 {
			t.Errorf("%q: %v: it was asked %d times", script, err, len(got))
		}
		if l.text() != "Done.\n" {
			t.Errorf("%q: the artifact is %q", script, l.text())
		}
	}
}

func TestFixCommandsComeBeforeAProgramThatImproves(t *testing.T) {
	l := newLab(t, "TODO\n", strings.Replace(worded, "match: Linux}", `match: Linux, fix: 'echo Linux >> "$TARGET"'}`, 1))
	o, _ := l.options(inPlace, l.improver("echo 'make, done' > NOTES.md.new; sed s/TODO// NOTES.md >> NOTES.md.new; mv NOTES.md.new NOTES.md\n"))
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Passed || len(v.Rounds) != 3 {
		t.Fatalf("%v: %+v", err, v)
	}
	s, err := l.load()
	if err != nil || s.History[1].Improvement != nil || s.History[2].Improvement == nil {
		t.Errorf("%v: the rounds were improved by %v and %v", err, s.History[1].Improvement, s.History[2].Improvement)
	}
}

func TestAFolderIsTakenBackWithWhatWasAddedAndRemoved(t *testing.T) {
	l := newLab(t, "", strings.Replace(worded, "target: NOTES.md\n", "", 1))
	dir := filepath.Join(filepath.Dir(l.file), "docs")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a.md": "TODO\n", "b.md": "old\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o, _ := l.options(inPlace, l.improver("echo Linux > a.md; rm b.md; echo make > c.md\n"))
	o.Targets = []string{dir}
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Passed || len(v.Rounds[1].Dropped) != 0 {
		t.Fatalf("%v: %+v", err, v)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 || left[0].Name() != "a.md" || left[1].Name() != "c.md" {
		t.Errorf("%v: the folder holds %v", err, left)
	}
}

// A version that nobody has scored when the budget is spent is taken back, and not lost.
func TestWhatABudgetLeavesUnscoredIsTakenBackAndKept(t *testing.T) {
	taken := 0
	for limit := 3 * time.Second; limit < 20*time.Second; limit += time.Second {
		l := newLab(t, "TODO\n", worded)
		o, _ := l.options(inPlace, l.improver("echo Linux > NOTES.md\n"))
		o.MaxTime = limit // of a clock that goes on a second each time it is looked at
		v, err := l.Run(context.Background(), o)
		if err != nil || v.Result != loop.Budget {
			continue
		}
		s, err := l.load()
		if err != nil {
			t.Fatal(err)
		}
		kept := map[int]string{-1: "TODO\n", 0: "TODO\n", 1: "Linux\n", 2: "Linux\n"}[s.Best]
		if l.text() != kept {
			t.Errorf("after %s with round %d kept, the artifact is %q", limit, s.Best, l.text())
		}
		unscored := filepath.Join(l.dir(s), "unscored")
		if _, err := os.Stat(unscored); errors.Is(err, os.ErrNotExist) != (len(s.Caveats) == 0) {
			t.Errorf("after %s: %v, caveats %v", limit, err, s.Caveats)
		}
		taken += len(s.Caveats)
	}
	if taken == 0 {
		t.Error("no limit fell between an improvement and its scoring")
	}
}

func TestAFileInAHugeFolderIsImprovedWithoutWhatIsAroundIt(t *testing.T) {
	l := newLab(t, "TODO\n", worded)
	huge, err := os.Create(filepath.Join(filepath.Dir(l.file), "huge.bin"))
	if err == nil {
		err = errors.Join(huge.Truncate(257<<20), huge.Close()) // it has a size, and takes no room
	}
	if err != nil {
		t.Fatal(err)
	}
	o, _ := l.options(inPlace, l.improver("ls | wc -l | tr -d ' ' > NOTES.md; echo Linux make >> NOTES.md\n"))
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Passed || l.text() != "1\nLinux make\n" {
		t.Errorf("%v: %s %s, and the artifact is %q", err, v.Result, v.Reason, l.text())
	}
}
