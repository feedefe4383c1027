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

func TestClaudeAsksThePersonAndTakesTheAnswerFromTheKeys(t *testing.T) {
	t.Parallel()
	b := claudeBench(t, func(turn scripted.Turn) scripted.Reply {
		if turn.Step == 0 {
			return scripted.Do(scripted.Ask(scripted.Question{Header: "Bar", Text: "Which threshold?", Options: []string{"seventy", "eighty", "ninety"}}))
		}
		return scripted.Say("the bar is set")
	}, clients.ClaudeOptions{})
	s := tty.Start(t, tty.Options{Argv: b.client.Interactive(), Env: b.client.Env(), Dir: b.client.Dir})
	s.Wait(`❯`, soon)
	s.Type("/sound x")
	s.Wait(`/sound x`, soon)
	s.Keys("Enter")
	s.Wait(`Which threshold\?`, soon)
	s.Keys("Down", "Enter")
	s.Wait(`the bar is set`, soon)
	holds(t, "the answer", b.model.Main()[1].Output(), `"Which threshold?"="eighty"`)
	t.Log(s.Text(), b.model.Transcript(20))
}
