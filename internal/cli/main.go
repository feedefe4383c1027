package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"rulph/internal/ui"
)

// Main runs the command line of this process. The first Ctrl-C lets the command stop what it has
// started and say how to go on; a second one ends the process whatever it does.
func Main() ui.Code {
	io, err := ui.System()
	if err != nil {
		ui.IO{Err: os.Stderr}.Report(program, err)
		return ui.CodeOf(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return Run(ctx, io, os.Args[1:])
}
