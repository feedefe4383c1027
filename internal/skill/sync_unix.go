//go:build unix

package skill

import (
	"io/fs"
	"os"
	"syscall"
)

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
