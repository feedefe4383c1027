package artifact

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func texts(pairs ...string) Artifact {
	var a Artifact
	for i := 0; i < len(pairs); i += 2 {
		a.Files = append(a.Files, File{Path: pairs[i], Data: []byte(pairs[i+1]), Mode: 0o644})
	}
	return a
}

func TestDiffShowsEachChangedFileOnce(t *testing.T) {
	from := texts("a.md", "one\ntwo\nthree\n", "gone.md", "old\n", "same.md", "same\n", "z.md", "no newline")
	to := texts("a.md", "one\n2\nthree\n", "empty.md", "", "same.md", "same\n", "z.md", "no newline\nmore")
	want := strings.Join([]string{
		"diff a/a.md b/a.md",
		"--- a/a.md",
		"+++ b/a.md",
		"@@ -1,3 +1,3 @@",
		" one",
		"-two",
		"+2",
		" three",
		"diff /dev/null b/empty.md",
		"--- /dev/null",
		"+++ b/empty.md",
		"diff a/gone.md /dev/null",
		"--- a/gone.md",
		"+++ /dev/null",
		"@@ -1,1 +0,0 @@",
		"-old",
		"diff a/z.md b/z.md",
		"--- a/z.md",
		"+++ b/z.md",
		"@@ -1,1 +1,2 @@",
		"-no newline",
		"\\ No newline at end of file",
		"+no newline",
		"+more",
		"\\ No newline at end of file",
		"",
	}, "\n")
	if diff := cmp.Diff(want, Diff(from, to)); diff != "" {
		t.Errorf("diff (-want +got):\n%s", diff)
	}
}

func TestDiffOfEqualArtifactsIsEmpty(t *testing.T) {
	a := texts("a.md", "one\n")
	b := texts("a.md", "one\n")
	b.Root, b.Files[0].Mode = "/elsewhere", 0o600
	if got := Diff(a, b); got != "" {
		t.Errorf("diff %q", got)
	}
}

func TestDiffShowsAChangeOfLineEnds(t *testing.T) {
	got := Diff(texts("a.md", "one\r\n"), texts("a.md", "one\n"))
	if !strings.Contains(got, "-one\r\n+one\n") {
		t.Errorf("diff %q", got)
	}
}

func TestDiffHeaderCannotBeForgedByAName(t *testing.T) {
	got := Diff(Artifact{}, texts("x\n+++ b/y", "text\n"))
	if want := `+++ "b/x\n+++ b/y"`; !strings.Contains(got, want+"\n") || strings.Contains(got, "\n+++ b/y\n") {
		t.Errorf("diff %q", got)
	}
}

func TestGitAppliesTheDiff(t *testing.T) {
	from := texts("a.md", "one\ntwo\nthree", "docs/gone.md", "old\n")
	to := texts("a.md", "one\n2\nthree\nfour\n", "docs/new.md", "new\n")
	dir := folder(t, map[string]string{"a.md": "one\ntwo\nthree", "docs/gone.md": "old\n"})
	repository(t, dir)
	cmd := exec.Command("git", "-C", dir, "apply", "-p1", "-")
	cmd.Stdin = strings.NewReader(Diff(from, to))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s", err, out)
	}
	got := read(t, spec(t, dir, []string{"."}))
	if got.Hash() != to.Hash() {
		t.Errorf("patched to %s", paths(got))
	}
	if _, err := os.Stat(dir + "/docs/gone.md"); err == nil {
		t.Error("the removed file is there")
	}
}
