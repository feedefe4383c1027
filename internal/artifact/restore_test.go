package artifact

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func restore(t *testing.T, s Spec, to Artifact) string {
	t.Helper()
	changed, err := Restore(s, to)
	if err != nil {
		t.Fatalf("Restore: %v", err)
	}
	if diff := cmp.Diff(to, read(t, s)); diff != "" {
		t.Errorf("after Restore (-snapshot +disk):\n%s", diff)
	}
	return strings.Join(changed, " ")
}

func TestRestoreBringsContentModeAndAbsenceBack(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "one\r\ntwo", "docs/b.md": "b", "docs/c.md": "c", "run.sh": "#!/bin/sh\n", ".gitignore": "*.log\n"})
	if err := os.Chmod(filepath.Join(dir, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := spec(t, dir, []string{"."})
	before := read(t, s)

	write(t, dir, "a.md", "changed")
	remover(t, dir, "docs/b.md")
	write(t, dir, "new/deep/x.md", "new")
	write(t, dir, "new.log", "ignored")
	if err := os.Chmod(filepath.Join(dir, "run.sh"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := restore(t, s, before); got != "a.md docs/b.md new/deep/x.md run.sh" {
		t.Errorf("changed %q", got)
	}
	if got := everything(t, dir); got != ".gitignore a.md docs/b.md docs/c.md new.log run.sh" {
		t.Errorf("on the disk: %s", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("the folder of a removed file is still there")
	}
	if got := modeOf(t, dir, "run.sh"); got != 0o755 {
		t.Errorf("run.sh has mode %s", got)
	}
}

func TestRestoreOfWhatIsEqualTouchesNothing(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "a", "b.md": "b"})
	s := spec(t, dir, []string{"."})
	before := read(t, s)
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(filepath.Join(dir, "a.md"), old, old); err != nil {
		t.Fatal(err)
	}
	if got := restore(t, s, before); got != "" {
		t.Errorf("changed %q", got)
	}
	if info, err := os.Stat(filepath.Join(dir, "a.md")); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("the file was written again (%v)", err)
	}
}

func TestRestoreLeavesFilesOutsideIncludeAlone(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "a", "x.txt": "x"})
	s := spec(t, dir, []string{"."}, "*.md")
	before := read(t, s)
	write(t, dir, "x.txt", "changed")
	write(t, dir, "y.txt", "new")
	write(t, dir, "b.md", "new")
	if got := restore(t, s, before); got != "b.md" {
		t.Errorf("changed %q", got)
	}
	if got := content(t, dir, "x.txt"); got != "changed" {
		t.Errorf("x.txt holds %q", got)
	}
}

func TestRestoreWritesThroughTheLinkThatWasRead(t *testing.T) {
	for name, to := range map[string]string{"relative": "../elsewhere/real.md", "absolute": ""} {
		dir := folder(t, map[string]string{"elsewhere/real.md": "before", "docs/x.md": "x"})
		if to == "" {
			to = filepath.Join(dir, "elsewhere", "real.md")
		}
		link(t, to, dir, "docs/a.md")
		s := spec(t, dir, []string{"docs/a.md"})
		before := read(t, s)
		write(t, dir, "elsewhere/real.md", "after")
		if got := restore(t, s, before); got != "a.md" {
			t.Errorf("%s: changed %q", name, got)
		}
		if got := content(t, dir, "elsewhere/real.md"); got != "before" {
			t.Errorf("%s: the real file holds %q", name, got)
		}
		// The real file is gone; the link shows where it belongs.
		remover(t, dir, "elsewhere/real.md")
		restore(t, s, before)
		if got := content(t, dir, "elsewhere/real.md"); got != "before" {
			t.Errorf("%s: the real file holds %q", name, got)
		}
		if got := everything(t, dir); got != "docs/a.md@ docs/x.md elsewhere/real.md" {
			t.Errorf("%s: on the disk: %s", name, got)
		}
	}
}

// An improver could turn a file into a link; what the link leads to is not ours to overwrite.
func TestRestoreDoesNotWriteThroughALinkThatCameLater(t *testing.T) {
	outside := folder(t, map[string]string{"precious.md": "precious", "dir/b.md": "precious"})
	for name, target := range map[string]string{"file": "a.md", "folder": "."} {
		dir := folder(t, map[string]string{"a.md": "a", "docs/b.md": "b"})
		s := spec(t, dir, []string{target})
		before := read(t, s)
		remover(t, dir, "a.md")
		link(t, filepath.Join(outside, "precious.md"), dir, "a.md")
		if target == "." {
			if err := os.RemoveAll(filepath.Join(dir, "docs")); err != nil {
				t.Fatal(err)
			}
			link(t, filepath.Join(outside, "dir"), dir, "docs")
		}
		restore(t, s, before)
		if got := everything(t, dir); got != "a.md docs/b.md" {
			t.Errorf("%s: on the disk: %s", name, got)
		}
		if content(t, outside, "precious.md") != "precious" || content(t, outside, "dir/b.md") != "precious" {
			t.Errorf("%s: a file outside was overwritten", name)
		}
	}
}

