package cli

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulph/internal/evaluator"
	"rulph/internal/prompt"
	"rulph/internal/rulph"
	"rulph/internal/score"
	"rulph/internal/session"
	"rulph/internal/ui"
)

// runFlags are those of run that start does not have.
type runFlags struct {
	loopFlags
	startFlags
	inPlace, trust, resume bool
	improver               string
	timeout                time.Duration
	calibrate              *int
}

func newRunCmd(io ui.IO) *cobra.Command {
	f := runFlags{timeout: evaluator.DefaultAskTimeout}
	cmd := &cobra.Command{
		Use:   "run FILE|FOLDER [--rubric RUBRIC]",
		Short: "Drive the whole loop without an agent",
		Long: `Drive the whole loop without an agent: score, improve one criterion, score again, until it passes.

The text itself and check commands answer their items; programs judge the rest (--judge), all at once. Fix
commands improve, and where they change nothing the improver does, on a copy of the artifact's folder from
which only the artifact is taken over. By default an installed client improves and those of other makers
judge, where a rubric has questions for judges. Budgets are kept from what the clients say they used.

A FOLDER that holds rubric.yaml (or rubric.md) is run as that rubric says; with --rubric, FILE or FOLDER is
what is improved, several files too, and - is a text from standard input. The work is done on a copy, unless
--in-place is given.

Exit status: 0 passed, 2 bad input, 3 ended without passing, 4 no usable judge, 5 budget spent, 130 interrupted.`,
		Example: `  hoyeon-cli rulph run examples/handbook --trust-checks
  hoyeon-cli rulph run HANDBOOK.md --rubric rubric.yaml --judge gemini --judge claude --improver codex --max-usd 2
  hoyeon-cli rulph run HANDBOOK.md --rubric rubric.yaml --judge checks --improver fix --in-place
  hoyeon-cli rulph run HANDBOOK.md --rubric rubric.yaml --calibrate 5
  hoyeon-cli rulph run docs --include '**/*.md' --rubric rubric.yaml --out reports
  hoyeon-cli rulph run --resume --sid run-20260102-150405-ab12cd34`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.options(cmd, io, args)
			if err != nil {
				return err
			}
			e, err := f.engine(io)
			if err != nil {
				return err
			}
			return f.drive(cmd, io, e, o)
		},
	}
	f.startFlags.add(cmd)
	cmd.Flags().StringArrayVar(&f.judges, "judge", nil, "a `PROGRAM` that judges: codex, gemini, claude, each also with options, 'command:./judge.sh', or checks for the rubric's own answers alone (repeatable; default: every installed client of another family than the improver's)")
	cmd.Flags().StringVar(&f.improver, "improver", "", "the `PROGRAM` that improves: codex, gemini, claude, 'command:./improve.sh', or fix for the rubric's fix commands alone (default: an installed client, where the rubric has questions for judges)")
	cmd.Flags().Var(spanFlag{&f.timeout}, "timeout", "end each call of a program after this `TIME`")
	cmd.Flags().Var(countFlag{&f.calibrate, 100}, "calibrate", "measure the judges first, by this `NUMBER` of repeats (default: do not)")
	cmd.Flags().BoolVar(&f.inPlace, "in-place", false, "improve the artifact itself, not a copy")
	cmd.Flags().BoolVar(&f.trust, "trust-checks", false, "run the check and fix commands of this rubric, this time")
	cmd.Flags().BoolVar(&f.resume, "resume", false, "go on with a run that was interrupted or has ended without passing; takes --sid, --max-rounds, --timeout, the budget and --trust-checks")
	f.loopFlags.add(cmd, "rulph")
	cmd.Flags().Lookup("sid").Usage = "`ID` of the run (default: a new one)"
	return cmd
}

// options finds the rubric and the target in what was given.
func (f *runFlags) options(cmd *cobra.Command, io ui.IO, args []string) (rulph.RunOptions, error) {
	o := rulph.RunOptions{StartOptions: f.startFlags.options(io), InPlace: f.inPlace, Resume: f.resume, Timeout: f.timeout}
	o.Improver = f.improver
	if f.calibrate != nil {
		if o.Calibrate = *f.calibrate; o.Calibrate < rulph.FewestRepeats {
			return o, ui.Bad("--calibrate %d tells no noise; it takes at least %d, and 5 or more tell it well", o.Calibrate, rulph.FewestRepeats)
		}
	}
	if f.resume {
		if len(args) > 0 {
			return o, ui.Fail(ui.BadInput, errors.New("--resume goes on with the target of the run"), "name the run with --sid, and no file")
		}
		if wrong := given(cmd, "rubric", "include", "threshold", "floor", "judge", "improver", "calibrate", "out", "in-place"); len(wrong) > 0 {
			return o, ui.Bad("--resume goes on with the settings of the run; leave out %s", strings.Join(wrong, ", "))
		}
		return o, nil
	}
	switch {
	case len(args) == 0:
		return o, ui.Fail(ui.BadInput, errors.New("nothing to run"), "name a file and its --rubric, or a folder that holds rubric.yaml")
	case o.Rubric != "":
		o.Targets = args
		return o, readTarget(cmd, io, &o.StartOptions)
	}
	var err error
	o.Rubric, err = rubricIn(io, args)
	return o, err
}

