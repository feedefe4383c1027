//go:build unix

package tty

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rulph/e2e/internal/clients"
)

func TestKeysReachTheProgramAndItsScreenComesBack(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Argv: []string{"sh", "-c", `printf 'name? '; read -r n; echo "hello $n in $PLACE;"; exit 7`}, Env: []string{"PATH=" + os.Getenv("PATH"), "PLACE=a place;"}, Dir: t.TempDir()})
	s.Wait(`name\?`, 10*time.Second)
	s.Type("Ada -l; x")
	s.Keys("Enter")
	screen := s.Wait(`hello .*;`, 10*time.Second)
	if !strings.Contains(screen, "hello Ada -l; x in a place;;") {
		t.Errorf("the screen shows\n%s", screen)
	}
	if code := s.WaitExit(10 * time.Second); code != 7 {
		t.Errorf("exit status %d, want 7", code)
	}
}

func TestTheProgramSeesTheGivenEnvironmentAlone(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Argv: []string{"/usr/bin/env"}, Env: []string{"ONE=1"}, Dir: t.TempDir()})
	s.WaitExit(10 * time.Second)
	for line := range strings.Lines(s.Text()) {
		name, _, isVar := strings.Cut(line, "=")
		if isVar && !slices.Contains([]string{"TERM", "ONE", "PWD", "_", "SHLVL"}, name) { // the last three are a shell's
			t.Errorf("the program has %q", line)
		}
	}
}

// Machines differ in whether they have tmux; those with apt can all do without.
func TestTmuxComesFromDebianWhereTheMachineHasNone(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("apt-get"); err != nil {
		t.Log("no apt-get here: this way of getting tmux does not exist on this machine")
		return
	}
	program, env, err := Debian(filepath.Join(clients.Cache(t), "tmux"))
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, Options{Argv: []string{"echo", "drawn"}, Env: []string{"PATH=" + os.Getenv("PATH")}, Dir: t.TempDir()}, program, env)
	if code := s.WaitExit(10 * time.Second); code != 0 || !strings.Contains(s.Text(), "drawn") {
		t.Errorf("exit %d, the screen shows\n%s", code, s.Text())
	}
}
