//go:build unix

package e2e

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/probe"
	"rulph/e2e/internal/scripted"
)

func TestCodexPutsAPluginsSkillIntoTheConversationAsItIsWritten(t *testing.T) {
	t.Parallel()
	b := codexBench(t, scripted.Steps(scripted.Say("sounded")), clients.CodexOptions{})
	say(t, b.client.Prompt(t, "$probe:sound the well"), "sounded")

	skill := b.model.Requests()[0].SkillText()
	holds(t, "the skill", skill, "Sound $ARGUMENTS.\n\nsession=${CLAUDE_SESSION_ID}\n")
	holds(t, "the skill", skill, "<name>probe:sound</name>\n<path>"+b.client.Config+"/plugins/cache/probe-market/probe/0.0.1/skills/sound/SKILL.md</path>")
	if !b.model.Requests()[0].Has("- probe:sound: Sounds the depth.") {
		t.Error("the skill is not in the list of skills")
	}
}

func TestCodexShellAndHooksShareTheSession(t *testing.T) {
	t.Parallel()
	b := codexBench(t, scripted.Steps(
		scripted.Do(scripted.Shell(`echo "$CODEX_SESSION_ID $CODEX_THREAD_ID ${PLUGIN_DATA-none}"; exit 3`)),
		scripted.Say("done"),
	), clients.CodexOptions{TrustHooks: true})
	res := b.client.Prompt(t, "go")
	say(t, res, "done")

	shell := b.model.Requests()[1].Results()[0]
	equal(t, "exit", shell.Exit(), 3)
	equal(t, "session, thread and plugin data of the shell", strings.TrimSpace(shell.Output()), res.Session+" "+res.Session+" none")
	stop := b.probe.Calls(t, "Stop")
	if len(stop) != 1 {
		t.Fatalf("%d Stop calls, want 1", len(stop))
	}
	equal[any](t, "session_id", stop[0].Payload["session_id"], res.Session)
	equal[any](t, "last_assistant_message", stop[0].Payload["last_assistant_message"], "done")
	equal(t, "working folder of the hook", stop[0].Cwd, b.client.Dir)
	root := filepath.Join(b.client.Config, "plugins", "cache", "probe-market", "probe", "0.0.1")
	for name, want := range map[string]string{
		"PLUGIN_ROOT":        root,
		"CLAUDE_PLUGIN_ROOT": root,
		"PLUGIN_DATA":        filepath.Join(b.client.Config, "plugins", "data", "probe-probe-market"),
		"HOME":               b.client.Home,
	} {
		equal(t, name+" of the hook", stop[0].Env[name], want)
	}
}

func TestCodexGoesOnWithTheReasonOfABlockedStop(t *testing.T) {
	t.Parallel()
	b := codexBench(t, func(turn scripted.Turn) scripted.Reply {
		if reason, ok := turn.Feedback(); ok {
			return scripted.Say("did: " + reason)
		}
		return scripted.Say("first")
	}, clients.CodexOptions{TrustHooks: true})
	b.probe.Answer(t, "Stop", probe.Block(`run "x" & <y>`))
	say(t, b.client.Prompt(t, "go"), `did: run "x" & <y>`)

	prompt := b.model.Requests()[1].LastUser()
	holds(t, "the next request", prompt, `<hook_prompt hook_run_id="stop:`)
	holds(t, "the next request", prompt, `">run "x" &amp; &lt;y&gt;</hook_prompt>`)
	stops := b.probe.Calls(t, "Stop")
	if len(stops) != 2 {
		t.Fatalf("%d Stop calls, want 2", len(stops))
	}
	equal[any](t, "stop_hook_active of the second", stops[1].Payload["stop_hook_active"], true)
}

func TestCodexHasNoCapOnBlocks(t *testing.T) {
	t.Parallel()
	b := codexBench(t, func(scripted.Turn) scripted.Reply { return scripted.Say("text alone") }, clients.CodexOptions{TrustHooks: true})
	b.probe.Answer(t, "Stop", blocks(12)...)
	say(t, b.client.Prompt(t, "go"), "text alone")
	equal(t, "Stop calls", len(b.probe.Calls(t, "Stop")), 13)
}

