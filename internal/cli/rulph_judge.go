package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"rulph/internal/evaluator"
	"rulph/internal/prompt"
	"rulph/internal/rulph"
	"rulph/internal/ui"
)

func newPromptCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var judge string
	var again bool
	var part int
	cmd := &cobra.Command{
		Use:   "prompt --judge NAME",
		Short: "Print the prompt of one judge of this round",
		Long: `Print the prompt of one judge: the rubric and the artifact in separate blocks, no earlier score, no history.
The first call of a round opens it. Asking twice gives the same prompt.

In the shell of a client that cuts long output the prompt comes in parts, each with the command for the next.`,
		Example: `  hoyeon-cli rulph prompt --judge judge-1
  hoyeon-cli rulph prompt --judge judge-1 --part 2`,
		Args: noOperands,
		RunE: func(*cobra.Command, []string) error {
			e, err := lf.engine(io)
			if err != nil {
				return err
			}
			p, err := e.Prompt(judge, again)
			if err != nil {
				return err
			}
			if lf.json {
				return io.JSON(p)
			}
			text, err := p.Part(part, partLimit(io), e.CLI)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(io.Out, text)
			return err
		},
	}
	cmd.Flags().StringVar(&judge, "judge", rulph.DefaultJudges[0], "`NAME` of the judge")
	cmd.Flags().IntVar(&part, "part", 1, "`NUMBER` of the part, where the client's shell cannot show the prompt whole")
	cmd.Flags().BoolVar(&again, "again", false, "open a round although the artifact has not changed; it counts as one")
	lf.add(cmd, "rulph-prompt")
	return cmd
}

// partLimit is how many bytes of a command's output the client that calls us shows its model; 0 is all.
func partLimit(io ui.IO) int {
	switch {
	case clientOf(io) == evaluator.Codex:
		return 9_000
	case io.Getenv("CLAUDECODE") != "":
		return 25_000
	}
	return 0
}

func newSubmitCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var judge, file string
	cmd := &cobra.Command{
		Use:   "submit [--judge NAME] [--file FILE|-]",
		Short: "Take in the verdict of a judge that ran in the session",
		Long: `Take in the verdict of a judge that ran in the session. The SubagentStop hook does it by itself; this is for
where hooks do not run. Without --judge the ticket in the answer says whose it is.

An answer that cannot be used may be mended once; a second one makes the judge DEGRADED for this round. Exit
status: 0 taken in, 2 not.`,
		Example: `  hoyeon-cli rulph submit --file answer.txt
  hoyeon-cli rulph submit --judge judge-1 --file verdict.json
  hoyeon-cli rulph submit < answer.txt`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := lf.engine(io)
			if err != nil {
				return err
			}
			answer, err := readInput(cmd.Context(), io, file, 4<<20)
			if err != nil {
				return ui.Fail(ui.BadInput, err)
			}
			got, err := e.Submit(judge, answer)
			if err != nil {
				return err
			}
			if lf.json {
				err = io.JSON(got)
			} else {
				err = printSubmission(io, got)
			}
			if err == nil && got.Intake != prompt.Taken {
				err = ui.Exit(ui.BadInput)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&judge, "judge", "", "`NAME` of the judge (default: the ticket says it)")
	cmd.Flags().StringVar(&file, "file", "-", "`FILE` with the answer; - is standard input")
	lf.add(cmd, "rulph-submit")
	return cmd
}

func newScoreCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var o rulph.ScoreOptions
	cmd := &cobra.Command{
		Use:   "score",
		Short: "Aggregate the round, keep the better version, and decide",
		Long: `Aggregate the verdicts of the round, record it, roll back a version that is worse, and decide whether the
loop goes on. A loop that is over gets its report.

Exit status: 0 passed or going on, 3 ended without passing, 4 no usable judge, 5 budget spent.`,
		Example: `  hoyeon-cli rulph score
  hoyeon-cli rulph score --partial   # without the judges that did not answer`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := lf.engine(io)
			if err != nil {
				return err
			}
			progress := io.Progress()
			e.Notef = progress.Livef // for a person at a terminal; an agent has no use for it
			v, err := e.Score(cmd.Context(), o)
			progress.Done()
			if err != nil {
				return err
			}
			if err := lf.print(io, v); err != nil {
				return err
			}
			return exitOf(v)
		},
	}
	cmd.Flags().BoolVar(&o.Partial, "partial", false, "count judges that have not answered as DEGRADED")
	cmd.Flags().BoolVar(&o.Again, "again", false, "score an artifact that has not changed, where no judge is needed; it counts as a round")
	lf.add(cmd, "rulph")
	return cmd
}
