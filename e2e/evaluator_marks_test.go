//go:build unix

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/probe"
	"rulph/e2e/internal/scripted"
	"rulph/internal/evaluator"
)

// crowded is somebody who has all three clients and everything that one can give them: memory files,
// skills, sub-agents, hooks, a plugin and servers. Their texts hold a word of the form MARK-*, and their
// commands leave a file.
type crowded struct {
	*clients.Trio
	model *scripted.Server
	probe *probe.Plugin
	ran   string // the folder of the files that commands leave
}

func newCrowded(t *testing.T, script scripted.Script) crowded {
	t.Helper()
	b := crowded{model: scripted.New(t, script), probe: probe.New(t), ran: clients.Scratch(t, "")}
	b.Trio = clients.NewTrio(t, clients.TrioOptions{
		Model: b.model.URL,
		// A session of each client is where the judges are asked from.
		Env: []string{b.probe.Env(), "CLAUDECODE=1", "CLAUDE_CODE_ENTRYPOINT=cli", "CLAUDE_CODE_SESSION_ID=of-another", "CODEX_THREAD_ID=of-another", "GEMINI_SESSION_ID=of-another"},
		Codex: clients.CodexOptions{Plugin: b.probe.Dir, TrustHooks: true,
			Config: "[mcp_servers.mark]\ncommand = \"touch\"\nargs = [\"" + b.file("codex-server") + "\"]\n"},
	})
	for name, text := range map[string]string{
		".claude/CLAUDE.md":               "MARK-claude-memory",
		".claude/skills/deep/SKILL.md":    "---\nname: deep\ndescription: MARK-claude-skill\n---\nDive.\n",
		".claude/agents/diver.md":         "---\nname: diver\ndescription: MARK-claude-agent\n---\nDive.\n",
		".codex/AGENTS.md":                "MARK-codex-memory",
		".codex/skills/deep/SKILL.md":     "---\nname: deep\ndescription: MARK-codex-skill\n---\nDive.\n",
		".agents/skills/low/SKILL.md":     "---\nname: low\ndescription: MARK-agents-skill\n---\nDive.\n",
		".gemini/GEMINI.md":               "MARK-gemini-memory",
		".gemini/skills/deep/SKILL.md":    "---\nname: deep\ndescription: MARK-gemini-skill\n---\nDive.\n",
		".gemini/agents/diver.md":         "---\nname: diver\ndescription: MARK-gemini-agent\n---\nDive.\n",
		".cache/CLAUDE.md":                "MARK-parent-memory",
		".cache/AGENTS.md":                "MARK-parent-memory",
		".cache/GEMINI.md":                "MARK-parent-memory",
		".cache/hoyeon/.claude/CLAUDE.md": "MARK-parent-memory",
	} {
		path := filepath.Join(b.Home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Dir(path), filepath.Base(path), text)
	}
	for _, args := range [][]string{
		{"plugin", "marketplace", "add", b.probe.Dir}, {"plugin", "install", "probe@probe-market"},
		{"mcp", "add", "--scope", "user", "mark", "--", "touch", b.file("claude-server")},
	} {
		if res := b.Claude.Command(t, args...); res.Code != 0 {
			t.Fatalf("claude %q: exit %d\n%s%s", args, res.Code, res.Stdout, res.Stderr)
		}
	}
	b.change(t, ".claude/settings.json", func(s map[string]any) {
		s["hooks"] = map[string]any{"UserPromptSubmit": b.hook("claude-hook")}
	})
	b.change(t, ".gemini/settings.json", func(s map[string]any) {
		s["hooks"] = map[string]any{"BeforeAgent": b.hook("gemini-hook")}
		s["mcpServers"] = map[string]any{"mark": map[string]any{"command": "touch", "args": []string{b.file("gemini-server")}}}
	})
	return b
}

func (b crowded) file(name string) string { return filepath.Join(b.ran, name) }

func (b crowded) hook(name string) any {
	return []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": "touch " + b.file(name)}}}}
}

// change edits a JSON file of the home.
func (b crowded) change(t *testing.T, name string, f func(map[string]any)) {
	t.Helper()
	path := filepath.Join(b.Home, name)
	settings := map[string]any{}
	if text, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(text, &settings); err != nil {
			t.Fatal(err)
		}
	}
	f(settings)
	text, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Dir(path), filepath.Base(path), string(text))
}

// traces are the marks in what a client's models were sent, and the files that its commands left.
func (b crowded) traces(t *testing.T, client scripted.Client) []string {
	t.Helper()
	var found []string
	for _, turn := range b.model.Requests() {
		for part := range strings.SplitSeq(string(turn.Body), "MARK-") {
			word, _, _ := strings.Cut(strings.Map(wordsOnly, part), " ")
			if turn.Client == client && strings.Contains(string(turn.Body), "MARK-"+word) && word != "" {
				found = append(found, word)
			}
		}
	}
	files, err := os.ReadDir(b.ran)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name(), string(client)) {
			found = append(found, f.Name())
		}
	}
	if calls := b.probe.Calls(t); len(calls) > 0 {
		found = append(found, string(client)+"-plugin")
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func wordsOnly(r rune) rune {
	if r == '-' || 'a' <= r && r <= 'z' {
		return r
	}
	return ' '
}

// The first half shows that each mark would be seen: the clients as their person starts them do all of it.
func TestNothingOfAPersonsOwnReachesAJudge(t *testing.T) {
	t.Parallel()
	own := map[scripted.Client][]string{
		scripted.Claude: {"claude-agent", "claude-hook", "claude-memory", "claude-plugin", "claude-server", "claude-skill"},
		scripted.Codex:  {"agents-skill", "codex-memory", "codex-plugin", "codex-server", "codex-skill"},
		scripted.Gemini: {"agents-skill", "gemini-agent", "gemini-hook", "gemini-memory", "gemini-server", "gemini-skill"},
	}
	for client, want := range own {
		t.Run(string(client), func(t *testing.T) {
			t.Parallel()
			plain := newCrowded(t, func(scripted.Turn) scripted.Reply { return scripted.Say(fine) })
			switch client {
			case scripted.Claude:
				say(t, plain.Claude.Prompt(t, "judge"), fine)
			case scripted.Codex:
				say(t, plain.Codex.Prompt(t, "judge"), fine)
			case scripted.Gemini:
				say(t, plain.Gemini.Prompt(t, "Judge.", "judge"), fine)
			}
			if got := plain.traces(t, client); !slices.Equal(got, want) {
				t.Errorf("%s as a person starts it leaves %q, want %q", client, got, want)
			}

			b := newCrowded(t, func(turn scripted.Turn) scripted.Reply { return scripted.Say(fine) })
			reply := asks(t, b.Env(), string(client), evaluator.Request{Prompt: "judge"})
			if reply.Fault != "" || reply.Text != fine {
				t.Errorf("fault %q, text %q", reply.Fault, reply.Text)
			}
			if got := b.traces(t, client); len(got) > 0 {
				t.Errorf("as a judge it leaves %q", got)
			}
			for _, turn := range b.model.Main() {
				if strings.Contains(string(turn.Body), "of-another") || turn.Session == "of-another" {
					t.Errorf("it takes itself for a part of another session: %s", turn)
				}
			}
		})
	}
}