func TestRestoreKeepsALinkInsideAFolder(t *testing.T) {
	dir := folder(t, map[string]string{".gitignore": "hidden.md\n", "hidden.md": "before", "a.md": "a"})
	link(t, "hidden.md", dir, "shown.md")
	link(t, "a.md", dir, "alias.md")
	s := spec(t, dir, []string{"."})
	before := read(t, s)
	if got := paths(before); got != ".gitignore a.md shown.md" {
		t.Fatalf("files %q", got)
	}
	write(t, dir, "hidden.md", "after")
	if got := restore(t, s, before); got != "shown.md" {
		t.Errorf("changed %q", got)
	}
	if got := content(t, dir, "hidden.md"); got != "before" {
		t.Errorf("hidden.md holds %q", got)
	}
	if got := everything(t, dir); got != ".gitignore a.md alias.md@ hidden.md shown.md@" {
		t.Errorf("on the disk: %s", got)
	}
	// The same link, led outside since.
	outside := folder(t, map[string]string{"x.md": "precious"})
	remover(t, dir, "shown.md")
	link(t, filepath.Join(outside, "x.md"), dir, "shown.md")
	if _, err := Restore(s, before); err != nil {
		t.Fatal(err)
	}
	if content(t, dir, "shown.md") != "before" || content(t, outside, "x.md") != "precious" {
		t.Error("the file outside was written, or the text is not back")
	}
}

// Rolling back is most needed when the artifact is what Read refuses.
func TestRestoreRollsBackWhatReadRefuses(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "a", "docs/b.md": "b"})
	s := spec(t, dir, []string{"."})
	before := read(t, s)
	write(t, dir, "a.md", "binary\x00")
	write(t, dir, "huge.md", strings.Repeat("x", MaxBytes+1))
	if err := os.RemoveAll(filepath.Join(dir, "docs")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "docs", "a file where a folder was")
	if _, err := Read(s); err == nil {
		t.Fatal("Read takes it")
	}
	if got := restore(t, s, before); got != "a.md docs docs/b.md huge.md" {
		t.Errorf("changed %q", got)
	}
	// And a folder where a file was.
	remover(t, dir, "a.md")
	write(t, dir, "a.md/x/y.md", "y")
	if got := restore(t, s, before); got != "a.md a.md/x/y.md" {
		t.Errorf("changed %q", got)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if got := restore(t, s, before); got != "a.md docs/b.md" {
		t.Errorf("changed %q", got)
	}
}

func TestRestoreThatFailedIsFinishedByRunningItAgain(t *testing.T) {
	dir := folder(t, map[string]string{".gitignore": "keep\n", "a.md": "a", "b.md": "b", "c.md": "c"})
	s := spec(t, dir, []string{"."})
	before := read(t, s)
	write(t, dir, "a.md", "changed")
	write(t, dir, "c.md", "changed")
	remover(t, dir, "b.md")
	write(t, dir, "b.md/keep", "ignored, so nobody may remove it")

	changed, err := Restore(s, before)
	wantError(t, err, "restore: b.md", "run it again")
	if got := strings.Join(changed, " "); got != "a.md" {
		t.Errorf("changed %q", got)
	}
	if content(t, dir, "a.md") != "a" || content(t, dir, "c.md") != "changed" {
		t.Error("the failure did not come in the middle")
	}
	if got := everything(t, dir); got != ".gitignore a.md b.md/keep c.md" {
		t.Errorf("on the disk: %s", got)
	}
	if err := os.RemoveAll(filepath.Join(dir, "b.md")); err != nil {
		t.Fatal(err)
	}
	if got := restore(t, s, before); got != "b.md c.md" {
		t.Errorf("changed %q", got)
	}
}

func TestLeftoversOfAKilledRestoreAreNoPartOfTheArtifact(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "a"})
	s := spec(t, dir, []string{"."})
	before := read(t, s)
	old := "." + "a.md" + temporaryMark + "1"
	write(t, dir, old, "half")
	write(t, dir, "."+"a.md"+temporaryMark+"2", "half, a moment ago")
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(dir, old), past, past); err != nil {
		t.Fatal(err)
	}
	if got := paths(read(t, s)); got != "a.md" {
		t.Errorf("files %q", got)
	}
	write(t, dir, "a.md", "changed")
	restore(t, s, before)
	if got := everything(t, dir); got != "."+"a.md"+temporaryMark+"2 a.md" {
		t.Errorf("on the disk: %s", got)
	}
}

func TestRestoreRefusesASnapshotOfAnotherArtifact(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "a", "b.md": "b"})
	file, both, all := spec(t, dir, []string{"a.md"}), spec(t, dir, []string{"a.md", "b.md"}), spec(t, dir, []string{"."})
	one := func(p string) Artifact { return Artifact{Root: dir, Files: []File{{Path: p, Data: []byte("x")}}} }
	for _, c := range []struct {
		spec Spec
		to   Artifact
		says string
	}{
		{all, Artifact{Root: dir}, "has no file"},
		{file, one("b.md"), "b.md, which is not a target"},
		{both, one("a.md"), "1 files, and there are 2 targets"},
		{all, one("../x.md"), "leads out of the folder"},
		{all, one(".git/hooks/post-commit"), "never written"},
		{all, one("docs/.hoyeon/x"), "never written"},
		{Spec{}, one("a.md"), "not named"},
	} {
		changed, err := Restore(c.spec, c.to)
		wantError(t, err, c.says)
		if len(changed) != 0 {
			t.Errorf("changed %q", changed)
		}
	}
	if got := everything(t, dir); got != "a.md b.md" || content(t, dir, "a.md") != "a" {
		t.Errorf("on the disk: %s", got)
	}
}

func TestRestoreWithoutAModeKeepsTheFilesOwn(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "longer"})
	if err := os.Chmod(filepath.Join(dir, "a.md"), 0o640); err != nil {
		t.Fatal(err)
	}
	s := spec(t, dir, []string{"a.md"})
	to := Artifact{Files: []File{{Path: "a.md", Data: []byte("b")}}}
	for _, want := range []fs.FileMode{0o640, 0o644} {
		if _, err := Restore(s, to); err != nil {
			t.Fatal(err)
		}
		if got := modeOf(t, dir, "a.md"); got != want || content(t, dir, "a.md") != "b" {
			t.Errorf("mode %s, want %s", got, want)
		}
		remover(t, dir, "a.md")
	}
}
