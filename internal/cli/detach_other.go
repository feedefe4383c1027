//go:build !unix

package cli

import "errors"

// detach needs sessions of processes.
func detach([]string, string) (<-chan error, error) {
	return nil, errors.New("--detach does not work on this system; leave it out")
}
