package evaluator

import "syscall"

// endWithUs has the system send the command TERM when we end without having ended it: when we are killed.
// A client that is a script around another program hands TERM on, which KILL would not let it do. It is
// sent to the command alone, not to its group, and only Linux has it.
func endWithUs(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGTERM }
