//go:build unix

package session

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The tests here need a process of their own to kill, to starve or to strip of its rights: the test
// binary again, with the name of the part it plays in SESSION_PART.
var parts = map[string]func(args []string){
	"write":  partWrite,
	"clear":  partClear,
	"toggle": partToggle,
	"starve": partStarve,
	"nobody": partNobody,
}

func TestMain(m *testing.M) {
	if part := parts[os.Getenv("SESSION_PART")]; part != nil {
		part(os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func play(t *testing.T, part string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), "SESSION_PART="+part)
	return cmd
}

func fatal(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func dieAt(step string) {
	atStep = func(reached string) {
		if reached == step {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
}

// partWrite HOME STEP TEXT changes s1 to TEXT and dies at STEP.
func partWrite(args []string) {
	dieAt(args[1])
	fatal(Store{Home: args[0]}.Transform("s1", write(args[2])))
}

// partClear HOME STEP removes s1 and dies at STEP.
func partClear(args []string) {
	dieAt(args[1])
	_, err := Store{Home: args[0]}.Clear("s1")
	fatal(err)
}

func killed(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the process was not killed where it should have been: %v %s", err, out)
	}
}

func TestAWriterKilledAtAnyStepLeavesTheOldStateOrTheNewOne(t *testing.T) {
	const before, after = `{"v":"before"}`, `{"v":"after"}`
	steps := []struct{ step, state string }{
		{"locked", before}, {"read", before}, {"created", before}, {"written", before}, {"synced", before},
		{"renamed", after}, {"folder synced", after},
	}
	for _, c := range steps {
		t.Run(c.step, func(t *testing.T) {
			t.Parallel()
			s := Store{Home: t.TempDir(), Wait: 2 * time.Second}
			if err := s.Transform("s1", write(before)); err != nil {
				t.Fatal(err)
			}
			killed(t, play(t, "write", s.Home, c.step, after))
			if state, err := s.Load("s1"); err != nil || string(state) != c.state {
				t.Errorf("state = %q, %v; want %q", state, err, c.state)
			}
			if err := s.Transform("s1", write(`{"v":"next"}`)); err != nil {
				t.Errorf("the next writer: %v", err)
			}
			if got := names(t, s.Dir("s1")); got != "state.json state.lock" {
				t.Errorf("left over: %q", got)
			}
		})
	}
}

func TestAFirstWriterKilledAtAnyStepLeavesNoStateOrAWholeOne(t *testing.T) {
	for step, want := range map[string]string{"locked": "", "created": "", "written": "", "synced": "", "renamed": `{"v":1}`} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			s := Store{Home: filepath.Join(t.TempDir(), "home"), Wait: 2 * time.Second}
			killed(t, play(t, "write", s.Home, step, `{"v":1}`))
			state, err := s.Load("s1")
			if want == "" && !errors.Is(err, fs.ErrNotExist) || want != "" && string(state) != want {
				t.Errorf("state = %q, %v; want %q", state, err, want)
			}
			if err := s.Transform("s1", write(`{"v":"next"}`)); err != nil {
				t.Errorf("the next writer: %v", err)
			}
		})
	}
}

func TestAKillWhileADamagedFileIsSetAsideKeepsIt(t *testing.T) {
	s := Store{Home: t.TempDir()}
	put(t, s, "s1", `{"half":`)
	killed(t, play(t, "write", s.Home, "set aside", `{}`))
	kept, err := filepath.Glob(s.StatePath("s1") + ".damaged-*")
	if err != nil || len(kept) != 1 || read(t, kept[0]) != `{"half":` {
		t.Errorf("kept %q, %v", kept, err)
	}
}

func TestAClearKilledHalfWayLeavesNothingOfTheSession(t *testing.T) {
	s := Store{Home: t.TempDir(), Wait: 2 * time.Second}
	if err := s.Transform("s1", write(`{"v":1}`)); err != nil {
		t.Fatal(err)
	}
	killed(t, play(t, "clear", s.Home, "buried"))
	if _, err := s.Load("s1"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Load = %v, want no state", err)
	}
	if entries, err := s.List(); err != nil || len(entries) != 0 {
		t.Errorf("List = %v, %v", entries, err)
	}
	if err := s.Transform("s1", write(`{"v":2}`)); err != nil {
		t.Error(err)
	}
	if _, err := s.Prune(24*time.Hour, time.Now().Add(2*time.Hour), false); err != nil {
		t.Error(err)
	}
	if got := names(t, s.Home); got != "s1" {
		t.Errorf("the home holds %q", got)
	}
}

// partToggle HOME changes s1 for ever, between two texts too long for one page, and says when it has begun.
func partToggle(args []string) {
	s := Store{Home: args[0]}
	for i := 0; ; i++ {
		fatal(s.Transform("s1", write(toggled(i))))
		if i == 0 {
			fmt.Println("begun")
		}
	}
}

func toggled(i int) string {
	return fmt.Sprintf(`{"i":%d,"pad":"%s"}`, i, strings.Repeat(string(rune('a'+i%2)), 200<<10+i%2*1000))
}

