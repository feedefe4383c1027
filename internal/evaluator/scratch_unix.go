//go:build unix

package evaluator

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/gofrs/flock"
)

// errHeld says that another process, or another part of this one, holds a lock.
var errHeld = errors.New("it is in use")

// takeLock locks a file that is there.
func takeLock(path string) (io.Closer, error) {
	lock := flock.New(path, flock.SetFlag(os.O_RDWR|syscall.O_NOFOLLOW))
	switch ok, err := lock.TryLock(); {
	case err != nil:
		return nil, err
	case !ok:
		return nil, errHeld
	}
	return lock, nil
}

// ownFolder says whether a folder is ours, and nobody else can write it.
func ownFolder(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(stat.Uid) == int64(os.Geteuid()) && info.Mode().Perm()&0o022 == 0
}
