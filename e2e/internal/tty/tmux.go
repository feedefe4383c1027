//go:build unix

// Package tty drives a program at a terminal: it starts it under tmux, presses keys, and waits for
// what the screen shows. It knows where to get tmux from. It refuses to know the program.
package tty

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Options describes the program at the terminal.
type Options struct {
	Argv          []string
	Env           []string // the whole environment, "NAME=value"; TERM is set here
	Dir           string
	Width, Height int // 0: 120 x 40
}

// Screen is a terminal with a program in it.
type Screen struct {
	t    testing.TB
	tmux []string // the command and the socket
	env  []string
}

// Start opens a terminal of its own (a tmux server that nothing else uses) and runs the program in it.
// Both end with the test. When the test fails, the last screen is logged.
func Start(t testing.TB, o Options) *Screen {
	t.Helper()
	program, env := find(t)
	return start(t, o, program, env)
}

func start(t testing.TB, o Options, program string, env []string) *Screen {
	t.Helper()
	if o.Width == 0 {
		o.Width, o.Height = 120, 40
	}
	sockets, err := os.MkdirTemp("", "tty-") // short: a socket's path has 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	s := &Screen{
		t:    t,
		tmux: []string{program, "-L", "hoyeon", "-u", "-f", os.DevNull},
		env:  append(env, "TMUX_TMPDIR="+sockets, "PATH="+os.Getenv("PATH"), "HOME="+sockets),
	}
	args := []string{"new-session", "-d", "-x", fmt.Sprint(o.Width), "-y", fmt.Sprint(o.Height), "-c", o.Dir}
	// env -i clears what tmux adds. The shell stays behind the program to keep its last screen, which
	// tmux's own remain-on-exit garbles.
	argv := append([]string{"env", "-i", "TERM=xterm-256color"}, o.Env...)
	argv = append(argv, "sh", "-c", `"$@"; printf '\n[exit %d]\n' "$?"; while read -r _; do :; done`, "sh")
	for _, a := range append(argv, o.Argv...) {
		args = append(args, literal(a))
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the screen at the end:\n%s", s.Text())
		}
		s.kill()
		_ = os.RemoveAll(sockets)
	})
	s.must(args...)
	return s
}

// literal keeps tmux from taking a semicolon at an argument's end for its command separator.
func literal(arg string) string {
	if strings.HasSuffix(arg, ";") {
		return arg[:len(arg)-1] + `\;`
	}
	return arg
}

// kill ends the program with all its process group, and then the server.
func (s *Screen) kill() {
	if out, err := s.run("display-message", "-p", "#{pane_pid}"); err == nil {
		if pid, err := strconv.Atoi(strings.TrimSpace(out)); err == nil && pid > 1 {
			_ = syscall.Kill(-pid, syscall.SIGKILL)
		}
	}
	_, _ = s.run("kill-server")
}

// Type types text as it is.
func (s *Screen) Type(text string) {
	s.t.Helper()
	s.must("send-keys", "-l", "--", text)
}

// Keys presses keys by tmux's names: Enter, Escape, Up, Down, Tab, Space, C-c, or a single character.
func (s *Screen) Keys(names ...string) {
	s.t.Helper()
	s.must(append([]string{"send-keys", "--"}, names...)...)
}

// Select chooses the line of a menu that holds label: MoveTo and Enter.
func (s *Screen) Select(label string, timeout time.Duration) {
	s.t.Helper()
	s.MoveTo(label, timeout)
	s.Keys("Enter")
}

// MoveTo moves a menu's cursor (a line with ❯ or ›) down to the line that holds label.
func (s *Screen) MoveTo(label string, timeout time.Duration) {
	s.t.Helper()
	here := regexp.MustCompile(`(?m)^[\s│]*[❯›].*` + regexp.QuoteMeta(label))
	deadline := time.Now().Add(timeout)
	s.Wait(regexp.QuoteMeta(label), timeout)
	for !here.MatchString(s.Text()) {
		if time.Now().After(deadline) {
			s.t.Fatalf("tty: the menu's cursor did not reach %q within %s", label, timeout)
		}
		before := s.Text()
		s.Keys("Down")
		for range 20 { // a client that is busy takes a key late; two at once would pass the line by
			if s.Text() != before {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// Text is what the terminal shows, one line a row.
func (s *Screen) Text() string {
	out, err := s.run("capture-pane", "-p")
	if err != nil {
		return fmt.Sprintf("(no screen: %v)", err)
	}
	return strings.TrimRight(out, "\n")
}

// Wait waits until pattern matches the screen and returns the screen; after the timeout it fails the
// test and shows the screen as it was.
func (s *Screen) Wait(pattern string, timeout time.Duration) string {
	s.t.Helper()
	re := regexp.MustCompile(pattern)
	deadline := time.Now().Add(timeout)
	for {
		screen := s.Text()
		if re.MatchString(screen) {
			return screen
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("tty: %q did not appear within %s", pattern, timeout)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// WaitText is Wait for a text as it stands.
func (s *Screen) WaitText(text string, timeout time.Duration) string {
	s.t.Helper()
	return s.Wait(regexp.QuoteMeta(text), timeout)
}

var exitLine = regexp.MustCompile(`(?m)^\[exit (\d+)\]$`)

// WaitExit waits for the program's end and returns its exit status.
func (s *Screen) WaitExit(timeout time.Duration) int {
	s.t.Helper()
	hits := exitLine.FindAllStringSubmatch(s.Wait(exitLine.String(), timeout), -1)
	code, err := strconv.Atoi(hits[len(hits)-1][1])
	if err != nil {
		s.t.Fatal(err)
	}
	return code
}

func (s *Screen) must(args ...string) {
	s.t.Helper()
	if out, err := s.run(args...); err != nil {
		s.t.Fatalf("tty: tmux %s: %v\n%s", args[0], err, out)
	}
}

func (s *Screen) run(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.tmux[0], append(s.tmux[1:len(s.tmux):len(s.tmux)], args...)...)
	cmd.Env = s.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}
