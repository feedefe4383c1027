package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"rulph/internal/rulph"
	"rulph/internal/ui"
)

func newNextCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var brief, wait bool
	cmd := &cobra.Command{
		Use:   "next",
		Short: "Say what has to be done next",
		Long: `Say what has to be done next, in words that are enough for an agent which remembers nothing else. A loop that
a limit has ended meanwhile gets its report.`,
		Example: `  hoyeon-cli rulph next
  hoyeon-cli rulph next --brief   # the improver's task
  hoyeon-cli rulph next --wait    # a person was asked: block no stop until the next command`,
		Args: noOperands,
		RunE: func(*cobra.Command, []string) error {
			if brief && wait {
				return ui.Bad("--brief and --wait contradict each other")
			}
			e, err := lf.engine(io)
			if err != nil {
				return err
			}
			if brief {
				text, err := e.Brief()
				if err != nil {
					return err
				}
				if lf.json {
					return io.JSON(map[string]string{"session": e.SID, "brief": text})
				}
				_, err = fmt.Fprint(io.Out, text)
				return err
			}
			step := e.Next
			if wait {
				step = e.Wait
			}
			v, err := step()
			if err != nil {
				return err
			}
			if lf.json {
				return io.JSON(v)
			}
			if wait {
				fmt.Fprintln(io.Out, "noted: a person was asked, so no stop is blocked until the next command of this loop. After the answer:")
			}
			_, err = fmt.Fprintln(io.Out, ui.Printable(v.Next.Text))
			return err
		},
	}
	cmd.Flags().BoolVar(&brief, "brief", false, "print the improver's task: one criterion, its open items, what judges suggest")
	cmd.Flags().BoolVar(&wait, "wait", false, "note that a person has been asked something")
	lf.add(cmd, "rulph")
	return cmd
}

func newStatusCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the loop of this session",
		Long:  "Show the loop of this session: where it stands, what the last round said, and what comes next. It changes nothing.",
		Example: `  hoyeon-cli rulph status
  hoyeon-cli rulph status --json`,
		Args: noOperands,
		RunE: func(*cobra.Command, []string) error { return lf.verb(io, rulph.Engine.Status) },
	}
	lf.add(cmd, "rulph")
	return cmd
}

func newCancelCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var reason string
	cmd := &cobra.Command{
		Use:   "cancel",
		Short: "End the loop for good and leave a report",
		Long:  "End the loop for good and leave a report of what was reached. The artifact stays as it is. A cancelled loop cannot be resumed.",
		Example: `  hoyeon-cli rulph cancel
  hoyeon-cli rulph cancel --reason 'good enough'`,
		Args: noOperands,
		RunE: func(*cobra.Command, []string) error {
			return lf.verb(io, func(e rulph.Engine) (rulph.View, error) { return e.Cancel(reason) })
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, as `TEXT` for the report")
	lf.add(cmd, "rulph")
	return cmd
}

func newResumeCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var o rulph.ResumeOptions
	var rounds *int
	var limits limitFlags
	cmd := &cobra.Command{
		Use:   "resume",
		Short: "Go on with a loop that was capped, blocked, stagnated or out of rounds",
		Long: `Go on with a loop that was capped, blocked, stagnated or out of rounds, or with one that another session began.
A loop that has passed or was cancelled is over. One whose budget is spent needs a larger one.`,
		Example: `  hoyeon-cli rulph resume
  hoyeon-cli rulph resume --max-rounds 8 --max-usd 5
  hoyeon-cli rulph resume --from OLD-SESSION   # a loop that another session began
  hoyeon-cli rulph resume --restore            # put the kept version of the artifact back first`,
		Args: noOperands,
		RunE: func(*cobra.Command, []string) error {
			if rounds != nil {
				if o.MaxRounds = *rounds; o.MaxRounds == 0 {
					return ui.Bad("--max-rounds 0 leaves nothing to go on with")
				}
			}
			o.Limits = limits.limits()
			return lf.verb(io, func(e rulph.Engine) (rulph.View, error) { return e.Resume(o) })
		},
	}
	cmd.Flags().Var(countFlag{&rounds, 100}, "max-rounds", "new limit of improvements, a `NUMBER` up to 100 (default: five more when the old one is reached)")
	limits.add(cmd, "end the loop")
	cmd.Flags().BoolVar(&o.Restore, "restore", false, "write the kept version of the artifact back first")
	cmd.Flags().StringVar(&o.From, "from", "", "`ID` of the session whose loop goes on in this one")
	lf.add(cmd, "rulph")
	return cmd
}

func newReportCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var out string
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write the report and say where it is",
		Long: `Write the report of a loop: report.md, report.json and report.html. A loop that still goes on gets one of
what there is so far; a loop that is over has one already, which is named.`,
		Example: `  hoyeon-cli rulph report
  hoyeon-cli rulph report --out reports`,
		Args: noOperands,
		RunE: func(*cobra.Command, []string) error {
			dir := out
			if dir != "" {
				dir = absolute(io, dir)
			}
			return lf.verb(io, func(e rulph.Engine) (rulph.View, error) { return e.Report(dir) })
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "`FOLDER` under which it goes (default: reports in the home)")
	lf.add(cmd, "rulph")
	return cmd
}
