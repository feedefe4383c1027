package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"rulph/internal/rubric"
	"rulph/internal/rubric/rubricfile"
	"rulph/internal/ui"
)

func newRubricCmd(io ui.IO) *cobra.Command {
	return group("rubric", "Write, check, convert and trust rubrics",
		newRubricInitCmd(io), newRubricCheckCmd(io), newRubricShowCmd(io), newRubricHashCmd(io), newRubricTrustCmd(io))
}

// rubricFile is a file that an argument names, or standard input for "-".
type rubricFile struct {
	name string // as it was given; "stdin" for "-"
	path string // absolute; "" for "-"
	data []byte
}

func loadRubric(io ui.IO, cmd *cobra.Command, arg string) (rubricFile, error) {
	f := rubricFile{name: arg}
	var err error
	if arg == "-" {
		f.name = "stdin"
		f.data, err = rubricfile.LoadFrom(f.name, io.In)
	} else {
		f.path = absolute(io, arg)
		f.data, err = rubricfile.Load(f.path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, ui.Fail(ui.BadInput, fmt.Errorf("%s: there is no file %s", name(cmd), arg), fmt.Sprintf("'%s rubric init %s' writes one to start from", program, arg))
	case err != nil:
		return f, ui.Fail(ui.BadInput, fmt.Errorf("%s: %w", name(cmd), err))
	}
	return f, nil
}

// validRubric is loadRubric for a command that needs a rubric without errors.
func validRubric(io ui.IO, cmd *cobra.Command, arg string) (rubricFile, *rubric.Rubric, error) {
	f, err := loadRubric(io, cmd, arg)
	if err != nil {
		return f, nil, err
	}
	report := rubricfile.Check(f.name, f.data)
	if len(report.Errors) > 0 {
		printFindings(io, name(cmd), f.name, report.Errors)
		return f, nil, ui.Exit(ui.BadInput)
	}
	return f, report.Rubric, nil
}

// printFindings shows each finding with its line and a caret, as a compiler does.
func printFindings(io ui.IO, command, file string, findings []rubricfile.Finding) {
	look := io.Look(io.Err)
	for _, f := range findings {
		tone := ui.Wrong
		if f.Severity == rubricfile.Doubtful {
			tone = ui.Warn
		}
		fmt.Fprintf(io.Err, "%s: %s\n%s", command, look.Paint(tone, ui.Printable(f.At(file))), f.Excerpt())
	}
}

type rubricCheck struct {
	File      string               `json:"file"`
	OK        bool                 `json:"ok"`
	Hash      string               `json:"hash,omitempty"`
	Questions *rubric.Count        `json:"questions,omitempty"`
	Findings  []rubricfile.Finding `json:"findings"`
}

func newRubricCheckCmd(io ui.IO) *cobra.Command {
	var strict, asJSON bool
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Say what is wrong with a rubric, and what makes it hard to judge",
		Long: `Reads a rubric and lists every error and warning with its line and column.

Errors keep a rubric from being used. Warnings are advice: an item that asks for a taste, asks two things,
or asks for something that no reader of the text sees. In GitHub Actions each finding becomes an annotation.

Exit status: 0 usable, 2 not (with --strict: or any warning).`,
		Example: `  hoyeon-cli rubric check rubric.yaml
  hoyeon-cli rubric check --strict --json rubric.md
  hoyeon-cli rubric show --format md rubric.yaml | hoyeon-cli rubric check -`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := loadRubric(io, cmd, args[0])
			if err != nil {
				return err
			}
			return checkRubric(io, cmd, f, strict, asJSON)
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "warnings count as errors")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func checkRubric(io ui.IO, cmd *cobra.Command, f rubricFile, strict, asJSON bool) error {
	report := rubricfile.Check(f.name, f.data)
	out := rubricCheck{
		File: f.name, OK: len(report.Errors) == 0 && !(strict && len(report.Warnings) > 0),
		Findings: append(append([]rubricfile.Finding{}, report.Errors...), report.Warnings...),
	}
	if r := report.Rubric; r != nil {
		count := r.Count()
		out.Hash, out.Questions = r.Hash(), &count
	}
	annotate(io, f, out.Findings, asJSON)
	if asJSON {
		if err := io.JSON(out); err != nil {
			return err
		}
	} else {
		printFindings(io, name(cmd), f.name, out.Findings)
		if n := len(out.Findings); n > 1 {
			io.Notef("%s: %s", name(cmd), tally(f.name, len(report.Errors), len(report.Warnings)))
		}
		if out.OK {
			fmt.Fprintf(io.Out, "%s is a usable rubric: %s\n", ui.OneLine(f.name), describe(*out.Questions))
			if len(report.Rubric.Commands()) > 0 {
				fmt.Fprintf(io.Out, "its commands run after '%s rubric trust %s'\n", program, ui.OneLine(f.name))
			}
		}
	}
	if !out.OK {
		return ui.Exit(ui.BadInput)
	}
	return nil
}

func tally(file string, errors, warnings int) string {
	var parts []string
	if errors > 0 {
		parts = append(parts, plural(errors, "error"))
	}
	if warnings > 0 {
		parts = append(parts, plural(warnings, "warning"))
	}
	return ui.OneLine(file) + " has " + strings.Join(parts, " and ")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "criterion") {
		noun = strings.TrimSuffix(noun, "on") + "a"
	} else {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// describe says how much work a rubric is, and whose.
func describe(c rubric.Count) string {
	var who []string
	if c.Judge > 0 {
		who = append(who, fmt.Sprintf("%d by each judge", c.Judge))
	}
	if c.Text > 0 {
		who = append(who, fmt.Sprintf("%d by the text itself", c.Text))
	}
	if c.Command > 0 {
		who = append(who, fmt.Sprintf("%d by a command", c.Command))
	}
	return fmt.Sprintf("%s, %s answered: %s", plural(c.Criteria, "criterion"), plural(c.Judge+c.Text+c.Command, "question"), strings.Join(who, ", "))
}

// annotate prints the findings as workflow commands of GitHub Actions, which shows them beside the lines.
func annotate(io ui.IO, f rubricFile, findings []rubricfile.Finding, asJSON bool) {
	if io.Getenv("GITHUB_ACTIONS") != "true" || f.path == "" {
		return
	}
	w := io.Out
	if asJSON {
		w = io.Err // the runner reads both streams, a program that takes our JSON only one
	}
	for _, finding := range findings {
		fmt.Fprintf(w, "::%s file=%s,line=%d,col=%d::%s\n",
			finding.Severity, property(f.name), finding.Line, finding.Column, commandData(finding.Message))
	}
}

// commandData and property escape what the toolkit of GitHub Actions escapes (actions/toolkit, command.ts).
func commandData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(commandData(s))
}
