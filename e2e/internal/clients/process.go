//go:build unix

package clients

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Result is what a client's process left behind.
type Result struct {
	Stdout, Stderr string
	Code           int // -1: killed by the timeout
	Took           time.Duration
	Text           string // the model's final text, where the output tells it
	Session        string // the client's session id, where the output tells it
}

// program is one process to run, with nothing inherited but what is listed.
type program struct {
	argv    []string
	dir     string
	env     []string
	stdin   string
	timeout time.Duration // 0: three minutes, for a machine under load
}

// run waits for the process and kills its whole group at the timeout. When the test fails later, what
// the client printed is logged.
func (p program) run(t testing.TB) Result {
	t.Helper()
	if p.timeout == 0 {
		p.timeout = 3 * time.Minute
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.argv[0], p.argv[1:]...)
	cmd.Dir, cmd.Env = p.dir, p.env
	cmd.Stdin = strings.NewReader(p.stdin)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second // a stray child may hold the pipes
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs

	start := time.Now()
	err := cmd.Run()
	res := Result{Stdout: out.String(), Stderr: errs.String(), Took: time.Since(start)}
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what the client left running
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		res.Code = -1
		t.Errorf("e2e: %s was killed after %s", p.argv[0], p.timeout)
	case errors.As(err, &exit):
		res.Code = exit.ExitCode()
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		t.Fatalf("e2e: %s does not start: %v", p.argv[0], err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s\nexit %d after %s\nstdout:\n%s\nstderr:\n%s", strings.Join(p.argv, " "), res.Code, res.Took.Round(time.Millisecond), tail(res.Stdout), tail(res.Stderr))
		}
	})
	return res
}

func tail(s string) string {
	const most = 6000
	if len(s) > most {
		return "..." + s[len(s)-most:]
	}
	return s
}

func mkdir(t testing.TB, path string) string {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func gitInit(t testing.TB, dir string) {
	t.Helper()
	cmd := exec.Command("git", "init", "-q", dir)
	cmd.Env = environment("HOME="+dir, "GIT_CONFIG_GLOBAL=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("e2e: git init: %v\n%s; install git", err, out)
	}
}
