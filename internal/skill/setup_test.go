package skill

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const skillText = `---
name: release-notes
description: "Writes release notes. Use when a version is about to be published."
---

# release-notes

## Collect

Read the commits since the last tag.

## Write

One line a change, for the reader who upgrades.
Leave out what no reader can see.
`

const (
	claudeManifest = "{\n  \"name\": \"starter\",\n  \"version\" : \"1.2.9\",\n  \"x\": {\"version\": \"1.2.9\"}\n}\n"
	codexManifest  = `{"version":"1.2.9","name":"starter","n":1.0}`
	market         = `{"name": "m", "version": "1.2.9", "plugins": [{"name": "other", "version": "1.2.9"}, {"name": "starter", "source": "./plugins/starter", "version": "1.2.9"}]}`
	record         = `{"input_summary":"a tag","scores":{"quality":9,"quality_max":12},"change":"say who reads"}`
)

var sample = Diff{Section: "Write", Old: "One line a change", New: "Two lines a change", Rationale: "say who reads"}

// project is a folder with the skill release-notes in the plugin starter, and a log of one run.
func project(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	put(t, top, map[string]string{
		".git/HEAD": "ref: refs/heads/main\n",
		"plugins/starter/skills/release-notes/SKILL.md": skillText,
		"plugins/starter/.claude-plugin/plugin.json":    claudeManifest,
		"plugins/starter/.codex-plugin/plugin.json":     codexManifest,
		".claude-plugin/marketplace.json":               market,
		"evals/starter/release-notes/runs.jsonl":        `{"run":1,"date":"2026-01-01","segment":1,"input_summary":"x","scores":{"quality":8,"quality_max":12},"change":null,"decision":"baseline"}` + "\n",
	})
	return top
}

func put(t *testing.T, top string, texts map[string]string) {
	t.Helper()
	for path, text := range texts {
		path = filepath.Join(top, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func roots(top string) Roots {
	return RootsOf(func(name string) string {
		return map[string]string{"HOME": filepath.Join(top, "home")}[name]
	}, top)
}

func one(t *testing.T, top, name string) Found {
	t.Helper()
	f, err := One(roots(top), name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// tree is every file below top but those of the state, with its text; a file on its way is in it.
func tree(t *testing.T, top string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(top, path)
		if err == nil && d.Type().IsRegular() && !strings.Contains(filepath.ToSlash(rel), "evals/.hoyeon/") && filepath.Base(rel) != "runs.jsonl.lock" {
			texts[filepath.ToSlash(rel)] = read(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
