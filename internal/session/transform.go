package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	tempPrefix    = stateFile + ".tmp-"
	damagedPrefix = stateFile + ".damaged-"
)

// atStep is called between the steps of a change. It is nil but in tests, which kill the process there.
var atStep func(step string)

func reached(step string) {
	if atStep != nil {
		atStep(step)
	}
}

// Transform is the only writer of a state. It locks the session, hands the state to f (nil when there is
// none), and puts what f returns in its place: at every moment the file is the old state or the new one, whole, and
// no change of another process comes between. f may keep and alter its argument, and is called once.
//
// An error of f is returned as it is, and nothing is written. Nothing is written either when f returns nil
// or the same bytes, so that the file's time is that of its last real change. A state that Load would not
// take is refused.
//
// A damaged file is never overwritten: it is set aside as state.json.damaged-<time>, f is not called, and the
// error is a *DamagedError with Kept set. Called again, Transform starts from nothing; whether that is
// right only the caller knows.
func (s Store) Transform(sid string, f func(old []byte) ([]byte, error)) error {
	unlock, err := s.lock(sid)
	if err != nil {
		return fmt.Errorf("the state of session %s cannot be changed: %w", sid, wayOut(err))
	}
	defer unlock()
	reached("locked")

	old, err := s.Load(sid)
	if damaged, ok := errors.AsType[*DamagedError](err); ok {
		return s.setAside(damaged)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	reached("read")

	state, err := f(bytes.Clone(old))
	if err != nil || state == nil || bytes.Equal(state, old) {
		return err
	}
	if fault := objectFault(state); fault != "" {
		return fmt.Errorf("the state of session %s is not changed: the new one is refused (%s)", sid, fault)
	}
	if err := s.replace(sid, state); err != nil {
		return fmt.Errorf("the state of session %s cannot be changed: %w", sid, wayOut(err))
	}
	return nil
}

// replace writes state beside the file and renames it into place. The caller holds the lock.
func (s Store) replace(sid string, state []byte) (err error) {
	dir := s.Dir(sid)
	removeTemps(dir)
	tmp, err := os.CreateTemp(dir, tempPrefix+"*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	reached("created")
	if _, err = tmp.Write(state); err != nil {
		return err
	}
	reached("written")
	if err = tmp.Sync(); err != nil {
		return err
	}
	reached("synced")
	if err = tmp.Close(); err != nil {
		return err
	}
	if err = os.Rename(tmp.Name(), s.StatePath(sid)); err != nil {
		return err
	}
	reached("renamed")
	if err = syncDir(dir); err != nil {
		return err
	}
	reached("folder synced")
	return nil
}

// removeTemps removes what writers that were killed have left. Only the holder of the lock makes such
// files, so whatever the holder finds is dead.
func removeTemps(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tempPrefix) {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// setAside renames a damaged state file and returns the error that tells of it.
func (s Store) setAside(damaged *DamagedError) error {
	dir := filepath.Dir(damaged.Path)
	name := filepath.Join(dir, damagedPrefix+time.Now().UTC().Format("20060102T150405.000000000Z"))
	for i := 2; ; i++ {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			break
		}
		name = fmt.Sprintf("%s-%d", strings.TrimSuffix(name, fmt.Sprintf("-%d", i-1)), i)
	}
	if err := os.Rename(damaged.Path, name); err != nil {
		return fmt.Errorf("%w, and cannot be set aside: %w", damaged, err)
	}
	damaged.Kept = name
	reached("set aside")
	if err := syncDir(dir); err != nil {
		return fmt.Errorf("%w: %w", damaged, err)
	}
	return damaged
}

// wayOut adds to an error of the file system what a person can do about it.
func wayOut(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%w; the old state is intact: free some space and try again", err)
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w; run the command where the folder can be written, or set HOYEON_HOME to a folder you can write", err)
	}
	return err
}
