package skill

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestAStageIsACopyWithTheChangeAndLeavesTheOriginal(t *testing.T) {
	top := project(t)
	f := one(t, top, "release-notes")
	outside := filepath.Join(t.TempDir(), "secret")
	put(t, filepath.Dir(outside), map[string]string{"secret": "x"})
	put(t, f.Dir, map[string]string{"references/a.md": "a", "scripts/run": "#!/bin/sh\n", ".git/HEAD": "x", ".env": "x"})
	for name, target := range map[string]string{"references/out": outside, "references/in.md": "a.md", "gone": "nowhere", "loop": "."} {
		if err := os.Symlink(target, filepath.Join(f.Dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(f.Dir, "scripts", "run"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := tree(t, top)
	dir := StageIn(f)
	s, err := StageCopy(f, sample, dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"SKILL.md": strings.Replace(skillText, sample.Old, sample.New, 1), "references/a.md": "a", "references/in.md": "a", "scripts/run": "#!/bin/sh\n"}
	got := map[string]string{}
	for path, text := range treeOf(t, s.Dir) {
		got[path] = text
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the copy is %q", got)
	}
	if info, err := os.Stat(filepath.Join(s.Dir, "scripts", "run")); err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("the script is %v, %v", info, err)
	}
	if s.File != filepath.Join(s.Dir, "SKILL.md") || s.Base != Hash([]byte(skillText)) || s.Variant != Hash([]byte(want["SKILL.md"])) || s.Skill != "release-notes" {
		t.Errorf("%+v", s)
	}
	if again, err := ReadStaged(dir); err != nil || !reflect.DeepEqual(again, s) {
		t.Errorf("%+v, %v", again, err)
	}
	sameTree(t, "the original", tree(t, top), before)

	other := Diff{Old: "## Collect", New: "## Gather"}
	if s, err = StageCopy(f, other, dir); err != nil || !strings.Contains(read(t, s.File), "## Gather") || strings.Contains(read(t, s.File), sample.New) {
		t.Errorf("a second stage: %+v, %v", s, err)
	}
	if a, err := Apply(f, s.Diff, s.Base, []byte(strings.Replace(record, "say", "we say", 1))); err != nil || a.Hash != s.Variant {
		t.Errorf("applied: %+v, %v", a, err)
	}
}

// treeOf is every file in a folder with its text; there is no link in it.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	if err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		if !info.Mode().IsRegular() {
			t.Errorf("%s is no file", path)
		}
		rel, err := filepath.Rel(dir, path)
		texts[filepath.ToSlash(rel)] = read(t, path)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return texts
}

func TestAStageIsNotWrittenThroughALink(t *testing.T) {
	top := project(t)
	f := one(t, top, "release-notes")
	put(t, f.Dir, map[string]string{"real.md": skillText})
	if err := os.Remove(f.File); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real.md", f.File); err != nil {
		t.Fatal(err)
	}
	s, err := StageCopy(f, sample, filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(f.Dir, "real.md")); got != skillText {
		t.Error("the original was changed")
	}
	if got := read(t, filepath.Join(s.Dir, "real.md")); got != skillText {
		t.Error("what the link in the copy led to was changed")
	}
}

func TestAStageDoesNotReplaceWhatIsNone(t *testing.T) {
	top := project(t)
	f := one(t, top, "release-notes")
	dir := t.TempDir()
	put(t, dir, map[string]string{"mine/x": "x"})
	if _, err := StageCopy(f, sample, dir); err == nil || !strings.Contains(err.Error(), "has something else in it") {
		t.Errorf("%v", err)
	}
	if got := read(t, filepath.Join(dir, "mine", "x")); got != "x" {
		t.Error(got)
	}
	_, err := StageCopy(f, Diff{Old: "absent", New: "x"}, filepath.Join(dir, "new"))
	refused(t, "a change that cannot be made", err, Absent, "does not occur")
	if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("a folder was made")
	}
	if _, err := ReadStaged(dir); err == nil || !strings.Contains(err.Error(), "nothing is staged") {
		t.Errorf("%v", err)
	}
	put(t, dir, map[string]string{"staged.json": "{"})
	if _, err := ReadStaged(dir); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("%v", err)
	}
	if got, err := Stage(f.File, sample); err != nil || string(got) != strings.Replace(skillText, sample.Old, sample.New, 1) || read(t, f.File) != skillText {
		t.Errorf("Stage: %v", err)
	}
}
