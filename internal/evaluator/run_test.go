//go:build unix

package evaluator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func run(t *testing.T, c Command) Outcome {
	t.Helper()
	out, err := Run(t.Context(), c)
	if err != nil {
		t.Fatalf("Run(%q): %v", c.Line, err)
	}
	return out
}

func TestExitStatusBecomesTheCode(t *testing.T) {
	for line, want := range map[string]int{
		"true":               0,
		"false":              1,
		"exit 2":             2,
		"no-such-command-xy": 127,
		"kill -9 $$":         128 + 9,
	} {
		if got := run(t, Command{Line: line}).Code; got != want {
			t.Errorf("%s: code %d, want %d", line, got, want)
		}
	}
}

func TestOutputStreamsAreKeptApart(t *testing.T) {
	out := run(t, Command{Line: "echo to out; echo to err >&2"})
	if string(out.Stdout) != "to out\n" || string(out.Stderr) != "to err\n" {
		t.Errorf("stdout %q, stderr %q", out.Stdout, out.Stderr)
	}
	if out.StdoutDropped != 0 || out.StderrDropped != 0 {
		t.Errorf("dropped %d and %d bytes of a short output", out.StdoutDropped, out.StderrDropped)
	}
}

func TestStandardInputIsEmpty(t *testing.T) {
	out := run(t, Command{Line: "cat; echo end", Timeout: 20 * time.Second})
	if string(out.Stdout) != "end\n" || out.TimedOut {
		t.Errorf("cat read %q, timed out %v", out.Stdout, out.TimedOut)
	}
}

func TestTargetReachesTheCommandWhateverItsName(t *testing.T) {
	for _, name := range []string{"plain.md", "with space.md", `quote " and ' it.md`, "-n.md", "$(touch injected).md", "new\nline.md", "*.md"} {
		dir := t.TempDir()
		target := filepath.Join(dir, name)
		if err := os.WriteFile(target, []byte("found it"), 0o600); err != nil {
			t.Fatal(err)
		}
		out := run(t, Command{Line: `cat "$TARGET"`, Dir: dir, Target: target})
		if string(out.Stdout) != "found it" {
			t.Errorf("%q: read %q, stderr %q", name, out.Stdout, out.Stderr)
		}
		files, err := os.ReadDir(dir)
		if err != nil || len(files) != 1 {
			t.Errorf("%q: the folder holds %v, want the target alone (%v)", name, files, err)
		}
	}
}

func TestCommandRunsInItsFolder(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if out := run(t, Command{Line: "pwd", Dir: dir}); string(out.Stdout) != dir+"\n" {
		t.Errorf("pwd is %q, want %s", out.Stdout, dir)
	}
}

func TestKeysAndSessionVariablesAreNotInherited(t *testing.T) {
	inherited := []string{
		"PATH=/bin", "HOME=/home/x", "CLAUDE_CODE_SESSION_ID=a", "CLAUDECODE=1", "CODEX_SESSION_ID=b", "ANTHROPIC_API_KEY=c",
		"OPENAI_API_KEY=d", "GEMINI_API_KEY=e", "anthropic_base_url=f", "TARGET=old", "PWD=/elsewhere", "MY_CLAUDE=kept",
	}
	got := environment(inherited, Command{Dir: "/rubric", Target: "/t.md", Env: []string{"OPENAI_API_KEY=given"}})
	want := []string{"PATH=/bin", "HOME=/home/x", "PWD=/elsewhere", "MY_CLAUDE=kept", "PWD=/rubric", "TARGET=/t.md", "OPENAI_API_KEY=given"}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("environment\n got %q\nwant %q", got, want)
	}
}

func TestFloodIsDrainedAndOnlyItsTailIsKept(t *testing.T) {
	const total = 100 << 20
	out := run(t, Command{Line: "head -c 104857600 /dev/zero | tr '\\000' x; echo the end", MaxOutput: 1000})
	if len(out.Stdout) != 1000 || !bytes.HasSuffix(out.Stdout, []byte("xxthe end\n")) {
		t.Errorf("kept %d bytes ending in %q", len(out.Stdout), out.Stdout[max(0, len(out.Stdout)-20):])
	}
	if want := int64(total + len("the end\n") - 1000); out.StdoutDropped != want {
		t.Errorf("dropped %d bytes, want %d", out.StdoutDropped, want)
	}
	if out.Code != 0 {
		t.Errorf("code %d: the command was disturbed", out.Code)
	}
}

