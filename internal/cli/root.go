// Package cli is the hoyeon-cli command line: one file a group of commands. A command parses its
// flags, calls one use case, and prints what came back. It has no rules of its own.
package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"rulph/internal/ui"
	"rulph/internal/version"
)

const program = "hoyeon-cli"

// Run executes one command line and returns the exit status of the process.
func Run(ctx context.Context, io ui.IO, args []string) ui.Code {
	root := newRoot(io)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil {
		io.Report(program, err)
	}
	return ui.CodeOf(err)
}

func newRoot(io ui.IO) *cobra.Command {
	root := &cobra.Command{
		Use:           program,
		Short:         "Score an artifact with a rubric and improve it until it passes",
		Version:       version.Version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	root.SetVersionTemplate(fmt.Sprintf("%s v%s\n", program, version.Version))
	root.SetIn(io.In)
	root.SetOut(io.Out)
	root.SetErr(io.Err)
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if got := cmd.Flags().Args(); cmd.HasSubCommands() && len(got) > 0 {
			return unknownCommand(cmd, got[0]) // `rulph scroe --json` has no flag wrong
		}
		return ui.Fail(ui.BadInput, fmt.Errorf("%s: %w", name(cmd), err), "run '"+cmd.CommandPath()+" --help'")
	})
	root.AddCommand(commands(io)...)
	return root
}

// group is a command that only holds others.
func group(use, short string, children ...*cobra.Command) *cobra.Command {
	g := &cobra.Command{
		Use: use, Short: short, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	g.SuggestionsMinimumDistance = 2
	g.AddCommand(children...)
	return g
}

func unknownCommand(cmd *cobra.Command, got string) error {
	hints := []string{"run '" + cmd.CommandPath() + " --help' for the list"}
	if near := cmd.SuggestionsFor(got); len(near) > 0 {
		hints = append([]string{"did you mean '" + cmd.CommandPath() + " " + near[0] + "'?"}, hints...)
	}
	return ui.Fail(ui.BadInput, fmt.Errorf("unknown command %q", got), hints...)
}

// name is how an error names the command: its path without the program.
func name(cmd *cobra.Command) string {
	path := cmd.CommandPath()
	if len(path) > len(program)+1 {
		return path[len(program)+1:]
	}
	return path
}
