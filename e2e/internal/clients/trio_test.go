//go:build unix

package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestTheClientsOfWhoeverRunsTheTestsAreNotFound(t *testing.T) {
	own, plain := t.TempDir(), t.TempDir()
	for _, path := range []string{filepath.Join(own, "codex"), filepath.Join(own, "node"), filepath.Join(plain, "git")} {
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", own+":"+plain+":/nowhere")
	t.Setenv("PATH", otherPath(t, t.TempDir()))
	if dirs := filepath.SplitList(os.Getenv("PATH")); len(dirs) != 3 || dirs[1] != plain {
		t.Errorf("the folders are %q", dirs)
	}
	for _, name := range []string{"node", "git"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Error(err)
		}
	}
	if path, err := exec.LookPath("codex"); err == nil {
		t.Errorf("found %s", path)
	}
}

// A client's child may outlive it: what counts is the group that it led.
func TestWhatIsLeftOfAClientIsSeenByItsGroup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := &Trio{notes: dir}
	program := filepath.Join(dir, "it's claude")
	s.install(t, program, "claude", []string{"/bin/sh", "-c", `sleep 300 & echo "$0"`})
	var groups []int
	for range 2 {
		cmd := exec.Command(program, "an argument")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		out, err := os.Create(filepath.Join(dir, "out"))
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdout = out
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		groups = append(groups, cmd.Process.Pid)
		if text, err := os.ReadFile(out.Name()); err != nil || string(text) != "an argument\n" {
			t.Errorf("it said %q, %v", text, err)
		}
	}
	if n := s.Starts("claude"); n != 2 || s.Starts("codex") != 0 {
		t.Errorf("%d starts of claude and %d of codex", n, s.Starts("codex"))
	}
	if left := s.Left(t); len(left) != 2 || !slices.ContainsFunc(left, func(line string) bool { return strings.HasSuffix(line, "sleep 300") }) {
		t.Errorf("left: %q", left)
	}
	for _, group := range groups {
		if err := syscall.Kill(-group, syscall.SIGKILL); err != nil {
			t.Error(err)
		}
	}
	for range 500 {
		if len(s.Left(t)) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("left after they were killed: %q", s.Left(t))
}
