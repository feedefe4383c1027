package evaluator

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	scratchName = "call-"
	// scratchLock is locked as long as whoever made the folder lives and has not removed it. A folder of a
	// project that is copied beside it has another name.
	scratchLock = ".hoyeon-in-use"
	// unlocked is how old a folder without that file has to be before it goes: where the system has no locks,
	// and where a process was killed before it had one, with nothing in the folder yet.
	unlocked = 24 * time.Hour
)

// held are the locks of this process's folders, by their path.
var held = struct {
	sync.Mutex
	locks map[string]io.Closer
}{locks: map[string]io.Closer{}}

// Scratch makes a folder for a call, in no project and where nobody else can put anything beside it. There
// is nothing in it but a lock, which tells other processes that it is in use. RemoveScratch removes it. What a
// process that was killed has left, logins among it, goes here: at the next call of any.
func Scratch(environ []string) (string, error) {
	base, ours := scratchBase(environ)
	sweep(base, ours)
	dir, err := os.MkdirTemp(base, scratchName)
	if err != nil {
		return "", fmt.Errorf("got no temporary folder: %w", err)
	}
	dir = absolute(dir)
	// Clients resolve links before they compare paths.
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	hold(dir)
	return dir, nil
}

// RemoveScratch removes a folder of Scratch. It tries again while a process that has left its group still writes
// there; what is left after that goes at the next call.
func RemoveScratch(dir string) {
	letGo(dir)
	for range 5 {
		if removeScratch(dir) == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// scratchBase is our part of the person's cache folder, where it can be made, and whether it could. In the
// temporary folder, which everybody may write, clients find what others have put beside and above their
// working folder (gemini its variables), and their sandboxes leave it open to the model.
func scratchBase(environ []string) (base string, ours bool) {
	cache := value(environ, "XDG_CACHE_HOME")
	if !filepath.IsAbs(cache) {
		cache = filepath.Join(homeOf(environ), ".cache")
	}
	base = filepath.Join(cache, "hoyeon", "calls")
	if filepath.IsAbs(base) && os.MkdirAll(base, 0o700) == nil {
		return base, true
	}
	if base = value(environ, "TMPDIR"); base == "" {
		base = os.TempDir()
	}
	return base, false
}

// sweep removes the folders below base whose process is gone. One without a lock is known by its age, where
// everything in base is ours.
func sweep(base string, ours bool) {
	entries, _ := os.ReadDir(base)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !strings.HasPrefix(e.Name(), scratchName) || !ownFolder(info) {
			continue
		}
		dir := filepath.Join(base, e.Name())
		lock, err := takeLock(filepath.Join(dir, scratchLock))
		switch {
		case err == nil:
			_ = removeScratch(dir)
			_ = lock.Close()
		case errors.Is(err, fs.ErrNotExist) && ours && time.Since(info.ModTime()) > unlocked:
			_ = os.RemoveAll(dir)
		}
	}
}

var removeAll = os.RemoveAll

// removeScratch removes a folder, and the lock in it last: what is left when this is interrupted goes at the
// next call.
func removeScratch(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if e.Name() != scratchLock {
			err = errors.Join(err, removeAll(filepath.Join(dir, e.Name())))
		}
	}
	if err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

// hold locks a new folder until letGo, or until this process ends. The file gets its name when it is locked
// already: between the two nobody takes it for one whose process is gone. Where the system has no locks it
// never gets that name. It also lets go of the folders that their callers have removed.
func hold(dir string) {
	held.Lock()
	defer held.Unlock()
	for dir, lock := range held.locks {
		if _, err := os.Lstat(filepath.Join(dir, scratchLock)); errors.Is(err, fs.ErrNotExist) {
			_ = lock.Close()
			delete(held.locks, dir)
		}
	}
	path := filepath.Join(dir, scratchLock)
	if f, err := os.OpenFile(path+".new", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err != nil || f.Close() != nil {
		return
	}
	lock, err := takeLock(path + ".new")
	if err != nil {
		_ = os.Remove(path + ".new")
		return
	}
	if os.Rename(path+".new", path) != nil {
		_ = lock.Close()
		return
	}
	held.locks[dir] = lock
}

// letGo ends the lock of a folder that is about to be removed.
func letGo(dir string) {
	held.Lock()
	defer held.Unlock()
	if lock := held.locks[dir]; lock != nil {
		_ = lock.Close()
		delete(held.locks, dir)
	}
}
