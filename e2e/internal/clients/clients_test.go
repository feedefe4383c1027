//go:build unix

package clients

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// verdictTB takes the failures of code under test, so that a test can ask for them.
type verdictTB struct {
	testing.TB
	failures []string
	cleanups []func()
}

func (v *verdictTB) Helper()             {}
func (v *verdictTB) Cleanup(f func())    { v.cleanups = append(v.cleanups, f) }
func (v *verdictTB) Failed() bool        { return len(v.failures) > 0 }
func (v *verdictTB) Logf(string, ...any) {}
func (v *verdictTB) Errorf(f string, a ...any) {
	v.failures = append(v.failures, fmt.Sprintf(f, a...))
}

func TestOnceFillsAFolderForAllThatWantIt(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "tool-1")
	var fills atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			err := Once(dir, func(tmp string) error {
				fills.Add(1)
				return os.WriteFile(filepath.Join(tmp, "program"), nil, 0o755)
			})
			if err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(filepath.Join(dir, "program")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := fills.Load(); n != 1 {
		t.Errorf("filled %d times, want once", n)
	}
}

func TestOnceLeavesNothingOfAFailedFill(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	dir := filepath.Join(base, "tool-1")
	broken := errors.New("the network is down")
	err := Once(dir, func(tmp string) error {
		if err := os.WriteFile(filepath.Join(tmp, "half"), nil, 0o755); err != nil {
			t.Error(err)
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("the error is %v, want the fill's own", err)
	}
	left, err := os.ReadDir(base)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 1 || left[0].Name() != "tool-1.lock" {
		t.Errorf("left behind: %v", left)
	}
}

func TestAMissingNpmIsNamedWithTheWayOut(t *testing.T) {
	t.Setenv("PATH", "")
	err := claudePkg.npm(t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "npm is not on PATH; install Node.js") {
		t.Errorf("the error is %v", err)
	}
}

func TestARunThatHangsIsKilledWithItsChildrenAndFailsTheTest(t *testing.T) {
	t.Parallel()
	tb := &verdictTB{TB: t}
	start := time.Now()
	res := program{argv: []string{"/bin/sh", "-c", "sleep 300 & echo started; sleep 300"}, dir: t.TempDir(), timeout: time.Second}.run(tb)
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("the run took %s: a child held it", took)
	}
	if res.Code != -1 || res.Stdout != "started\n" {
		t.Errorf("code %d, output %q", res.Code, res.Stdout)
	}
	if len(tb.failures) != 1 || !strings.Contains(tb.failures[0], "was killed after 1s") {
		t.Errorf("failures: %q", tb.failures)
	}
}

func TestNothingOfTheDevelopersOwnClientsReachesATest(t *testing.T) {
	t.Setenv("CLAUDE_CODE_SESSION_ID", "mine")
	t.Setenv("CODEX_HOME", "/home/dev/.codex")
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	env := environment("HOME=/scratch")
	for _, kv := range env {
		if strings.HasPrefix(kv, "CLAUDE") || strings.HasPrefix(kv, "CODEX") || strings.HasPrefix(kv, "HTTPS_PROXY") {
			t.Errorf("inherited %s", kv)
		}
	}
	if !slices.Contains(env, "HOME=/scratch") {
		t.Error("HOME is not the one that was set")
	}
}
