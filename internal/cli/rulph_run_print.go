package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"rulph/internal/loop"
	"rulph/internal/rulph"
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
	return line
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
	if len(v.Files) > 0 {
		fmt.Fprintf(&b, "result: %s\n", ui.OneLine(place(v.Files)))
	}
	if v.Report != "" {
		fmt.Fprintf(&b, "report: %s\n", filepath.Join(v.Report, "report.md"))
	}
	if v.Result != loop.Passed && v.Result != loop.CancelledEnd {
		fmt.Fprintf(&b, "next: read the report, mend what stood in the way, then go on with '%s'\n", f.again(e))
	}
	_, err := fmt.Fprint(io.Out, b.String())
	return err
}

func roundsTable(v rulph.View) ui.Table {
	t := ui.Table{Columns: []ui.Column{{Title: "round", Right: true}, {Title: "overall", Right: true}}}
	for _, c := range v.Criteria {
		t.Columns = append(t.Columns, ui.Column{Title: c.ID, Right: true})
	}
	t.Columns = append(t.Columns, ui.Column{Title: ""})
	for _, r := range v.Rounds {
		row := []string{fmt.Sprint(r.Round), fmt.Sprintf("%.1f", r.Overall)}
		if r.Void {
			row[1] = "void"
		}
		for _, c := range v.Criteria {
			cell := "none"
			if s := r.Criteria[c.ID]; s != nil {
				cell = fmt.Sprintf("%.1f", *s)
			}
			row = append(row, cell)
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
