package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rulph/internal/loop"
	"rulph/internal/rulph"
	"rulph/internal/score"
	"rulph/internal/ui"
)

func roundLine(v rulph.View) string {
	if len(v.Rounds) == 0 {
		return ""
	}
	r := v.Rounds[len(v.Rounds)-1]
	line := fmt.Sprintf("round %d", r.Round)
	if r.Improved != "" {
		line += ", worked on " + r.Improved
	}
	if r.Void {
		return line + ": void, nothing could be scored"
	}
	line += fmt.Sprintf(": %.1f", r.Overall)
	if r.Change != nil {
		line += ", " + r.Change.String()
	}
	if r.RolledBack {
		line += ", " + r.Note
	}
	var below []string
	for _, c := range v.Criteria {
		if c.Below {
			below = append(below, c.ID)
		}
	}
	if len(below) > 0 {
		line += "; below floor: " + strings.Join(below, ", ")
	}
	if r.LowConfidence {
		line += "; LOW CONFIDENCE: one judge alone"
	}
	return line
}

// roundWarnings are what a person should know of the last round beside its scores.
func roundWarnings(v rulph.View) (lines []string) {
	if len(v.Rounds) == 0 {
		return nil
	}
	r := v.Rounds[len(v.Rounds)-1]
	for _, j := range r.Judges {
		if j.State != score.Available {
			lines = append(lines, fmt.Sprintf("%s %s: %s", j.Name, j.State, j.Reason))
		}
	}
	for _, d := range r.Disagreements {
		lines = append(lines, disagreementLine(d))
	}
	return lines
}

// printRun is the result of a run: the scores by round, then the result and what it left.
func (f *runFlags) printRun(io ui.IO, e rulph.Engine, v rulph.View) error {
	var b strings.Builder
	look := io.Look(io.Out)
	if len(v.Rounds) > 0 {
		b.WriteString(roundsTable(v).Render(look))
	}
	fmt.Fprintf(&b, "%s: %s\n", look.Paint(resultTone(v.Result), string(v.Result)), ui.OneLine(v.Reason))
	for _, w := range v.Warnings {
		fmt.Fprintf(&b, "%s %s\n", look.Paint(ui.Warn, "warning:"), ui.OneLine(w))
	}
	if line := spentLine(v); line != "" {
		fmt.Fprintln(&b, line)
	}
	if len(v.Files) > 0 {
		fmt.Fprintf(&b, "result: %s\n", ui.OneLine(place(v.Files)))
	}
	if v.Report != "" {
		fmt.Fprintf(&b, "report: %s\n", filepath.Join(v.Report, "report.md"))
	}
	if v.Result != loop.Passed && v.Result != loop.CancelledEnd {
		fmt.Fprintf(&b, "next: read the report, mend what stood in the way, then go on with '%s%s'\n", f.again(e), more(v))
	}
	_, err := fmt.Fprint(io.Out, b.String())
	return err
}

// more are the limits that have to be raised for a run to go on.
func more(v rulph.View) (flags string) {
	if v.Result != loop.Budget || v.Limits == nil {
		return ""
	}
	if v.Limits.Seconds > 0 {
		flags += " --max-time TIME"
	}
	if v.Limits.Tokens > 0 {
		flags += " --max-tokens NUMBER"
	}
	if v.Limits.USD > 0 {
		flags += " --max-usd AMOUNT"
	}
	return flags
}

func roundsTable(v rulph.View) ui.Table {
	t := ui.Table{Columns: []ui.Column{{Title: "round", Right: true}, {Title: "overall", Right: true}}}
	for _, c := range v.Criteria {
		t.Columns = append(t.Columns, ui.Column{Title: c.ID, Right: true})
	}
	holdout := slices.ContainsFunc(v.Rounds, func(r rulph.RoundView) bool { return r.Held != nil })
	if holdout {
		t.Columns = append(t.Columns, ui.Column{Title: "shown", Right: true}, ui.Column{Title: "held out", Right: true})
	}
	t.Columns = append(t.Columns, ui.Column{Title: ""})
	for _, r := range v.Rounds {
		row := []string{fmt.Sprint(r.Round), fmt.Sprintf("%.1f", r.Overall)}
		if r.Void {
			row[1] = "void"
		}
		for _, c := range v.Criteria {
			row = append(row, points(r.Criteria[c.ID]))
		}
		if holdout {
			row = append(row, points(r.Shown), points(r.Held))
		}
		note := ""
		switch {
		case r.RolledBack:
			note = "rolled back"
		case r.Round == v.Best && !r.Void:
			note = "kept"
		}
		t.Rows = append(t.Rows, append(row, note))
	}
	return t
}

// points is a score, or that there is none.
func points(v *float64) string {
	if v == nil {
		return "none"
	}
	return fmt.Sprintf("%.1f", *v)
}

// place is where these files are: the one file, or the folder that holds them all.
func place(files []string) string {
	if len(files) == 1 {
		return files[0]
	}
	dir := filepath.Dir(files[0])
	for _, f := range files[1:] {
		for dir != filepath.Dir(dir) && !strings.HasPrefix(f, dir+string(filepath.Separator)) {
			dir = filepath.Dir(dir)
		}
	}
	return fmt.Sprintf("%s (%s)", dir, plural(len(files), "file"))
}
