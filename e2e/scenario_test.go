//go:build unix

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/probe"
	"rulph/e2e/internal/scripted"
)

// TestOneScriptDrivesBothClients is the pattern for a scenario: a skill is run, two judges work side
// by side, the model edits the file they judged, and a blocked stop sends it round once more.
func TestOneScriptDrivesBothClients(t *testing.T) {
	t.Parallel()
	for _, client := range []scripted.Client{scripted.Claude, scripted.Codex} {
		t.Run(string(client), func(t *testing.T) {
			t.Parallel()
			plugin, model := probe.New(t), scripted.New(t, nil)
			plugin.Answer(t, "Stop", probe.Block("Judge again."))

			var dir, prompt string
			var run func(testing.TB, string, ...string) clients.Result
			switch client {
			case scripted.Claude:
				c := clients.Claude(t, clients.ClaudeOptions{
					Model: model.URL, Plugins: []string{plugin.Dir}, Env: []string{plugin.Env()},
					AllowedTools: []string{"Bash(wc *)"}, PermissionMode: "acceptEdits",
				})
				dir, prompt, run = c.Dir, "/sound the well", c.Prompt
			case scripted.Codex:
				c := clients.Codex(t, clients.CodexOptions{
					Model: model.URL, Plugin: plugin.Dir, TrustHooks: true, Env: []string{plugin.Env()},
				})
				dir, prompt, run = c.Dir, "$probe:sound the well", c.Prompt
			}
			file := filepath.Join(dir, "HANDBOOK.md")
			if err := os.WriteFile(file, []byte("# Handbook\nTODO\n"), 0o644); err != nil {
				t.Fatal(err)
			}

			meeting := scripted.Meet(2)
			judges := scripted.Spawn(
				scripted.Agent{Type: "probe:judge", Prompt: "You are judge A."},
				scripted.Agent{Type: "probe:judge", Prompt: "You are judge B."})
			model.Play(scripted.Cast(
				func(turn scripted.Turn) scripted.Reply {
					switch turn.Step {
					case 0:
						return scripted.Do(scripted.Shell("wc -l HANDBOOK.md"), scripted.Read(file))
					case 1:
						return scripted.Do(judges)
					case 2:
						if got := turn.AgentResults(); len(got) != 2 || !json.Valid([]byte(got[0])) {
							t.Errorf("the judges said %q", got)
						}
						return scripted.Do(scripted.Edit(file, "TODO", "Install Go 1.26."))
					case 3:
						return scripted.Say("round 1 is done")
					case 4:
						reason, _ := turn.Feedback()
						return scripted.Say("told to: " + reason)
					}
					return scripted.Reply{} // fails the test
				},
				func(turn scripted.Turn) scripted.Reply {
					if !meeting.Wait() {
						t.Error("the judges did not run side by side")
					}
					name := strings.TrimSuffix(strings.TrimPrefix(turn.LastUser(), "You are judge "), ".")
					return scripted.Sayf(`{"judge": %q}`, name)
				},
			))
			say(t, run(t, prompt), "told to: Judge again.")

			results := model.Main()[1].Results()
			holds(t, "the first command", results[0].Output(), "2 HANDBOOK.md")
			holds(t, "the file as the model read it", results[1].Output(), "TODO")
			got, err := os.ReadFile(file)
			if err != nil || string(got) != "# Handbook\nInstall Go 1.26.\n" {
				t.Errorf("the file holds %q, %v", got, err)
			}
			for i, s := range plugin.Calls(t, "SubagentStop") {
				if want := [2]string{`{"judge": "A"}`, `{"judge": "B"}`}; s.Payload["last_assistant_message"] != want[i] && s.Payload["last_assistant_message"] != want[1-i] {
					t.Errorf("a judge ended with %v", s.Payload["last_assistant_message"])
				}
			}
		})
	}
}
