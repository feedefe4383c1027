//go:build unix

package clients

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TrioOptions describes a Trio.
type TrioOptions struct {
	Model   string   // base URL of the scripted model; all three clients ask the same
	Without []string // of "claude", "codex" and "gemini": those that are not installed
	// Claude and Codex are for sessions. The model, the home and the environment are set.
	Claude ClaudeOptions
	Codex  CodexOptions
	Env    []string // further variables, "NAME=value"
}

// Trio is what somebody has who uses all three clients: one home that holds the configuration of each,
// and a PATH on which a program finds them. Each start of a client from that PATH is noted.
type Trio struct {
	Home, Dir string

	Claude *ClaudeProfile
	Codex  *CodexProfile
	Gemini *GeminiProfile

	notes string // one file a client: a line with the process id of each start
	env   []string
}

var trioNames = []string{"claude", "codex", "gemini"}

// NewTrio makes the home and installs the clients that are not there yet.
func NewTrio(t testing.TB, opts TrioOptions) *Trio {
	t.Helper()
	root := outsideTemp(t)
	s := &Trio{Home: mkdir(t, filepath.Join(root, "home")), Dir: mkdir(t, filepath.Join(root, "work")), notes: mkdir(t, filepath.Join(root, "starts"))}
	gitInit(t, s.Dir)
	opts.Claude.Model, opts.Claude.Home = opts.Model, s.Home
	opts.Codex.Model, opts.Codex.Home = opts.Model, s.Home
	if opts.Claude.Dir == "" {
		opts.Claude.Dir = s.Dir
	}
	if opts.Codex.Dir == "" {
		opts.Codex.Dir = s.Dir
	}
	s.Claude = Claude(t, opts.Claude)
	s.Codex = Codex(t, opts.Codex)
	s.Gemini = Gemini(t, GeminiOptions{Model: opts.Model, Home: s.Home})

	bin := mkdir(t, filepath.Join(root, "bin"))
	programs := map[string][]string{"claude": {s.Claude.program}, "codex": {s.Codex.program}, "gemini": s.Gemini.program}
	for name, argv := range programs {
		if !slices.Contains(opts.Without, name) {
			s.install(t, filepath.Join(bin, name), name, argv)
		}
	}
	// Codex's shell is a login shell, whose PATH the system's profile may set anew.
	profile := fmt.Sprintf("PATH=%s:$PATH\n", quote(bin))
	if err := os.WriteFile(filepath.Join(s.Home, ".profile"), []byte(profile), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, env := range [][]string{s.Claude.Env(), s.Codex.Env(), s.Gemini.Env(), {"PATH=" + bin + ":" + otherPath(t, root)}, opts.Env} {
		s.env = append(s.env, env...)
	}
	s.Claude.opts.Env = append(slices.Clone(s.env), opts.Claude.Env...)
	s.Codex.opts.Env = append(slices.Clone(s.env), opts.Codex.Env...)
	return s
}

// install writes a program that notes its start and becomes the client.
func (s *Trio) install(t testing.TB, path, name string, argv []string) {
	t.Helper()
	words := make([]string, len(argv))
	for i, w := range argv {
		words[i] = quote(w)
	}
	text := fmt.Sprintf("#!/bin/sh\necho $$ >> %s\nexec %s \"$@\"\n", quote(filepath.Join(s.notes, name)), strings.Join(words, " "))
	// A process that another test starts meanwhile would hold the file open for a moment, and a program that is
	// open for writing cannot be started.
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, []byte(text), 0o755)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
}

func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// otherPath is PATH without the clients of whoever runs the tests: a folder that holds one is replaced by
// one with links to everything else in it.
func otherPath(t testing.TB, root string) string {
	t.Helper()
	var path []string
	for i, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !slices.ContainsFunc(trioNames, func(name string) bool { _, err := os.Lstat(filepath.Join(dir, name)); return err == nil }) {
			path = append(path, dir)
			continue
		}
		links := mkdir(t, filepath.Join(root, "path", strconv.Itoa(i)))
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if !slices.Contains(trioNames, e.Name()) {
				if err := os.Symlink(filepath.Join(dir, e.Name()), filepath.Join(links, e.Name())); err != nil {
					t.Fatal(err)
				}
			}
		}
		path = append(path, links)
	}
	return strings.Join(path, ":")
}

// Env is the environment of a program that asks the clients: what each of them needs to be logged in.
func (s *Trio) Env() []string { return slices.Clone(s.env) }

// Run runs a program in the working folder.
func (s *Trio) Run(t testing.TB, argv ...string) Result {
	t.Helper()
	return program{argv: argv, dir: s.Dir, env: s.Env()}.run(t)
}

// Starts is how often a client was started from the PATH.
func (s *Trio) Starts(client string) int { return len(s.starts(client)) }

func (s *Trio) starts(client string) []string {
	text, _ := os.ReadFile(filepath.Join(s.notes, client)) // there is none before the first start
	return strings.Fields(string(text))
}

// Left lists the processes, with their command lines, that are left of all clients started from the PATH:
// those in a process group that began with one.
func (s *Trio) Left(t testing.TB) []string {
	t.Helper()
	groups := map[string]bool{}
	for _, name := range trioNames {
		for _, pid := range s.starts(name) {
			groups[pid] = true
		}
	}
	out, err := exec.Command("ps", "-A", "-o", "pgid=,stat=,args=").Output()
	if err != nil {
		t.Errorf("e2e: ps: %v", err)
	}
	var left []string
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) > 2 && groups[f[0]] && !strings.HasPrefix(f[1], "Z") {
			left = append(left, strings.TrimSpace(line))
		}
	}
	return left
}
