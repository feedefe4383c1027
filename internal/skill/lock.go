package skill

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockWait is how long one command waits for another that is at work on the same project. An apply takes
// milliseconds.
var lockWait = 10 * time.Second

// lock makes this process the only one that changes skills of the project. The system releases the lock of a
// process that dies.
func lock(state string) (unlock func(), err error) {
	for _, dir := range []string{state, filepath.Join(state, "undo")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("%s has to be a folder and no link; remove it", dir)
		}
	}
	ignore := filepath.Join(state, ".gitignore")
	if _, err := os.Lstat(ignore); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o644); err != nil {
			return nil, err
		}
	}
	l := flock.New(filepath.Join(state, "lock"))
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	if ok, err := l.TryLockContext(ctx, 20*time.Millisecond); !ok {
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("another command has been changing a skill of this project for more than %s; try again when it is done", lockWait)
		}
		return nil, err
	}
	atStep("locked")
	return func() { _ = l.Unlock() }, nil
}
