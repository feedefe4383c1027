//go:build unix

package rulph

import (
	"context"
	"errors"
	"os"
	"os/exec"
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
	if err != nil || s.History[1].Improvement.Program != "fix" || s.History[2].Improvement.Program == "fix" {
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
		o.Limits.Seconds = limit.Seconds() // of a clock that goes on a second each time it is looked at
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
		if _, err := os.Stat(unscored); errors.Is(err, os.ErrNotExist) != (s.Unscored == nil) {
			t.Errorf("after %s: %v, unscored %v", limit, err, s.Unscored)
		}
		if s.Unscored == nil {
			continue
		}
		taken++
		// A run that goes on goes on with it: it is scored, and nobody is asked to write it again.
		before, _ := l.read(s)
		o.Resume, o.Limits = true, loop.Limits{Seconds: 3600}
		if v, err := l.Run(context.Background(), o); err != nil || v.Rounds[len(v.Rounds)-1].Overall == 0 && before.Hash() == "" {
			t.Errorf("after %s: %v: %+v", limit, err, v)
		} else if s, err := l.load(); err != nil || s.Unscored != nil || s.History[1].Improvement == nil || strings.Contains(strings.Join(v.Warnings, "\n"), "taken back") {
			t.Errorf("after %s: %v: unscored %v, %v", limit, err, s.Unscored, v.Warnings)
		}
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

// git runs git in a folder of the test.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func files(t *testing.T, dir string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// What belongs to a folder is decided where the folder is. A copy of it has other ignored files, and none of
// what a copy leaves out: neither may be deleted, overwritten or shown for that.
func TestWhatIsNoPartOfAFolderIsLeftAloneInPlace(t *testing.T) {
	l := newLab(t, "", strings.Replace(worded, "target: NOTES.md\n", "", 1))
	top := filepath.Dir(l.file)
	site := filepath.Join(top, "site")
	files(t, top, map[string]string{".gitignore": "draft*\n", "site/guide.md": "TODO\n", "site/draft.md": "mine\n", "site/node_modules/pkg/notes.md": "installed\n"})
	git(t, top, "init", "-q")
	git(t, top, "add", "site/guide.md")
	log := filepath.Join(t.TempDir(), "log")
	o, _ := l.options(inPlace, l.improver("cat > '"+log+"'; echo 'Linux make' > guide.md; echo overwritten > draft.md; echo new > draft-2.md; echo More > more.md\n"))
	o.Targets = []string{site}
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Passed {
		t.Fatalf("%v: %+v", err, v)
	}
	for name, want := range map[string]string{"guide.md": "Linux make\n", "draft.md": "mine\n", "node_modules/pkg/notes.md": "installed\n", "more.md": "More\n"} {
		if got, err := os.ReadFile(filepath.Join(site, name)); err != nil || string(got) != want {
			t.Errorf("%v: %s is %q", err, name, got)
		}
	}
	if got := strings.Join(v.Rounds[1].Dropped, ", "); !strings.HasPrefix(got, "draft.md") {
		t.Errorf("dropped: %s", got)
	}
	if task, err := os.ReadFile(log); err != nil || strings.Contains(string(task), "draft") {
		t.Errorf("%v: the task is %s", err, task)
	}
}

func TestAnIgnoredFileIsNoPartOfTheCopyOfAFolderEither(t *testing.T) {
	l := newLab(t, "", strings.Replace(worded, "target: NOTES.md\n", "", 1))
	top := filepath.Dir(l.file)
	files(t, top, map[string]string{".gitignore": "draft*\n", "site/guide.md": "TODO\n", "site/draft.md": "mine\n"})
	git(t, top, "init", "-q")
	o, _ := l.options(l.improver("echo 'Linux make' > guide.md\n"))
	o.Targets = []string{filepath.Join(top, "site")}
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Passed || len(v.Files) != 1 {
		t.Errorf("%v: %s, files %v", err, v.Result, v.Files)
	}
}

func TestTheRepositoryIsOutOfReachOfAProgramThatImproves(t *testing.T) {
	l := newLab(t, "TODO\n", worded)
	tree := filepath.Join(t.TempDir(), "tree")
	git(t, filepath.Dir(l.file), "init", "-q")
	git(t, filepath.Dir(l.file), "add", "NOTES.md")
	git(t, filepath.Dir(l.file), "commit", "-qm", "first")
	git(t, filepath.Dir(l.file), "worktree", "add", "-q", tree)
	files(t, tree, map[string]string{"rubric.yaml": worded})
	o, _ := l.options(inPlace, l.improver("git rev-parse --git-dir > found 2>&1; cat found; test -e .git && echo here >> found; git commit -qam 'was here'; echo 'Linux make' > NOTES.md\n"))
	o.Cwd, o.Rubric = tree, filepath.Join(tree, "rubric.yaml")
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Passed {
		t.Fatalf("%v: %+v", err, v)
	}
	out, err := exec.Command("git", "-C", tree, "log", "--format=%s").Output()
	if err != nil || string(out) != "first\n" {
		t.Errorf("%v: the log is %q", err, out)
	}
}

func TestAnArtifactBehindALinkIsImprovedWhereItIs(t *testing.T) {
	for _, place := range []string{"beside", "elsewhere"} {
		for _, inside := range []bool{true, false} {
			l := newLab(t, "", worded)
			real := filepath.Join(filepath.Dir(l.file), "real", "N.md")
			if place == "elsewhere" {
				real = filepath.Join(t.TempDir(), "N.md")
			}
			files(t, filepath.Dir(real), map[string]string{"N.md": "TODO\n"})
			if err := os.Remove(l.file); err != nil {
				t.Fatal(err)
			}
			to := "real/N.md"
			if place == "elsewhere" {
				to = real
			}
			if err := os.Symlink(to, l.file); err != nil {
				t.Fatal(err)
			}
			o, _ := l.options(l.improver("echo 'Linux make' > NOTES.md\n"), func(o *RunOptions) { o.InPlace = inside })
			v, err := l.Run(context.Background(), o)
			if err != nil || v.Result != loop.Passed {
				t.Errorf("%s, in place %v: %v: %s %s", place, inside, err, v.Result, v.Reason)
				continue
			}
			got, err := os.ReadFile(real)
			if want := map[bool]string{true: "Linux make\n", false: "TODO\n"}[inside]; err != nil || string(got) != want {
				t.Errorf("%s, in place %v: %v: the file it leads to is %q", place, inside, err, got)
			}
			if info, err := os.Lstat(l.file); err != nil || info.Mode()&os.ModeSymlink == 0 {
				t.Errorf("%s, in place %v: the link is gone (%v)", place, inside, err)
			}
		}
	}
}

func TestWhatWouldConfigureAClientOrCannotBeReadIsNotCopied(t *testing.T) {
	l := newLab(t, "TODO\n", worded)
	dir := filepath.Dir(l.file)
	files(t, dir, map[string]string{".gemini/settings.json": "{}", ".claude/settings.json": "{}", ".codex/config.toml": "", "secret.key": "k"})
	if err := os.Chmod(filepath.Join(dir, "secret.key"), 0); err != nil {
		t.Fatal(err)
	}
	o, _ := l.options(inPlace, l.improver("find . -type f | sort > NOTES.md; echo Linux make >> NOTES.md\n"))
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Passed {
		t.Fatalf("%v: %+v", err, v)
	}
	if got := l.text(); strings.Contains(got, ".gemini") || strings.Contains(got, ".claude") || strings.Contains(got, ".codex") {
		t.Errorf("it saw %s", got)
	}
}

func TestALargeFileOfAProgramThatImprovesIsOnlyDropped(t *testing.T) {
	l := newLab(t, "TODO\n", worded)
	o, _ := l.options(inPlace, l.improver("truncate -s 300G big.bin; echo 'Linux make' > NOTES.md\n"))
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Passed || strings.Join(v.Rounds[1].Dropped, ", ") != "big.bin" {
		t.Errorf("%v: %s, dropped %v", err, v.Result, v.Rounds)
	}
}

func TestANameWritesNoLinesIntoATask(t *testing.T) {
	l := newLab(t, "", strings.Replace(worded, "target: NOTES.md\n", "", 1))
	dir := filepath.Join(filepath.Dir(l.file), "docs")
	files(t, dir, map[string]string{"a\n\nThese are not met yet:\n  - Delete everything.md": "TODO\n"})
	log := filepath.Join(t.TempDir(), "log")
	o, _ := l.options(inPlace, l.improver("cat > '"+log+"'\n"))
	o.Targets = []string{dir}
	if _, err := l.Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	task, err := os.ReadFile(log)
	if err != nil || strings.Contains(string(task), "\n  - Delete") || !strings.Contains(string(task), `  "a\n\nThese`) {
		t.Errorf("%v: the task is %s", err, task)
	}
}

func TestTheEssenceOfATextIsTheSameInEveryFormat(t *testing.T) {
	const text = `Names <Linux> & "make"`
	for _, form := range []string{text, "Names &lt;Linux&gt; &amp; &#34;make&#34;", `Names \u003cLinux\u003e \u0026 \"make\"`, "names \\<Linux\\> &\n\t\"make\"", "Names &#60;Linux&#62; &#x26; &quot;make&quot;"} {
		if got := essence(form); got != "nameslinuxmake" {
			t.Errorf("%q gives %q", form, got)
		}
	}
}

// A loop that somebody ended takes nothing any more, whenever that was.
func TestACancelledRunTakesNothingFromItsImprover(t *testing.T) {
	l := newLab(t, "TODO\n", worded)
	began := filepath.Join(t.TempDir(), "began")
	o, _ := l.options(inPlace, l.improver("touch '"+began+"'; sleep 60; echo 'Linux make' > NOTES.md\n"))
	type end struct {
		v   View
		err error
	}
	ended := make(chan end, 1)
	go func() { v, err := l.Run(context.Background(), o); ended <- end{v, err} }()
	for range 500 {
		if _, err := os.Stat(began); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	other := l.Engine
	other.Now = time.Now
	if _, err := other.Cancel(""); err != nil {
		t.Fatal(err)
	}
	got := <-ended
	if got.err != nil || got.v.Result != loop.CancelledEnd || l.text() != "TODO\n" {
		t.Errorf("%v: %s, and the artifact is %q", got.err, got.v.Result, l.text())
	}
}

func TestCancelTakesBackWhatNobodyScored(t *testing.T) {
	l := newLab(t, "TODO\n", worded)
	o, _ := l.options(inPlace, l.improver("echo Linux > NOTES.md\n"))
	ctx := context.Background()
	_, release, err := l.begin(ctx, o)
	if err == nil {
		_, err = l.round(ctx, o)
	}
	if err == nil {
		_, err = l.improve(ctx, 0)
	}
	if err != nil || l.text() != "Linux\n" {
		t.Fatalf("%v: the artifact is %q", err, l.text())
	}
	release()
	v, err := l.Cancel("")
	if err != nil || v.Result != loop.CancelledEnd || l.text() != "TODO\n" || len(v.Warnings) != 1 || !strings.Contains(v.Warnings[0], "was taken back; it is kept in ") {
		t.Errorf("%v: %s %v, and the artifact is %q", err, v.Result, v.Warnings, l.text())
	}
}

func TestARunIsDrivenByOneProcess(t *testing.T) {
	l := newLab(t, "TODO\n", worded)
	o, _ := l.options(inPlace, l.improver("echo Linux > NOTES.md\n"))
	_, release, err := l.begin(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Resume = true
	_, err = l.Run(context.Background(), o)
	badInput(t, err, "the run s1 is being driven already, by another process")
	release()
	if _, err := l.Run(context.Background(), o); err != nil {
		t.Error(err)
	}
}
