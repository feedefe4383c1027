// Command hoyeon-cli scores artifacts with rubrics and drives the loop that improves them.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"rulph/internal/cli"
	"rulph/internal/ui"
)

func main() {
	io, err := ui.System()
	if err != nil {
		fmt.Fprintln(os.Stderr, "hoyeon-cli:", err)
		os.Exit(int(ui.CodeOf(err)))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Run(ctx, io, os.Args[1:])
	stop()
	os.Exit(int(code))
}