// The client gives a model that it does not know plain tools, and its own models a code mode and
// other tools for sub-agents. The hooks' part is the same.
func TestCodexRunsSubAgentsSideBySide(t *testing.T) {
	t.Parallel()
	for _, surface := range []struct {
		name, model string
		prompts     int // UserPromptSubmit calls: with the older tools a sub-agent's task is one
	}{
		{"PlainTools", "", 3},
		{"CodeMode", "gpt-6.2-sol", 1},
	} {
		t.Run(surface.name, func(t *testing.T) {
			t.Parallel()
			meeting := scripted.Meet(2)
			b := codexBench(t, scripted.Cast(
				func(turn scripted.Turn) scripted.Reply {
					if turn.Step == 0 {
						return scripted.Do(scripted.Spawn(scripted.Agent{Prompt: "judge A"}, scripted.Agent{Prompt: "judge B"}))
					}
					return scripted.Say(strings.Join(turn.AgentResults(), " and "))
				},
				func(turn scripted.Turn) scripted.Reply {
					switch {
					case turn.Step == 0 && !meeting.Wait():
						return scripted.Say("alone")
					case turn.Step == 0:
						return scripted.Do(scripted.Shell(`echo "$CODEX_SESSION_ID"; [ "$CODEX_SESSION_ID" != "$CODEX_THREAD_ID" ]`))
					}
					result := turn.Results()[0]
					return scripted.Sayf("%s in %s (%d)", turn.LastUser(), strings.TrimSpace(result.Output()), result.Exit())
				},
			), clients.CodexOptions{Name: surface.model, TrustHooks: true})
			res := b.client.Prompt(t, "go")
			say(t, res, "judge A in "+res.Session+" (0) and judge B in "+res.Session+" (0)")

			equal(t, "Stop calls", len(b.probe.Calls(t, "Stop")), 1)
			equal(t, "UserPromptSubmit calls", len(b.probe.Calls(t, "UserPromptSubmit")), surface.prompts)
			stops := b.probe.Calls(t, "SubagentStop")
			if len(stops) != 2 {
				t.Fatalf("%d SubagentStop calls, want 2", len(stops))
			}
			for _, s := range stops {
				equal[any](t, "session_id", s.Payload["session_id"], res.Session)
				equal[any](t, "agent_type", s.Payload["agent_type"], "default")
				holds(t, "last_assistant_message", s.Payload["last_assistant_message"].(string), " in "+res.Session)
			}
			if id := stops[0].Payload["agent_id"]; id == stops[1].Payload["agent_id"] || id == "" {
				t.Errorf("both sub-agents have the id %v", id)
			}
		})
	}
}

func TestCodexSubAgentMendsItsAnswerAfterABlockedStop(t *testing.T) {
	t.Parallel()
	b := codexBench(t, scripted.Cast(
		func(turn scripted.Turn) scripted.Reply {
			if turn.Step == 0 {
				return scripted.Do(scripted.Spawn(scripted.Agent{Prompt: "judge"}))
			}
			return scripted.Say(strings.Join(turn.AgentResults(), ""))
		},
		func(turn scripted.Turn) scripted.Reply {
			if reason, ok := turn.Feedback(); ok {
				return scripted.Say("mended: " + reason)
			}
			return scripted.Say("broken")
		},
	), clients.CodexOptions{TrustHooks: true})
	b.probe.Answer(t, "SubagentStop", probe.Block("a comma is missing"))
	say(t, b.client.Prompt(t, "go"), "mended: a comma is missing")
	equal(t, "SubagentStop calls", len(b.probe.Calls(t, "SubagentStop")), 2)
}

