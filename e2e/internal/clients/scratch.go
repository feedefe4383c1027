//go:build unix

package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Scratch is a new folder below base ("" is the system's temporary folder), removed when the test ends.
// It is not t.TempDir, which fails a test when a client's late child still writes there.
func Scratch(t testing.TB, base string) string {
	t.Helper()
	dir, err := os.MkdirTemp(base, "run-")
	if err != nil {
		t.Fatal(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 20 {
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Logf("e2e: %s is left behind", dir)
	})
	return dir
}

// outsideTemp is a Scratch that is not below the temporary folder, which Codex's sandbox leaves open and
// where it refuses to keep its own.
func outsideTemp(t testing.TB) string {
	t.Helper()
	cache := Cache(t)
	if tmp := os.TempDir(); strings.HasPrefix(cache+"/", strings.TrimSuffix(tmp, "/")+"/") {
		t.Fatalf("e2e: the cache folder %s is below %s, which Codex's sandbox leaves open; set XDG_CACHE_HOME to a folder elsewhere", cache, tmp)
	}
	reap(cache)
	return Scratch(t, cache)
}

// reap removes runs that a killed test process left in base a day ago or earlier.
func reap(base string) {
	old, _ := filepath.Glob(filepath.Join(base, "run-*"))
	for _, dir := range old {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
			_ = os.RemoveAll(dir)
		}
	}
}
