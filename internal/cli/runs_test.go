package cli

import (
	"os"
	"path/filepath"
	"testing"

	"rulph/internal/ui"
)

func TestWhatRunsPrintsFitsItsSchema(t *testing.T) {
	dir := t.TempDir()
	old := `{"run":1,"scores":{"quality":12,"quality_max":12},"change":"a","decision":"ignored","piste_efficience":"p","input_hash":"sha256:aa"}` + "\n" +
		`{"run":2,"segment":1,"scores":null,"change":"b","decision":"relaunched","reason":"r"}` + "\n" + `{"run":3,"decision":null}` + "\ndamage\n" +
		`{"run":4,"change":"P.","decision":"applied"}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "old.jsonl"), []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	record := `{"input_summary":"i","scores":{"quality":1,"quality_max":2},"decision":"relaunched"}`
	for _, c := range []struct{ schema, line string }{
		{"runs-context", "context none.jsonl"},
		{"runs-context", "context old.jsonl --json"},
		{"runs-init", "init new --json"},
		{"runs-init", "init new/runs.jsonl --json"},
		{"run", "append new/runs.jsonl " + record},
		{"run", "append old.jsonl --json --judge j " + record},
		{"runs-context", "context old.jsonl"},
		{"runs-segment", "segment --json old.jsonl"},
		{"runs-segment", "segment --json --new old.jsonl"},
		{"runs-list", "list --json old.jsonl"},
		{"runs-list", "list --json none.jsonl"},
		{"runs-chart", "chart --json old.jsonl"},
		{"runs-chart", "chart --json none.jsonl --svg new.svg"},
	} {
		t.Run(c.line, func(t *testing.T) { printsDocument(t, dir, nil, c.schema, "runs "+c.line, ui.OK) })
	}
}
