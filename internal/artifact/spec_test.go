package artifact

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpecOfOneFileIsRootedInItsFolder(t *testing.T) {
	dir := folder(t, map[string]string{"docs/a.md": "a"})
	got := spec(t, dir, []string{"docs/../docs/a.md"})
	want := Spec{Targets: []string{filepath.Join(dir, "docs", "a.md")}, Root: filepath.Join(dir, "docs")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("spec (-want +got):\n%s", diff)
	}
}

func TestSpecOfFilesIsRootedInTheirCommonFolder(t *testing.T) {
	dir := folder(t, map[string]string{"docs/a.md": "a", "docs/deep/b.md": "b", "doc.md": "c"})
	got := spec(t, dir, []string{"docs/deep/b.md", filepath.Join(dir, "docs", "a.md")})
	want := Spec{Targets: []string{filepath.Join(dir, "docs", "deep", "b.md"), filepath.Join(dir, "docs", "a.md")}, Root: filepath.Join(dir, "docs")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("spec (-want +got):\n%s", diff)
	}
	// doc.md and docs/ share letters, not a folder.
	if got := spec(t, dir, []string{"docs/a.md", "doc.md"}).Root; got != dir {
		t.Errorf("root %s, want %s", got, dir)
	}
}

func TestTargetNamedTwiceCountsOnce(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "a", "b.md": "b"})
	link(t, "a.md", dir, "same.md")
	got := spec(t, dir, []string{"a.md", "./a.md", "b.md", "same.md", filepath.Join(dir, "a.md")})
	want := []string{filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md")}
	if diff := cmp.Diff(want, got.Targets); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
}

func TestSpecOfALinkedFolderNamesTheFolder(t *testing.T) {
	dir := folder(t, map[string]string{"real/a.md": "a"})
	link(t, "real", dir, "linked")
	s := spec(t, dir, []string{"linked/"}, "**/*.md")
	if want := filepath.Join(dir, "real"); s.Root != want {
		t.Errorf("root %s, want %s", s.Root, want)
	}
	if got := paths(read(t, s)); got != "a.md" {
		t.Errorf("files %q", got)
	}
}

func TestSpecRefusesWhatCannotBeAnArtifact(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "a", "docs/b.md": "b"})
	for _, c := range []struct {
		targets, include []string
		says             string
	}{
		{nil, nil, "no target"},
		{[]string{" "}, nil, "a target is empty"},
		{[]string{"missing.md"}, nil, "target missing.md: there is no such file"},
		{[]string{"a.md", "docs"}, nil, "target docs is a folder among other targets"},
		{[]string{"a.md"}, []string{"*.md"}, "--include picks files of a folder"},
		{[]string{"docs"}, []string{"!x"}, "only includes"},
		{[]string{"docs"}, []string{"/x"}, "starts below the folder"},
		{[]string{"docs"}, []string{"../x"}, "no empty, . or .. segment"},
		{[]string{"docs"}, []string{"[a"}, "is no glob"},
		{[]string{os.DevNull}, nil, "is a device"},
	} {
		_, err := NewSpec(dir, c.targets, c.include)
		wantError(t, err, c.says)
	}
}

func TestReadRefusesASpecThatNewSpecDidNotMake(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "a", "docs/b.md": "b"})
	for _, s := range []Spec{
		{},
		{Targets: []string{"a.md"}, Root: dir},
		{Targets: []string{filepath.Join(dir, "a.md")}, Root: "."},
		{Targets: []string{filepath.Join(dir, "a.md")}, Root: filepath.Join(dir, "docs")},
		{Targets: []string{dir, filepath.Join(dir, "a.md")}, Root: dir},
		{Targets: []string{dir}, Root: dir, Include: []string{"[a"}},
	} {
		if a, err := Read(s); err == nil {
			t.Errorf("Read(%+v) = %q, no error", s, paths(a))
		}
	}
}
