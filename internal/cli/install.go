package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rulph/internal/install"
	"rulph/internal/ui"
)

func newInstallCmd(io ui.IO) *cobra.Command {
	var claude, codex, dry, asJSON bool
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Put the binaries in place and the plugin into Claude Code and Codex",
		Long: `Builds (or copies) both binaries to the user's cache, links hoyeon-cli into ~/.local/bin, and installs
the plugin in each client that is on PATH. Doing it again changes nothing that is in place. What only
a person can do, such as trusting the hooks in Codex, is named at the end.`,
		Example: `  hoyeon-cli install             # every client that is on PATH
  hoyeon-cli install --codex     # Codex alone
  hoyeon-cli install --dry-run   # say what would be done`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			options := install.Options{DryRun: dry}
			if claude {
				options.Clients = append(options.Clients, "claude")
			}
			if codex {
				options.Clients = append(options.Clients, "codex")
			}
			progress := io.Progress()
			progress.Livef("building; the first time takes about a minute")
			result, err := install.Install(cmd.Context(), install.This(io.Getenv, io.Cwd), options)
			progress.Done()
			if err != nil {
				return ui.Fail(ui.Failed, fmt.Errorf("install: %w", err), "run it as bin/hoyeon-cli of the plugin's folder")
			}
			if asJSON {
				err = io.JSON(result)
			} else {
				err = printInstall(io, result)
			}
			if err == nil && !result.OK {
				err = ui.Exit(ui.Failed)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&claude, "claude", false, "install into Claude Code")
	cmd.Flags().BoolVar(&codex, "codex", false, "install into Codex")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say what would be done and change nothing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document (schemas/install.schema.json)")
	return cmd
}

func printInstall(io ui.IO, r install.Result) error {
	look := io.Look(io.Out)
	tones := map[install.Status]ui.Tone{install.Done: ui.Good, install.Failed: ui.Wrong}
	width := 0
	for _, step := range r.Steps {
		width = max(width, len(step.ID))
	}
	var b strings.Builder
	for _, step := range r.Steps {
		fmt.Fprintf(&b, "%s %-*s  %s\n", look.Paint(tones[step.Status], fmt.Sprintf("%-9s", step.Status)), width, step.ID, ui.OneLine(step.Detail))
		if r.DryRun {
			for _, command := range step.Commands {
				fmt.Fprintf(&b, "%*s $ %s\n", width+11, "", ui.OneLine(command))
			}
		}
		if step.Fix != "" {
			fmt.Fprintf(&b, "%*s fix: %s\n", width+11, "", ui.OneLine(step.Fix))
		}
	}
	if len(r.Todo) > 0 {
		b.WriteString("\nleft to you:\n")
		for i, todo := range r.Todo {
			fmt.Fprintf(&b, "%3d. %s\n", i+1, ui.OneLine(todo))
		}
	}
	_, err := fmt.Fprint(io.Out, b.String())
	return err
}
