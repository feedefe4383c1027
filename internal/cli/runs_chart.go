package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"rulph/internal/runs"
	"rulph/internal/ui"
)

func newRunsChartCmd(io ui.IO) *cobra.Command {
	var last, segment int
	var svg string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "chart FILE",
		Short: "Draw quality and cost by run, in the terminal or as SVG",
		Example: `  hoyeon-cli runs chart evals/starter/release-notes/runs.jsonl
  hoyeon-cli runs chart evals/starter/release-notes/runs.jsonl --svg chart.svg`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			if last < 1 || last > mostCharted || segment < 0 {
				return ui.Bad("%s: --last takes 1 to %d, --segment a whole number; 0 is all segments", name(cmd), mostCharted)
			}
			if asJSON && svg == "-" {
				return ui.Bad("%s: --json and --svg - would both print; name a file for the picture", name(cmd))
			}
			look := io.Look(io.Out)
			if svg == "" && !asJSON && !cmd.Flags().Changed("last") && look.Width > 0 {
				last = max(10, min(last, (look.Width-34)/2)) // a segment's edge takes a column too
			}
			log := logPath(io, args[0])
			records, leftOut, err := runs.Last(log, last, segment)
			if err != nil {
				return fmt.Errorf("%s: %w", name(cmd), err)
			}
			return chart(io, cmd, filepath.Base(filepath.Dir(log)), records, leftOut, svg, asJSON)
		},
	}
	cmd.Flags().StringVar(&svg, "svg", "", "write the picture to `FILE`, or - for standard output")
	cmd.Flags().IntVar(&last, "last", 60, "how many of the newest runs")
	cmd.Flags().IntVar(&segment, "segment", 0, "those of one segment; 0 is all")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// mostCharted is what a picture can show: a pixel for each run.
const mostCharted = 1000

func chart(io ui.IO, cmd *cobra.Command, skill string, records []runs.Record, leftOut int, svg string, asJSON bool) error {
	if svg == "-" {
		_, err := io.Out.Write(runs.SVG(skill, records, leftOut))
		return err
	}
	if svg != "" {
		if err := renameio.WriteFile(absolute(io, svg), runs.SVG(skill, records, leftOut), 0o644); err != nil {
			return fmt.Errorf("%s: %w", name(cmd), err)
		}
	}
	if asJSON {
		return io.JSON(struct {
			Text    string `json:"text"`
			Runs    int    `json:"runs"`
			LeftOut int    `json:"left_out"`
			SVG     string `json:"svg,omitempty"`
		}{runs.Describe(records), len(records), leftOut, svg})
	}
	if svg != "" {
		_, err := fmt.Fprintf(io.Out, "wrote %s\n", svg)
		return err
	}
	_, err := fmt.Fprint(io.Out, textChart(records, leftOut, io.Look(io.Out)))
	return err
}

// bars are eight heights of a figure.
var bars = []rune("▁▂▃▄▅▆▇█")

// textChart draws each figure as a line of bars, one a run. A bar between two segments is a │, a run without the
// figure a dot; decisions are letters, so that no colour has to be seen.
func textChart(records []runs.Record, leftOut int, look ui.Look) string {
	if len(records) == 0 {
		return "no runs yet\n"
	}
	var b strings.Builder
	fmt.Fprintln(&b, ui.OneLine(runs.Describe(records)))
	if leftOut > 0 {
		fmt.Fprintf(&b, "%s before these are not shown.\n", plural(leftOut, "run"))
	}
	row := func(title, note string, tone ui.Tone, cell func(r runs.Record) rune) {
		var cells strings.Builder
		for i, r := range records {
			if i > 0 && records[i-1].Segment != r.Segment {
				cells.WriteRune('│')
			}
			cells.WriteRune(cell(r))
		}
		line := fmt.Sprintf("%-10s %s", title, look.Paint(tone, cells.String()))
		if note != "" {
			line += "  " + note
		}
		b.WriteString(line + "\n")
	}
	last := records[len(records)-1]
	row("quality", last.Scores.Points(), ui.Good, func(r runs.Record) rune {
		if r.Scores.QualityMax <= 0 {
			return '·'
		}
		return height(r.Scores.Quality / r.Scores.QualityMax)
	})
	for _, f := range []struct {
		title string
		of    func(s runs.Scores) *int
	}{
		{"calls", func(s runs.Scores) *int { return s.MCPCalls }},
		{"questions", func(s runs.Scores) *int { return s.AskUserQuestion }},
		{"tokens", func(s runs.Scores) *int { return s.TokensInjected }},
	} {
		top := 0
		for _, r := range records {
			if n := f.of(r.Scores); n != nil {
				top = max(top, *n)
			}
		}
		row(f.title, figure(f.of(last.Scores), last.Scores.Estimated), ui.Plain, func(r runs.Record) rune {
			n := f.of(r.Scores)
			if n == nil {
				return '·'
			}
			return height(float64(*n) / float64(max(1, top)))
		})
	}
	row("decision", "a applied, i ignored, r relaunched, b baseline", ui.Faint, func(r runs.Record) rune {
		switch r.Decision {
		case runs.Applied, runs.Ignored, runs.Relaunched, runs.Baseline:
			return rune(r.Decision[0])
		}
		return '?'
	})
	return b.String()
}

// height is the bar for a share of the whole.
func height(share float64) rune {
	return bars[int(min(1, max(0, share))*float64(len(bars)-1)+0.5)]
}
