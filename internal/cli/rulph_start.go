package cli

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"rulph/internal/loop"
	"rulph/internal/rulph"
	"rulph/internal/ui"
)

// startFlags are shared by start and run.
type startFlags struct {
	targets, include, judges       []string
	rubric, out                    string
	threshold, floor               *float64
	maxRounds, maxIterations, idle *int
	limits                         limitFlags
	replace                        bool
}

func (f *startFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.rubric, "rubric", "", "rubric `FILE`, YAML or Markdown")
	fl.StringArrayVar(&f.include, "include", nil, "of a folder, only files that match this `GLOB` (repeatable)")
	fl.Var(percentFlag{&f.threshold}, "threshold", "overall score that passes, a `NUMBER` from 0 to 100 (default: the rubric's)")
	fl.Var(percentFlag{&f.floor}, "floor", "score that every criterion without a floor of its own needs, a `NUMBER` from 0 to 100, 0 = off (default: the rubric's)")
	fl.Var(countFlag{&f.maxRounds, 100}, "max-rounds", "improvements after the baseline, a `NUMBER` from 0 to 100 (default: the rubric's)")
	f.limits.add(cmd, "end the loop")
	fl.StringVar(&f.out, "out", "", "`FOLDER` under which the report goes (default: reports in the home)")
}

func (f startFlags) options(io ui.IO) rulph.StartOptions {
	return rulph.StartOptions{Cwd: io.Cwd, Targets: f.targets, Include: f.include, Rubric: f.rubric, Judges: f.judges,
		Threshold: f.threshold, Floor: f.floor, MaxRounds: f.maxRounds, MaxIterations: f.maxIterations, Idle: f.idle,
		Limits: f.limits.limits(), Out: f.out, Replace: f.replace}
}

// limitFlags are the budget of whatever asks programs.
type limitFlags struct {
	time   time.Duration
	tokens int64
	usd    float64
}

// limits are those that were given.
func (f *limitFlags) limits() loop.Limits {
	return loop.Limits{Seconds: f.time.Seconds(), Tokens: f.tokens, USD: f.usd}
}

// names are how the flags are called.
func (f *limitFlags) names() []string { return []string{"max-time", "max-tokens", "max-usd"} }

func (f *limitFlags) add(cmd *cobra.Command, end string) {
	fl := cmd.Flags()
	fl.Var(spanFlag{&f.time}, "max-time", end+" after this `TIME`, such as 45m (default: no limit)")
	fl.Var(tokensFlag{&f.tokens}, "max-tokens", end+" when judges and improvers have used this `NUMBER` of tokens (default: no limit)")
	fl.Var(usdFlag{&f.usd}, "max-usd", end+" when they have cost this `AMOUNT` in US dollars (default: no limit)")
}

// readTarget reads the artifact itself where the target is standard input.
func readTarget(cmd *cobra.Command, io ui.IO, o *rulph.StartOptions) (err error) {
	if len(o.Targets) == 1 && o.Targets[0] == "-" {
		o.Text, err = readInput(cmd.Context(), io, "-", 1<<20)
	}
	return err
}

func newStartCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var sf startFlags
	cmd := &cobra.Command{
		Use:   "start --target FILE --rubric RUBRIC",
		Short: "Lock the rubric, keep a copy of the artifact, and arm the loop",
		Long: `Lock the rubric, keep a copy of the artifact, answer what needs no judge, and arm the loop of this session.

The commands of a rubric run only after 'hoyeon-cli rubric trust'. A session has one active loop.`,
		Example: `  # improve a file in this session
  hoyeon-cli rulph start --target HANDBOOK.md --rubric rubric.yaml

  # a folder, Markdown only, with three judges and a higher bar
  hoyeon-cli rulph start --target docs --include '**/*.md' --rubric rubric.md --threshold 85 --judge a --judge b --judge c

  # with the installed clients of other makers as judges beside a sub-agent
  hoyeon-cli rulph start --target HANDBOOK.md --rubric rubric.yaml --judge auto

  # a text from standard input, which is kept as a file
  hoyeon-cli rulph start --target - --rubric rubric.yaml < draft.txt`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if sf.rubric == "" {
				return ui.Fail(ui.BadInput, errors.New("no rubric"), "give --rubric FILE; 'hoyeon-cli rubric init' writes one to begin with")
			}
			o := sf.options(io)
			if err := readTarget(cmd, io, &o); err != nil {
				return err
			}
			return lf.verb(io, func(e rulph.Engine) (rulph.View, error) {
				progress := io.Progress()
				defer progress.Done()
				e.Notef = progress.Livef
				return e.Start(cmd.Context(), o)
			})
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&sf.targets, "target", nil, "`PATH` of a file or folder to improve (repeatable for several files); - reads a text from standard input (default: the rubric's)")
	sf.add(cmd)
	fl.StringArrayVar(&sf.judges, "judge", nil, "`NAME` of a sub-agent, or a program such as codex:model=NAME or 'command:./judge.sh' (repeatable; auto: a sub-agent and every installed client of another family; default: judge-1 and judge-2)")
	fl.Var(countFlag{&sf.maxIterations, 1000}, "max-iterations", "let the session go after this `NUMBER` of blocked stops in one round (default 15)")
	fl.Var(countFlag{&sf.idle, 100}, "idle", "let the session go after this `NUMBER` of blocked stops in a row without any change (default 5)")
	fl.BoolVar(&sf.replace, "replace", false, "start over a loop that is active")
	lf.add(cmd, "rulph")
	return cmd
}
