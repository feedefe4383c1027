package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	removingPrefix = ".removing-"
	probePrefix    = ".probe-"
)

// Entry is one session of a home.
type Entry struct {
	SID      string
	Path     string    // its state file
	Modified time.Time // the last real change of the state; of the rest of the folder where there is no state
	State    []byte    // nil where there is none, or none that can be read
	Fault    error     // why State is nil; nil where there simply is none
}

// List returns the sessions of the home in the order of their ids. A home that does not exist has none.
// Folders without a state, a lock or a damaged state are no sessions.
func (s Store) List() ([]Entry, error) {
	names, err := os.ReadDir(s.Home)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := s.checkHome(); err != nil {
		return nil, err
	}
	var entries []Entry
	for _, n := range names {
		if n.IsDir() && CheckSID(n.Name()) == nil && isSession(s.Dir(n.Name())) {
			if e, ok := s.entry(n.Name()); ok {
				entries = append(entries, e)
			}
		}
	}
	return entries, nil
}

// entry is false when the session has gone in the meantime.
func (s Store) entry(sid string) (Entry, bool) {
	e := Entry{SID: sid, Path: s.StatePath(sid)}
	info, err := os.Lstat(e.Path)
	if err == nil {
		e.Modified = info.ModTime()
	} else if e.Modified, err = newest(s.Dir(sid)); err != nil {
		return e, false
	}
	if e.State, err = s.Load(sid); err != nil && !errors.Is(err, fs.ErrNotExist) {
		e.Fault = err
	}
	return e, true
}

// newest is the time of the youngest entry of a session folder without a state. The lock file says
// nothing: it may have been made a moment ago, to look.
func newest(dir string) (time.Time, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return time.Time{}, err
	}
	var latest time.Time
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.Name() != lockFile && info.ModTime().After(latest) {
			latest = info.ModTime()
		}
	}
	if !latest.IsZero() {
		return latest, nil
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// isSession guards against removing a folder that only has a name like a session's, which matters where
// HOYEON_HOME points at a folder with other things in it.
func isSession(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if n := e.Name(); n == stateFile || n == lockFile || strings.HasPrefix(n, damagedPrefix) {
			return true
		}
	}
	return false
}

// Clear removes the folder of a session with everything in it, and reports whether there was one. It
// waits for a change that is going on, and refuses a folder that is no session's. Reports are elsewhere
// and stay.
func (s Store) Clear(sid string) (bool, error) {
	return s.remove(sid, func() bool { return true })
}

// remove takes the folder out of the home in one rename, so that no other process ever sees half of it.
// still is asked under the lock.
func (s Store) remove(sid string, still func() bool) (bool, error) {
	if err := CheckSID(sid); err != nil {
		return false, err
	}
	dir := s.Dir(sid)
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	if !isSession(dir) {
		return false, fmt.Errorf("%s is not a session folder (no %s in it); nothing is removed", dir, stateFile)
	}
	unlock, err := s.lock(sid)
	if err != nil {
		return false, fmt.Errorf("session %s cannot be removed: %w", sid, wayOut(err))
	}
	defer unlock()
	if !still() {
		return false, nil
	}
	grave, err := os.MkdirTemp(s.Home, removingPrefix+"*")
	if err != nil {
		return false, fmt.Errorf("session %s cannot be removed: %w", sid, wayOut(err))
	}
	if err := os.Rename(dir, filepath.Join(grave, sid)); err != nil {
		os.Remove(grave)
		return false, fmt.Errorf("session %s cannot be removed: %w", sid, wayOut(err))
	}
	reached("buried")
	return true, errors.Join(os.RemoveAll(grave), syncDir(s.Home))
}

// Prune removes the sessions whose last real change is at least age before now, and returns them in the
// order of List, each once it is gone. With dryRun it only says which these are. A session that changes meanwhile stays, so an
// active loop younger than age always does. Errors of single sessions are joined; the others are still
// removed. What killed processes have left in the home goes too.
func (s Store) Prune(age time.Duration, now time.Time, dryRun bool) ([]Entry, error) {
	entries, err := s.List()
	if err != nil {
		return nil, err
	}
	if !dryRun {
		s.sweep(now)
	}
	var gone []Entry
	var errs []error
	for _, e := range entries {
		if now.Sub(e.Modified) < age {
			continue
		}
		reached("found old")
		ok := dryRun
		if !dryRun {
			ok, err = s.remove(e.SID, func() bool {
				latest, there := s.entry(e.SID)
				return there && latest.Modified.Equal(e.Modified)
			})
			if err != nil {
				errs = append(errs, err)
			}
		}
		if ok {
			gone = append(gone, e)
		}
	}
	return gone, errors.Join(errs...)
}

// sweep removes what Clear, Writable and Transform leave when they are killed. An hour is far more than any
// of them takes.
func (s Store) sweep(now time.Time) {
	names, err := os.ReadDir(s.Home)
	if err != nil {
		return
	}
	for _, n := range names {
		info, err := n.Info()
		if err != nil || now.Sub(info.ModTime()) < time.Hour {
			continue
		}
		if strings.HasPrefix(n.Name(), removingPrefix) || strings.HasPrefix(n.Name(), probePrefix) {
			os.RemoveAll(filepath.Join(s.Home, n.Name()))
		}
	}
}
