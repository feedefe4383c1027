package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rulph/internal/prompt"
	"rulph/internal/skillscore"
	"rulph/internal/trial"
	"rulph/internal/ui"
)

func newGateCmd(io ui.IO) *cobra.Command {
	var tf trialFlags
	cmd := &cobra.Command{
		Use:   "gate A|B|C",
		Short: "Answer the gate: a new segment, the same angle, or stop",
		Long: `Answer the gate: A opens a new segment, at once and whether or not a run follows; B goes on in the same one;
C ends the trial.`,
		Example: `  hoyeon-cli skill-score gate A`,
		Args:    oneName("the answer, A, B or C"),
		RunE: func(_ *cobra.Command, args []string) error {
			return tf.verb(io, func(e skillscore.Engine) (skillscore.View, error) { return e.Gate(strings.ToUpper(args[0])) })
		},
	}
	tf.add(cmd, "skill-score")
	return cmd
}

func newInputCmd(io ui.IO) *cobra.Command {
	var tf trialFlags
	var file string
	var again bool
	cmd := &cobra.Command{
		Use:   "input --file FILE",
		Short: "Take the input that the skill is tried on",
		Long: `Take the input that the skill is tried on. It stays in the session's folder until the trial is over; the log
gets a summary and a hash. An input that an earlier run had is refused.`,
		Example: `  hoyeon-cli skill-score input --file input.txt
  git log --oneline v1.0.. | hoyeon-cli skill-score input`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := readInput(cmd.Context(), io, file, 1<<20)
			if err != nil {
				return ui.Fail(ui.BadInput, err)
			}
			return tf.verb(io, func(e skillscore.Engine) (skillscore.View, error) { return e.Input(text, again) })
		},
	}
	cmd.Flags().StringVar(&file, "file", "-", "`FILE` with the input; - is standard input")
	cmd.Flags().BoolVar(&again, "again", false, "take an input that an earlier run had")
	tf.add(cmd, "skill-score")
	return cmd
}

func newTrialPromptCmd(io ui.IO) *cobra.Command {
	var tf trialFlags
	var part string
	var page int
	cmd := &cobra.Command{
		Use:   "prompt --part PART",
		Short: "Print what a sub-agent of this step has to do",
		Long: `Print what a sub-agent of this step has to do: original, change, variant, score-1 or score-2. Asking twice gives
the same prompt. In the shell of a client that cuts long output it comes in pages.`,
		Example: `  hoyeon-cli skill-score prompt --part original
  hoyeon-cli skill-score prompt --part original --page 2`,
		Args: noOperands,
		RunE: func(*cobra.Command, []string) error {
			e, err := tf.engine(io)
			if err != nil {
				return err
			}
			p, err := e.Prompt(part)
			if err != nil {
				return err
			}
			if tf.json {
				return io.JSON(p)
			}
			text, err := p.Show(page, partLimit(io), e.CLI)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(io.Out, text)
			return err
		},
	}
	cmd.Flags().StringVar(&part, "part", trial.PartOriginal, "which `PART` of the trial")
	cmd.Flags().IntVar(&page, "page", 1, "`NUMBER` of the page, where the client's shell cannot show the prompt whole")
	tf.add(cmd, "skill-score-prompt")
	return cmd
}

