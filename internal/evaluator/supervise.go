package evaluator

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"time"
)

// supervise runs cmd to its end, under the rules that Run states. cmd has no standard output and no
// attributes yet. Its standard input may be any reader: a command that does not read it to its end, or
// at all, holds nothing up.
func supervise(ctx context.Context, cmd *exec.Cmd, timeout time.Duration, keepOut, keepErr int) (Outcome, error) {
	if ctx.Err() != nil {
		return Outcome{}, context.Cause(ctx)
	}
	stdout, stderr := &tail{keep: keepOut}, &tail{keep: keepErr}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = grace
	ownGroup(cmd)

	start := time.Now()
	started, ended := make(chan error), make(chan error, 1)
	var g *group
	go func() {
		// On Linux the end of this thread is told to the command as our end, see endWithUs. A thread that a
		// goroutine has to itself is there as long as the goroutine is.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err == nil {
			g = groupOf(cmd)
		}
		started <- err
		if err == nil {
			ended <- wait(cmd, g)
		}
	}()
	if err := <-started; err != nil {
		return Outcome{}, err
	}
	limit := time.NewTimer(timeout)
	defer limit.Stop()

	var out Outcome
	var cancelled, err error
	select {
	case err = <-ended:
	case <-limit.C:
		out.TimedOut = true
		err = stop(g, ended)
	case <-ctx.Done():
		cancelled = context.Cause(ctx)
		err = stop(g, ended)
	}
	out.Duration = time.Since(start)
	out.Stdout, out.StdoutDropped = stdout.bytes()
	out.Stderr, out.StderrDropped = stderr.bytes()
	out.Code = exitCode(cmd.ProcessState)
	if cancelled != nil {
		return out, cancelled
	}
	// A status other than 0 and a pipe that something else held open are no faults of ours.
	if _, isExit := errors.AsType[*exec.ExitError](err); isExit || errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	return out, err
}

// stop ends the group and waits for its leader.
func stop(g *group, ended <-chan error) error {
	g.terminate()
	select {
	case err := <-ended:
		return err
	case <-time.After(grace):
	}
	g.kill()
	return <-ended
}
