package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rulph/internal/install"
	"rulph/internal/ui"
	"rulph/internal/version"
)

func newDoctorCmd(io ui.IO) *cobra.Command {
	var client string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Find out what keeps rulph from working here, and how to mend it",
		Long: `Looks at the binaries, the plugin in each client, the trust in its hooks, the sign that the hooks leave
in a session, the folders that can be written, and the judges on PATH. It changes nothing. The exit
status is 0 when nothing is broken and 1 otherwise.`,
		Example: `  hoyeon-cli doctor
  hoyeon-cli doctor --client codex --json`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := install.Doctor(cmd.Context(), install.This(io.Getenv, io.Cwd), version.Version, client)
			if err != nil {
				return ui.Fail(ui.BadInput, fmt.Errorf("doctor: %w", err), "--client takes one of: "+strings.Join(install.ClientNames(), ", "))
			}
			if asJSON {
				err = io.JSON(report)
			} else {
				err = printDoctor(io, report)
			}
			if err == nil && !report.OK {
				err = ui.Exit(ui.Failed)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&client, "client", "", "look at one client alone (claude or codex), which then has to be there")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document (schemas/doctor.schema.json)")
	return cmd
}

func printDoctor(io ui.IO, r install.Report) error {
	look := io.Look(io.Out)
	tones := map[install.Health]ui.Tone{install.OK: ui.Good, install.Note: ui.Warn, install.Broken: ui.Wrong}
	width, broken := 0, 0
	for _, f := range r.Findings {
		width = max(width, len(f.ID))
		if f.Health == install.Broken {
			broken++
		}
	}
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %-*s  %s\n", look.Paint(tones[f.Health], fmt.Sprintf("%-6s", f.Health)), width, f.ID, ui.OneLine(f.Detail))
		if f.Fix != "" {
			fmt.Fprintf(&b, "%*s fix: %s\n", width+8, "", ui.OneLine(f.Fix))
		}
	}
	switch broken {
	case 0:
		b.WriteString("nothing is broken\n")
	case 1:
		b.WriteString("1 thing is broken\n")
	default:
		fmt.Fprintf(&b, "%d things are broken\n", broken)
	}
	_, err := fmt.Fprint(io.Out, b.String())
	return err
}
