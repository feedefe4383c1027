package artifact

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sample() Artifact {
	return Artifact{Root: "/project", Files: []File{
		{Path: "a.md", Data: []byte("\ufeffone\r\ntwo"), Mode: 0o644},
		{Path: "docs/deep/b.md", Data: []byte(""), Mode: 0o600},
		{Path: "docs/run.sh", Data: []byte("#!/bin/sh\n"), Mode: 0o755},
		{Path: "linked.md", Data: []byte("x"), Mode: 0o640 | fs.ModeSymlink},
	}}
}

func save(t *testing.T, a Artifact) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "snapshots", "round-0")
	if err := a.Save(dir); err != nil {
		t.Fatalf("Save: %v", err)
	}
	return dir
}

func TestSnapshotComesBackByteForByte(t *testing.T) {
	dir := save(t, sample())
	got, err := Load(dir, "/project")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample(), got); diff != "" {
		t.Errorf("loaded (-saved +loaded):\n%s", diff)
	}
	// A person can look into it.
	if got := content(t, dir, "files/docs/run.sh"); got != "#!/bin/sh\n" {
		t.Errorf("files/docs/run.sh holds %q", got)
	}
}

func TestSnapshotIsForItsOwnerAlone(t *testing.T) {
	dir := save(t, sample())
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %s", p, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSavingAgainReplacesTheSnapshotAndLeavesNothingBeside(t *testing.T) {
	dir := save(t, sample())
	next := Artifact{Root: "/project", Files: []File{{Path: "b.md", Data: []byte("new"), Mode: 0o644}}}
	if err := next.Save(dir); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir, "/project")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(next, got); diff != "" {
		t.Errorf("loaded (-saved +loaded):\n%s", diff)
	}
	if got := everything(t, filepath.Dir(dir)); got != "round-0/files/b.md round-0/manifest.json" {
		t.Errorf("on the disk: %s", got)
	}
}

func TestSaveThatFailsLeavesNothingAndKeepsTheOldOne(t *testing.T) {
	dir := save(t, sample())
	for name, a := range map[string]Artifact{
		"no file":        {},
		"a path outside": {Files: []File{{Path: "../x", Data: []byte("x")}}},
		"an absolute":    {Files: []File{{Path: "/x", Data: []byte("x")}}},
		"no path":        {Files: []File{{Path: "", Data: []byte("x")}}},
		"a path twice":   {Files: []File{{Path: "x"}, {Path: "x"}}},
		"not sorted":     {Files: []File{{Path: "y"}, {Path: "x"}}},
		"below a file":   {Files: []File{{Path: "x"}, {Path: "x/y"}}},
		"too large":      {Files: []File{{Path: "x", Data: make([]byte, MaxBytes+1)}}},
	} {
		if err := a.Save(dir); err == nil {
			t.Errorf("%s: saved", name)
		}
	}
	if _, err := Load(dir, "/project"); err != nil {
		t.Errorf("the old snapshot is gone: %v", err)
	}
	if got, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(got) != 1 {
		t.Errorf("beside the snapshot: %v (%v)", got, err)
	}
}

func TestSaveDoesNotReplaceWhatIsNoSnapshot(t *testing.T) {
	dir := folder(t, map[string]string{"work/precious.txt": "x"})
	wantError(t, sample().Save(filepath.Join(dir, "work")), "is no snapshot")
	if got := everything(t, dir); got != "work/precious.txt" {
		t.Errorf("on the disk: %s", got)
	}
}

func TestDamagedSnapshotsAreRefused(t *testing.T) {
	edit := func(old, new string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			text := content(t, dir, manifestName)
			if !strings.Contains(text, old) {
				t.Fatalf("the manifest has no %s: %s", old, text)
			}
			write(t, dir, manifestName, strings.Replace(text, old, new, 1))
		}
	}
	for name, damage := range map[string]func(t *testing.T, dir string){
		"a changed byte":     func(t *testing.T, dir string) { write(t, dir, "files/linked.md", "y") },
		"a longer file":      func(t *testing.T, dir string) { write(t, dir, "files/linked.md", "xx") },
		"a shorter file":     func(t *testing.T, dir string) { write(t, dir, "files/a.md", "x") },
		"a missing file":     func(t *testing.T, dir string) { remover(t, dir, "files/linked.md") },
		"a missing manifest": func(t *testing.T, dir string) { remover(t, dir, manifestName) },
		"half a manifest":    func(t *testing.T, dir string) { write(t, dir, manifestName, content(t, dir, manifestName)[:100]) },
		"an empty manifest":  func(t *testing.T, dir string) { write(t, dir, manifestName, "{}") },
		"a changed mode":     edit(`"mode":493`, `"mode":511`),
		"a changed path":     edit(`linked.md`, `linkes.md`),
		"a changed hash":     edit(`"hash":"sha256:`, `"hash":"sha256:0`),
		"a newer schema":     edit(`"schema":1`, `"schema":2`),
	} {
		dir := save(t, sample())
		damage(t, dir)
		a, err := Load(dir, "/project")
		if err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v", name, err)
		}
		if len(a.Files) != 0 {
			t.Errorf("%s: files came back all the same", name)
		}
	}
}

func TestMissingSnapshotIsToldFromADamagedOne(t *testing.T) {
	_, err := Load(filepath.Join(t.TempDir(), "none"), "/project")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want fs.ErrNotExist", err)
	}
}

// A manifest is read back after a crash, or after someone's editor: whatever is in it, no path leaves
// the snapshot.
func FuzzManifest(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "s")
	if err := sample().Save(dir); err != nil {
		f.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	for _, files := range []string{`[]`, `[{"path":"../x"}]`, `[{"path":"/etc/passwd","size":1}]`, `[{"path":"a","size":-1}]`, `[{"path":"a/"}]`, `[{"path":"b"},{"path":"a"}]`, `null`, `{}`} {
		doc, err := json.Marshal(manifest{snapshotSchema, "sha256:0", sha([]byte(files)), json.RawMessage(files)})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		list, _, err := parseManifest(doc)
		if err != nil {
			return
		}
		if len(list) == 0 {
			t.Error("a manifest without a file is taken")
		}
		total := 0
		for i, m := range list {
			if !inside("/s", filepath.Join("/s", m.Path)) || m.Path == "" || filepath.IsAbs(m.Path) {
				t.Errorf("the path %q is taken", m.Path)
			}
			if i > 0 && list[i-1].Path >= m.Path {
				t.Errorf("%q comes after %q", m.Path, list[i-1].Path)
			}
			total += m.Size
		}
		if total > MaxBytes {
			t.Errorf("%d bytes are taken", total)
		}
	})
}
