package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulph/internal/ui"
	"rulph/schemas/schematest"
)

// printsDocument fails the test unless the command exits with this status and prints one JSON document that fits
// its schema, and nothing on standard error.
func printsDocument(t *testing.T, dir string, env map[string]string, schema, line string, want ui.Code) {
	t.Helper()
	var out, errs bytes.Buffer
	io := ui.IO{In: strings.NewReader(""), Out: &out, Err: &errs, Cwd: dir, Getenv: func(name string) string { return env[name] }}
	if got := Run(context.Background(), io, strings.Fields(line)); got != want {
		t.Fatalf("exit status %d, want %d\n%s", got, want, errs.String())
	}
	if errs.Len() > 0 {
		t.Errorf("standard error has %q", errs.String())
	}
	schematest.Fits(t, schema, out.Bytes())
}

func TestWhatRubricPrintsAsJSONFitsItsSchema(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"good.yaml":   "criteria: [{name: A, items: [a, {text: b, check: 'true', fix: 'true'}]}, {name: B, points: {0: c, 1: d, 2: e}}]",
		"plain.md":    "## A\n- [ ] a\n- [ ] b\n\n## B\n- [ ] c\n- [ ] d\n",
		"broken.yaml": "criteria: [{name: A}]",
		"tab.yaml":    "\ta: b",
		"empty.md":    "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		schema, line string
		want         ui.Code
	}{
		{"rubric-check", "check --json good.yaml", ui.OK},
		{"rubric-check", "check --json --strict good.yaml", ui.BadInput},
		{"rubric-check", "check --json plain.md", ui.OK},
		{"rubric-check", "check --json broken.yaml", ui.BadInput},
		{"rubric-check", "check --json tab.yaml", ui.BadInput},
		{"rubric-check", "check --json empty.md", ui.BadInput},
		{"rubric", "show --json good.yaml", ui.OK},
		{"rubric", "show --json plain.md", ui.OK},
		{"rubric-hash", "hash --json plain.md", ui.OK},
		{"rubric-init", "init --json new.yaml", ui.OK},
		{"rubric-trust", "trust --json good.yaml", ui.OK},
		{"rubric-trust", "trust --json plain.md", ui.OK},
		{"rubric-trust", "trust --json --list", ui.OK},
		{"rubric-trust", "trust --json --revoke good.yaml", ui.OK},
		{"rubric-trust", "trust --json --list", ui.OK},
	} {
		t.Run(c.line, func(t *testing.T) {
			printsDocument(t, dir, map[string]string{"HOME": dir}, c.schema, "rubric "+c.line, c.want)
		})
	}
}
