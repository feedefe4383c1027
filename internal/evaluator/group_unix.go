//go:build unix

package evaluator

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// group is the process group of one command. Its number is the leader's, and once the leader is
// reaped the system may give it to a stranger: after close nothing is signalled any more.
type group struct {
	pid    int
	mu     sync.Mutex
	closed bool
}

func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithUs(cmd.SysProcAttr)
}

func groupOf(cmd *exec.Cmd) *group { return &group{pid: cmd.Process.Pid} }

func (g *group) terminate() { g.signal(syscall.SIGTERM, false) }
func (g *group) kill()      { g.signal(syscall.SIGKILL, false) }

// close kills what is left of the group.
func (g *group) close() { g.signal(syscall.SIGKILL, true) }

// signal reaches every process of the group. That none is left is no error: nothing is to be done then.
func (g *group) signal(s syscall.Signal, last bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		_ = syscall.Kill(-g.pid, s)
	}
	g.closed = g.closed || last
}

// exitCode is the status as a shell reports it.
func exitCode(s *os.ProcessState) int {
	if s == nil {
		return -1
	}
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return s.ExitCode()
}
