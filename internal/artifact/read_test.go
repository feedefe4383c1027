package artifact

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryByteOfATextIsKept(t *testing.T) {
	text := "\ufeffone\r\ntwo\rthree\n\n\u00a0no final newline"
	dir := folder(t, map[string]string{"a.md": text, "empty.md": ""})
	a := read(t, spec(t, dir, []string{"empty.md", "a.md"}))
	if got := paths(a); got != "a.md empty.md" {
		t.Fatalf("files %q, want them sorted", got)
	}
	if string(a.Files[0].Data) != text || len(a.Files[1].Data) != 0 || a.Size() != len(text) {
		t.Errorf("read %q and %q, size %d", a.Files[0].Data, a.Files[1].Data, a.Size())
	}
}

func TestBinaryFilesAreRefusedByNameAndOffset(t *testing.T) {
	for text, says := range map[string]string{
		"abc\x00":                       "a NUL byte at offset 3",
		"ab\xff":                        "invalid UTF-8 at offset 2",
		"\ufffd is fine \xe2\x82":       "invalid UTF-8 at offset 12",
		"\xff\xfea\x00":                 "UTF-16",
		"\xed\xa0\x80 a lone surrogate": "invalid UTF-8 at offset 0",
	} {
		dir := folder(t, map[string]string{"docs/bad.md": text, "docs/good.md": "good"})
		_, err := Read(spec(t, dir, []string{"docs/bad.md"}))
		wantError(t, err, "bad.md is not a text", says, "name a text file")
		_, err = Read(spec(t, dir, []string{"docs"}))
		wantError(t, err, "bad.md is not a text", says, "--include")
		if got := paths(read(t, spec(t, dir, []string{"docs"}, "good.*"))); got != "good.md" {
			t.Errorf("left out as told, the artifact is %q", got)
		}
	}
}

func TestSizeLimitCountsAllFilesTogether(t *testing.T) {
	half := strings.Repeat("x", MaxBytes/2)
	dir := folder(t, map[string]string{"a.md": half, "b.md": half})
	if got := read(t, spec(t, dir, []string{"."})).Size(); got != MaxBytes {
		t.Errorf("size %d, want the limit itself to be read", got)
	}
	write(t, dir, "c.md", "y")
	_, err := Read(spec(t, dir, []string{"."}))
	wantError(t, err, "1024.0 KiB in 3 files", "1 MiB at most", "--include", "a.md (512.0 KiB), b.md (512.0 KiB), c.md")
	_, err = Read(spec(t, dir, []string{"a.md", "b.md", "c.md"}))
	wantError(t, err, "leave out the largest files", "a.md")
	write(t, dir, "c.md", half+half+"y")
	_, err = Read(spec(t, dir, []string{"c.md"}))
	wantError(t, err, "c.md (1024.0 KiB)", "split the file")
}

func TestMissingAndUnreadableFilesAreNamed(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "a", "b.md": "b"})
	s := spec(t, dir, []string{"a.md", "b.md"})
	remover(t, dir, "b.md")
	_, err := Read(s)
	wantError(t, err, "b.md cannot be read", "no such file")

	if os.Geteuid() != 0 { // root reads everything
		write(t, dir, "b.md", "b")
		if err := os.Chmod(filepath.Join(dir, "b.md"), 0); err != nil {
			t.Fatal(err)
		}
		_, err = Read(s)
		wantError(t, err, "b.md cannot be read", "permission denied")
	}
}

func TestFolderWithoutATextIsRefused(t *testing.T) {
	dir := folder(t, map[string]string{"docs/a.md": "a"})
	_, err := Read(spec(t, dir, []string{"."}, "*.md"))
	wantError(t, err, "matches --include *.md", "'**/*.md' looks below")
	_, err = Read(spec(t, dir, []string{"."}, "docs/*.txt"))
	wantError(t, err, "matches --include docs/*.txt", "check the globs")
	if err := os.RemoveAll(filepath.Join(dir, "docs")); err != nil {
		t.Fatal(err)
	}
	_, err = Read(spec(t, dir, []string{"."}))
	wantError(t, err, "has no file")
}

func TestLinkedTargetIsReadThroughItsLink(t *testing.T) {
	dir := folder(t, map[string]string{"elsewhere/real.md": "text"})
	link(t, "elsewhere/real.md", dir, "a.md")
	a := read(t, spec(t, dir, []string{"a.md"}))
	if paths(a) != "a.md" || string(a.Files[0].Data) != "text" {
		t.Errorf("read %q: %q", paths(a), a.Files[0].Data)
	}
}

func TestLinksOfAFolderAreReadOnceAndNeverOutside(t *testing.T) {
	outside := folder(t, map[string]string{"secret.md": "secret"})
	dir := folder(t, map[string]string{"AGENTS.md": "rules", "docs/a.md": "a"})
	link(t, "AGENTS.md", dir, "CLAUDE.md")
	link(t, "docs", dir, "linked-folder")
	link(t, "nowhere", dir, ".#lock")
	s := spec(t, dir, []string{"."})
	if got := paths(read(t, s)); got != "AGENTS.md docs/a.md" {
		t.Errorf("files %q", got)
	}
	// The only name that is included is the link's.
	if got := read(t, spec(t, dir, []string{"."}, "CLAUDE.md")); paths(got) != "CLAUDE.md" || string(got.Files[0].Data) != "rules" {
		t.Errorf("files %q", paths(got))
	}
	link(t, filepath.Join(outside, "secret.md"), dir, "docs/leak.md")
	_, err := Read(s)
	wantError(t, err, "the link docs/leak.md leads out of the folder")
	remover(t, dir, "docs/leak.md")
	link(t, outside, dir, "out")
	_, err = Read(s)
	wantError(t, err, "the link out leads out of the folder")
	remover(t, dir, "out")
	link(t, "loop", dir, "loop")
	_, err = Read(s)
	wantError(t, err, "the link loop cannot be followed")
}

func TestHashCoversPathsAndContentsAlone(t *testing.T) {
	a := Artifact{Root: "/x", Files: []File{{Path: "a", Data: []byte("bc"), Mode: 0o644}, {Path: "d", Data: nil}}}
	same := Artifact{Root: "/y", Files: []File{{Path: "a", Data: []byte("bc"), Mode: 0o755}, {Path: "d", Data: []byte{}}}}
	if a.Hash() != same.Hash() {
		t.Error("the root or a mode changes the hash")
	}
	if !strings.HasPrefix(a.Hash(), "sha256:") || len(a.Hash()) != len("sha256:")+64 {
		t.Errorf("hash %q", a.Hash())
	}
	for _, other := range []Artifact{
		{Files: []File{{Path: "ab", Data: []byte("c")}, {Path: "d"}}},
		{Files: []File{{Path: "a", Data: []byte("bcd")}}},
		{Files: []File{{Path: "a", Data: []byte("bd")}, {Path: "d"}}},
		{},
	} {
		if other.Hash() == a.Hash() {
			t.Errorf("%+v has the same hash", other)
		}
	}
}

func TestFileThatGrowsPastTheLimitIsNotCut(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "12345"})
	name := filepath.Join(dir, "a.md")
	if _, _, err := readFile(name, 4); err != errGrew {
		t.Errorf("error %v, want errGrew", err)
	}
	if data, _, err := readFile(name, 5); err != nil || !bytes.Equal(data, []byte("12345")) {
		t.Errorf("read %q, %v", data, err)
	}
}
