package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulph/internal/evaluator"
	"rulph/internal/report"
	"rulph/internal/rulph"
	"rulph/internal/session"
	"rulph/internal/ui"
)

// evaluateFormats are the forms of the result. Text is the one for a person.
var evaluateFormats = []string{"text", "json", "md", "junit", "github"}

// evaluateFlags are those of `hoyeon-cli evaluate`.
type evaluateFlags struct {
	startFlags
	format  string
	outputs []string
	repeat  *int
	timeout time.Duration
	trust   bool
	json    bool
}

func newEvaluateCmd(io ui.IO) *cobra.Command {
	f := evaluateFlags{timeout: evaluator.DefaultAskTimeout}
	cmd := &cobra.Command{
		Use:   "evaluate FILE... --rubric RUBRIC",
		Short: "Score an artifact once, without a loop, for scripts and CI",
		Long: `Score an artifact once, without a loop: the text itself, trusted commands and every judge answer, all at once.
Nothing is changed and nothing is kept. FILE is a file, several files, a folder, or - for standard input.

It passes when the overall score reaches the threshold and every criterion its floor: the rubric's, or --threshold
and --floor. The result goes to standard output as --format says; --output writes it in further forms.

Exit status: 0 passed, 1 failed, 2 bad input, 3 not passed, 4 no usable judge, 5 budget spent, 130 interrupted.`,
		Example: `  hoyeon-cli evaluate README.md --rubric rubric.yaml
  hoyeon-cli evaluate README.md --rubric rubric.yaml --judge codex --judge gemini:model=NAME --repeat 3
  hoyeon-cli evaluate docs --include '**/*.md' --rubric rubric.yaml --format github --output junit=report.xml
  hoyeon-cli evaluate HANDBOOK.md --rubric rubric.yaml --judge checks --trust-checks --threshold 90`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, io, args) },
	}
	nameErrors(cmd, "interrupted; nothing was changed")
	fl := cmd.Flags()
	fl.StringVar(&f.rubric, "rubric", "", "rubric `FILE`, YAML or Markdown")
	fl.StringArrayVar(&f.include, "include", nil, "of a folder, only files that match this `GLOB` (repeatable)")
	fl.StringArrayVar(&f.judges, "judge", nil, "a `PROGRAM` that judges: codex, gemini, claude, each also with options, 'command:./judge.sh', or checks for the rubric's own answers alone (repeatable; default: every installed client)")
	fl.Var(percentFlag{&f.threshold}, "threshold", "overall score that passes, a `NUMBER` from 0 to 100 (default: the rubric's)")
	fl.Var(percentFlag{&f.floor}, "floor", "score that every criterion without a floor of its own needs, a `NUMBER` from 0 to 100, 0 = off (default: the rubric's)")
	fl.Var(countFlag{&f.repeat, 100}, "repeat", "have it judged this `NUMBER` of times and take the mean (default 1)")
	fl.Var(spanFlag{&f.timeout}, "timeout", "end each call after this `TIME`")
	f.limits.add(cmd, "stop")
	fl.BoolVar(&f.trust, "trust-checks", false, "run the check commands of this rubric, this time")
	fl.StringVar(&f.format, "format", "text", "`FORM` of the result: "+strings.Join(evaluateFormats, ", "))
	fl.StringArrayVar(&f.outputs, "output", nil, "write the result as `FORM=FILE` too (repeatable)")
	fl.BoolVar(&f.json, "json", false, "the same as --format json (schemas/evaluation.schema.json)")
	return cmd
}

func (f *evaluateFlags) run(cmd *cobra.Command, io ui.IO, args []string) error {
	o, outputs, err := f.options(cmd, io, args)
	if err != nil {
		return err
	}
	if err := places(io, outputs); err != nil {
		return err
	}
	e, remove, err := single(io, f.trust)
	if err != nil {
		return err
	}
	defer remove()
	watch := watching(io, &e)
	defer watch.close()
	ev, err := e.Assess(cmd.Context(), o)
	watch.close()
	if err != nil {
		return err
	}
	if err := deliver(io, ev, f.format, outputs); err != nil {
		return err
	}
	switch {
	case ev.Void:
		return ui.Exit(ui.NoJudge)
	case !ev.Passed:
		return ui.Exit(ui.NotPassed)
	}
	return nil
}

