package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"rulph/internal/loop"
	"rulph/internal/rubric/rubricfile"
	"rulph/internal/rulph"
	"rulph/internal/session"
	"rulph/internal/ui"
)

// newRulphCmd is the loop: one verb a step, each ending with the next one.
func newRulphCmd(io ui.IO) *cobra.Command {
	return group("rulph", "Improve an artifact until it passes a rubric",
		newStartCmd(io), newPromptCmd(io), newSubmitCmd(io), newScoreCmd(io), newNextCmd(io),
		newStatusCmd(io), newCancelCmd(io), newResumeCmd(io), newReportCmd(io), newRunCmd(io))
}

// loopFlags are the flags that every verb of a loop has.
type loopFlags struct {
	sid  string
	json bool
}

func (f *loopFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.sid, "sid", "", "session id (default $CLAUDE_CODE_SESSION_ID, then $CODEX_SESSION_ID)")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON document")
}

// engine works on the session that the flags or the environment name: in the home that holds its loop,
// or else in the one that can be written.
func (f loopFlags) engine(io ui.IO) (rulph.Engine, error) {
	sid, err := session.SID(f.sid, io.Getenv)
	if err != nil {
		return rulph.Engine{}, ui.Fail(ui.BadInput, err)
	}
	store, err := session.HomeFor(io.Getenv, io.Cwd, sid)
	if err != nil {
		return rulph.Engine{}, err
	}
	return newEngine(io, store, sid, f.sid), nil
}

func newEngine(io ui.IO, store session.Store, sid, flag string) rulph.Engine {
	cli := loop.CLI{Program: programPath(io), SID: flag}
	return rulph.Engine{Store: store, SID: sid, CLI: cli, Now: time.Now, Notef: func(string, ...any) {},
		Trusted: func(path string, data []byte) bool { return rubricfile.Trusted(trustHome(io), path, data) }}
}

// programPath is how a shell like the one we were called from can call us again.
func programPath(io ui.IO) string {
	if _, err := exec.LookPath(program); err == nil {
		return program
	}
	if root := io.Getenv("HOYEON_PLUGIN_ROOT"); root != "" {
		return loop.Quote(filepath.Join(root, "bin", program))
	}
	if path, err := os.Executable(); err == nil {
		return loop.Quote(path)
	}
	return program
}

// verb runs one use case and prints its view.
func (f loopFlags) verb(io ui.IO, run func(rulph.Engine) (rulph.View, error)) error {
	e, err := f.engine(io)
	if err != nil {
		return err
	}
	v, err := run(e)
	if err != nil {
		return err
	}
	return f.print(io, v)
}

func (f loopFlags) print(io ui.IO, v rulph.View) error {
	if f.json {
		return io.JSON(v)
	}
	return printView(io, v)
}

// startFlags are shared by start and run.
type startFlags struct {
	targets, include, judges       []string
	rubric, out                    string
	threshold, floor               float64
	maxRounds, maxIterations, idle int
	maxTime                        time.Duration
	replace                        bool
}

func (f *startFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.rubric, "rubric", "", "rubric file, YAML or Markdown")
	fl.StringArrayVar(&f.include, "include", nil, "of a folder, only files that match this glob (repeatable)")
	fl.Float64Var(&f.threshold, "threshold", loop.DefaultThreshold, "overall score that passes, 0-100 (default: the rubric's)")
	fl.Float64Var(&f.floor, "floor", loop.DefaultFloor, "score that every criterion needs, 0-100, 0 = off (default: the rubric's)")
	fl.IntVar(&f.maxRounds, "max-rounds", loop.DefaultMaxRounds, "improvements after the baseline (default: the rubric's)")
	fl.DurationVar(&f.maxTime, "max-time", 0, "end the loop after this long, such as 45m (default: no limit)")
	fl.StringVar(&f.out, "out", "", "folder for the report (default: reports in the home)")
}

func (f startFlags) options(cmd *cobra.Command, io ui.IO) rulph.StartOptions {
	o := rulph.StartOptions{Cwd: io.Cwd, Targets: f.targets, Include: f.include, Rubric: f.rubric, Judges: f.judges, MaxTime: f.maxTime, Out: f.out, Replace: f.replace}
	given := cmd.Flags().Changed
	if given("threshold") {
		o.Threshold = &f.threshold
	}
	if given("floor") {
		o.Floor = &f.floor
	}
	if given("max-rounds") {
		o.MaxRounds = &f.maxRounds
	}
	if given("max-iterations") {
		o.MaxIterations = &f.maxIterations
	}
	if given("idle") {
		o.Idle = &f.idle
	}
	return o
}

func newStartCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var sf startFlags
	cmd := &cobra.Command{
		Use:   "start --target FILE --rubric RUBRIC",
		Short: "Lock the rubric, keep a copy of the artifact, and arm the loop",
		Example: `  # improve a file in this session
  hoyeon-cli rulph start --target HANDBOOK.md --rubric rubric.yaml

  # a folder, Markdown only, with three judges and a higher bar
  hoyeon-cli rulph start --target docs --include '**/*.md' --rubric rubric.md --threshold 85 --judge a --judge b --judge c

  # a text from standard input, which is kept as a file
  hoyeon-cli rulph start --target - --rubric rubric.yaml < draft.txt`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if sf.rubric == "" {
				return ui.Fail(ui.BadInput, errors.New("rulph start: no rubric"), "give --rubric FILE; 'hoyeon-cli rubric init' writes one to begin with")
			}
			o := sf.options(cmd, io)
			if len(o.Targets) == 1 && o.Targets[0] == "-" {
				text, err := readInput(cmd.Context(), io, "-", 1<<20)
				if err != nil {
					return fmt.Errorf("rulph start: %w", err)
				}
				o.Text = text
			}
			return lf.verb(io, func(e rulph.Engine) (rulph.View, error) { return e.Start(cmd.Context(), o) })
		},
	}
	lf.add(cmd)
	sf.add(cmd)
	fl := cmd.Flags()
	fl.StringArrayVar(&sf.targets, "target", nil, "file or folder to improve (repeatable for several files); - reads a text from standard input")
	fl.StringArrayVar(&sf.judges, "judge", nil, "name of a judge that runs in the session (repeatable; default: two)")
	fl.IntVar(&sf.maxIterations, "max-iterations", loop.DefaultMaxIterations, "blocked stops in one round before the session is let go")
	fl.IntVar(&sf.idle, "idle", loop.DefaultIdle, "blocked stops in a row without any change before the session is let go")
	fl.BoolVar(&sf.replace, "replace", false, "start over a loop that is active")
	return cmd
}

func newPromptCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var judge string
	var again bool
	var part int
	cmd := &cobra.Command{
		Use:     "prompt --judge NAME",
		Short:   "Print the prompt of one judge of this round",
		Long:    "Print the prompt of one judge: the rubric and the artifact in separate blocks, no earlier score, no history. The first call of a round opens it.",
		Example: "  hoyeon-cli rulph prompt --judge judge-1",
		Args:    noOperands,
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
	lf.add(cmd)
	cmd.Flags().IntVar(&part, "part", 1, "which part, where the client's shell cannot show the prompt whole")
	cmd.Flags().StringVar(&judge, "judge", rulph.DefaultJudges[0], "whose prompt")
	cmd.Flags().BoolVar(&again, "again", false, "open a round although the artifact has not changed; it counts as one")
	return cmd
}

// partLimit is how many bytes of a command's output the client that calls us shows its model; 0 is all.
func partLimit(io ui.IO) int {
	switch {
	case io.Getenv("CODEX_SESSION_ID") != "" || io.Getenv("CODEX_THREAD_ID") != "":
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
		Long:  "Take in the verdict of a judge that ran in the session. The SubagentStop hook does it by itself; this is for where hooks do not run. Without --judge the ticket in the answer says whose it is.",
		Example: `  hoyeon-cli rulph submit --judge judge-1 --file verdict.json
  hoyeon-cli rulph submit < answer.txt`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := lf.engine(io)
			if err != nil {
				return err
			}
			answer, err := readInput(cmd.Context(), io, file, 4<<20)
			if err != nil {
				return ui.Fail(ui.BadInput, fmt.Errorf("rulph submit: %w", err))
			}
			got, err := e.Submit(judge, answer)
			if err != nil {
				return err
			}
			if lf.json {
				if err := io.JSON(got); err != nil {
					return err
				}
			} else {
				printSubmission(io, got)
			}
			if got.Intake != loop.Taken {
				return ui.Exit(ui.BadInput)
			}
			return nil
		},
	}
	lf.add(cmd)
	cmd.Flags().StringVar(&judge, "judge", "", "whose verdict (default: the ticket says it)")
	cmd.Flags().StringVar(&file, "file", "-", "file with the answer; - is standard input")
	return cmd
}

func newScoreCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var o rulph.ScoreOptions
	cmd := &cobra.Command{
		Use:     "score",
		Short:   "Aggregate the round, keep the better version, and decide",
		Long:    "Aggregate the verdicts of the round, record it, roll back a version that is worse, and decide whether the loop goes on. Exit status: 0 passed or going on, 3 ended without passing, 4 no usable judge, 5 budget spent.",
		Example: "  hoyeon-cli rulph score\n  hoyeon-cli rulph score --partial   # without the judges that did not answer",
		Args:    noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := lf.engine(io)
			if err != nil {
				return err
			}
			e.Notef = io.Notef
			v, err := e.Score(cmd.Context(), o)
			if err != nil {
				return interrupted(cmd.Context(), err)
			}
			if err := lf.print(io, v); err != nil {
				return err
			}
			return exitOf(v)
		},
	}
	lf.add(cmd)
	cmd.Flags().BoolVar(&o.Partial, "partial", false, "count judges that have not answered as DEGRADED")
	cmd.Flags().BoolVar(&o.Again, "again", false, "score an artifact that has not changed; it counts as a round")
	return cmd
}

func newNextCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var brief, wait bool
	cmd := &cobra.Command{
		Use:   "next",
		Short: "Say what has to be done next",
		Example: `  hoyeon-cli rulph next
  hoyeon-cli rulph next --brief   # the improver's task
  hoyeon-cli rulph next --wait    # a person was asked: block no stop until the next verb`,
		Args: noOperands,
		RunE: func(*cobra.Command, []string) error {
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
			_, err = fmt.Fprintln(io.Out, v.Next.Text)
			return err
		},
	}
	lf.add(cmd)
	cmd.Flags().BoolVar(&brief, "brief", false, "print the improver's task: one criterion, its open items, what judges suggest")
	cmd.Flags().BoolVar(&wait, "wait", false, "note that a person has been asked something")
	cmd.MarkFlagsMutuallyExclusive("brief", "wait")
	return cmd
}

func newStatusCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	cmd := &cobra.Command{
		Use: "status", Short: "Show the loop of this session", Example: "  hoyeon-cli rulph status\n  hoyeon-cli rulph status --json", Args: noOperands,
		RunE: func(*cobra.Command, []string) error { return lf.verb(io, rulph.Engine.Status) },
	}
	lf.add(cmd)
	return cmd
}

func newCancelCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var reason string
	cmd := &cobra.Command{
		Use: "cancel", Short: "End the loop for good and leave a report", Example: "  hoyeon-cli rulph cancel\n  hoyeon-cli rulph cancel --reason 'good enough'", Args: noOperands,
		RunE: func(*cobra.Command, []string) error {
			return lf.verb(io, func(e rulph.Engine) (rulph.View, error) { return e.Cancel(reason) })
		},
	}
	lf.add(cmd)
	cmd.Flags().StringVar(&reason, "reason", "it was cancelled", "why, for the report")
	return cmd
}

func newResumeCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var o rulph.ResumeOptions
	cmd := &cobra.Command{
		Use:   "resume",
		Short: "Go on with a loop that was capped, blocked, stagnated or out of rounds",
		Example: `  hoyeon-cli rulph resume
  hoyeon-cli rulph resume --max-rounds 8
  hoyeon-cli rulph resume --from OLD-SESSION   # a loop that another session began
  hoyeon-cli rulph resume --restore            # put the kept version of the artifact back first`,
		Args: noOperands,
		RunE: func(*cobra.Command, []string) error {
			return lf.verb(io, func(e rulph.Engine) (rulph.View, error) { return e.Resume(o) })
		},
	}
	lf.add(cmd)
	cmd.Flags().IntVar(&o.MaxRounds, "max-rounds", 0, "new limit of improvements (default: five more when the old one is reached)")
	cmd.Flags().BoolVar(&o.Restore, "restore", false, "write the kept version of the artifact back first")
	cmd.Flags().StringVar(&o.From, "from", "", "session whose loop goes on in this one")
	return cmd
}

func newReportCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var out string
	cmd := &cobra.Command{
		Use: "report", Short: "Write the report and say where it is", Args: noOperands,
		Long:    "Write the report of a loop, or of a loop that still goes on what there is so far: report.md, report.json and report.html.",
		Example: "  hoyeon-cli rulph report\n  hoyeon-cli rulph report --out reports",
		RunE: func(*cobra.Command, []string) error {
			dir := out
			if dir != "" {
				dir = absolute(io, dir)
			}
			return lf.verb(io, func(e rulph.Engine) (rulph.View, error) { return e.Report(dir) })
		},
	}
	lf.add(cmd)
	cmd.Flags().StringVar(&out, "out", "", "folder to write it under (default: reports in the home)")
	return cmd
}

// exitOf is the exit status that a loop's state asks for.
func exitOf(v rulph.View) error {
	code := ui.OK
	switch v.Result {
	case "", loop.Passed:
	case loop.Budget:
		code = ui.BudgetSpent
	case loop.Blocked:
		code = ui.NotPassed
		if v.NoJudge() {
			code = ui.NoJudge
		}
	default:
		code = ui.NotPassed
	}
	if code == ui.OK {
		return nil
	}
	return ui.Exit(code)
}

// interrupted turns an error that Ctrl-C caused into its own exit status.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ui.Fail(ui.Interrupted, errors.New("interrupted; what was scored is kept"))
	}
	return err
}

// noOperands refuses what is not a flag, with the exit status of bad input.
func noOperands(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return ui.Fail(ui.BadInput, fmt.Errorf("%s: unexpected argument %q", name(cmd), args[0]), "run '"+cmd.CommandPath()+" --help'")
	}
	return nil
}

// readInput reads a file, or standard input for "-", of at most this many bytes.
func readInput(ctx context.Context, io ui.IO, file string, most int64) ([]byte, error) {
	in := io.In
	if file != "-" {
		f, err := os.Open(absolute(io, file))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	data, err := readAll(ctx, in, most+1)
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("the input is larger than %d MiB", most>>20)
	}
	return data, err
}
