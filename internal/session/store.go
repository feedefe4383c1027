package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tidwall/gjson"
)

const (
	stateFile = "state.json"
	lockFile  = "state.lock"
)

// Schema is the newest `.rulph.schema` this program writes and changes.
const Schema = 1

// Store is one home: a folder with a folder for each session.
type Store struct {
	Home string        // absolute
	Wait time.Duration // how long a change waits for another one to end; 0 is a minute
}

// Dir is the folder of a session, which need not exist. For a sid that CheckSID refuses it is a path
// that no system call takes, so that even a caller who forgot the check cannot leave the home. (A panic
// would do as well, but not in a hook: a client reads its exit status 2 as "do not stop".)
func (s Store) Dir(sid string) string {
	if CheckSID(sid) != nil {
		return filepath.Join(s.Home, "\x00not-a-session-id")
	}
	return filepath.Join(s.Home, sid)
}

// StatePath is the state file of a session, which need not exist. The rule of Dir holds here too.
func (s Store) StatePath(sid string) string { return filepath.Join(s.Dir(sid), stateFile) }

// DamagedError says that a state file is there and is no state.
type DamagedError struct {
	Path   string // the state file
	Reason string
	Kept   string // where Transform has put the file; empty while it is still at Path
}

func (e *DamagedError) Error() string {
	if e.Kept != "" {
		return fmt.Sprintf("the state file %s was damaged (%s); it is kept as %s", e.Path, e.Reason, e.Kept)
	}
	return fmt.Sprintf("the state file %s is damaged (%s); the next change keeps it under another name and starts anew", e.Path, e.Reason)
}

// Load returns the state of a session: one JSON object, at most 8 MiB. The error is fs.ErrNotExist
// (wrapped) when there is none and a *DamagedError when the file is something else.
func (s Store) Load(sid string) ([]byte, error) {
	if err := CheckSID(sid); err != nil {
		return nil, err
	}
	path := s.StatePath(sid)
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if err := s.checkHome(); err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &DamagedError{Path: path, Reason: "not a regular file"}
	}
	if info.Size() > maxState {
		return nil, &DamagedError{Path: path, Reason: tooLarge(info.Size())}
	}
	state, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if fault := objectFault(state); fault != "" {
		return nil, &DamagedError{Path: path, Reason: fault}
	}
	return state, nil
}

// EnsureDir creates the home and the folder of a session where they are missing (0700), and refuses a
// home or a folder that belongs to another user, or a link in place of the folder.
func (s Store) EnsureDir(sid string) error {
	if err := CheckSID(sid); err != nil {
		return err
	}
	if err := s.ensureHome(); err != nil {
		return err
	}
	return s.ensureFolder(sid)
}

func (s Store) ensureFolder(sid string) error {
	dir := s.Dir(sid)
	switch err := os.Mkdir(dir, 0o700); {
	case err == nil:
		if err := syncDir(s.Home); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrExist):
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder, so it cannot hold a session; move it away", dir)
	}
	if !ownedByUs(info) {
		return fmt.Errorf("the session folder %s belongs to another user; set HOYEON_HOME to a folder of your own", dir)
	}
	// The lock file also marks the folder as a session, before it has a state: see isSession.
	mark, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return mark.Close()
}

// Active reports whether a state has a loop that is going on.
func Active(state []byte) bool {
	return gjson.GetBytes(state, "rulph.status").String() == "active"
}

// CheckSchema returns an error for a state that a newer program wrote: changing it here could break
// what this program knows nothing of. Reading it is fine.
func CheckSchema(state []byte) error {
	if v := gjson.GetBytes(state, "rulph.schema"); v.Type == gjson.Number && v.Num > Schema {
		return fmt.Errorf("the state has schema %s and this program knows %d; update hoyeon-cli", v.Raw, Schema)
	}
	return nil
}
