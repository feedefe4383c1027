package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// defaultWait is long because nobody holds the lock for long: it is reached when a hundred writers meet on
// a slow disk, or when one is stopped in a debugger.
const defaultWait = time.Minute

// lock makes this process the only writer of the session until unlock is called. The system releases
// the lock of a process that dies, so a lock is never stale.
//
// Clear removes the folder with the lock file in it. A process that has waited on that file then holds a
// lock on a file nobody else will ever open, so lock looks whether its file is still the one at the path.
func (s Store) lock(sid string) (unlock func(), err error) {
	if err := CheckSID(sid); err != nil {
		return nil, err
	}
	wait := s.Wait
	if wait == 0 {
		wait = defaultWait
	}
	path := filepath.Join(s.Dir(sid), lockFile)
	for deadline := time.Now().Add(wait); ; {
		if err := s.ensureHome(); err != nil {
			return nil, err
		}
		held, err := s.acquire(sid, path, deadline)
		if held != nil {
			return func() { _ = held.Unlock() }, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // the folder was removed meanwhile: once more
			return nil, err
		}
		if !time.Now().Before(deadline) {
			return nil, fmt.Errorf("another process has held %s for more than %s; try again when it is done", path, wait)
		}
	}
}

// acquire returns nil and no error when the deadline has passed, or when the file it has locked is no
// longer the one at path.
func (s Store) acquire(sid, path string, deadline time.Time) (*flock.Flock, error) {
	if err := s.ensureFolder(sid); err != nil {
		return nil, err
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	ok, err := WaitFor(l, deadline)
	if !ok {
		return nil, err
	}
	reached("held")
	mine, err := l.Stat()
	if err == nil {
		var there fs.FileInfo
		if there, err = os.Lstat(path); err == nil && os.SameFile(mine, there) {
			return l, nil
		}
	}
	_ = l.Unlock()
	return nil, err
}

// WaitFor takes a lock, by the deadline or not at all. It waits in the system's own queue: a hundred processes
// that ask again and again keep each other from getting anything done. The system's wait has no end, so past
// the deadline it is left behind, and what it gets after that is given back.
func WaitFor(l *flock.Flock, deadline time.Time) (bool, error) {
	if ok, err := l.TryLock(); ok || err != nil {
		return ok, err
	}
	got, abandoned := make(chan error), make(chan struct{})
	go func() {
		err := l.Lock()
		select {
		case got <- err:
		case <-abandoned:
			_ = l.Unlock()
		}
	}()
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case err := <-got:
		return err == nil, err
	case <-timer.C:
		close(abandoned)
		return false, nil
	}
}
