//go:build unix

package cli

import (
	"os"
	"os/exec"
	"syscall"
)

// detach starts this program with args as a process that outlives the shell it was called from: in a session
// of its own, with its output in a file. ended tells how it ended, if it does while we are here.
func detach(args []string, log string) (ended <-chan error, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile(log, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd := exec.Command(self, args...)
	cmd.Args[0] = os.Args[0] // a program that looks at its name finds the one it has
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	return done, nil
}
