//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/scripted"
)

// threeWords is a rubric whose criteria are met one after the other: each item asks for one word.
const threeWords = `version: 1
title: Words
threshold: 90
floor: 60
criteria:
  - {id: first, name: First, weight: 40, items: [Mentions alpha, Mentions beta]}
  - {id: second, name: Second, weight: 30, items: [Mentions gamma, Mentions delta]}
  - {id: third, name: Third, weight: 30, items: [Mentions epsilon, Mentions zeta]}
`

func mustRead(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func put(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// stateOf is `.rulph` of the session in this home.
func stateOf(t *testing.T, home, session string) gjson.Result {
	t.Helper()
	doc, err := os.ReadFile(filepath.Join(home, session, "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	return gjson.GetBytes(doc, "rulph")
}

// passed fails the test unless the loop of the session ended PASSED with a report and the file holds every word.
func passed(t *testing.T, home, session, file string, improvements int) {
	t.Helper()
	s := stateOf(t, home, session)
	equal(t, "status", s.Get("status").Str, "completed")
	equal(t, "result", s.Get("result").Str, "PASSED")
	equal(t, "round", int(s.Get("round").Int()), improvements)
	for _, name := range []string{"report.md", "report.json", "report.html"} {
		if _, err := os.Stat(filepath.Join(s.Get("report").Str, name)); err != nil {
			t.Error(err)
		}
	}
	text := mustRead(file)
	for _, word := range []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta"} {
		holds(t, "the file", text, word)
	}
}

type rulphBench[C any] struct {
	client C
	model  *scripted.Server
	file   string
}

func claudeRulph(t *testing.T, m *obedient, opts clients.ClaudeOptions) rulphBench[*clients.ClaudeProfile] {
	t.Helper()
	b := rulphBench[*clients.ClaudeProfile]{model: scripted.New(t, m.script)}
	opts.Model, opts.Plugins = b.model.URL, []string{plugin(t)}
	b.client = clients.Claude(t, opts)
	b.file = put(t, b.client.Dir, "NOTES.md", "# Notes\n")
	put(t, b.client.Dir, "rubric.yaml", threeWords)
	return b
}

func TestClaudeImprovesAFileUntilItPasses(t *testing.T) {
	t.Parallel()
	m := &obedient{start: "--target NOTES.md --rubric rubric.yaml", lazy: 1}
	b := claudeRulph(t, m, clients.ClaudeOptions{})
	res := b.client.Prompt(t, "/rulph NOTES.md --rubric rubric.yaml --yes")
	if !strings.HasPrefix(res.Text, "The loop is over.") {
		t.Fatalf("exit %d, final text %q\n%s", res.Code, res.Text, b.model.Transcript(60))
	}
	passed(t, filepath.Join(b.client.Home, ".hoyeon"), res.Session, b.file, 3)
	blocks := 0
	for _, r := range b.model.Main() {
		if reason, ok := r.Feedback(); ok {
			blocks++
			holds(t, "the reason", reason, "hoyeon-cli rulph")
		}
	}
	equal(t, "blocked stops", blocks, 1)
}