func TestCodexSkipsHooksThatNobodyTrustedWithoutAWord(t *testing.T) {
	t.Parallel()
	b := codexBench(t, scripted.Steps(scripted.Say("done")), clients.CodexOptions{})
	b.probe.Answer(t, "Stop", probe.Block("go on"))
	res := b.client.Prompt(t, "go")
	say(t, res, "done")
	equal(t, "hook calls", len(b.probe.Calls(t)), 0)
	if out := strings.ToLower(res.Stdout + res.Stderr); strings.Contains(out, "hook") {
		t.Errorf("the client does say something about hooks now:\n%s", out)
	}
}

func TestCodexSandboxOpensTheWorkingFolderAndTheTemporaryOneAlone(t *testing.T) {
	t.Parallel()
	b := codexBench(t, nil, clients.CodexOptions{TrustHooks: true})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	b.model.Play(scripted.Steps(
		scripted.Do(
			scripted.Shell("touch here"),
			scripted.Shell(`f=$(mktemp) && rm "$f"`),
			scripted.Shell(`touch "$HOME/there"`),
			scripted.Shell("touch .git/there"),
			scripted.Shell(`touch "$CODEX_HOME/there"`),
			scripted.Shell("exec 3<>/dev/tcp/127.0.0.1/"+port)),
		scripted.Say("done"),
	))
	say(t, b.client.Prompt(t, "go"), "done")

	results := b.model.Requests()[1].Results()
	for i, works := range []bool{true, true, false, false, false, false} {
		if got := results[i].Exit() == 0; got != works {
			t.Errorf("command %d: worked %v, want %v: %s", i+1, got, works, results[i].Text)
		}
	}
	if _, err := os.Stat(filepath.Join(b.client.Dir, "here")); err != nil {
		t.Errorf("the file in the working folder: %v", err)
	}
	// A hook runs outside: it has recorded into a folder that the shell could not write.
	equal(t, "Stop calls", len(b.probe.Calls(t, "Stop")), 1)
}

func TestCodexSandboxIsReadOnlyInAProjectThatNobodyTrusted(t *testing.T) {
	t.Parallel()
	b := codexBench(t, scripted.Steps(
		scripted.Do(scripted.Shell("touch here"), scripted.Shell(`f=$(mktemp) && rm "$f"`)),
		scripted.Say("done"),
	), clients.CodexOptions{Untrusted: true})
	say(t, b.client.Prompt(t, "go"), "done")
	for i, r := range b.model.Requests()[1].Results() {
		if r.Exit() == 0 {
			t.Errorf("command %d wrote: %s", i+1, r.Text)
		}
	}
}

func TestCodexEditsAFileWithItsPatchCommand(t *testing.T) {
	t.Parallel()
	b := codexBench(t, nil, clients.CodexOptions{})
	file := filepath.Join(b.client.Dir, "a.md")
	b.model.Play(scripted.Steps(
		scripted.Do(scripted.Write(file, "it's one\ntwo\nthree\n")),
		scripted.Do(scripted.Edit(file, "two", "2\n2b")),
		scripted.Do(scripted.Read(file)),
		scripted.Say("done"),
	))
	say(t, b.client.Prompt(t, "go"), "done")
	equal(t, "the file as the model reads it", b.model.Requests()[3].Output(), "it's one\n2\n2b\nthree\n")
	got, err := os.ReadFile(file)
	if err != nil || string(got) != "it's one\n2\n2b\nthree\n" {
		t.Errorf("the file holds %q, %v", got, err)
	}
}

func TestCodexListsTheProbePlugin(t *testing.T) {
	t.Parallel()
	b := codexBench(t, scripted.Steps(), clients.CodexOptions{})
	res := b.client.Command(t, "plugin", "list", "--json")
	equal(t, "exit of plugin list", res.Code, 0)
	if !json.Valid([]byte(res.Stdout)) {
		t.Errorf("plugin list is not JSON:\n%s", res.Stdout)
	}
	holds(t, "plugin list", res.Stdout, `"probe@probe-market"`)
}
