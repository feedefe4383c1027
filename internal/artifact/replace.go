package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// temporaryMark is in the name of every file on its way to replace another, so that a folder's
// listing can leave the remains of a killed process out and the next restore can remove them.
const temporaryMark = ".rulph-tmp-"

// temporaryPrefix starts the temporary name for a file. A long name is cut, to stay within the 255
// bytes that file systems allow.
func temporaryPrefix(base string) string {
	return "." + strings.ToValidUTF8(base[:min(len(base), 200)], "") + temporaryMark
}

func isTemporary(name string) bool {
	return strings.HasPrefix(name, ".") && strings.Contains(name, temporaryMark)
}

// replace writes data beside name under a unique temporary name, syncs it and renames it over name:
// a reader sees the old text or the new one, and after a crash one of the two is there.
func replace(name string, data []byte, mode fs.FileMode) error {
	dir, base := filepath.Split(name)
	f, err := os.CreateTemp(dir, temporaryPrefix(base)+"*")
	if err != nil {
		return err
	}
	tmp := f.Name()
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	return syncDir(dir)
}

// sweep removes what replace left beside name in a process that was killed. A minute's age keeps it
// from a process that is still writing.
func sweep(name string) {
	dir, base := filepath.Split(name)
	files, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), temporaryPrefix(base)) {
			continue
		}
		if info, err := f.Info(); err == nil && time.Since(info.ModTime()) > time.Minute {
			os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}

// writeSynced writes a new file and syncs it. It never overwrites one.
func writeSynced(name string, data []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}
