//go:build unix

package cli

import (
	"bytes"
	"context"
	"errors"
	stdio "io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rulph/internal/ui"
)

const slowFix = `version: 1
threshold: 90
max_rounds: 1
criteria:
  - id: setup
    name: Set-up
    items:
      - id: os
        text: Names the system
        match: Linux
        fix: |
          echo half >> "$TARGET"
          test -e go || { sleep 300 & echo $$ $! > pids.new; mv pids.new pids; wait; }
          echo Linux >> "$TARGET"
      - {id: short, text: Is short, max_words: 50}
  - id: style
    name: Style
    items:
      - {id: some, text: Is there, min_words: 1}
      - {id: done, text: Is done, lacks: TODO}
`

// A person that presses Ctrl-C gets the terminal back at once, and loses nothing: the artifact is as it was
// scored, no process is left, and the hint that is printed goes on with the run.
func TestCtrlCOfARunLeavesNothingRunningAndNothingHalfDone(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("NOTES.md", "Notes\r\nwithout a system")
	write("rubric.yaml", slowFix)
	cmd := hoyeon(t, filepath.Join(dir, "home"), "rulph", "run", "NOTES.md", "--rubric", "rubric.yaml", "--trust-checks", "--in-place", "--sid", "r1")
	cmd.Env = append(cmd.Env, "PATH="+os.Getenv("PATH"))
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pids := waitForPIDs(t, filepath.Join(dir, "pids"))
	for _, pid := range pids {
		if !running(pid) {
			t.Fatalf("process %d of the fix does not run", pid)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(cmd.Wait()); code != int(ui.Interrupted) {
		t.Errorf("exit %d\n%s%s", code, &out, &errs)
	}
	for _, pid := range pids {
		if running(pid) {
			t.Errorf("process %d of the fix is still there", pid)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "NOTES.md")); err != nil || string(got) != "Notes\r\nwithout a system" {
		t.Errorf("%v: the artifact is %q", err, got)
	}
	said := "hoyeon-cli: rulph run: interrupted; what was scored is kept\n  hint: go on with 'hoyeon-cli rulph run --resume --sid r1 --trust-checks'\n"
	if out.Len() != 0 || !strings.HasSuffix(errs.String(), said) {
		t.Errorf("it says %q and %q", &out, &errs)
	}

	write("go", "")
	again := hoyeon(t, filepath.Join(dir, "home"), "rulph", "run", "--resume", "--sid", "r1", "--trust-checks")
	again.Env, again.Dir = cmd.Env, dir
	stdout, err := again.Output()
	if err != nil || !strings.Contains(string(stdout), "\nPASSED: ") {
		t.Errorf("%v\n%s", err, stdout)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "NOTES.md")); err != nil || string(got) != "Notes\r\nwithout a systemhalf\nLinux\n" {
		t.Errorf("%v: the artifact is %q", err, got)
	}
}

func TestCtrlCWhileAVerbWaitsForStandardInputIsAnInterrupt(t *testing.T) {
	b := newBench(t, "TODO\n")
	b.start()
	before := b.state("s1")
	for _, args := range [][]string{{"submit"}, {"start", "--sid", "s2", "--target", "-", "--rubric", "rubric.yaml"}, {"run", "-", "--rubric", "rubric.yaml"}} {
		in, out := stdio.Pipe() // nothing is ever written
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		var errs bytes.Buffer
		io := ui.IO{In: in, Out: stdio.Discard, Err: &errs, Getenv: func(name string) string { return b.env[name] }, Cwd: b.dir}
		code := Run(ctx, io, append([]string{"rulph"}, args...))
		cancel()
		out.Close()
		if want := "hoyeon-cli: rulph " + args[0] + ": interrupted\n"; code != ui.Interrupted || errs.String() != want {
			t.Errorf("%v: exit %d, %q", args, code, &errs)
		}
	}
	if after := b.state("s1"); !bytes.Equal(before, after) {
		t.Errorf("the state changed to %s", after)
	}
}

func waitForPIDs(t *testing.T, file string) (pids []int) {
	t.Helper()
	for range 1000 {
		text, err := os.ReadFile(file)
		if err != nil {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		for _, word := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
		return pids
	}
	t.Fatal("the fix was never started")
	return nil
}

// running tells a process that runs from one that has ended and that nobody has asked about.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

func exitCode(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}
