//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/scripted"
	"rulph/internal/evaluator"
)

// What each client keeps its improver from. Codex alone has a shell, within its sandbox.
func TestEachClientImprovesItsFolderAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		model string // of Codex
		shell bool
	}{
		{"claude", "", false},
		{"codex", "", true},
		{"codex", "gpt-6.2-sol", true},
		{"gemini", "", false},
	} {
		t.Run(c.name+c.model, func(t *testing.T) {
			t.Parallel()
			model := scripted.New(t, nil)
			trio := clients.NewTrio(t, clients.TrioOptions{Model: model.URL, Codex: clients.CodexOptions{Name: c.model}})
			dir := filepath.Join(filepath.Dir(trio.Dir), "copy")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			doc := put(t, dir, "NOTES.md", "old line\nlast line\n")
			for _, name := range []string{"AGENTS.md", "CLAUDE.md"} {
				put(t, dir, name, "MARK-folder-memory")
			}
			outside := filepath.Join(filepath.Dir(dir), "outside.md")
			temp := filepath.Join(clients.Scratch(t, ""), "outside.md")
			kept := put(t, filepath.Dir(dir), "kept.md", "kept\n")
			link := filepath.Join(dir, "link.md")
			if err := os.Symlink(kept, link); err != nil {
				t.Fatal(err)
			}
			shelled := filepath.Join(dir, "shelled")
			model.Play(scripted.Steps(
				scripted.Do(scripted.Read(doc)),
				scripted.Do(scripted.Edit(doc, "old line", "new line")),
				scripted.Do(scripted.Write(outside, "x")),
				scripted.Do(scripted.Write(temp, "x")),
				scripted.Do(scripted.Read(link)),
				scripted.Do(scripted.Edit(link, "kept", "changed")),
				scripted.Do(scripted.Shell("touch '"+shelled+"'; curl -s -m 5 "+model.URL+" && touch '"+shelled+"-network'; true")),
				scripted.Say("I have improved it."),
			))
			reply, err := found(t, trio.Env(), c.name).Improve(t.Context(), evaluator.Request{Prompt: "improve NOTES.md", Dir: dir})
			if err != nil || reply.Fault != "" || reply.Text != "I have improved it." || reply.Usage.Silent != 0 || reply.Usage.Output < 60 {
				t.Errorf("error %v, reply %+v\n%s", err, reply, reply.Stderr)
			}
			equal(t, "the file", mustRead(doc), "new line\nlast line\n")
			equal(t, "the file behind a link", mustRead(kept), "kept\n")
			for path, want := range map[string]bool{outside: false, temp: false, shelled: c.shell, shelled + "-network": false} {
				if _, err := os.Stat(path); (err == nil) != want {
					t.Errorf("%s is there: %v, want %v", path, err == nil, want)
				}
			}
			for _, turn := range model.Requests() {
				if strings.Contains(string(turn.Body), "MARK-") {
					t.Errorf("a memory file of the folder reached the model: %s", turn)
				}
			}
			nothingLeft(t, trio)
		})
	}
}
