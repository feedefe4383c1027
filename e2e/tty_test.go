//go:build unix

package e2e

import (
	"testing"
	"time"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/scripted"
	"rulph/e2e/internal/tty"
)

const soon = time.Minute // for a machine under load

func TestClaudeAsksThePersonAndTakesTheAnswersFromTheKeys(t *testing.T) {
	t.Parallel()
	b := claudeBench(t, func(turn scripted.Turn) scripted.Reply {
		if turn.Step == 0 {
			return scripted.Do(scripted.Ask(
				scripted.Question{Header: "Bar", Text: "Which threshold?", Options: []string{"seventy", "eighty", "ninety"}},
				scripted.Question{Header: "Floor", Text: "Which floor?", Options: []string{"fifty", "sixty"}}))
		}
		return scripted.Say("the bar is set")
	}, clients.ClaudeOptions{})
	s := tty.Start(t, tty.Options{Argv: b.client.Interactive(), Env: b.client.Env(), Dir: b.client.Dir})
	s.Wait(`❯`, soon)
	enter(s, "/sound the well")
	s.Wait(`Which threshold\?`, soon)
	s.Select("eighty", soon)
	s.Wait(`Which floor\?`, soon)
	s.MoveTo("Type something", soon)
	s.Type("fifty-five")
	s.Wait(`fifty-five`, soon)
	s.Keys("Enter")
	s.Select("Submit answers", soon)
	s.Wait(`the bar is set`, soon)

	main := b.model.Main()
	holds(t, "the skill", main[0].SkillText(), "Sound the well.")
	holds(t, "the answer", main[1].Output(), `"Which threshold?"="eighty", "Which floor?"="fifty-five"`)
	s.Type("/exit")
	s.Wait(`Exit the CLI`, soon)
	s.Keys("Enter")
	equal(t, "exit status", s.WaitExit(soon), 0)
	ends := b.probe.Calls(t, "SessionEnd")
	if len(ends) != 1 {
		t.Fatalf("%d SessionEnd calls, want 1", len(ends))
	}
	equal[any](t, "reason", ends[0].Payload["reason"], "prompt_input_exit")
}

func TestCodexRunsHooksOnceThePersonTrustsThem(t *testing.T) {
	t.Parallel()
	b := codexBench(t, func(turn scripted.Turn) scripted.Reply {
		return scripted.Say("heard: " + turn.LastUser())
	}, clients.CodexOptions{})
	s := tty.Start(t, tty.Options{Argv: b.client.Interactive(), Env: b.client.Env(), Dir: b.client.Dir})
	s.Wait(`8 hooks are new or changed`, soon)
	s.Select("Trust all and continue", soon)
	s.Wait(`Ask Codex to do anything`, soon)
	enter(s, "hello")
	s.Wait(`heard: hello`, soon)
	if !b.probe.Wait("Stop", 1) {
		t.Fatal("no Stop call at the terminal")
	}
	enter(s, "/quit")
	s.WaitExit(soon)

	// The trust is the profile's: the same hooks run in codex exec without the flag that skips it.
	say(t, b.client.Prompt(t, "again"), "heard: again")
	equal(t, "Stop calls", len(b.probe.Calls(t, "Stop")), 2)
}
