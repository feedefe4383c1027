package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	stdio "io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rulph/internal/ui"
)

// hoyeon is the program as a process of its own: see TestMain.
func hoyeon(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = append([]string{program}, args...)
	cmd.Env = []string{"HOYEON_HOME=" + home, "GOCOVERDIR=" + os.Getenv("GOCOVERDIR")}
	return cmd
}

func TestAHundredParallelSetsLoseNothing(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home") // which the hundred create together
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range 100 {
		cmd := hoyeon(t, home, "session", "set", "--sid", "s1", "--key", fmt.Sprintf("k%d", i), "--value", fmt.Sprint(i),
			"--json", fmt.Sprintf(`{"shared":{"k%d":%d}}`, i, i))
		wg.Go(func() {
			<-start
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	close(start)
	wg.Wait()
	text, err := os.ReadFile(filepath.Join(home, "s1", "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	var state map[string]any
	if err := json.Unmarshal(text, &state); err != nil {
		t.Fatal(err)
	}
	shared, _ := state["shared"].(map[string]any)
	if len(state) != 101 || len(shared) != 100 {
		t.Errorf("%d keys and %d shared ones have survived, want 101 and 100", len(state), len(shared))
	}
	for i := range 100 {
		key := fmt.Sprintf("k%d", i)
		if state[key] != fmt.Sprint(i) || shared[key] != float64(i) {
			t.Errorf("%s is %v and %v", key, state[key], shared[key])
		}
	}
	left, err := os.ReadDir(filepath.Join(home, "s1"))
	if err != nil || len(left) != 2 {
		t.Errorf("the folder holds %v, %v; want the state and the lock", left, err)
	}
}

// run is the program inside this process.
func run(ctx context.Context, in stdio.Reader, home string, args ...string) (ui.Code, string, string) {
	var out, errs bytes.Buffer
	getenv := func(name string) string { return map[string]string{"HOYEON_HOME": home}[name] }
	code := Run(ctx, ui.IO{In: in, Out: &out, Err: &errs, Getenv: getenv, Cwd: home}, args)
	return code, out.String(), errs.String()
}

func TestAnInterruptEndsTheWaitForStandardInput(t *testing.T) {
	in, out := stdio.Pipe() // nothing is ever written
	defer out.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	home := t.TempDir()
	code, stdout, stderr := run(ctx, in, home, "session", "set", "--sid", "s1", "--json", "-")
	if code != ui.Failed || stdout != "" || !strings.Contains(stderr, "session set: --json -: standard input: context deadline exceeded") {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
}

func TestAnObjectLargerThanAStateIsRefusedNotCut(t *testing.T) {
	home := t.TempDir()
	text := `{"a":1}` + strings.Repeat(" ", 8<<20) // cut at the limit it would be a good object
	code, _, stderr := run(t.Context(), strings.NewReader(text), home, "session", "set", "--sid", "s1", "--json", "-")
	if code != ui.Failed || !strings.Contains(stderr, "more than the 8 MiB that are taken") {
		t.Errorf("exit %d, %q", code, stderr)
	}
}

func TestParseAge(t *testing.T) {
	cases := map[string]time.Duration{
		"30d": 720 * time.Hour, "720h": 720 * time.Hour, "1.5d": 36 * time.Hour, "90m": 90 * time.Minute, "1h30m": 90 * time.Minute,
	}
	for text, want := range cases {
		if got, err := parseAge(text); err != nil || got != want {
			t.Errorf("parseAge(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "d", "30", "30 d", "0", "0d", "-1h", "-1d", "NaNd", "Infd", "1e300d", "106752d", "3w", "soon"} {
		if got, err := parseAge(text); err == nil {
			t.Errorf("parseAge(%q) = %v", text, got)
		}
	}
}
