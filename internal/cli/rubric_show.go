package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rulph/internal/rubric"
	"rulph/internal/rubric/rubricfile"
	"rulph/internal/ui"
)

func newRubricShowCmd(io ui.IO) *cobra.Command {
	var format, target string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Show a rubric, or convert it",
		Long: `Shows a rubric in one of these formats:

  table     for a person at a terminal (the default)
  draft     the draft table that /rulph asks a person to confirm, in Markdown
  contract  the evaluation contract, in Markdown
  yaml, md, json
            the rubric file itself. Each of them can be read again and gives the same rubric; comments and
            notes are left out.`,
		Example: `  hoyeon-cli rubric show rubric.yaml
  hoyeon-cli rubric show rubric.yaml --format md > rubric.md
  hoyeon-cli rubric show rubric.md --format contract --target HANDBOOK.md`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON {
				if cmd.Flags().Changed("format") && format != rubricfile.JSON {
					return ui.Bad("%s: --json and --format %s contradict each other", name(cmd), format)
				}
				format = rubricfile.JSON
			}
			if target != "" && format != "contract" {
				return ui.Bad("%s: --target is a line of the contract; add --format contract", name(cmd))
			}
			if !isShowFormat(format) {
				return ui.Fail(ui.BadInput, fmt.Errorf("%s: unknown format %q", name(cmd), format), "the formats are "+strings.Join(showFormats, ", "))
			}
			_, r, err := validRubric(io, cmd, args[0])
			if err != nil {
				return err
			}
			return showRubric(io, *r, format, target)
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", strings.Join(showFormats, ", "))
	cmd.Flags().StringVar(&target, "target", "", "what is scored, for the contract (default: the rubric's target)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the same as --format json")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(showFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

var showFormats = []string{"table", "draft", "contract", "yaml", "md", "json"}

func isShowFormat(format string) bool {
	for _, f := range showFormats {
		if f == format {
			return true
		}
	}
	return false
}

func showRubric(io ui.IO, r rubric.Rubric, format, target string) error {
	switch format {
	case "contract":
		_, err := fmt.Fprint(io.Out, r.Contract(target))
		return err
	case "draft":
		_, err := fmt.Fprint(io.Out, r.DraftTable())
		return err
	case "table":
		_, err := fmt.Fprint(io.Out, rubricTable(r, io.Look(io.Out)))
		return err
	}
	text, err := rubricfile.Write(&r, format)
	if err != nil {
		return err
	}
	_, err = io.Out.Write(text)
	return err
}

// rubricTable lists every question, one a line, with what answers it.
func rubricTable(r rubric.Rubric, look ui.Look) string {
	t := ui.Table{Columns: []ui.Column{
		{Title: "criterion"}, {Title: "weight", Right: true}, {Title: "floor", Right: true}, {Title: "id"}, {Title: "question"}, {Title: "answered by"},
	}}
	for _, c := range r.Criteria {
		first := []string{c.Name, rubric.Number(c.Weight, 1) + "%", rubric.Number(c.FloorOr(r.Floor), 1)}
		add := func(id, question, by string) {
			t.Rows = append(t.Rows, append(first[:3:3], id, question, by))
			first = []string{"", "", ""}
		}
		for _, it := range c.Items {
			add(it.ID, it.Text, answeredBy(it))
		}
		for _, m := range append(c.Levels[:len(c.Levels):len(c.Levels)], c.Points...) {
			add(fmt.Sprint(m.At), m.Text, "judge")
		}
	}
	title := r.Title
	if title == "" {
		title = "untitled rubric"
	}
	summary := fmt.Sprintf("threshold %s, floor %s, %s, evidence %s", rubric.Number(r.Threshold, 2), rubric.Number(r.Floor, 2), plural(r.MaxRounds, "round"), r.Evidence)
	return look.Paint(ui.Strong, ui.OneLine(title)) + "\n" + summary + "\n\n" + t.Render(look)
}

func answeredBy(it rubric.Item) string {
	switch p := it.Probe; {
	case p == nil && it.Check != "":
		return "command: " + it.Check
	case p == nil:
		return "judge"
	case p.Match != "":
		return "text: match " + p.Match
	case p.Lacks != "":
		return "text: lacks " + p.Lacks
	case p.Heading != "":
		return "text: heading " + p.Heading
	case p.MaxWords != nil:
		return fmt.Sprintf("text: max_words %d", *p.MaxWords)
	case p.MinWords != nil:
		return fmt.Sprintf("text: min_words %d", *p.MinWords)
	}
	return "text: links"
}

func newRubricHashCmd(io ui.IO) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "hash FILE",
		Short: "Print the hash of what scores",
		Long: `Prints the hash of what scores: criteria, weights, items and what answers them, levels, points, and the
evidence rule. Scores under one hash can be compared. The pass bar, the title, the order and the file format
are not part of it.`,
		Example: `  hoyeon-cli rubric hash rubric.yaml
  hoyeon-cli rubric hash --json rubric.md`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, r, err := validRubric(io, cmd, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return io.JSON(struct {
					File string `json:"file"`
					Hash string `json:"hash"`
				}{f.name, r.Hash()})
			}
			_, err = fmt.Fprintln(io.Out, r.Hash())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
