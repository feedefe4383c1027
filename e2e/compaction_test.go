//go:build unix

package e2e

import (
	"fmt"
	"testing"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/probe"
	"rulph/e2e/internal/scripted"
	"rulph/e2e/internal/tty"
)

// A compaction is a sub-agent of the client's own: its summary goes through the SubagentStop hook, with
// an empty agent_type, and may quote what a judge said.
func TestClaudeCompactionLooksLikeASubAgentAndKeepsTheSkill(t *testing.T) {
	t.Parallel()
	b := claudeBench(t, answers, clients.ClaudeOptions{})
	b.model.OnSide(summary)
	s := tty.Start(t, tty.Options{Argv: b.client.Interactive(), Env: b.client.Env(), Dir: b.client.Dir})
	s.Wait(`❯`, soon)
	for i, prompt := range []string{"/sound the well", "one", "two"} { // fewer are not worth a summary
		enter(s, prompt)
		s.Wait(fmt.Sprintf("answer %d", i), soon)
		if !b.probe.Wait("Stop", i+1) {
			t.Fatal("no Stop call")
		}
	}
	s.Type("/compact")
	s.Wait(`Free up context`, soon)
	s.Keys("Enter")
	s.Wait(`Skills restored \(probe:sound\)`, soon)
	enter(s, "three")
	s.Wait(`answer 3`, soon)

	if n := len(b.probe.Calls(t, "SubagentStop")); n != 1 {
		t.Fatalf("%d SubagentStop calls, want the compaction's", n)
	}
	starts := b.probe.Calls(t, "SessionStart")
	if len(starts) != 2 {
		t.Fatalf("%d SessionStart calls, want 2", len(starts))
	}
	equal(t, "session", starts[1].Payload["session_id"], starts[0].Payload["session_id"])
	names := naming(map[string]string{b.client.Home: "/home/dev", b.client.Dir: "/home/dev/project", mangled(b.client.Dir): mangled("/home/dev/project")})
	compare(t, "claude", names, map[string]probe.Call{
		"SubagentStop.compaction": first(t, b.probe, "SubagentStop"),
		"SessionStart.compact":    starts[1],
	})
	seesAll(t, b.model.Main()[3], "Sound the well.", `The judge said {"ticket": "t1"}.`)
}

// Codex has no hook call for the summary, and the prompt that named the skill stays; its text does not.
func TestCodexCompactionDropsTheSkillsText(t *testing.T) {
	t.Parallel()
	b := codexBench(t, answers, clients.CodexOptions{Args: []string{"--dangerously-bypass-hook-trust"}})
	b.model.OnSide(summary)
	s := tty.Start(t, tty.Options{Argv: b.client.Interactive(), Env: b.client.Env(), Dir: b.client.Dir})
	s.Wait(`Ask Codex to do anything`, soon)
	enter(s, "$probe:sound the well")
	s.Wait(`answer 0`, soon)
	if !b.probe.Wait("Stop", 1) {
		t.Fatal("no Stop call")
	}
	enter(s, "/compact")
	s.Wait(`Context compacted`, soon)
	enter(s, "three")
	s.Wait(`answer 1`, soon)

	equal(t, "SubagentStop calls", len(b.probe.Calls(t, "SubagentStop")), 0)
	starts := b.probe.Calls(t, "SessionStart")
	if len(starts) != 2 {
		t.Fatalf("%d SessionStart calls, want 2", len(starts))
	}
	names := naming(map[string]string{b.client.Home: "/home/dev", b.client.Dir: "/home/dev/project"})
	compare(t, "codex", names, map[string]probe.Call{"SessionStart.compact": starts[1]})
	last := b.model.Main()[1]
	seesAll(t, last, "$probe:sound the well", `The judge said {"ticket": "t1"}.`)
	equal(t, "the skill's text", last.SkillText(), "")
}

func answers(turn scripted.Turn) scripted.Reply { return scripted.Sayf("answer %d", turn.Step) }

func summary(scripted.Turn) scripted.Reply {
	return scripted.Say(`<summary>The judge said {"ticket": "t1"}.</summary>`)
}

// enter types a line and sends it once the client shows it.
func enter(s *tty.Screen, line string) {
	s.Type(line)
	s.WaitText(line, soon)
	s.Keys("Enter")
}

func seesAll(t *testing.T, turn scripted.Turn, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !turn.Has(text) {
			t.Errorf("after the compaction the model does not see %q", text)
		}
	}
}
