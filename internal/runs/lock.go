package runs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"rulph/internal/session"
)

// longest is how long a change waits for another one: nobody holds the lock for long.
const longest = time.Minute

// lock locks the log itself: a lock file beside it would end up in the user's repository. The system
// releases the lock of a process that dies. Where the log was replaced while this process waited, the lock it gets is
// on a file that is no longer there, so it tries again.
func lock(path string) (*flock.Flock, error) {
	for deadline := time.Now().Add(longest); time.Now().Before(deadline); {
		l := flock.New(path, flock.SetFlag(os.O_RDWR|os.O_CREATE), flock.SetPermissions(0o644))
		if ok, err := session.WaitFor(l, deadline); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("%w; 'hoyeon-cli runs init %s' makes the folder", err, filepath.Dir(path))
			}
			return nil, err
		} else if !ok {
			break
		}
		mine, err := l.Stat()
		if err == nil {
			var there fs.FileInfo
			if there, err = os.Stat(path); err == nil && os.SameFile(mine, there) {
				return l, nil
			}
		}
		_ = l.Close()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("another process has held %s for more than %s; try again when it is done", path, longest)
}
