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
			errors = append(errors, annotation{"gate missed", g.Reason})
		}
	}
	for _, c := range e.Criteria {
		for _, item := range c.Items {
			if item.failed() {
				warnings = append(warnings, annotation{c.Name, item.Text + ": " + item.reason()})
			}
		}
	}
	for _, j := range e.Judges {
		if j.State == "DEGRADED" {
			warnings = append(warnings, annotation{"judge " + j.Name, j.State + ": " + j.Reason})
		}
	}
	for _, n := range e.notes() {
		warnings = append(warnings, annotation{"rulph", n})
	}
	e.annotate(&b, "error", errors)
	e.annotate(&b, "warning", warnings)
	e.annotate(&b, "notice", []annotation{{e.title(), e.headline()}})
	return []byte(b.String())
}

type annotation struct{ title, text string }

// annotate writes at most ten of a kind, the last of which says how many more there are.
func (e Evaluation) annotate(b *strings.Builder, kind string, all []annotation) {
	if more := len(all) - mostAnnotations; more > 0 {
		all = append(all[:mostAnnotations-1:mostAnnotations-1], annotation{"rulph", many(more+1, "more is", "more are") + " in the log of this step"})
	}
	for _, a := range all {
		b.WriteString("::" + kind + " ")
		if f := e.annotated(); f != "" {
			b.WriteString("file=" + commandProperty(f) + ",")
		}
		b.WriteString("title=" + commandProperty(clip(ui.OneLine(a.title), longestCell)) + "::" + commandData(clip(ui.OneLine(a.text), 4*longestCell)) + "\n")
	}
}

// annotated is the file that the annotations belong to: the only one, if it is below the working folder.
func (e Evaluation) annotated() string {
	f := e.file()
	if f == "" || path.IsAbs(f) || f == ".." || strings.HasPrefix(f, "../") {
		return ""
	}
	return ui.OneLine(f)
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
