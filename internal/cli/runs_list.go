package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"rulph/internal/runs"
	"rulph/internal/ui"
)

func newRunsListCmd(io ui.IO) *cobra.Command {
	var last, segment int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list FILE",
		Short: "List the records of a log",
		Example: `  hoyeon-cli runs list evals/starter/release-notes/runs.jsonl
  hoyeon-cli runs list evals/starter/release-notes/runs.jsonl --segment 2 --last 0 --json`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			if last < 0 || segment < 0 {
				return ui.Bad("%s: --last and --segment take a whole number; 0 is all", name(cmd))
			}
			records, leftOut, err := runs.Last(logPath(io, args[0]), last, segment)
			if err != nil {
				return fmt.Errorf("%s: %w", name(cmd), err)
			}
			if asJSON {
				return listJSON(io, records)
			}
			look := io.Look(io.Out)
			if len(records) == 0 {
				_, err = fmt.Fprintln(io.Out, "no runs yet")
				return err
			}
			if _, err := fmt.Fprint(io.Out, runsTable(records).Render(look)); err != nil {
				return err
			}
			if leftOut > 0 {
				io.Notef("%s more before these; --last 0 lists all", plural(leftOut, "run"))
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&last, "last", 20, "how many of the newest; 0 is all")
	cmd.Flags().IntVar(&segment, "segment", 0, "those of one segment; 0 is all")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document: the records as they are in the log")
	return cmd
}

func listJSON(io ui.IO, records []runs.Record) error {
	list := make([]any, len(records))
	for i, r := range records {
		list[i] = r.Raw
	}
	return io.JSON(list)
}

func runsTable(records []runs.Record) ui.Table {
	t := ui.Table{Columns: []ui.Column{
		{Title: "run", Right: true}, {Title: "date"}, {Title: "segment", Right: true}, {Title: "version"}, {Title: "quality", Right: true},
		{Title: "calls", Right: true}, {Title: "questions", Right: true}, {Title: "tokens", Right: true}, {Title: "decision"}, {Title: "change"},
	}}
	for _, r := range records {
		change := ""
		if r.Change != nil {
			change = *r.Change
		}
		if r.Reason != "" {
			change += " (" + r.Reason + ")"
		}
		s := r.Scores
		t.Rows = append(t.Rows, []string{
			strconv.Itoa(r.Run), r.Date, strconv.Itoa(r.Segment), r.SkillVersion, s.Points(),
			figure(s.MCPCalls, s.Estimated), figure(s.AskUserQuestion, s.Estimated), figure(s.TokensInjected, s.Estimated), r.Decision, change,
		})
	}
	t.Tone = func(row, column int) ui.Tone {
		if t.Columns[column].Title != "decision" {
			return ui.Plain
		}
		switch records[row].Decision {
		case runs.Applied:
			return ui.Good
		case runs.Ignored:
			return ui.Warn
		}
		return ui.Faint
	}
	return t
}

// figure shows a count, "-" where nobody counted, with a ~ where it is estimated.
func figure(n *int, estimated bool) string {
	switch {
	case n == nil:
		return "-"
	case estimated:
		return "~" + strconv.Itoa(*n)
	}
	return strconv.Itoa(*n)
}
