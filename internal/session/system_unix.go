//go:build unix

package session

import (
	"io/fs"
	"os"
	"syscall"
)

// userFolder is the variable that names the user's folder.
const userFolder = "HOME"

func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(stat.Uid) == int64(os.Geteuid())
}

// syncDir makes a rename in dir last through a power cut.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if closing := d.Close(); err == nil {
		err = closing
	}
	// Some network and FUSE file systems cannot sync a folder. The rename has happened all the same.
	if pe, ok := err.(*fs.PathError); ok && (pe.Err == syscall.EINVAL || pe.Err == syscall.ENOTSUP) {
		return nil
	}
	return err
}
