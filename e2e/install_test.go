//go:build unix

package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/scripted"
)

func TestClaudeValidatesThePluginStrictly(t *testing.T) {
	t.Parallel()
	client := clients.Claude(t, clients.ClaudeOptions{})
	dir := plugin(t)
	for _, what := range []string{filepath.Join(dir, ".claude-plugin", "plugin.json"), dir} {
		if res := client.Command(t, "plugin", "validate", "--strict", what); res.Code != 0 {
			t.Errorf("%s: exit %d\n%s%s", filepath.Base(what), res.Code, res.Stdout, res.Stderr)
		}
	}
	put(t, filepath.Join(dir, ".claude-plugin"), "plugin.json", `{"name": "rulph", "surprise": true}`)
	if res := client.Command(t, "plugin", "validate", "--strict", filepath.Join(dir, ".claude-plugin", "plugin.json")); res.Code == 0 {
		t.Error("a broken manifest passes too")
	}
}

func TestClaudeInstallsThePluginFromItsOwnMarketplace(t *testing.T) {
	t.Parallel()
	model := scripted.New(t, (&obedient{start: start}).script)
	client := clients.Claude(t, clients.ClaudeOptions{Model: model.URL})
	dir := plugin(t)
	for _, args := range [][]string{
		{"plugin", "marketplace", "add", dir},
		{"plugin", "install", "rulph@" + marketplace(t, dir)},
	} {
		if res := client.Command(t, args...); res.Code != 0 {
			t.Fatalf("%v: exit %d\n%s%s", args, res.Code, res.Stdout, res.Stderr)
		}
	}
	list := client.Command(t, "plugin", "list")
	if text := list.Stdout + list.Stderr; list.Code != 0 || !strings.Contains(text, "rulph@") || strings.Contains(strings.ToLower(text), "error") || strings.Contains(strings.ToLower(text), "failed") {
		t.Errorf("exit %d\n%s", list.Code, text)
	}
	details := client.Command(t, "plugin", "details", "rulph")
	for _, part := range []string{"Hooks (5)", "Skills", "Agents (2)"} {
		holds(t, "plugin details", details.Stdout, part)
	}

	file := put(t, client.Dir, "NOTES.md", "# Notes\n")
	put(t, client.Dir, "rubric.yaml", threeWords)
	res := client.Prompt(t, claude)
	over(t, res, model)
	passed(t, filepath.Join(client.Home, ".hoyeon"), res.Session, file, 3)
}

func TestCodexInstallsThePluginAndListsItsSkill(t *testing.T) {
	t.Parallel()
	client := clients.Codex(t, clients.CodexOptions{Plugin: plugin(t)})
	list := client.Command(t, "plugin", "list", "--json")
	holds(t, "plugin list", list.Stdout, "rulph")
	prompt := client.Command(t, "debug", "prompt-input", "hello")
	if prompt.Code != 0 {
		t.Fatalf("exit %d\n%s", prompt.Code, prompt.Stderr)
	}
	holds(t, "what the model sees", prompt.Stdout, "rulph:rulph: Use when a file, folder or text has to become measurably good")
}

// marketplace is the name under which the repository offers its plugin.
func marketplace(t *testing.T, dir string) string {
	t.Helper()
	_, rest, _ := strings.Cut(mustRead(filepath.Join(dir, ".claude-plugin", "marketplace.json")), `"name": "`)
	name, _, found := strings.Cut(rest, `"`)
	if !found {
		t.Fatal("the marketplace has no name")
	}
	return name
}