func newTrialSubmitCmd(io ui.IO) *cobra.Command {
	var tf trialFlags
	var part, file string
	cmd := &cobra.Command{
		Use:   "submit [--part PART] [--file FILE|-]",
		Short: "Take in the answer of a sub-agent",
		Long: `Take in the answer of a sub-agent. The SubagentStop hook does it by itself; this is for where hooks do not run.
Without --part the ticket in the answer says what it answers. Exit status: 0 taken in, 2 not.`,
		Example: `  hoyeon-cli skill-score submit --file answer.txt`,
		Args:    noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := tf.engine(io)
			if err != nil {
				return err
			}
			answer, err := readInput(cmd.Context(), io, file, 4<<20)
			if err != nil {
				return ui.Fail(ui.BadInput, err)
			}
			got, err := e.Submit(part, answer)
			if err != nil {
				return err
			}
			if tf.json {
				err = io.JSON(got)
			} else {
				err = printAnswered(io, got)
			}
			if err == nil && got.Intake != prompt.Taken {
				err = ui.Exit(ui.BadInput)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&part, "part", "", "which `PART` it answers (default: the ticket says it)")
	cmd.Flags().StringVar(&file, "file", "-", "`FILE` with the answer; - is standard input")
	tf.add(cmd, "skill-score-submit")
	return cmd
}

func printAnswered(io ui.IO, got skillscore.Submission) error {
	text := fmt.Sprintf("skill-score: the answer of %s is in\nnext: %s", got.Part, got.Next.Text)
	switch got.Intake {
	case prompt.Mend:
		text = fmt.Sprintf("skill-score: the answer of %[1]s cannot be used: %[2]s\nnext: let %[1]s answer once more, the whole of it, in the form of its prompt, and submit that", got.Part, got.Reason)
	case prompt.Degraded:
		text = fmt.Sprintf("skill-score: the second answer of %s cannot be used either: %s\nnext: %s", got.Part, got.Reason, got.Next.Text)
	}
	_, err := fmt.Fprintln(io.Out, ui.Printable(text))
	return err
}

func newTableCmd(io ui.IO) *cobra.Command {
	var tf trialFlags
	cmd := &cobra.Command{
		Use:     "table",
		Short:   "Compare the original and the variant",
		Long:    "Compare the original and the variant: the points of each criterion, what each run cost, the proposed change.",
		Example: `  hoyeon-cli skill-score table`,
		Args:    noOperands,
		RunE:    func(*cobra.Command, []string) error { return tf.verb(io, skillscore.Engine.Table) },
	}
	tf.add(cmd, "skill-score")
	return cmd
}

func newDecideCmd(io ui.IO) *cobra.Command {
	var tf trialFlags
	var reason, file string
	cmd := &cobra.Command{
		Use:   "decide apply|ignore|relaunch",
		Short: "Carry out what the user decided, and keep the record",
		Long: `Carry out what the user decided, and keep the record in the skill's runs.jsonl: apply changes SKILL.md, raises
the version in the manifests and appends, all or nothing; ignore takes a reason; relaunch asks for another change
of the original.`,
		Example: `  hoyeon-cli skill-score decide apply
  hoyeon-cli skill-score decide ignore --reason 'says the same twice'`,
		Args: oneName("the decision: apply, ignore or relaunch"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if file != "" {
				text, err := readInput(cmd.Context(), io, file, 1<<20)
				if err != nil {
					return ui.Fail(ui.BadInput, err)
				}
				reason = string(text)
			}
			return tf.verb(io, func(e skillscore.Engine) (skillscore.View, error) { return e.Decide(args[0], reason) })
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, as `TEXT`")
	cmd.Flags().StringVar(&file, "reason-file", "", "`FILE` that says why")
	cmd.MarkFlagsMutuallyExclusive("reason", "reason-file")
	tf.add(cmd, "skill-score")
	return cmd
}

func newTrialNextCmd(io ui.IO) *cobra.Command {
	var tf trialFlags
	cmd := &cobra.Command{
		Use:     "next",
		Aliases: []string{"status"},
		Short:   "Say where the trial stands and what is to be done next",
		Long:    "Say where the trial stands and what is to be done next. A proposed change that was answered is staged first.",
		Example: `  hoyeon-cli skill-score next`,
		Args:    noOperands,
		RunE:    func(*cobra.Command, []string) error { return tf.verb(io, skillscore.Engine.Next) },
	}
	tf.add(cmd, "skill-score")
	return cmd
}

func newBaselineCmd(io ui.IO) *cobra.Command {
	var o skillscore.BaselineOptions
	var input, output string
	var json bool
	cmd := &cobra.Command{
		Use:   "baseline NAME --input FILE --output FILE --summary TEXT",
		Short: "Keep a first record that the program scores by itself",
		Long: `Score an output of a skill from what the text itself answers, with no model, and append the record to the
skill's runs.jsonl. The record says that the embedded judge made it, and that its other figures are estimates.`,
		Example: `  hoyeon-cli skill-score baseline release-notes --input log.txt --output notes.md --summary 'a week of commits'`,
		Args:    oneName("the skill"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Name = args[0]
			for _, f := range []struct {
				flag, file string
				to         *[]byte
			}{{"input", input, &o.Input}, {"output", output, &o.Output}} {
				if f.file == "" {
					return ui.Bad("--%s FILE is missing", f.flag)
				}
				var err error
				if *f.to, err = readInput(cmd.Context(), io, f.file, 1<<20); err != nil {
					return ui.Fail(ui.BadInput, err)
				}
			}
			rec, err := trialEngine(io).Baseline(o)
			if err != nil {
				return err
			}
			if json {
				return io.JSON(rec)
			}
			_, err = fmt.Fprintf(io.Out, "skill-score: run %d, quality %g of %g, scored by the embedded judge\nnext: run `%s skill-score start %s` for a trial\n",
				rec.Run, rec.Scores.Quality, rec.Scores.QualityMax, programPath(io), prompt.Quote(args[0]))
			return err
		},
	}
	cmd.Flags().StringVar(&input, "input", "", "`FILE` with the input")
	cmd.Flags().StringVar(&output, "output", "", "`FILE` with what the skill made of it")
	cmd.Flags().StringVar(&o.Summary, "summary", "", "what the input is, as one line of `TEXT`")
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document (schemas/run.schema.json)")
	return cmd
}
