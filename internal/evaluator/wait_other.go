//go:build !linux

package evaluator

import "os/exec"

// wait returns when the command has ended and its group is killed. The leader is reaped by then, and
// its number could in theory be a stranger's already; systems hand numbers out in turn, so that this
// takes a whole round of them within microseconds. Where a survivor holds the output open, it is
// killed only after the wait delay.
func wait(cmd *exec.Cmd, g *group) error {
	err := cmd.Wait()
	g.close()
	return err
}
