package skill

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// atStep is called when an apply or an undo has reached a step. A test kills the process there.
var atStep = func(step string) {}

// replace puts data in the place of the file at path: a reader sees the old text or the new one. The name of the
// file on its way is always the same, so that what a killed process left is written over by its successor, which
// alone holds the lock. What stands there already is removed first: it could be a link that somebody else made.
func replace(step, path string, data []byte, mode fs.FileMode) error {
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".hoyeon-new")
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	atStep(step + " created")
	_, err = f.Write(data[:len(data)/2])
	atStep(step + " half written")
	if err == nil {
		_, err = f.Write(data[len(data)/2:])
	}
	if err == nil {
		err = f.Chmod(mode.Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	atStep(step + " written")
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	atStep(step + " renamed")
	return syncDir(filepath.Dir(path))
}
