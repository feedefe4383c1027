package evaluator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Command is one shell line of a rubric: a `check` or a `fix`. Whoever runs one has made sure that its
// user trusts the file it comes from.
type Command struct {
	Line   string // for sh -c
	Dir    string // working folder, absolute: the rubric's
	Target string // absolute path of the artifact, in $TARGET; "" for none
	// Env adds to the environment, and wins. See environment for what a command inherits.
	Env       []string
	Timeout   time.Duration // 0: 60 s
	MaxOutput int           // bytes kept of each stream, its last ones; 0: 64 KiB
}

// The limits of a Command that sets none.
const (
	DefaultTimeout   = 60 * time.Second
	DefaultMaxOutput = 64 << 10
)

// grace is how long a group has between TERM and KILL, and how long a pipe may stay open after the
// end of a command because something outside its group holds it.
const grace = time.Second

// Outcome is what a command that was started came to.
type Outcome struct {
	Code           int // exit status; 128 and the signal's number for one that a signal ended
	Stdout, Stderr []byte
	// How many bytes came before the ones that were kept.
	StdoutDropped, StderrDropped int64
	TimedOut                     bool
	Duration                     time.Duration
}

// Run runs the line with `sh -c` and returns when it has ended and its group is gone. The shell is
// meant: checks and fixes are shell lines of a trusted file.
//
// Standard input is empty. The command is the leader of a process group of its own. At the time limit
// and when ctx is cancelled the whole group is sent TERM, and KILL a second later; what is left of the
// group when the leader has ended by itself is killed at once, so that a check leaves no server
// behind. A process that has left the group (setsid) escapes; it cannot hold Run up for more than a
// second. On systems without process groups only the command itself is ended.
//
// An exit status that is not 0, and the time limit, are outcomes. Errors are: a command that could not
// be started, and a cancelled ctx.
func Run(ctx context.Context, c Command) (Outcome, error) {
	switch {
	case strings.TrimSpace(c.Line) == "":
		return Outcome{}, errors.New("run: the command is empty")
	case c.Target != "" && !filepath.IsAbs(c.Target):
		return Outcome{}, fmt.Errorf("run: the target %s is not an absolute path", c.Target)
	case c.Timeout < 0 || c.MaxOutput < 0:
		return Outcome{}, errors.New("run: the time limit and the output limit cannot be negative")
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		return Outcome{}, fmt.Errorf("run: there is no POSIX shell on PATH, which checks and fixes need: %w", err)
	}
	cmd := exec.Command(sh, "-c", c.Line)
	cmd.Dir = c.Dir
	cmd.Env = environment(os.Environ(), c)
	keep := orDefault(c.MaxOutput, DefaultMaxOutput)
	out, err := supervise(ctx, cmd, orDefault(c.Timeout, DefaultTimeout), keep, keep)
	if err != nil {
		return out, fmt.Errorf("run %s: %w", c.Line, err)
	}
	return out, nil
}

func orDefault[T int | time.Duration](v, d T) T {
	if v == 0 {
		return d
	}
	return v
}

// private are the starts of variables that a command does not inherit. The keys are no business of a
// line in a rubric; the session variables would let a check that calls this program, or a client,
// act on the loop that runs it, and make a nested client refuse to start. Command.Env can give one
// back to a command that needs it.
func private(key string) bool {
	for _, start := range []string{"CLAUDE", "CODEX", "ANTHROPIC", "OPENAI", "GEMINI"} {
		if strings.HasPrefix(key, start) {
			return true
		}
	}
	return false
}

// environment is what a command runs with: the environment of this process without what is private,
// PWD as its working folder, TARGET, and Env last.
func environment(inherited []string, c Command) []string {
	var env []string
	for _, kv := range inherited {
		if key, _, _ := strings.Cut(kv, "="); !private(strings.ToUpper(key)) && key != "TARGET" {
			env = append(env, kv)
		}
	}
	if c.Dir != "" {
		env = append(env, "PWD="+c.Dir)
	}
	if c.Target != "" {
		env = append(env, "TARGET="+c.Target)
	}
	return append(env, c.Env...)
}
