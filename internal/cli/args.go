package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"rulph/internal/ui"
)

// noOperands, oneFile and atMostOneFile check the arguments of a command that are no flags, with the exit
// status of bad input.

func noOperands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return ui.Fail(ui.BadInput, fmt.Errorf("%s: unexpected argument %q", name(cmd), args[0]),
		"quote a value with spaces as one argument", "run '"+cmd.CommandPath()+" --help'")
}

func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return ui.Fail(ui.BadInput, fmt.Errorf("%s: name the rubric file", name(cmd)), "run '"+cmd.CommandPath()+" --help'")
	}
	return atMostOneFile(cmd, args)
}

func atMostOneFile(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return ui.Bad("%s: unexpected argument %q; it takes one file", name(cmd), args[1])
	}
	return nil
}
