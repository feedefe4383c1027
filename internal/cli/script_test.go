package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the scripts in testdata/script got into them, where cmp differs")

// TestMain lets the test binary be hoyeon-cli, and a model that hoyeon-cli asks, for the scripts and for tests that start real processes.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){program: func() { os.Exit(int(Main())) }, "testmodel": testmodel})
}

// TestScripts runs testdata/script/*.txtar, one behaviour each. A script starts in an empty folder with a
// HOME of its own, and sees none of the variables in which a client around the test tells its session.
// Beside the commands of testscript it has:
//
//	exits N cmd...    run a command that must exit with N
//	mode 0600 FILE    the permissions of FILE
//	age 31d FILE      set the time of FILE back
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                filepath.Join("testdata", "script"),
		UpdateScripts:      *update,
		RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, ".home")
			e.Setenv("HOME", home)
			e.Setenv("USERPROFILE", home)
			e.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			e.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
			e.Setenv("TZ", "UTC")
			e.Setenv("NO_COLOR", "1")
			// Of an environment that testscript does not build itself nothing must come through.
			for _, pair := range e.Vars {
				name, _, _ := strings.Cut(pair, "=")
				for _, prefix := range []string{"CLAUDE_", "CODEX_", "HOYEON_"} {
					if strings.HasPrefix(name, prefix) {
						return fmt.Errorf("$%s reaches the scripts", name)
					}
				}
			}
			return os.MkdirAll(home, 0o700) // a script may have put files there
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": scriptExits, "mode": scriptMode, "age": scriptAge},
	})
}

func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N cmd...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(interface{ ExitCode() int })
		if !ok {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s exits with %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

func scriptMode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mode 0600 FILE")
	}
	want, err := strconv.ParseUint(args[0], 8, 32)
	ts.Check(err)
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := info.Mode().Perm(); runtime.GOOS != "windows" && got != os.FileMode(want) {
		ts.Fatalf("%s has mode %#o, want %#o", args[1], got, want)
	}
}

func scriptAge(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: age 31d FILE")
	}
	age, err := parseAge(args[0])
	ts.Check(err)
	at := time.Now().Add(-age)
	ts.Check(os.Chtimes(ts.MkAbs(args[1]), at, at))
}
