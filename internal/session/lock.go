package session

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const (
	defaultWait = 10 * time.Second
	firstPause  = time.Millisecond
	longPause   = 20 * time.Millisecond
)

// lock makes this process the only writer of the session until unlock is called. The system releases
// the lock of a process that dies, so a lock is never stale.
//
// Clear removes the folder with the lock file in it. A process that has just opened that file then locks a
// file nobody else will ever open, so lock looks whether the file it holds is still the one at the path.
func (s Store) lock(sid string) (unlock func(), err error) {
	wait := s.Wait
	if wait == 0 {
		wait = defaultWait
	}
	path := filepath.Join(s.Dir(sid), lockFile)
	pause := firstPause
	for deadline := time.Now().Add(wait); ; {
		held, err := s.tryLock(sid, path)
		if held != nil {
			return func() { _ = held.Unlock() }, nil
		}
		if err != nil {
			return nil, err
		}
		left := time.Until(deadline)
		if left <= 0 {
			return nil, fmt.Errorf("another process has held %s for more than %s; try again when it is done", path, wait)
		}
		// Random, or a hundred writers that started together would go on colliding together.
		time.Sleep(min(left, pause/2+rand.N(pause)))
		pause = min(2*pause, longPause)
	}
}

// tryLock returns nil and no error when it is worth another try: somebody else holds the lock, or has just
// removed the folder with the file in it.
func (s Store) tryLock(sid, path string) (*flock.Flock, error) {
	if err := CheckSID(sid); err != nil {
		return nil, err
	}
	if err := s.ensureHome(); err != nil {
		return nil, err
	}
	if err := s.ensureFolder(sid); err != nil {
		return nil, unlessGone(err)
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	if ok, err := l.TryLock(); !ok {
		return nil, unlessGone(err)
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
	return nil, unlessGone(err)
}

func unlessGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