func TestHangingCommandEndsAtItsTimeLimit(t *testing.T) {
	out := run(t, Command{Line: "echo started; sleep 600", Timeout: 300 * time.Millisecond})
	if !out.TimedOut || string(out.Stdout) != "started\n" || out.Code != 128+15 {
		t.Errorf("timed out %v, stdout %q, code %d", out.TimedOut, out.Stdout, out.Code)
	}
	if out.Duration < 300*time.Millisecond || out.Duration > 60*time.Second {
		t.Errorf("it took %s", out.Duration)
	}
}

func TestCommandThatIgnoresTermIsKilled(t *testing.T) {
	out := run(t, Command{Line: "trap '' TERM; while :; do sleep 1; done", Timeout: 200 * time.Millisecond})
	if !out.TimedOut || out.Code != 128+9 {
		t.Errorf("timed out %v, code %d, want 137", out.TimedOut, out.Code)
	}
	if out.Duration < grace {
		t.Errorf("it was killed after %s, before its grace was over", out.Duration)
	}
}

func TestCommandMayCleanUpAtItsTimeLimit(t *testing.T) {
	out := run(t, Command{Line: "trap 'echo cleaned; exit 7' TERM; while :; do sleep 0.05; done", Timeout: 300 * time.Millisecond})
	if !out.TimedOut || out.Code != 7 || !strings.Contains(string(out.Stdout), "cleaned") {
		t.Errorf("timed out %v, code %d, stdout %q", out.TimedOut, out.Code, out.Stdout)
	}
}

// gone waits until no process has this number, or only one that has ended and was not reaped.
func gone(pid int) bool {
	for range 200 {
		if syscall.Kill(pid, 0) != nil {
			return true
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err == nil {
			if _, after, ok := strings.Cut(string(stat), ") "); ok && strings.HasPrefix(after, "Z") {
				return true
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

func childOf(t *testing.T, out Outcome) int {
	t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(string(out.Stdout)))
	if err != nil {
		t.Fatalf("no process number in %q", out.Stdout)
	}
	return pid
}

func TestChildrenThatOutliveTheCommandAreKilled(t *testing.T) {
	out := run(t, Command{Line: "sleep 600 & echo $!", Timeout: 60 * time.Second})
	if out.TimedOut || out.Code != 0 {
		t.Errorf("the open output of a child held the command up: timed out %v, code %d", out.TimedOut, out.Code)
	}
	if pid := childOf(t, out); !gone(pid) {
		t.Errorf("the child %d lives on", pid)
	}
}

func TestTimeLimitEndsTheWholeGroup(t *testing.T) {
	out := run(t, Command{Line: "(trap '' TERM; sleep 600) & echo $!; wait", Timeout: 300 * time.Millisecond})
	if pid := childOf(t, out); !gone(pid) {
		t.Errorf("the child %d lives on", pid)
	}
}

func TestProcessOutsideTheGroupCannotHoldRunUp(t *testing.T) {
	// Job control puts a background job into a group of its own, on every system.
	out := run(t, Command{Line: "set -m; sleep 20 & echo started", Timeout: 60 * time.Second})
	if string(out.Stdout) != "started\n" || out.Code != 0 || out.TimedOut {
		t.Errorf("stdout %q, code %d, timed out %v", out.Stdout, out.Code, out.TimedOut)
	}
	if out.Duration > 15*time.Second {
		t.Errorf("it took %s: Run waited for the pipe of a process that had left the group", out.Duration)
	}
}

func TestCancelEndsTheGroupAndIsAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	out, err := Run(ctx, Command{Line: "sleep 600 & echo $!; wait"})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if out.TimedOut {
		t.Error("a cancelled command is reported as timed out")
	}
	if pid := childOf(t, out); !gone(pid) {
		t.Errorf("the child %d lives on", pid)
	}
}

func TestNothingStartsAfterCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	mark := filepath.Join(t.TempDir(), "mark")
	if _, err := Run(ctx, Command{Line: `touch "$TARGET"`, Target: mark}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the command ran")
	}
}

func TestCommandsThatCannotRunAreErrors(t *testing.T) {
	for name, c := range map[string]Command{
		"empty":           {Line: " \n"},
		"relative target": {Line: "true", Target: "x.md"},
		"missing folder":  {Line: "true", Dir: "/no/such/folder"},
		"negative limit":  {Line: "true", Timeout: -1},
	} {
		if out, err := Run(t.Context(), c); err == nil {
			t.Errorf("%s: no error, outcome %+v", name, out)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Run(t.Context(), Command{Line: "true"}); err == nil || !strings.Contains(err.Error(), "no POSIX shell") {
		t.Errorf("without sh the error is %v", err)
	}
}
