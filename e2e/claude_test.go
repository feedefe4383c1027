//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/probe"
	"rulph/e2e/internal/scripted"
)

func TestClaudeFindsASkillByItsBareNameAndReplacesItsVariables(t *testing.T) {
	t.Parallel()
	b := claudeBench(t, scripted.Steps(scripted.Say("sounded")), clients.ClaudeOptions{})
	res := b.client.Prompt(t, "/sound the well")
	say(t, res, "sounded")

	skill := b.model.Requests()[0].SkillText()
	for _, want := range []string{
		"Sound the well.\n",
		"session=" + res.Session + "\n",
		"skill=" + filepath.Join(b.probe.Dir, "skills", "sound") + "\n",
		"root=" + b.probe.Dir + "\n",
	} {
		holds(t, "the skill", skill, want)
	}
	if !b.model.Requests()[0].Has("probe:judge: Judges one thing. (Tools: Bash)") {
		t.Error("the plugin's agent is not on offer under its full name")
	}
}

func TestClaudeShellAndHooksShareTheSession(t *testing.T) {
	t.Parallel()
	b := claudeBench(t, scripted.Steps(
		scripted.Do(scripted.Shell("printenv CLAUDE_CODE_SESSION_ID PATH")),
		scripted.Say("done"),
	), clients.ClaudeOptions{AllowedTools: []string{"Bash(printenv *)"}})
	res := b.client.Prompt(t, "go")
	say(t, res, "done")

	session, path, _ := strings.Cut(strings.TrimSpace(b.model.Requests()[1].Output()), "\n")
	equal(t, "session of the shell", session, res.Session)
	equal(t, "last folder of PATH", path[strings.LastIndex(path, ":")+1:], filepath.Join(b.probe.Dir, "bin"))
	stop := b.probe.Calls(t, "Stop")
	if len(stop) != 1 {
		t.Fatalf("%d Stop calls, want 1", len(stop))
	}
	equal[any](t, "session_id", stop[0].Payload["session_id"], res.Session)
	equal[any](t, "last_assistant_message", stop[0].Payload["last_assistant_message"], "done")
	equal[any](t, "stop_hook_active", stop[0].Payload["stop_hook_active"], false)
	equal(t, "working folder of the hook", stop[0].Cwd, b.client.Dir)
	for name, want := range map[string]string{
		"CLAUDE_CODE_SESSION_ID": res.Session,
		"CLAUDE_PLUGIN_ROOT":     b.probe.Dir,
		"CLAUDE_PROJECT_DIR":     b.client.Dir,
		"HOME":                   b.client.Home,
	} {
		equal(t, name+" of the hook", stop[0].Env[name], want)
	}
}

func TestClaudeGoesOnWithTheReasonOfABlockedStop(t *testing.T) {
	t.Parallel()
	b := claudeBench(t, func(turn scripted.Turn) scripted.Reply {
		if reason, ok := turn.Feedback(); ok {
			return scripted.Say("did: " + reason)
		}
		return scripted.Say("first")
	}, clients.ClaudeOptions{})
	b.probe.Answer(t, "Stop", probe.Block(`run "x" & <y>`))
	say(t, b.client.Prompt(t, "go"), `did: run "x" & <y>`)

	equal(t, "feedback", b.model.Requests()[1].LastUser(), "Stop hook feedback:\nrun \"x\" & <y>")
	stops := b.probe.Calls(t, "Stop")
	if len(stops) != 2 {
		t.Fatalf("%d Stop calls, want 2", len(stops))
	}
	equal[any](t, "stop_hook_active of the second", stops[1].Payload["stop_hook_active"], true)
}

// The client's own cap: it ends the turn at the ninth stop, and print mode then has no final text.
func TestClaudeEndsATurnAfterEightBlocksWithoutAToolCall(t *testing.T) {
	t.Parallel()
	b := claudeBench(t, func(scripted.Turn) scripted.Reply { return scripted.Say("text alone") }, clients.ClaudeOptions{})
	b.probe.Answer(t, "Stop", blocks(12)...)
	say(t, b.client.Prompt(t, "go"), "")
	equal(t, "Stop calls", len(b.probe.Calls(t, "Stop")), 9)
}

