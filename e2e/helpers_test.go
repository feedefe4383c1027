//go:build unix

package e2e

import (
	"strings"
	"testing"
	"time"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/probe"
	"rulph/e2e/internal/scripted"
)

// bench is a client with the probe plugin and a scripted model.
type bench[C any] struct {
	client C
	model  *scripted.Server
	probe  *probe.Plugin
}

func claudeBench(t *testing.T, script scripted.Script, opts clients.ClaudeOptions) bench[*clients.ClaudeProfile] {
	t.Helper()
	b := bench[*clients.ClaudeProfile]{probe: probe.New(t), model: scripted.New(t, script)}
	opts.Model, opts.Plugins, opts.Env = b.model.URL, []string{b.probe.Dir}, append(opts.Env, b.probe.Env())
	b.client = clients.Claude(t, opts)
	return b
}

func codexBench(t *testing.T, script scripted.Script, opts clients.CodexOptions) bench[*clients.CodexProfile] {
	t.Helper()
	b := bench[*clients.CodexProfile]{probe: probe.New(t), model: scripted.New(t, script)}
	opts.Model, opts.Plugin, opts.Env = b.model.URL, b.probe.Dir, append(opts.Env, b.probe.Env())
	b.client = clients.Codex(t, opts)
	return b
}

// say fails the test unless the client ended well with that final text.
func say(t *testing.T, res clients.Result, want string) {
	t.Helper()
	if res.Code != 0 || res.Text != want {
		t.Fatalf("exit %d, final text %q; want 0, %q", res.Code, res.Text, want)
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func holds(t *testing.T, what, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s does not hold %q:\n%s", what, part, text)
	}
}

// late answers with text after the client has run the Stop hook, so that a background agent is busy
// while the main turn ends.
func late(p *probe.Plugin, text string) scripted.Reply {
	if !p.Wait("Stop", 1) {
		return scripted.Say("no Stop came")
	}
	return scripted.Reply{Text: text, Delay: 300 * time.Millisecond}
}
