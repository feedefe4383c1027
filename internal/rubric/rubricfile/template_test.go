package rubricfile

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rulph/internal/rubric"
)

func TestTheTemplatesAreOneRubricWithoutAWarning(t *testing.T) {
	var rubrics []rubric.Rubric
	for _, format := range []string{YAML, Markdown} {
		text, err := Template(format, "")
		if err != nil {
			t.Fatal(err)
		}
		report := Check("r."+format, text)
		if len(report.Errors)+len(report.Warnings) > 0 {
			t.Fatalf("%s: %v", format, append(report.Errors, report.Warnings...))
		}
		rubrics = append(rubrics, *report.Rubric)
	}
	if diff := cmp.Diff(rubrics[0], rubrics[1]); diff != "" {
		t.Error(diff)
	}
}

func TestATemplateTakesAnyTitle(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(3, 4))}
	for range 200 {
		title := g.line()
		for _, format := range []string{YAML, Markdown} {
			text, err := Template(format, title)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Parse("r."+format, text)
			if err != nil {
				t.Fatalf("%q: %v", title, err)
			}
			if r.Title != title {
				t.Fatalf("%s: the title is %q, want %q", format, r.Title, title)
			}
		}
	}
	if _, err := Template(YAML, "two\nlines"); err == nil || err.Error() != "title must be one line without control characters" {
		t.Errorf("a title of two lines: %v", err)
	}
	if _, err := Template(JSON, ""); err == nil {
		t.Error("JSON has no comments, and yet there is a template")
	}
}