func TestClaudeForgetsItsBlocksAtEachToolCall(t *testing.T) {
	t.Parallel()
	b := claudeBench(t, func(turn scripted.Turn) scripted.Reply {
		if turn.Step%2 == 0 {
			return scripted.Do(scripted.Shell("echo on"))
		}
		return scripted.Say("turn")
	}, clients.ClaudeOptions{AllowedTools: []string{"Bash(echo *)"}})
	b.probe.Answer(t, "Stop", blocks(12)...)
	say(t, b.client.Prompt(t, "go"), "turn")
	equal(t, "Stop calls", len(b.probe.Calls(t, "Stop")), 13)
}

func blocks(n int) []string {
	var out []string
	for range n {
		out = append(out, probe.Block("go on"))
	}
	return out
}

func TestClaudeRunsTheSubAgentsOfOneMessageSideBySide(t *testing.T) {
	t.Parallel()
	meeting := scripted.Meet(2)
	b := claudeBench(t, scripted.Cast(
		func(turn scripted.Turn) scripted.Reply {
			if turn.Step == 0 {
				return scripted.Do(scripted.Spawn(
					scripted.Agent{Type: "probe:judge", Prompt: "judge A"},
					scripted.Agent{Type: "probe:judge", Prompt: "judge B"}))
			}
			return scripted.Say(strings.Join(turn.AgentResults(), " and "))
		},
		func(turn scripted.Turn) scripted.Reply {
			switch {
			case turn.Step == 0 && !meeting.Wait():
				return scripted.Say("alone")
			case turn.Step == 0:
				return scripted.Do(scripted.Shell("printenv CLAUDE_CODE_SESSION_ID"))
			}
			return scripted.Sayf("%s in %s", turn.LastUser(), strings.TrimSpace(turn.Output()))
		},
	), clients.ClaudeOptions{AllowedTools: []string{"Bash(printenv *)"}})
	res := b.client.Prompt(t, "go")
	say(t, res, "judge A in "+res.Session+" and judge B in "+res.Session)

	equal(t, "Stop calls", len(b.probe.Calls(t, "Stop")), 1)
	stops := b.probe.Calls(t, "SubagentStop")
	if len(stops) != 2 {
		t.Fatalf("%d SubagentStop calls, want 2", len(stops))
	}
	for _, s := range stops {
		equal[any](t, "session_id", s.Payload["session_id"], res.Session)
		equal[any](t, "agent_type", s.Payload["agent_type"], "probe:judge")
		holds(t, "last_assistant_message", s.Payload["last_assistant_message"].(string), " in "+res.Session)
	}
	if id := stops[0].Payload["agent_id"]; id == stops[1].Payload["agent_id"] || id == "" {
		t.Errorf("both sub-agents have the id %v", id)
	}
	offered := strings.Join(b.model.Agents()[0].Tools, " ")
	equal(t, "tools of the sub-agent", offered, "Bash")
}

func TestClaudeSubAgentMendsItsAnswerAfterABlockedStop(t *testing.T) {
	t.Parallel()
	b := claudeBench(t, scripted.Cast(
		func(turn scripted.Turn) scripted.Reply {
			if turn.Step == 0 {
				return scripted.Do(scripted.Spawn(scripted.Agent{Type: "probe:judge", Prompt: "judge"}))
			}
			return scripted.Say(strings.Join(turn.AgentResults(), ""))
		},
		func(turn scripted.Turn) scripted.Reply {
			if reason, ok := turn.Feedback(); ok {
				return scripted.Say("mended: " + reason)
			}
			return scripted.Say("broken")
		},
	), clients.ClaudeOptions{})
	b.probe.Answer(t, "SubagentStop", probe.Block("a comma is missing"))
	say(t, b.client.Prompt(t, "go"), "mended: a comma is missing")

	stops := b.probe.Calls(t, "SubagentStop")
	if len(stops) != 2 {
		t.Fatalf("%d SubagentStop calls, want 2", len(stops))
	}
	equal[any](t, "stop_hook_active of the second", stops[1].Payload["stop_hook_active"], true)
}

