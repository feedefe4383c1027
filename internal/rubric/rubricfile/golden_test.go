package rubricfile

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the findings in testdata/*/*.want anew")

// Every file in testdata/broken has errors, every one in testdata/lint only warnings. Beside each stands
// what a person is told.
func TestFindingsAreShownAtTheirPlaces(t *testing.T) {
	for _, folder := range []string{"broken", "lint"} {
		files, err := filepath.Glob(filepath.Join("testdata", folder, "*"))
		if err != nil {
			t.Fatal(err)
		}
		tried := 0
		for _, file := range files {
			if strings.HasSuffix(file, ".want") {
				continue
			}
			tried++
			t.Run(filepath.ToSlash(file), func(t *testing.T) {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				name := filepath.Base(file)
				report := Check(name, data)
				if broken := folder == "broken"; (report.Rubric == nil) != broken || (len(report.Errors) > 0) != broken {
					t.Fatalf("rubric %v, %d errors", report.Rubric, len(report.Errors))
				}
				var b strings.Builder
				for _, f := range append(report.Errors, report.Warnings...) {
					b.WriteString(f.At(name) + "\n" + f.Excerpt())
				}
				golden(t, file+".want", b.String())
			})
		}
		if tried == 0 {
			t.Errorf("testdata/%s is empty", folder)
		}
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-update writes it anew):\n%s", file, diff)
	}
}
