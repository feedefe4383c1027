//go:build unix

package artifact

import (
	"errors"
	"os"
	"syscall"
)

// syncDir makes renames and removals in dir last. Some file systems cannot sync a folder and say
// EINVAL or ENOTSUP; their renames are as durable as they get.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	return err
}
