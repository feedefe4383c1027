package launcher

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rulph/internal/version"
)

var events = []string{"SessionStart", "UserPromptSubmit", "SubagentStop", "Stop", "SessionEnd"}

func input(event string) string {
	return `{"session_id":"s","cwd":"/","hook_event_name":"` + event + `","prompt":"{\"hook_event_name\":\"SessionStart\"}"}` + "\n"
}

func silent(t *testing.T, what string, r result) {
	t.Helper()
	if r.code != 0 || r.stdout != "" || r.stderr != "" {
		t.Errorf("%s: exit %d, stdout %q, stderr %q; want 0 and nothing", what, r.code, r.stdout, r.stderr)
	}
}

func TestAHookWithoutItsBinaryIsSilent(t *testing.T) {
	root := t.TempDir()
	lay(t, root)
	env, _ := home(t)
	env = append(env, "HOYEON_GO=")
	path := filepath.Join(root, "bin/hoyeon-hook")
	for shell, words := range shells() {
		for _, event := range events {
			for _, search := range []string{"PATH=", "PATH=/usr/bin:/bin"} {
				r := run(t, append([]string{search}, env...), input(event), "/", words[0], append(words[1:len(words):len(words)], path)...)
				silent(t, shell+" "+event+" "+search, r)
			}
		}
		for what, text := range map[string]string{"nothing": "", "no line end": "{}", "not JSON": "\x00\xff\n\n", "null": "null\n"} {
			silent(t, shell+" "+what, run(t, env, text, "/", words[0], append(words[1:len(words):len(words)], path)...))
		}
	}
}

// A client that cannot write all of its input sees a broken pipe and reports the hook as failed.
func TestAHookWithoutItsBinaryReadsItsInputToTheEnd(t *testing.T) {
	root := t.TempDir()
	lay(t, root)
	env, _ := home(t)
	for shell, words := range shells() {
		cmd := exec.Command(words[0], append(words[1:len(words):len(words)], filepath.Join(root, "bin/hoyeon-hook"))...)
		cmd.Env = env
		pipe, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line := []byte(`{"hook_event_name":"Stop","last_assistant_message":"` + strings.Repeat("x", 4<<20) + `"}` + "\n")
		if n, err := pipe.Write(line); err != nil {
			t.Errorf("%s: %d of %d bytes were read: %v", shell, n, len(line), err)
		}
		pipe.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", shell, err)
		}
	}
}

func TestOnlyASessionStartBuilds(t *testing.T) {
	root := t.TempDir()
	lay(t, root)
	for _, event := range events[1:] {
		env, cache := home(t)
		search, log := fakeGo(t)
		r := run(t, append(env, "PATH="+search), input(event), "/", filepath.Join(root, "bin/hoyeon-hook"))
		silent(t, event, r)
		time.Sleep(300 * time.Millisecond) // a build that was started in the background would show by then
		if n := len(builds(t, log)); n != 0 {
			t.Errorf("%s: built %d times, want 0", event, n)
		}
		if _, err := os.Stat(cache); err == nil {
			t.Errorf("%s: wrote %s", event, cache)
		}
	}
}

func TestASessionStartBuildsBesideTheSession(t *testing.T) {
	for shell, words := range shells() {
		root := t.TempDir()
		lay(t, root)
		env, cache := home(t)
		search, log := fakeGo(t)
		write(t, held(log), "", 0o644)
		env = append(env, "PATH="+search)
		before := tree(t, root)
		hook := append(words[1:len(words):len(words)], filepath.Join(root, "bin/hoyeon-hook"))
		r := run(t, env, input("SessionStart"), "/", words[0], hook...)
		silent(t, shell, r) // and it is back while the build is held
		remove(t, held(log))
		appear(t, filepath.Join(cacheBuild(cache), "version")) // the last file to be put in place
		if got := run(t, env, input("Stop"), "/", words[0], hook...); got.stdout != "built hoyeon-hook \n" {
			t.Errorf("%s: the next event got %q, %q", shell, got.stdout, got.stderr)
		}
		if n := len(builds(t, log)); n != 1 {
			t.Errorf("%s: built %d times, want 1", shell, n)
		}
		// Codex takes its user's trust in the hooks back when a file in the plugin's folder changes.
		if after := tree(t, root); after != before {
			t.Errorf("%s: the plugin's folder was changed:\n%s\nwas:\n%s", shell, after, before)
		}
	}
}

// appear waits for a file.
func appear(t *testing.T, path string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s did not appear", path)
		}
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// command is what hooks.json has a client run.
func command(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(repository(t), "hooks/hooks.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Hooks map[string][]struct {
			Hooks []struct{ Command string }
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	return file.Hooks["Stop"][0].Hooks[0].Command
}

func TestTheCommandOfTheHooksSurvivesABrokenCopyOfThePlugin(t *testing.T) {
	line := command(t)
	for shell, words := range shells() {
		shell, words := shell, append(words[1:len(words):len(words)], "-c", line)
		root := filepath.Join(t.TempDir(), "it's a plugin")
		env := []string{"PATH=/usr/bin:/bin", "CLAUDE_PLUGIN_ROOT=" + root, reporter}
		sh := shells()[shell][0]
		silent(t, shell+" with no plugin", run(t, env, input("Stop"), "/", sh, words...))

		lay(t, root)
		build(t, checkoutBuild(root), version.Version)
		reported(t, run(t, env, input("Stop"), "/", sh, words...))

		if err := os.Chmod(filepath.Join(root, "bin/hoyeon-hook"), 0o644); err != nil {
			t.Fatal(err)
		}
		reported(t, run(t, env, input("Stop"), "/", sh, words...))

		// Status 2 means "block" to a client, and that is what a shell says of a script it cannot find.
		if err := os.RemoveAll(filepath.Join(root, "bin")); err != nil {
			t.Fatal(err)
		}
		silent(t, shell+" with no bin", run(t, env, input("Stop"), "/", sh, words...))
	}
}

func TestAHookWithoutTheBuildScriptIsSilent(t *testing.T) {
	root := t.TempDir()
	lay(t, root)
	if err := os.RemoveAll(filepath.Join(root, "scripts")); err != nil {
		t.Fatal(err)
	}
	env, _ := home(t)
	for shell, words := range shells() {
		r := run(t, env, input("SessionStart"), "/", words[0], append(words[1:len(words):len(words)], filepath.Join(root, "bin/hoyeon-hook"))...)
		silent(t, shell, r)
	}
}
