package report

import (
	"fmt"
	"path"
	"strings"

	"rulph/internal/ui"
)

// GitHub shows ten annotations of each kind for a step, and drops the rest without a word.
const mostAnnotations = 10

// GitHub is the evaluation as the log of a step of GitHub Actions: a group with the scores, and as
// workflow commands an error for each gate that was missed, a warning for each item that failed and for
// each judge that did, and a notice with the result. Of each kind at most ten; the group has them all.
//
// The runner takes a line for a command that starts with "::", and one that has "##[" anywhere, an older
// form that it still reads. So no text of others starts a line, and none has that sign in a line that is
// no command.
func (e Evaluation) GitHub() []byte {
	var b strings.Builder
	b.WriteString("::group::" + commandData("rulph: "+ui.OneLine(e.title())+": "+e.headline()) + "\n")
	for _, line := range e.logLines() {
		b.WriteString(logLine(line) + "\n")
	}
	b.WriteString("::endgroup::\n")

	var errors, warnings []annotation
	for _, g := range e.gates() {
		if g.Reason != "" {
			errors = append(errors, annotation{title: "gate missed", text: g.Reason, file: e.file()})
		}
	}
	for _, c := range e.Criteria {
		for _, item := range c.Items {
			if item.failed() {
				a := annotation{title: c.Name, text: item.Text + ": " + item.reason(), file: e.file()}
				if file, line := e.place(item.Why); line != "" {
					a.file, a.line = file, line
				}
				warnings = append(warnings, a)
			}
		}
	}
	for _, j := range e.Judges {
		if j.State == "DEGRADED" {
			warnings = append(warnings, annotation{title: "judge " + j.Name, text: j.State + ": " + j.Reason})
		}
	}
	for _, n := range e.notes() {
		warnings = append(warnings, annotation{title: "rulph", text: n})
	}
	annotate(&b, "error", errors)
	annotate(&b, "warning", warnings)
	annotate(&b, "notice", []annotation{{title: e.title(), text: e.headline(), file: e.file()}})
	return []byte(b.String())
}

// annotation is one remark, at a line of a file where that is known.
type annotation struct{ title, text, file, line string }

// annotate writes at most ten of a kind, the last of which says how many more there are.
func annotate(b *strings.Builder, kind string, all []annotation) {
	if more := len(all) - mostAnnotations; more > 0 {
		all = append(all[:mostAnnotations-1:mostAnnotations-1], annotation{title: "rulph", text: many(more+1, "more is", "more are") + " in the log of this step"})
	}
	for _, a := range all {
		b.WriteString("::" + kind + " ")
		if f := ui.OneLine(a.file); below(f) {
			b.WriteString("file=" + commandProperty(f) + ",")
			if a.line != "" {
				b.WriteString("line=" + a.line + ",")
			}
		}
		b.WriteString("title=" + commandProperty(clip(ui.OneLine(a.title), longestCell)) + "::" + commandData(clip(ui.OneLine(a.text), 4*longestCell)) + "\n")
	}
}

// below reports whether a path names something below the working folder: GitHub shows only such files.
func below(file string) bool {
	return file != "" && !path.IsAbs(file) && file != ".." && !strings.HasPrefix(file, "../")
}

// place is the line that a reason names, as in "found TODO (HANDBOOK.md:63)", of one of the files that were
// scored; the reason may leave out the folders before the name.
func (e Evaluation) place(why string) (file, line string) {
	for _, file := range e.Files {
		for name, more := file, true; more; _, name, more = strings.Cut(name, "/") {
			_, rest, found := strings.Cut(why, "("+name+":")
			line, _, closed := strings.Cut(rest, ")")
			if found && closed && line != "" && len(line) < 8 && strings.Trim(line, "0123456789") == "" {
				return file, line
			}
		}
	}
	return "", ""
}

// logLines is what the group holds, the first word of each line ours.
func (e Evaluation) logLines() []string {
	lines := []string{"target " + ui.OneLine(e.Target) + ", rubric " + ui.OneLine(e.Rubric)}
	if s := e.measured(); s != "" {
		lines = append(lines, "measured: "+s)
	}
	t := ui.Table{Columns: []ui.Column{{Title: "item"}, {Title: "score", Right: true}, {Title: "floor", Right: true}, {Title: "weight", Right: true}, {Title: "what"}}}
	for _, c := range e.Criteria {
		state := "criterion"
		if c.Below {
			state = "BELOW"
		}
		t.Rows = append(t.Rows, []string{state, c.score(), floorWord(c.Floor), short(c.Weight) + "%", c.Name})
		for _, item := range c.Items {
			what := item.Text
			if item.Outcome != "yes" {
				what += ": " + item.reason()
			}
			t.Rows = append(t.Rows, []string{outcomeWord(item.Outcome), "", "", "", what})
		}
	}
	if len(t.Rows) > 0 {
		lines = append(lines, strings.Split(strings.TrimRight(t.Render(ui.Look{}), "\n"), "\n")...)
	}
	for _, j := range e.Judges {
		line := fmt.Sprintf("judge %s: %s", ui.OneLine(j.Name), ui.OneLine(j.State))
		if j.Overall != nil {
			line += " " + points(*j.Overall)
		}
		for _, part := range []string{ui.OneLine(j.Reason), ui.OneLine(j.Model), seconds(j.Seconds), spentWords(Agent{Tokens: j.Tokens, USD: j.USD, Unpriced: j.Unpriced, Silent: j.Silent})} {
			if part != "" {
				line += ", " + part
			}
		}
		lines = append(lines, line)
	}
	for _, n := range e.notes() {
		lines = append(lines, "note: "+n)
	}
	return lines
}

// outcomeWord is an outcome that may start a line.
func outcomeWord(s string) string {
	if _, known := heatMarks[s]; known {
		return s
	}
	return "other"
}

// logLine is a line that is no command of either form. Every bracket behind a number sign is replaced
// and not parted from it, since the runner compares text as a language does, which passes over
// characters that are not seen.
func logLine(s string) string {
	before, after, found := strings.Cut(s, "#")
	if !found {
		return s
	}
	return before + "#" + strings.ReplaceAll(after, "[", "(")
}

// commandData is the text of a workflow command.
func commandData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// commandProperty is the value of a property of a workflow command.
func commandProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
