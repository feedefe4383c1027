package evaluator

import (
	"errors"
	"os/exec"

	"golang.org/x/sys/unix"
)

// wait returns when the command has ended and its group is killed. The leader is waited for without
// being reaped first: until it is, its number belongs to nobody else.
func wait(cmd *exec.Cmd, g *group) error {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	g.close()
	return cmd.Wait()
}
