//go:build unix

// Package probe makes a small plugin whose hooks record everything a client sends them, to hold the
// facts that the real hooks rely on. It knows both clients' formats as far as they are the same file;
// it has no opinion on what a hook should answer.
package probe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"rulph/e2e/internal/clients"
)

// Events are the hook events that both clients take in one hooks.json.
var Events = []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart", "SubagentStop", "Stop", "SessionEnd"}

// Plugin is the probe plugin and the folder that its hooks record into.
type Plugin struct {
	Dir    string // the plugin's root, which is its marketplace too
	record string
}

// Call is one call of a hook.
type Call struct {
	Event   string
	Payload map[string]any
	Raw     json.RawMessage
	Env     map[string]string
	Cwd     string
	Program string
}

// New builds the plugin in a folder of the test.
func New(t testing.TB) *Plugin {
	t.Helper()
	root := clients.Scratch(t, "")
	p := &Plugin{Dir: filepath.Join(root, "probe"), record: filepath.Join(root, "record")}
	hooks := map[string]any{}
	for _, e := range Events {
		hooks[e] = []any{map[string]any{"hooks": []any{map[string]any{
			"type": "command", "command": `"${CLAUDE_PLUGIN_ROOT}"/bin/recorder`, "timeout": 3, // Codex allows SessionEnd no more
		}}}}
	}
	p.write(t, ".claude-plugin/plugin.json", asJSON(t, map[string]any{"name": "probe", "version": "0.0.1", "description": "Records what its hooks get"}))
	p.write(t, ".claude-plugin/marketplace.json", asJSON(t, map[string]any{
		"name": "probe-market", "owner": map[string]any{"name": "probe"},
		"plugins": []any{map[string]any{"name": "probe", "source": "./", "description": "Records what its hooks get"}},
	}))
	p.write(t, "hooks/hooks.json", asJSON(t, map[string]any{"hooks": hooks}))
	p.write(t, "skills/sound/SKILL.md", skill)
	p.write(t, "agents/judge.md", judge)
	program, err := recorder()
	if err != nil {
		t.Fatalf("probe: %v", err)
	}
	p.write(t, "bin/recorder", string(program))
	if err := os.Chmod(filepath.Join(p.Dir, "bin", "recorder"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, e := range Events {
		if err := os.MkdirAll(filepath.Join(p.record, "answers", e), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

const skill = `---
name: sound
description: "Sounds the depth. Use when a test asks to sound something."
allowed-tools: Bash(echo *), Agent
---
Sound $ARGUMENTS.

session=${CLAUDE_SESSION_ID}
skill=${CLAUDE_SKILL_DIR}
root=${CLAUDE_PLUGIN_ROOT}
`

const judge = `---
name: judge
description: Judges one thing.
tools: Bash
---
You are the probe's judge.
`

// Env is what the client's environment needs so that the hooks record.
func (p *Plugin) Env() string { return "PROBE_DIR=" + p.record }

// Answer prepares what the hook prints for the next calls of event, one answer a call.
func (p *Plugin) Answer(t testing.TB, event string, answers ...string) {
	t.Helper()
	dir := filepath.Join(p.record, "answers", event)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range answers {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("next-%04d", len(entries)+i)), []byte(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Block is the answer with which a hook keeps the model going.
func Block(reason string) string {
	b, _ := json.Marshal(map[string]string{"decision": "block", "reason": reason}) // strings always marshal
	return string(b)
}

// Wait waits until a client has called the hook of event n times; false after a minute without that.
// A script may call it.
func (p *Plugin) Wait(event string, n int) bool {
	name := []byte(fmt.Sprintf(`"hook_event_name":%q`, event))
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		files, _ := filepath.Glob(filepath.Join(p.record, "call-*.json"))
		seen := 0
		for _, f := range files {
			if b, err := os.ReadFile(f); err == nil && bytes.Contains(b, name) {
				seen++
			}
		}
		if seen >= n {
			return true
		}
	}
	return false
}

// Calls are the recorded calls of the given events (none named: all), in the order of arrival.
func (p *Plugin) Calls(t testing.TB, events ...string) []Call {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(p.record, "call-*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var out []Call
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var rec struct {
			Payload      json.RawMessage
			Env          map[string]string
			Cwd, Program string
		}
		if err := json.Unmarshal(b, &rec); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		c := Call{Raw: rec.Payload, Env: rec.Env, Cwd: rec.Cwd, Program: rec.Program}
		if err := json.Unmarshal(rec.Payload, &c.Payload); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		c.Event, _ = c.Payload["hook_event_name"].(string)
		if len(events) == 0 || slices.Contains(events, c.Event) {
			out = append(out, c)
		}
	}
	return out
}

func (p *Plugin) write(t testing.TB, name, content string) {
	t.Helper()
	path := filepath.Join(p.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

// recorder is the hook program, built once a process.
var recorder = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "recorder-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	to := filepath.Join(dir, "recorder")
	if out, err := exec.Command("go", "build", "-o", to, "rulph/e2e/internal/probe/recorder").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the recorder does not build: %w\n%s", err, out)
	}
	return os.ReadFile(to)
})
