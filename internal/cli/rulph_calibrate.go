package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rulph/internal/evaluator"
	"rulph/internal/rulph"
	"rulph/internal/score"
	"rulph/internal/ui"
)

func newCalibrateCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var sf startFlags
	o := rulph.CalibrateOptions{Timeout: evaluator.DefaultAskTimeout}
	var trust bool
	repeats := new(int)
	*repeats = 5
	cmd := &cobra.Command{
		Use:   "calibrate [FILE --rubric RUBRIC]",
		Short: "Measure how far judges differ from themselves",
		Long: `Measure how far judges differ from themselves: the same artifact is judged again and again. What comes out is
how often an answer flips, and how far two scorings of one text may differ by chance alone.

Without FILE it measures the judges of this session's loop that are programs, and the loop keeps the result:
from then on a change within that noise counts for none, when it decides whether to keep a version and whether
it stagnates. With FILE it only tells.`,
		Example: `  hoyeon-cli rulph calibrate --repeat 5
  hoyeon-cli rulph calibrate HANDBOOK.md --rubric rubric.yaml --judge codex --judge gemini --repeat 8`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Repeats = *repeats
			e, remove, err := calibrator(io, &lf, len(args) > 0, trust)
			if err != nil {
				return err
			}
			defer remove()
			watch := watching(io, &e)
			defer watch.close()
			var c score.Calibration
			if len(args) == 0 {
				if wrong := given(cmd, append(sf.limits.names(), "rubric", "include", "judge", "trust-checks")...); len(wrong) > 0 {
					return ui.Fail(ui.BadInput, fmt.Errorf("%s: without FILE the loop of the session is measured, with its own settings", strings.Join(wrong, ", ")), "name the file, or leave them out")
				}
				c, err = e.Calibrate(cmd.Context(), o)
			} else {
				start := sf.options(io)
				if start.Rubric == "" {
					return ui.Bad("no rubric: give --rubric FILE")
				}
				start.Targets = args
				if err := readTarget(cmd, io, &start); err != nil {
					return err
				}
				c, err = e.CalibrateFile(cmd.Context(), start, o)
			}
			watch.close()
			if err != nil {
				return err
			}
			if lf.json {
				return io.JSON(c)
			}
			return printCalibration(io, c)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&sf.rubric, "rubric", "", "rubric `FILE`, YAML or Markdown")
	fl.StringArrayVar(&sf.include, "include", nil, "of a folder, only files that match this `GLOB` (repeatable)")
	fl.StringArrayVar(&sf.judges, "judge", nil, "a `PROGRAM` that judges (repeatable; default: every installed client)")
	fl.Var(countFlag{&repeats, 1000}, "repeat", "judge it this `NUMBER` of times")
	fl.Var(spanFlag{&o.Timeout}, "timeout", "end each call after this `TIME`")
	fl.BoolVar(&trust, "trust-checks", false, "run the check commands of this rubric, this time")
	sf.limits.add(cmd, "give up")
	lf.add(cmd, "calibration")
	return cmd
}

// calibrator works on the loop of the session, or for a file without any.
func calibrator(io ui.IO, lf *loopFlags, file, trust bool) (e rulph.Engine, remove func(), err error) {
	if file {
		return single(io, trust)
	}
	e, err = lf.engine(io)
	return e, func() {}, err
}

// noiseLine is what a calibration comes to, in a line.
func noiseLine(c score.Calibration) string {
	return fmt.Sprintf("noise: %.1f%% of answers flip (%.1f%% to %.1f%%); two scorings of one text differ by up to %.1f points by chance", 100*c.Flip.Value, 100*c.Flip.Low, 100*c.Flip.High, c.Band)
}

func printCalibration(io ui.IO, c score.Calibration) error {
	var b strings.Builder
	t := ui.Table{Columns: []ui.Column{{Title: "judge"}, {Title: "answers", Right: true}, {Title: "flip rate", Right: true}, {Title: "SD", Right: true}, {Title: "model"}}}
	for _, j := range c.Judges {
		t.Rows = append(t.Rows, []string{j.Name, fmt.Sprint(j.Repeats), fmt.Sprintf("%.1f%%", 100*j.FlipRate), fmt.Sprintf("%.1f", j.SD), c.Models[j.Name]})
	}
	b.WriteString(t.Render(io.Look(io.Out)))
	fmt.Fprintf(&b, "%s over %s\n", plural(c.Repeats, "scoring"), plural(c.Items, "item"))
	fmt.Fprintf(&b, "flip rate: %.1f%%, 95%% interval %.1f%% to %.1f%%\n", 100*c.Flip.Value, 100*c.Flip.Low, 100*c.Flip.High)
	fmt.Fprintf(&b, "overall score: SD %.1f; 95 of 100 differences between two scorings of one text are within %.1f points\n", c.SD, c.Band)
	for _, it := range c.Shaky {
		if it.FlipRate > 0 {
			fmt.Fprintf(&b, "flips: %s %.0f%%\n", strings.Trim(it.Criterion+"/"+it.Item, "/"), 100*it.FlipRate)
		}
	}
	_, err := fmt.Fprint(io.Out, b.String())
	return err
}