func TestClaudeStopNamesTheBackgroundAgentsThatStillRun(t *testing.T) {
	t.Parallel()
	b := claudeBench(t, nil, clients.ClaudeOptions{})
	b.model.Play(scripted.Cast(
		func(turn scripted.Turn) scripted.Reply {
			if turn.Step == 0 {
				return scripted.Do(scripted.SpawnBackground(scripted.Agent{Type: "probe:judge", Prompt: "judge"}))
			}
			return scripted.Sayf("turn %d", turn.Step)
		},
		func(scripted.Turn) scripted.Reply { return late(b.probe, "a verdict") },
	))
	say(t, b.client.Prompt(t, "go"), "turn 2")

	stops := b.probe.Calls(t, "Stop")
	if len(stops) != 2 {
		t.Fatalf("%d Stop calls, want one while the agent runs and one after it woke the model", len(stops))
	}
	tasks := stops[0].Payload["background_tasks"].([]any)
	if len(tasks) != 1 {
		t.Fatalf("background_tasks of the first Stop: %v", tasks)
	}
	task := tasks[0].(map[string]any)
	equal[any](t, "type", task["type"], "subagent")
	equal[any](t, "status", task["status"], "running")
	equal[any](t, "agent_type", task["agent_type"], "probe:judge")
	equal(t, "background_tasks of the second Stop", len(stops[1].Payload["background_tasks"].([]any)), 0)
}

func TestClaudeRunsNothingThatNoRuleAllows(t *testing.T) {
	t.Parallel()
	b := claudeBench(t, scripted.Steps(
		scripted.Do(scripted.Shell("touch here"), scripted.Shell("echo allowed"), scripted.Shell(`echo "$CLAUDE_CODE_SESSION_ID"`)),
		scripted.Say("done"),
	), clients.ClaudeOptions{AllowedTools: []string{"Bash(echo *)"}})
	say(t, b.client.Prompt(t, "go"), "done")

	results := b.model.Requests()[1].Results()
	equal(t, "exit of the denied command", results[0].Exit(), -1)
	equal(t, "output of the allowed command", strings.TrimSpace(results[1].Output()), "allowed")
	// A variable takes a command out of the rule that allows it ($HOME and the like apart), so commands
	// of a skill have none.
	equal(t, "exit of the command with a variable", results[2].Exit(), -1)
	equal(t, "reason", results[2].Output(), "Contains simple_expansion")
	if _, err := os.Stat(filepath.Join(b.client.Dir, "here")); err == nil {
		t.Error("a command ran that no rule allows")
	}
}

func TestClaudeEditsAFileItHasRead(t *testing.T) {
	t.Parallel()
	b := claudeBench(t, nil, clients.ClaudeOptions{PermissionMode: "acceptEdits"})
	file := filepath.Join(b.client.Dir, "a.md")
	b.model.Play(scripted.Steps(
		scripted.Do(scripted.Write(file, "one\ntwo\nthree\n")),
		scripted.Do(scripted.Edit(file, "two", "2")),
		scripted.Do(scripted.Shell("exit 3")),
		scripted.Say("done"),
	))
	say(t, b.client.Prompt(t, "go"), "done")
	got, err := os.ReadFile(file)
	if err != nil || string(got) != "one\n2\nthree\n" {
		t.Errorf("the file holds %q, %v", got, err)
	}
}

func TestClaudeLoadsTheProbePlugin(t *testing.T) {
	t.Parallel()
	b := claudeBench(t, scripted.Steps(), clients.ClaudeOptions{})
	res := b.client.Command(t, "plugin", "validate", filepath.Join(b.probe.Dir, ".claude-plugin", "plugin.json"))
	equal(t, "exit of plugin validate", res.Code, 0)
	res = b.client.Command(t, "--plugin-dir", b.probe.Dir, "plugin", "list", "--json")
	holds(t, "plugin list", res.Stdout, `"probe@inline"`)
	if strings.Contains(res.Stdout, `"errors"`) {
		t.Errorf("plugin list has errors:\n%s", res.Stdout)
	}
}

// How a judge on the command line runs, even when a session of Claude Code starts it.
func TestClaudeJudgesWithoutToolsOrConfigurationInsideAnotherSession(t *testing.T) {
	t.Parallel()
	model := scripted.New(t, scripted.Steps(scripted.Say(`{"checklist": {}}`)))
	c := clients.Claude(t, clients.ClaudeOptions{
		Model:    model.URL,
		Settings: map[string]any{"env": map[string]any{"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}}, // would break it if it were read
		Env:      []string{"CLAUDECODE=1"},
	})
	res := c.Prompt(t, "Judge this.", "--tools", "", "--setting-sources", "", "--strict-mcp-config")
	say(t, res, `{"checklist": {}}`)
	equal(t, "tools", len(model.Main()[0].Tools), 0)
	equal(t, "prompt", model.Main()[0].LastUser(), "Judge this.")
}
