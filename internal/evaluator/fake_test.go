//go:build unix

package evaluator

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary is every program that the tests ask: under the name "fake" it does what its first
// argument says, and under the name of a client it leaves a record of how it was called.
func TestMain(m *testing.M) {
	switch name := filepath.Base(os.Args[0]); name {
	case "fake":
		os.Exit(fake(os.Args[1:]))
	case "claude", "codex", "gemini":
		os.Exit(fakeClient(name))
	}
	os.Exit(m.Run())
}

const good = `{"verdict": "good"}`

func fake(args []string) int {
	switch args[0] {
	case "answer": // the text, exit status and standard error of its arguments
		io.Copy(io.Discard, os.Stdin)
		fmt.Print(args[1])
		if len(args) > 2 {
			fmt.Fprintln(os.Stderr, args[2])
		}
	case "answer-and-fail":
		fmt.Print(args[1])
		fmt.Fprintln(os.Stderr, "it went wrong at the end")
		return 1
	case "fail":
		fmt.Fprintln(os.Stderr, "please log in first")
		return 1
	case "nothing":
	case "echo": // what it was asked
		io.Copy(os.Stdout, os.Stdin)
	case "turns": // keeps each prompt in a folder and gives the answers one after the other
		seen, _ := filepath.Glob(filepath.Join(args[1], "*"))
		prompt, _ := io.ReadAll(os.Stdin)
		os.WriteFile(filepath.Join(args[1], fmt.Sprint(len(seen))), prompt, 0o600)
		fmt.Print(args[2:][len(seen)])
	case "hang":
		signal.Ignore(syscall.SIGTERM)
		fmt.Println(good)
		child("hang", args[1])
		fmt.Fprintln(os.Stderr, "still thinking")
		time.Sleep(10 * time.Minute)
	case "flood":
		out := map[string]io.Writer{"stdout": os.Stdout, "stderr": os.Stderr}[args[1]]
		block := bytes.Repeat([]byte("flood "), 1<<16)
		for n := 0; n < 100<<20; n += len(block) {
			out.Write(block)
		}
		if args[1] == "stderr" {
			fmt.Println(good)
		}
	case "fork": // leaves a child behind, which holds its output open
		child("survive", args[1])
		fmt.Print(good)
	case "where": // its folder, what is in it, and its environment
		dir, _ := os.Getwd()
		files, _ := os.ReadDir(dir)
		fmt.Println(dir, len(files))
		fmt.Println(strings.Join(os.Environ(), "\n"))
	case "write": // a file of its working folder
		prompt, _ := io.ReadAll(os.Stdin)
		os.WriteFile(args[1], prompt, 0o600)
	case "run": // a command of its own
		Run(context.Background(), Command{Line: args[1], Timeout: 10 * time.Minute})
	case "hold": // a folder with a secret in it; it tells which
		dir, err := Scratch(os.Environ())
		if err != nil || os.WriteFile(filepath.Join(dir, "settings.json"), []byte("secret"), 0o600) != nil {
			return 1
		}
		fmt.Println(dir)
		time.Sleep(10 * time.Minute)
	case "sleep":
		time.Sleep(10 * time.Minute)
	}
	return 0
}

// child starts a process that stays, and writes its number to a file.
func child(why, file string) {
	cmd := exec.Command(os.Args[0], "sleep", why)
	cmd.Stdout = os.Stdout
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	os.WriteFile(file+".tmp", fmt.Append(nil, cmd.Process.Pid), 0o600)
	os.Rename(file+".tmp", file)
}

// called is the record of a client's call.
type called struct {
	Args, Env     []string
	Dir, Stdin    string
	Files         []string          // of the working folder
	Private       map[string]string // files that arguments and variables name, by their base name
	Links         map[string]string // of these, where links lead
	PrivateFolder string
}

// fakeClient writes a record to $FAKE_RECORD and answers with $FAKE_ANSWER.
func fakeClient(name string) int {
	stdin, _ := io.ReadAll(os.Stdin)
	dir, _ := os.Getwd()
	c := called{Args: os.Args[1:], Env: os.Environ(), Dir: dir, Stdin: string(stdin), Private: map[string]string{}, Links: map[string]string{}}
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		c.Files = append(c.Files, f.Name())
	}
	roots := []string{os.Getenv("GEMINI_CLI_HOME"), os.Getenv("GEMINI_SYSTEM_MD")}
	if name == "codex" {
		roots = append(roots, os.Getenv("CODEX_HOME"))
	}
	if at := slices.Index(c.Args, "--settings"); at >= 0 {
		roots = append(roots, c.Args[at+1])
	}
	for _, root := range roots {
		if root == "" {
			continue
		}
		filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			text, _ := os.ReadFile(path)
			c.Private[d.Name()] = string(text)
			if to, err := os.Readlink(path); err == nil {
				c.Links[d.Name()] = to
			}
			return nil
		})
	}
	record, _ := json.Marshal(c)
	os.WriteFile(os.Getenv("FAKE_RECORD"), record, 0o600)
	if at := slices.Index(c.Args, "-o"); name == "codex" && at >= 0 {
		os.WriteFile(c.Args[at+1], []byte(os.Getenv("FAKE_LAST")), 0o600)
	}
	if os.Getenv("FAKE_FLOOD") != "" {
		event := `{"type":"item.completed","item":{"type":"command_execution","text":"` + strings.Repeat("x", 10000) + "\"}}\n"
		fmt.Print(strings.Repeat(event, 500))
	}
	fmt.Print(os.Getenv("FAKE_ANSWER"))
	return 0
}

// installFake puts the test binary into a folder under a name.
func installFake(t *testing.T, dir, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// command is a fake program as a judge or an improver. Its home and so its scratch folders are the test's.
func command(t *testing.T, args ...string) Program {
	t.Helper()
	home := t.TempDir()
	path := installFake(t, home, "fake")
	spec, err := ParseJudge("command:" + joinWords(append([]string{path}, args...)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Find(spec, []string{"HOME=" + home, "PATH=/usr/bin:/bin"}, home)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		left, _ := filepath.Glob(filepath.Join(home, ".cache", "hoyeon", "calls", "*"))
		if len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
	})
	return p
}
