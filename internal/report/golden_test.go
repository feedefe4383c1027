package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/name, or rewrites it with -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); go test -update rewrites it:\n%s", name, diff)
	}
}

// chartOf is the picture alone, as the page embeds it.
func chartOf(t *testing.T, d Data) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := page().ExecuteTemplate(&b, "chart", scoreChart(d)); err != nil {
		t.Fatal(err)
	}
	return append(b.Bytes(), '\n')
}

func TestReportsLookAsTheyShould(t *testing.T) {
	for name, d := range map[string]Data{"handbook": handbook(), "baseline": baselineOnly()} {
		page, err := HTML(d)
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := Encode(d)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name+".html", page)
		golden(t, name+".md", Markdown(d))
		golden(t, name+".json", encoded)
		golden(t, name+".svg", chartOf(t, d))
	}
}

func TestTheSameDataGivesTheSameBytes(t *testing.T) {
	for range 5 {
		a, err := HTML(wide())
		if err != nil {
			t.Fatal(err)
		}
		b, err := HTML(wide())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) || !bytes.Equal(Markdown(wide()), Markdown(wide())) {
			t.Fatal("two renderings differ")
		}
	}
}
