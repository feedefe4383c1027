//go:build !unix

package evaluator

import (
	"os"
	"os/exec"
)

// group is the command alone, where the system has no process groups and no signal that asks.
type group struct{ cmd *exec.Cmd }

func ownGroup(*exec.Cmd)           {}
func groupOf(cmd *exec.Cmd) *group { return &group{cmd} }
func (g *group) terminate()        { g.kill() }
func (g *group) kill()             { _ = g.cmd.Process.Kill() }
func (g *group) close()            {}

func exitCode(s *os.ProcessState) int {
	if s == nil {
		return -1
	}
	return s.ExitCode()
}
