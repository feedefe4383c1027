package artifact

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// folder makes a folder with these files, by slash path, and returns its real name.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for p, text := range files {
		write(t, dir, p, text)
	}
	return dir
}

func write(t *testing.T, dir, p, text string) {
	t.Helper()
	name := filepath.Join(dir, filepath.FromSlash(p))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, dir, p string) {
	t.Helper()
	if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(p))); err != nil {
		t.Fatal(err)
	}
}

func remover(t *testing.T, dir, p string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash(p))); err != nil {
		t.Fatal(err)
	}
}

func spec(t *testing.T, dir string, targets []string, include ...string) Spec {
	t.Helper()
	s, err := NewSpec(dir, targets, include)
	if err != nil {
		t.Fatalf("NewSpec(%q, %q): %v", targets, include, err)
	}
	return s
}

func read(t *testing.T, s Spec) Artifact {
	t.Helper()
	a, err := Read(s)
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return a
}

func paths(a Artifact) string {
	var out []string
	for _, f := range a.Files {
		out = append(out, f.Path)
	}
	return strings.Join(out, " ")
}

func content(t *testing.T, dir, p string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func modeOf(t *testing.T, dir, p string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(p)))
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// everything lists the files below dir, sorted, links marked with @.
func everything(t *testing.T, dir string) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if d.Type()&fs.ModeSymlink != 0 {
			rel += "@"
		}
		out = append(out, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

// repository runs git in dir with settings of its own, whatever the machine's are.
func repository(t *testing.T, dir string, commands ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("these tests need git; install it")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, c := range append([]string{"init -q"}, commands...) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org"}, strings.Fields(c)...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", c, err, out)
		}
	}
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", parts)
		return
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q does not say %q", err, p)
		}
	}
}
