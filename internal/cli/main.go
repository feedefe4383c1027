package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"rulph/internal/ui"
)

// Main runs the command line of this process. The first Ctrl-C lets the command stop what it has
// started and say how to go on; a second one ends the process whatever it does. A terminal that is closed
// is a Ctrl-C, unless nohup has said that it shall be nothing.
func Main() ui.Code {
	io, err := ui.System()
	if err != nil {
		ui.IO{Err: os.Stderr}.Report(program, err)
		return ui.CodeOf(err)
	}
	end := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		end = append(end, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), end...)
	defer stop()
	context.AfterFunc(ctx, stop)
	return Run(ctx, io, os.Args[1:])
}