// rubricIn finds the rubric of a folder that is named alone.
func rubricIn(io ui.IO, args []string) (string, error) {
	dir := absolute(io, args[0])
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist) && args[0] != "-":
		return "", ui.Bad("there is no file or folder %s", prompt.Quote(args[0]))
	case err != nil || !info.IsDir() || len(args) > 1:
		return "", ui.Fail(ui.BadInput, errors.New("no rubric"), "give --rubric FILE; 'hoyeon-cli rubric init' writes one to begin with")
	}
	for _, name := range []string{"rubric.yaml", "rubric.yml", "rubric.md"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return filepath.Join(dir, name), nil
		}
	}
	return "", ui.Fail(ui.BadInput, fmt.Errorf("%s holds no rubric.yaml or rubric.md", prompt.Quote(args[0])), "give --rubric FILE")
}

// engine works in a session of the run's own, so that it never meets the loop of an agent.
func (f *runFlags) engine(io ui.IO) (rulph.Engine, error) {
	e, err := f.session(io)
	if f.trust {
		e.Trusted = func(string, []byte) bool { return true }
	}
	return e, err
}

func (f *runFlags) session(io ui.IO) (rulph.Engine, error) {
	if f.resume {
		if !f.sid.set {
			return rulph.Engine{}, ui.Fail(ui.BadInput, errors.New("--resume needs the --sid of the run"), "'hoyeon-cli session list' shows them")
		}
		return f.loopFlags.engine(io)
	}
	if !f.sid.set {
		var b [4]byte
		_, _ = rand.Read(b[:]) // never fails
		f.sid = once{set: true, text: "run-" + time.Now().UTC().Format("20060102-150405") + "-" + hex.EncodeToString(b[:])}
	}
	if err := session.CheckSID(f.sid.text); err != nil {
		return rulph.Engine{}, ui.Fail(ui.BadInput, err)
	}
	store, err := session.Writable(io.Getenv, io.Cwd)
	if err != nil {
		return rulph.Engine{}, err
	}
	return newEngine(io, store, f.sid.text, f.sid.text), nil
}

func (f *runFlags) drive(cmd *cobra.Command, io ui.IO, e rulph.Engine, o rulph.RunOptions) error {
	watch := watching(io, &e)
	defer watch.close()
	progress := watch.progress
	started := false
	o.Started = func(v rulph.View, work string) {
		started = true
		progress.Eventf(ui.Strong, "run %s improves %s", e.SID, v.Target)
		if work != "" {
			progress.Eventf(ui.Plain, "in a copy: %s", work)
		}
		for _, line := range plan(v) {
			progress.Eventf(ui.Plain, "%s", line)
		}
	}
	o.Measured = func(c score.Calibration) { progress.Eventf(ui.Plain, "%s", noiseLine(c)) }
	warned := map[string]bool{}
	o.Scored = func(v rulph.View) {
		progress.Eventf(ui.Plain, "%s", roundLine(v))
		for _, line := range roundWarnings(v) {
			progress.Eventf(ui.Warn, "%s", line)
		}
		for _, w := range v.Warnings {
			if !warned[w] && v.Result == "" { // the result of a run has them too
				progress.Eventf(ui.Warn, "warning: %s", w)
				warned[w] = true
			}
		}
	}
	v, err := e.Run(cmd.Context(), o)
	watch.close()
	switch {
	case err != nil && cmd.Context().Err() != nil && started:
		return ui.Fail(ui.Interrupted, errors.New("interrupted; what was scored is kept"), "go on with '"+f.again(e)+"'")
	case err != nil:
		return err
	case f.json:
		err = io.JSON(v)
	default:
		err = f.printRun(io, e, v)
	}
	if err != nil {
		return err
	}
	return exitOf(v)
}

// again is the command that goes on with the run.
func (f *runFlags) again(e rulph.Engine) string {
	line := e.CLI.Program + " rulph run --resume --sid " + e.SID
	if f.trust {
		line += " --trust-checks"
	}
	return line
}
