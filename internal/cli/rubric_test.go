package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"rulph/internal/ui"
	"rulph/schemas"
)

// fitsSchema fails the test unless text is one JSON document that fits the schema of that name.
func fitsSchema(t *testing.T, schema string, text []byte) {
	t.Helper()
	raw, err := schemas.Read(schema)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schema, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	got, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if err := s.Validate(got); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
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
			var out, errs bytes.Buffer
			io := ui.IO{In: strings.NewReader(""), Out: &out, Err: &errs, Cwd: dir, Getenv: func(key string) string {
				if key == "HOME" {
					return dir
				}
				return ""
			}}
			if got := Run(context.Background(), io, append([]string{"rubric"}, strings.Fields(c.line)...)); got != c.want {
				t.Fatalf("exit status %d, want %d\n%s", got, c.want, errs.String())
			}
			if errs.Len() > 0 {
				t.Errorf("standard error has %q", errs.String())
			}
			fitsSchema(t, c.schema, out.Bytes())
		})
	}
}
