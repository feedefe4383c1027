//go:build unix

package evaluator

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func scratch(t *testing.T, environ []string) string {
	t.Helper()
	dir, err := Scratch(environ)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// In the person's cache, and in a temporary folder where there is none.
func TestFolderOfAKilledProcessGoesAtTheNextCallAndThatOfALivingOneStays(t *testing.T) {
	ofAccount(t, "")
	for _, variable := range []string{"HOME", "TMPDIR"} {
		environ := []string{variable + "=" + real(t, t.TempDir())}
		other := exec.Command(installFake(t, t.TempDir(), "fake"), "hold")
		other.Env = append(environ, "HOME="+value(environ, "HOME"))
		if variable == "TMPDIR" {
			// Its account has a home, which it must not take.
			other.Env = append(other.Env, "XDG_CACHE_HOME=/dev/null")
		}
		out, err := other.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		theirs := strings.TrimSpace(line)
		if err != nil || !isThere(filepath.Join(theirs, "settings.json")) {
			t.Fatalf("%s: it made no folder: %q, %v", variable, line, err)
		}
		mine := scratch(t, environ)
		scratch(t, environ)
		if filepath.Dir(theirs) != filepath.Dir(mine) {
			t.Fatalf("%s: the folders are %s and %s", variable, theirs, mine)
		}
		if !isThere(filepath.Join(theirs, "settings.json")) || !isThere(mine) {
			t.Errorf("%s: a folder that is in use is gone", variable)
		}
		if err := other.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = other.Wait()
		scratch(t, environ)
		if isThere(theirs) || !isThere(mine) {
			t.Errorf("%s: that of the killed process is there: %v; mine: %v", variable, isThere(theirs), isThere(mine))
		}
	}
}

func TestOnlyFoldersOfOursAreRemoved(t *testing.T) {
	ofAccount(t, "")
	temp, home := real(t, t.TempDir()), real(t, t.TempDir())
	calls := filepath.Join(home, ".cache", "hoyeon", "calls")
	old := time.Now().Add(-unlocked - time.Minute)
	for dir, want := range map[string]bool{
		filepath.Join(temp, "call-of-another"):  true, // no lock in it
		filepath.Join(temp, "notes"):            true,
		filepath.Join(calls, "call-new"):        true, // about to get its lock
		filepath.Join(calls, "call-old"):        false,
		filepath.Join(calls, "anything-else"):   true,
		filepath.Join(temp, "call-with-a-lock"): false,
		filepath.Join(temp, "call-of-everyone"): true, // others can write it
	} {
		layAll(t, dir, map[string]string{"file": ""})
		switch filepath.Base(dir) {
		case "call-with-a-lock", "call-of-everyone", "notes":
			layAll(t, dir, map[string]string{scratchLock: ""})
		}
		if filepath.Base(dir) == "call-of-everyone" {
			if err := os.Chmod(dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if filepath.Base(dir) != "call-new" {
			if err := os.Chtimes(dir, old, old); err != nil {
				t.Fatal(err)
			}
		}
		scratch(t, []string{"TMPDIR=" + temp, "XDG_CACHE_HOME=/dev/null"})
		scratch(t, []string{"HOME=" + home})
		if isThere(filepath.Join(dir, "file")) != want {
			t.Errorf("%s is there: %v, want %v", dir, !want, want)
		}
	}
}

// What is removed needs no lock any more, whoever removes it.
func TestLocksOfRemovedFoldersAreLetGo(t *testing.T) {
	environ := []string{"HOME=" + t.TempDir()}
	inUse := func(dir string) bool {
		held.Lock()
		defer held.Unlock()
		return held.locks[dir] != nil
	}
	first := scratch(t, environ)
	if !inUse(first) {
		t.Fatal("a new folder is not locked")
	}
	if err := os.RemoveAll(first); err != nil {
		t.Fatal(err)
	}
	p, err := newPlace(environ, "", false)
	if err != nil || inUse(first) || !inUse(p.root) {
		t.Errorf("%v; the removed one is locked: %v; the new one: %v", err, inUse(first), inUse(p.root))
	}
	p.remove()
	if inUse(p.root) || isThere(p.root) {
		t.Errorf("a place is locked: %v, there: %v", inUse(p.root), isThere(p.root))
	}
}

// A removal that is interrupted leaves the lock, by which the rest is found.
func TestTheLockOfAFolderGoesLast(t *testing.T) {
	dir := scratch(t, []string{"HOME=" + t.TempDir()})
	stuck := filepath.Join(dir, "stuck")
	layAll(t, stuck, map[string]string{"secret": ""})
	layAll(t, dir, map[string]string{"zz": ""})
	before := removeAll
	removeAll = func(path string) error {
		if path == stuck {
			return os.ErrPermission
		}
		return before(path)
	}
	err := removeScratch(dir)
	removeAll = before
	if err == nil || !isThere(filepath.Join(dir, scratchLock)) || isThere(filepath.Join(dir, "zz")) {
		t.Errorf("error %v, the lock is there: %v", err, isThere(filepath.Join(dir, scratchLock)))
	}
	if err := removeScratch(dir); err != nil || isThere(dir) {
		t.Errorf("%v, the folder is there: %v", err, isThere(dir))
	}
}
