package cli

import (
	"os"
	"path/filepath"
	"testing"

	"rulph/internal/ui"
)

func TestWhatSkillPrintsAsJSONFitsItsSchema(t *testing.T) {
	dir := t.TempDir()
	const text = "---\nname: notes\ndescription: \"Use when notes are needed.\"\n---\nWrite them.\nBe short.\n"
	for name, text := range map[string]string{
		".git/HEAD":                            "x",
		"plugins/p/.claude-plugin/plugin.json": `{"name": "p", "version": "1.0.0"}`,
		"plugins/p/skills/notes/SKILL.md":      text,
		"plugins/p/skills/twice/SKILL.md":      text,
		".claude/skills/twice/SKILL.md":        text,
		"change.json":                          `{"section": "s", "old": "Write them.", "new": "Write.", "gains": {"tokens": -1}}`,
		"run.json":                             `{"input_summary": "x", "scores": {"quality": 1, "quality_max": 2}, "change": "x"}`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		schema, line string
		want         ui.Code
	}{
		{"skill-find", "find --json", ui.OK},
		{"skill-find", "find --json notes", ui.OK},
		{"skill-find", "find --json twice", ui.BadInput},
		{"skill-stage", "stage --json notes --diff change.json", ui.OK},
		{"skill-apply", "apply --json notes --diff change.json --record run.json", ui.OK},
		{"skill-apply", "undo --json notes", ui.OK},
		{"skill-apply", "bump --json notes", ui.OK},
		{"skill-lint", "lint --json notes", ui.OK},
		{"skill-lint", "lint --json", ui.BadInput},
		{"skill-lint", "lint --json ./plugins", ui.BadInput},
	} {
		t.Run(c.line, func(t *testing.T) { printsDocument(t, dir, nil, c.schema, "skill "+c.line, c.want) })
	}
}
