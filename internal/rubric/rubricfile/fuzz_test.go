package rubricfile

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// FuzzParse holds the readers to this: whatever the file says, they end, every finding has a place in it
// that can be shown, and what they accept is valid and survives every format.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/*.yaml", "testdata/*.md", "testdata/*/*.yaml", "testdata/*/*.md", "testdata/*/*.json", "templates/*"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal(pattern, files, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(filepath.Ext(file), data)
		}
	}
	for _, text := range []string{"## A\n- [ ] a\n  - check: `", "---\n---\n# \n## \n- \n", "criteria: [{name: a, items: [{text: a, check: \"a\\n \\nb\"}, b]}, {name: b, items: [a, b]}]", "## a (1e3%)\n", "- [ ]", "\ufeff\ufeff"} {
		f.Add("", []byte(text))
	}
	f.Fuzz(func(t *testing.T, extension string, data []byte) {
		name := "rubric" + extension
		report := Check(name, data)
		lines := 1
		for _, b := range data {
			if b == '\n' || b == '\r' {
				lines++
			}
		}
		for _, finding := range append(report.Errors, report.Warnings...) {
			if finding.Line < 1 || finding.Line > lines || finding.Column < 1 || finding.Message == "" {
				t.Fatalf("%d lines, and a finding at %d:%d: %q", lines, finding.Line, finding.Column, finding.Message)
			}
			if !utf8.ValidString(finding.At(name) + finding.Excerpt()) {
				t.Fatal("a finding is shown as broken UTF-8")
			}
		}
		if (report.Rubric == nil) != (len(report.Errors) > 0) {
			t.Fatalf("rubric %v with %d errors", report.Rubric, len(report.Errors))
		}
		if report.Rubric == nil {
			return
		}
		if problems := report.Rubric.Validate(); len(problems) > 0 {
			t.Fatalf("accepted with problems: %v", problems)
		}
		for _, format := range []string{YAML, Markdown, JSON} {
			text, err := Write(report.Rubric, format)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Parse("rubric."+format, text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if diff := cmp.Diff(report.Rubric, again); diff != "" {
				t.Fatalf("%s\n%s", diff, text)
			}
		}
	})
}