func (f *evaluateFlags) options(cmd *cobra.Command, io ui.IO, args []string) (o rulph.AssessOptions, outputs []output, err error) {
	o = rulph.AssessOptions{StartOptions: f.startFlags.options(io), Repeats: 1, Timeout: f.timeout}
	if f.repeat != nil {
		if o.Repeats = *f.repeat; o.Repeats == 0 {
			return o, nil, ui.Bad("--repeat 0 judges nothing")
		}
	}
	if f.json {
		if cmd.Flags().Changed("format") && f.format != "json" {
			return o, nil, ui.Bad("--json and --format %s contradict each other", f.format)
		}
		f.format = "json"
	}
	if !slices.Contains(evaluateFormats, f.format) {
		return o, nil, ui.Bad("--format %q; it is one of %s", f.format, strings.Join(evaluateFormats, ", "))
	}
	for _, text := range f.outputs {
		form, file, ok := strings.Cut(text, "=")
		if !ok || file == "" || !slices.Contains(evaluateFormats, form) {
			return o, nil, ui.Bad("--output %q; write FORM=FILE with a form of %s", text, strings.Join(evaluateFormats, ", "))
		}
		outputs = append(outputs, output{form: form, file: file})
	}
	if o.Rubric == "" {
		if len(args) != 1 {
			return o, nil, ui.Fail(ui.BadInput, errors.New("no rubric"), "give --rubric FILE; 'hoyeon-cli rubric init' writes one to begin with")
		}
		o.Rubric, err = rubricIn(io, args)
		return o, outputs, err
	}
	o.Targets = args
	return o, outputs, readTarget(cmd, io, &o.StartOptions)
}

// single is an engine for what keeps nothing: its home is a folder that goes away with remove, or, where the
// command is killed before, at the next call of any.
func single(io ui.IO, trust bool) (e rulph.Engine, remove func(), err error) {
	home, err := evaluator.Scratch(io.Env)
	if err != nil {
		return e, nil, fmt.Errorf("make a folder to work in: %w", err)
	}
	e = newEngine(io, session.Store{Home: home}, "evaluate", "")
	if trust {
		e.Trusted = func(string, []byte) bool { return true }
	}
	return e, func() { evaluator.RemoveScratch(home) }, nil
}

// evaluationText is the result for a person at a terminal.
func evaluationText(ev report.Evaluation, look ui.Look) string {
	var b strings.Builder
	t := ui.Table{Columns: []ui.Column{{Title: "criterion"}, {Title: "weight", Right: true}, {Title: "score", Right: true}, {Title: "floor", Right: true}, {Title: ""}}}
	for _, c := range ev.Criteria {
		score, note := "none", "nothing was answered"
		if c.Score != nil {
			score, note = fmt.Sprintf("%.1f", *c.Score), ""
		}
		if c.Below {
			note = "BELOW FLOOR"
		}
		t.Rows = append(t.Rows, []string{c.Name, setting(c.Weight) + "%", score, setting(c.Floor), note})
	}
	b.WriteString(t.Render(look))
	for _, c := range ev.Criteria {
		for _, it := range c.Items {
			if it.Outcome == "yes" {
				continue
			}
			line := fmt.Sprintf("%s: %s: %s", c.Name, it.Outcome, it.Text)
			if it.Why != "" {
				line += " (" + it.Why + ")"
			}
			fmt.Fprintln(&b, ui.OneLine(line))
		}
	}
	for _, j := range ev.Judges {
		line := fmt.Sprintf("%s %s", j.Name, j.State)
		if j.Overall != nil {
			line += fmt.Sprintf(" %.1f", *j.Overall)
		}
		if j.Model != "" {
			line += ", " + j.Model
		}
		if j.Seconds > 0 {
			line += fmt.Sprintf(", %.1f s", j.Seconds)
		}
		if j.Tokens > 0 {
			line += ", " + cost(j.Tokens, j.USD, j.Unpriced)
		}
		if j.Reason != "" {
			line += " (" + j.Reason + ")"
		}
		fmt.Fprintln(&b, ui.OneLine(line))
	}
	if ev.LowConfidence {
		fmt.Fprintf(&b, "%s one judge alone has scored it\n", look.Paint(ui.Warn, "LOW CONFIDENCE:"))
	}
	for _, d := range ev.Disagreements {
		fmt.Fprintf(&b, "%s %s: %s and %s are %.1f apart\n", look.Paint(ui.Warn, "disagreement:"), d.Criterion, d.Low, d.High, d.Gap)
	}
	for _, w := range ev.Warnings {
		fmt.Fprintf(&b, "%s %s\n", look.Paint(ui.Warn, "warning:"), ui.OneLine(w))
	}
	b.WriteString(verdictLine(ev, look))
	return b.String()
}

func verdictLine(ev report.Evaluation, look ui.Look) string {
	if ev.Void {
		return look.Paint(ui.Wrong, "NOT SCORED") + ": no judge has answered\n"
	}
	word := look.Paint(ui.Wrong, "NOT PASSED")
	if ev.Passed {
		word = look.Paint(ui.Good, "PASSED")
	}
	line := fmt.Sprintf("%s: %.1f of %s", word, ev.Overall, setting(ev.Threshold))
	if ev.SD != nil {
		line += fmt.Sprintf(", the mean of %d (SD %.1f)", ev.Repeats, *ev.SD)
	}
	if ev.Alpha != nil {
		line += fmt.Sprintf("; agreement %.0f%%, alpha %.2f", *ev.Agreement, *ev.Alpha)
	}
	return line + "\n"
}
