//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/probe"
	"rulph/e2e/internal/scripted"
)

var update = flag.Bool("update", false, "rewrite testdata/payloads from what the clients send")

// The payloads below testdata are what the clients sent, with this machine's names replaced. The unit
// tests of the hook read them, so here they are held against the clients.

func TestClaudePayloadsAreAsRecorded(t *testing.T) {
	t.Parallel()
	b := claudeBench(t, nil, clients.ClaudeOptions{AllowedTools: []string{"Bash(echo *)"}})
	b.model.Play(scripted.Cast(
		func(turn scripted.Turn) scripted.Reply {
			_, again := turn.Feedback()
			switch {
			case turn.Step == 0:
				return scripted.Do(scripted.Shell("echo hello"))
			case turn.Step == 1:
				return scripted.Do(scripted.Spawn(scripted.Agent{Type: "probe:judge", Prompt: "Judge it."}))
			case turn.Step == 2:
				return scripted.Do(scripted.SpawnBackground(scripted.Agent{Type: "probe:judge", Prompt: "Judge it slowly."}))
			case again:
				return scripted.Say("Went on.")
			}
			return scripted.Say("Round 1 is scored.")
		},
		func(turn scripted.Turn) scripted.Reply {
			if turn.Has("slowly") {
				return late(b.probe, "A late verdict.")
			}
			return scripted.Say(`{"checklist": {}}`)
		},
	))
	// The first Stop finds the background agent, the second comes after it woke the model.
	b.probe.Answer(t, "Stop", "", probe.Block("Improve the setup criterion."))
	res := b.client.Prompt(t, "/sound the well")
	say(t, res, "Went on.")

	stops := b.probe.Calls(t, "Stop")
	if len(stops) != 3 {
		t.Fatalf("%d Stop calls, want 3: with a background agent, plain, and after a block", len(stops))
	}
	names := naming(map[string]string{b.client.Home: "/home/dev", b.client.Dir: "/home/dev/project", mangled(b.client.Dir): mangled("/home/dev/project")})
	compare(t, "claude", names, map[string]probe.Call{
		"SessionStart":     first(t, b.probe, "SessionStart"),
		"UserPromptSubmit": first(t, b.probe, "UserPromptSubmit"),
		"PreToolUse":       first(t, b.probe, "PreToolUse"),
		"PostToolUse":      first(t, b.probe, "PostToolUse"),
		"SubagentStart":    first(t, b.probe, "SubagentStart"),
		"SubagentStop":     first(t, b.probe, "SubagentStop"),
		"Stop.background":  stops[0],
		"Stop":             stops[1],
		"Stop.afterBlock":  stops[2],
		"SessionEnd":       first(t, b.probe, "SessionEnd"),
	})
}

func TestCodexPayloadsAreAsRecorded(t *testing.T) {
	t.Parallel()
	b := codexBench(t, scripted.Cast(
		func(turn scripted.Turn) scripted.Reply {
			_, again := turn.Feedback()
			switch {
			case turn.Step == 0:
				return scripted.Do(scripted.Shell("echo hello"))
			case turn.Step == 1:
				return scripted.Do(scripted.Spawn(scripted.Agent{Prompt: "Judge it."}))
			case again:
				return scripted.Say("Went on.")
			}
			return scripted.Say("Round 1 is scored.")
		},
		func(turn scripted.Turn) scripted.Reply { return scripted.Say(`{"checklist": {}}`) },
	), clients.CodexOptions{TrustHooks: true})
	b.probe.Answer(t, "Stop", probe.Block("Improve the setup criterion."))
	res := b.client.Prompt(t, "$probe:sound the well")
	say(t, res, "Went on.")

	stops, prompts := b.probe.Calls(t, "Stop"), b.probe.Calls(t, "UserPromptSubmit")
	if len(stops) != 2 || len(prompts) != 2 {
		t.Fatalf("%d Stop and %d UserPromptSubmit calls, want 2 and 2", len(stops), len(prompts))
	}
	names := naming(map[string]string{b.client.Home: "/home/dev", b.client.Dir: "/home/dev/project"})
	compare(t, "codex", names, map[string]probe.Call{
		"SessionStart":              first(t, b.probe, "SessionStart"),
		"UserPromptSubmit":          prompts[0],
		"UserPromptSubmit.subagent": prompts[1],
		"PreToolUse":                first(t, b.probe, "PreToolUse"),
		"PostToolUse":               first(t, b.probe, "PostToolUse"),
		"SubagentStart":             first(t, b.probe, "SubagentStart"),
		"SubagentStop":              first(t, b.probe, "SubagentStop"),
		"Stop":                      stops[0],
		"Stop.afterBlock":           stops[1],
		"SessionEnd":                first(t, b.probe, "SessionEnd"),
	})
}

func first(t *testing.T, p *probe.Plugin, event string) probe.Call {
	t.Helper()
	calls := p.Calls(t, event)
	if len(calls) == 0 {
		t.Fatalf("no %s call", event)
	}
	return calls[0]
}

// mangled is a path as Claude Code turns it into a folder's name.
func mangled(path string) string {
	return regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(path, "-")
}

// identifiers are what differs between two runs of one client: ids, and a date in a path.
var identifiers = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\ba[0-9a-f]{16}\b|\d{4}/\d\d/\d\d|\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d`)

// naming replaces folders and then identifiers, the same one always by the same stand-in.
func naming(folders map[string]string) func(string) string {
	from := slices.SortedFunc(maps.Keys(folders), func(a, b string) int { return len(b) - len(a) }) // the inner folder first
	seen := map[string]string{}
	return func(s string) string {
		for _, f := range from {
			s = strings.ReplaceAll(s, f, folders[f])
		}
		return identifiers.ReplaceAllStringFunc(s, func(id string) string {
			switch len(id) {
			case len("2006/01/02"):
				return "2026/01/02"
			case len("2006-01-02T15-04-05"):
				return "2026-01-02T03-04-05"
			}
			if seen[id] == "" {
				n := len(seen) + 1
				seen[id] = fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
				if id[0] == 'a' && len(id) == 17 {
					seen[id] = fmt.Sprintf("a%016d", n)
				}
			}
			return seen[id]
		})
	}
}

// compare holds each payload against its file: the same keys in the same order with the same values,
// once names and durations are replaced.
func compare(t *testing.T, client string, names func(string) string, calls map[string]probe.Call) {
	t.Helper()
	dir := filepath.Join("testdata", "payloads", client)
	for _, name := range slices.Sorted(maps.Keys(calls)) { // in order, so that stand-ins come out the same
		text := durations.ReplaceAllString(names(string(calls[name].Raw)), "${1}0")
		var got bytes.Buffer
		if err := json.Indent(&got, []byte(text), "", "  "); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
		path := filepath.Join(dir, name+".json")
		if *update {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%v; record it with go test ./e2e -run Payloads -update", err)
			continue
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s sends another %s than recorded (go test ./e2e -run Payloads -update records anew):\n%s\nrecorded:\n%s", client, name, got.Bytes(), want)
		}
	}
}

var durations = regexp.MustCompile(`("\w*(?:_ms|Ms)":)\d+`)
