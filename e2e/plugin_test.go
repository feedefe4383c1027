//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// shipped is what of the repository a client copies, and all that the plugin needs once it is built.
var shipped = []string{".claude-plugin", ".codex-plugin", "bin", "skills", "agents", "hooks"}

var built struct {
	once sync.Once
	dir  string
	err  error
}

// plugin is a copy of the plugin as it ships, with both binaries in the place where a build leaves them.
func plugin(t testing.TB) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "rulph-build-"); built.err == nil {
			out, err := exec.Command(filepath.Join("..", "scripts", "build"), built.dir).CombinedOutput()
			if built.err = err; err != nil {
				t.Logf("scripts/build: %s", out)
			}
		}
	})
	if built.err != nil {
		t.Fatalf("build the binaries: %v", built.err)
	}
	dir := filepath.Join(t.TempDir(), "rulph")
	for _, part := range shipped {
		if err := os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join("..", part))); err != nil {
			t.Fatal(err)
		}
	}
	target := filepath.Join(dir, "bin", ".build", runtime.GOOS+"-"+runtime.GOARCH)
	if err := os.RemoveAll(filepath.Join(dir, "bin", ".build")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(target, os.DirFS(built.dir)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"hoyeon-cli", "hoyeon-hook"} {
		if err := os.Chmod(filepath.Join(target, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	os.Exit(code)
}
