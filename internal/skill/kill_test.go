//go:build unix

package skill

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"rulph/internal/runs"
)

// The tests here need a process of their own to kill: the test binary again, with the part it plays in SKILL_PART.
var parts = map[string]func(f Found) error{
	"apply":   func(f Found) error { _, err := Apply(f, sample, "", []byte(record)); return err },
	"undo":    func(f Found) error { _, err := Undo(f); return err },
	"bump":    func(f Found) error { _, err := Bump(f); return err },
	"recover": func(f Found) error { _, err := Recover(f.State); return err },
}

func TestMain(m *testing.M) {
	if part := parts[os.Getenv("SKILL_PART")]; part != nil {
		atStep = func(step string) {
			fmt.Println(step)
			if step == os.Args[2] {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		}
		f, err := Find(RootsOf(func(string) string { return "" }, os.Args[1]), "release-notes")
		if err == nil {
			err = part(f[0])
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// play runs one part on the project until a step ("" for all of it) and returns the steps it has taken.
func play(t *testing.T, part, top, step string) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, top, step)
	cmd.Env = append(os.Environ(), "SKILL_PART="+part)
	out, err := cmd.CombinedOutput()
	exit, failed := errors.AsType[*exec.ExitError](err)
	if killed := failed && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL; killed != (step != "") || err != nil && !killed {
		t.Fatalf("%s until %q: %v\n%s", part, step, err, out)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// steps are all steps that a part takes.
func steps(t *testing.T, part string, prepare func(top string)) []string {
	t.Helper()
	top := project(t)
	prepare(top)
	found := play(t, part, top, "")
	for _, step := range found {
		if strings.Contains(step, " ") && len(step) > 40 {
			t.Fatalf("%q is no step", step)
		}
	}
	return found
}

// outcome says which of the two trees the project is.
func outcome(t *testing.T, what, top string, before, after map[string]string) string {
	t.Helper()
	now := tree(t, top)
	if len(now[logPath]) > len(before[logPath]) && len(before[logPath]) > 0 && after[logPath] == "" {
		now[logPath] = "" // the record has today's date in it
	}
	for name, want := range map[string]map[string]string{"before": before, "after": after} {
		if fmt.Sprint(now) == fmt.Sprint(want) {
			return name
		}
	}
	t.Errorf("%s: a mixture: %q", what, now)
	return ""
}

// seen is the skill as Find sees it, which finishes nothing.
func seen(t *testing.T, top string) Found {
	t.Helper()
	found, err := Find(roots(top), "release-notes")
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return found[0]
}

func TestLookingForASkillFinishesWhatWasBegun(t *testing.T) {
	top := project(t)
	want := applied(t, tree(t, top))
	want[logPath] = ""
	play(t, "apply", top, "file 1 renamed")
	if f := one(t, top, "release-notes"); f.Version != "1.2.10" || len(f.Differing) > 0 {
		t.Errorf("%+v", f)
	}
	sameTree(t, "found", tree(t, top), want)
}

// nothing is what a part finds prepared when it needs nothing.
func nothing(string) {}

func TestAnApplyKilledAtAnyStepIsWholeAfterTheNextCommand(t *testing.T) {
	all := steps(t, "apply", nothing)
	if want := 24; len(all) < want || !slices.Contains(all, "journal renamed") || !slices.Contains(all, "file 3 half written") || !slices.Contains(all, "log written") {
		t.Fatalf("%d steps: %q", len(all), all)
	}
	decided := slices.Index(all, "journal renamed")
	for i, step := range all {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			top := project(t)
			before := tree(t, top)
			after := applied(t, before)
			after[logPath] = ""
			play(t, "apply", top, step)
			f := seen(t, top)
			r, err := Recover(f.State)
			if err != nil {
				t.Fatal(err)
			}
			want := "before"
			if i >= decided {
				want = "after"
			}
			if got := outcome(t, step, top, before, after); got != want {
				t.Errorf("the project is as it was %s, want %s", got, want)
			}
			if ended := step == "ended"; i >= decided && (r == nil) != ended || i < decided && r != nil || r != nil && !r.Finished {
				t.Errorf("recovered %+v", r)
			}
			c, err := runs.Context(f.Runs())
			if n := map[string]int{"before": 1, "after": 2}[want]; err != nil || c.Runs != n || c.Damaged != 0 {
				t.Errorf("%+v, %v: want %d records", c, err, n)
			}
			if again, err := Recover(f.State); again != nil || err != nil {
				t.Errorf("a second recovery: %+v, %v", again, err)
			}
			if want == "after" {
				if _, err := Undo(f); err != nil {
					t.Error(err)
				}
				sameTree(t, "undone", tree(t, top), before)
			} else if _, err := Apply(f, sample, "", []byte(record)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestACallerThatWasKilledMayAskAgain(t *testing.T) {
	for _, step := range []string{"prepared", "journal renamed", "file 1 renamed", "log written", "ended"} {
		top := project(t)
		before := tree(t, top)
		play(t, "apply", top, step)
		f := seen(t, top)
		a, err := Apply(f, sample, Hash([]byte(skillText)), []byte(record))
		if err != nil || a.Run != 2 || a.To != "1.2.10" || a.Again == (step == "prepared") {
			t.Errorf("%s: %+v, %v", step, a, err)
		}
		want := applied(t, before)
		want[logPath] = ""
		sameTree(t, step, tree(t, top), want)
		if c, err := runs.Context(f.Runs()); err != nil || c.Runs != 2 {
			t.Errorf("%s: %+v, %v", step, c, err)
		}
	}
}

func TestARecoveryKilledAtAnyStepIsMadeGoodByTheNext(t *testing.T) {
	cut := func(top string) { play(t, "apply", top, "file 0 half written") }
	all := steps(t, "recover", cut)
	if !slices.Contains(all, "file 3 renamed") {
		t.Fatalf("%q", all)
	}
	for _, step := range all {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			top := project(t)
			before := tree(t, top)
			after := applied(t, before)
			after[logPath] = ""
			cut(top)
			play(t, "recover", top, step)
			f := seen(t, top)
			if _, err := Recover(f.State); err != nil {
				t.Fatal(err)
			}
			if got := outcome(t, step, top, before, after); got != "after" {
				t.Errorf("the project is as it was %s", got)
			}
			if c, err := runs.Context(f.Runs()); err != nil || c.Runs != 2 {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
}

func TestAnUndoKilledAtAnyStepIsWholeAfterTheNextCommand(t *testing.T) {
	apply := func(top string) { play(t, "apply", top, "") }
	all := steps(t, "undo", apply)
	decided := slices.Index(all, "journal renamed")
	if decided < 0 || !slices.Contains(all, "log rewound") || !slices.Contains(all, "undo removed") {
		t.Fatalf("%q", all)
	}
	for i, step := range all {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			top := project(t)
			before := tree(t, top)
			apply(top)
			after := tree(t, top)
			play(t, "undo", top, step)
			f := seen(t, top)
			if _, err := Recover(f.State); err != nil {
				t.Fatal(err)
			}
			want := "after"
			if i >= decided {
				want = "before"
			}
			if got := outcome(t, step, top, before, after); got != want {
				t.Errorf("the project is as it was %s the apply, want %s", got, want)
			}
			_, err := Undo(f)
			if want == "after" && err != nil || want == "before" && err == nil {
				t.Errorf("another undo: %v", err)
			}
			sameTree(t, "undone", tree(t, top), before)
		})
	}
}

func TestABumpKilledAtAnyStepIsWholeAfterTheNextCommand(t *testing.T) {
	all := steps(t, "bump", nothing)
	for _, step := range all {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			top := project(t)
			before := tree(t, top)
			after := applied(t, before)
			after["plugins/starter/skills/release-notes/SKILL.md"] = skillText
			play(t, "bump", top, step)
			if _, err := Recover(seen(t, top).State); err != nil {
				t.Fatal(err)
			}
			outcome(t, step, top, before, after)
		})
	}
}

func TestALogTornByAKillGetsItsWholeLine(t *testing.T) {
	top := project(t)
	f := seen(t, top)
	play(t, "apply", top, "file 3 renamed")
	j, err := readJournal(f.State, journalPath(f.State))
	if err != nil {
		t.Fatal(err)
	}
	before := read(t, f.Runs())
	put(t, top, map[string]string{logPath: before + string(j.Line[:len(j.Line)/2])}) // the system wrote half of it
	r, err := Recover(f.State)
	if err != nil || !r.Finished {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := read(t, f.Runs()); got != before+string(j.Line) {
		t.Errorf("the log is %q", got)
	}
	if aside, err := filepath.Glob(filepath.Join(f.Evals, "*")); err != nil || len(aside) > 2 { // the log and its lock
		t.Errorf("%q, %v", aside, err)
	}
}

func TestARecordThatCameBetweenKeepsItsNumber(t *testing.T) {
	top := project(t)
	f := seen(t, top)
	play(t, "apply", top, "file 1 renamed")
	if _, err := runs.Append(f.Runs(), []byte(`{"input_summary":"other","scores":{"quality":1,"quality_max":12},"change":"x","decision":"ignored","reason":"y"}`)); err != nil {
		t.Fatal(err)
	}
	r, err := Recover(f.State)
	if err != nil || !r.Finished {
		t.Fatalf("%+v, %v", r, err)
	}
	log := strings.Split(read(t, f.Runs()), "\n")
	if len(log) != 4 || !strings.Contains(log[1], `"run":2`) || !strings.Contains(log[1], "other") || !strings.Contains(log[2], `"run":3`) || !strings.Contains(log[2], "say who reads") {
		t.Errorf("%q", log)
	}
	if u, err := Undo(f); err != nil || u.Run != 3 {
		t.Errorf("%+v, %v", u, err)
	}
}

func TestAnApplyWhoseFileWasEditedMeanwhileIsTakenBackAndTheEditKept(t *testing.T) {
	top := project(t)
	before := tree(t, top)
	f := seen(t, top)
	play(t, "apply", top, "file 1 renamed") // SKILL.md and one manifest are written
	put(t, top, map[string]string{"plugins/starter/.codex-plugin/plugin.json": `{"name":"starter","version":"7.0.0"}`})
	r, err := Recover(f.State)
	if err != nil || r == nil || r.Finished || len(r.Foreign) != 1 || !strings.Contains(r.String(), "is taken back, since "+f.Manifests[1]) {
		t.Fatalf("%+v, %v", r, err)
	}
	before["plugins/starter/.codex-plugin/plugin.json"] = `{"name":"starter","version":"7.0.0"}`
	sameTree(t, "taken back", tree(t, top), before)
	if again, err := Recover(f.State); again != nil || err != nil {
		t.Errorf("%+v, %v", again, err)
	}
}

func TestAnUndoWhoseLogWentOnIsTakenBack(t *testing.T) {
	top := project(t)
	f := seen(t, top)
	play(t, "apply", top, "")
	after := tree(t, top)
	play(t, "undo", top, "file 0 renamed")
	if _, err := runs.Append(f.Runs(), []byte(`{"input_summary":"other","scores":{"quality":1,"quality_max":12},"change":"x","decision":"ignored","reason":"y"}`)); err != nil {
		t.Fatal(err)
	}
	r, err := Recover(f.State)
	if err != nil || r.Finished || len(r.Foreign) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	after[logPath] = read(t, f.Runs())
	sameTree(t, "taken back", tree(t, top), after)
}

func TestATakingBackKilledAtAnyStepIsMadeGoodByTheNext(t *testing.T) {
	const foreign = `{"name":"starter","version":"7.0.0"}`
	cut := func(top string) {
		play(t, "apply", top, "file 1 renamed")
		put(t, top, map[string]string{"plugins/starter/.codex-plugin/plugin.json": foreign})
	}
	all := steps(t, "recover", cut)
	if !slices.Contains(all, "back 0 renamed") || !slices.Contains(all, "back 1 half written") {
		t.Fatalf("%q", all)
	}
	for _, step := range all {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			top := project(t)
			before := tree(t, top)
			cut(top)
			play(t, "recover", top, step)
			if _, err := Recover(seen(t, top).State); err != nil {
				t.Fatal(err)
			}
			before["plugins/starter/.codex-plugin/plugin.json"] = foreign
			sameTree(t, step, tree(t, top), before)
		})
	}
}