func TestKillsAtRandomMomentsNeverLeaveAStateThatDoesNotParse(t *testing.T) {
	s := Store{Home: t.TempDir(), Wait: 2 * time.Second}
	if err := s.Transform("s1", write(toggled(0))); err != nil {
		t.Fatal(err)
	}
	for range 25 {
		cmd := play(t, "toggle", s.Home)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "begun\n" {
			t.Fatalf("the writer says %q, %v", line, err)
		}
		time.Sleep(rand.N(20 * time.Millisecond)) // a change takes a few milliseconds
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // the error is the kill
		state, err := s.Load("s1")
		if err != nil {
			t.Fatal(err)
		}
		raw, ok := Get(state, "i")
		i, err := strconv.Atoi(string(raw))
		if !ok || err != nil || string(state) != toggled(i) {
			t.Fatalf("the state is a mixture: i = %s, %d bytes", raw, len(state))
		}
	}
	if err := s.Transform("s1", write(`{}`)); err != nil {
		t.Fatal(err)
	}
	if got := names(t, s.Dir("s1")); got != "state.json state.lock" {
		t.Errorf("left over: %q", got)
	}
}

// partStarve HOME changes s1 where no file may grow beyond 4 KiB: a disk that fills up in mid-write.
func partStarve(args []string) {
	signal.Ignore(syscall.SIGXFSZ)
	fatal(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: 4096}))
	fatal(Store{Home: args[0]}.Transform("s1", write(`{"v":"`+strings.Repeat("x", 10000)+`"}`)))
}

func TestAFullDiskLeavesTheOldState(t *testing.T) {
	s := Store{Home: t.TempDir()}
	if err := s.Transform("s1", write(`{"v":"before"}`)); err != nil {
		t.Fatal(err)
	}
	out, err := play(t, "starve", s.Home).CombinedOutput()
	if err == nil || !strings.HasPrefix(string(out), "the state of session s1 cannot be changed: write ") {
		t.Errorf("the write reported %v: %s", err, out)
	}
	if got := read(t, s.StatePath("s1")); got != `{"v":"before"}` {
		t.Errorf("state = %q", got)
	}
	if got := names(t, s.Dir("s1")); got != "state.json state.lock" {
		t.Errorf("left over: %q", got)
	}
}

// partNobody HOME PROJECT TEXT gives up root where it has it, then changes s1 to TEXT where it may.
func partNobody(args []string) {
	if os.Geteuid() == 0 {
		fatal(syscall.Setgid(nobody))
		fatal(syscall.Setuid(nobody))
	}
	s, err := HomeFor(env("HOME", args[0]), args[1], "s1")
	fatal(err)
	fatal(s.Transform("s1", write(args[2])))
	fmt.Println(s.Home)
}

const nobody = 65534

// lent makes a folder that the process without rights owns and may not write.
func lent(t *testing.T, mode fs.FileMode, path ...string) string {
	t.Helper()
	dir := mkdir(t, path...)
	if os.Geteuid() == 0 {
		if err := os.Chown(dir, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, mode); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	return dir
}

// passable is a folder that the process without rights can pass through.
func passable(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{root, filepath.Dir(root)} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestAReadOnlyHomeGivesWayToTheProject(t *testing.T) {
	root := passable(t)
	user := lent(t, 0o500, root, "user")
	lent(t, 0o500, user, ".hoyeon")
	project := lent(t, 0o700, root, "project")
	out, err := play(t, "nobody", user, project, `{"v":"new"}`).CombinedOutput()
	if want := filepath.Join(project, ".hoyeon") + "\n"; err != nil || string(out) != want {
		t.Fatalf("got %s, %v; want %s", out, err, want)
	}
	if got := read(t, filepath.Join(project, ".hoyeon", "s1", "state.json")); got != `{"v":"new"}` {
		t.Errorf("state = %q", got)
	}
	if got := read(t, filepath.Join(project, ".hoyeon", ".gitignore")); got != "*\n" {
		t.Errorf(".gitignore = %q", got)
	}
}

func TestAReadOnlyHomeThatHasTheSessionIsAnErrorWithAWayOut(t *testing.T) {
	root := passable(t)
	user := lent(t, 0o700, root, "user")
	home := lent(t, 0o700, user, ".hoyeon")
	project := lent(t, 0o700, root, "project")
	if out, err := play(t, "nobody", user, project, `{"v":"first"}`).CombinedOutput(); err != nil || string(out) != home+"\n" {
		t.Fatalf("got %s, %v", out, err)
	}
	state := filepath.Join(home, "s1", "state.json")
	lent(t, 0o500, home, "s1")
	out, err := play(t, "nobody", user, project, `{"v":"second"}`).CombinedOutput()
	want := "permission denied; run the command where the folder can be written, or set HOYEON_HOME to a folder you can write\n"
	if err == nil || !strings.HasSuffix(string(out), want) {
		t.Errorf("got %s, %v; want an error that ends in %q", out, err, want)
	}
	if got := read(t, state); got != `{"v":"first"}` {
		t.Errorf("state = %q", got)
	}
	if got := names(t, project); got != "" {
		t.Errorf("a second state was made: %q", got)
	}
}

func TestAHomeOfAnotherUserIsRefused(t *testing.T) {
	foreign := "/" // root's, for everybody but root
	if os.Geteuid() == 0 {
		foreign = lent(t, 0o700, t.TempDir(), "foreign")
		put(t, Store{Home: foreign}, "s1", `{"rulph":{"status":"active"}}`)
	}
	s := Store{Home: foreign}
	want := "the home " + foreign + " belongs to another user; set HOYEON_HOME to a folder of your own"
	if err := s.EnsureDir("s1"); err == nil || err.Error() != want {
		t.Errorf("EnsureDir = %v, want %q", err, want)
	}
	if err := s.Transform("s1", write(`{}`)); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("Transform = %v, want %q", err, want)
	}
	if _, err := Writable(env("HOYEON_HOME", foreign), "/"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Writable = %v, want %q", err, want)
	}
	if _, _, ok := Locate(env("HOYEON_HOME", foreign), "/", "s1", Active); ok {
		t.Error("a loop in the home of another user was found")
	}
}
