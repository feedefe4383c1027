package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"rulph/internal/loop"
	"rulph/internal/prompt"
	"rulph/internal/rulph"
	"rulph/internal/score"
	"rulph/internal/ui"
)

// printView shows a loop to a person: where it stands, what the last round said, what comes next. It
// stays short, since an agent reads it too.
func printView(io ui.IO, v rulph.View) error {
	var b strings.Builder
	look := io.Look(io.Out)
	b.WriteString(heading(look, v))
	if len(v.Rounds) > 0 {
		printRound(&b, look, v.Rounds[len(v.Rounds)-1])
	}
	if len(v.Criteria) > 0 {
		b.WriteString(criteriaTable(v).Render(look))
	}
	for _, w := range v.Warnings {
		fmt.Fprintf(&b, "%s %s\n", look.Paint(ui.Warn, "warning:"), ui.OneLine(w))
	}
	for _, judge := range v.Judges {
		if state, ok := v.Seats[judge]; ok {
			fmt.Fprintf(&b, "%s: %s\n", judge, ui.OneLine(state))
		}
	}
	if v.Estimate != nil {
		for _, line := range plan(v) {
			fmt.Fprintln(&b, ui.OneLine(line))
		}
	}
	if line := spentLine(v); line != "" {
		fmt.Fprintln(&b, line)
	}
	if v.Report != "" {
		fmt.Fprintf(&b, "report: %s\n", filepath.Join(v.Report, "report.md"))
	}
	if v.Result == "" || v.Report == "" {
		fmt.Fprintf(&b, "next: %s\n", strings.TrimRight(ui.Printable(v.Next.Text), "\n"))
	} else {
		b.WriteString("next: tell the user the result, the scores by round and where the report is.\n")
	}
	_, err := fmt.Fprint(io.Out, b.String())
	return err
}

// heading is where the loop stands, in one line or two.
func heading(look ui.Look, v rulph.View) string {
	target := ui.OneLine(v.Target)
	switch {
	case v.Result != "":
		return fmt.Sprintf("rulph: %s%s: %s\n", suffixed(target, " "), look.Paint(resultTone(v.Result), string(v.Result)), ui.OneLine(v.Reason))
	case v.Status != loop.Active:
		return fmt.Sprintf("rulph: %sthe status is %q\n", suffixed(target, ": "), v.Status)
	case v.Rubric == "":
		return fmt.Sprintf("rulph: score %.1f of %s, round %d of %d, without a rubric, in session %s\n", v.Score, setting(v.Threshold), v.Round, v.MaxRounds, v.Session)
	case len(v.Rounds) > 0:
		return fmt.Sprintf("rulph: %s, round %d of %d, score %.1f of %s\n", target, v.Round, v.MaxRounds, v.Score, setting(v.Threshold))
	}
	rounds := "the baseline alone is scored"
	if v.MaxRounds > 0 {
		rounds = fmt.Sprintf("at most %s after the baseline", plural(v.MaxRounds, "round"))
	}
	return fmt.Sprintf("rulph: the loop for %s is armed in session %s\npasses at %s overall with no criterion below its floor (%s where it has none of its own); %s\n",
		target, v.Session, setting(v.Threshold), setting(v.Floor), rounds)
}

// suffixed is s with what separates it from what follows, or nothing.
func suffixed(s, separator string) string {
	if s == "" {
		return ""
	}
	return s + separator
}

func printRound(b *strings.Builder, look ui.Look, r rulph.RoundView) {
	if r.Void {
		fmt.Fprintf(b, "%s this scoring counts for nothing: %s\n", look.Paint(ui.Wrong, "void:"), judgeLine(r.Judges))
		return
	}
	if r.RolledBack {
		fmt.Fprintf(b, "%s round %d (%.1f) %s\n", look.Paint(ui.Warn, "rolled back:"), r.Round, r.Overall, ui.OneLine(strings.TrimPrefix(r.Note, "rolled back ")))
	}
	if r.LowConfidence {
		fmt.Fprintf(b, "%s one judge alone scored this round\n", look.Paint(ui.Warn, "LOW CONFIDENCE:"))
	}
	for _, d := range r.Disagreements {
		fmt.Fprintln(b, strings.Replace(disagreementLine(d), "disagreement:", look.Paint(ui.Warn, "disagreement:"), 1))
	}
	if r.Change != nil {
		fmt.Fprintf(b, "change: %s\n", ui.OneLine(r.Change.String()))
	}
	if r.Held != nil {
		fmt.Fprintf(b, "items the improver knows %s, held-out items %s\n", points(r.Shown), points(r.Held))
	}
	if line := judgeLine(r.Judges); line != "" {
		fmt.Fprintf(b, "judges of round %d: %s%s\n", r.Round, line, agreement(r))
	}
}

func disagreementLine(d score.Disagreement) string {
	return fmt.Sprintf("disagreement: %s: %s says %.1f, %s says %.1f, %.1f apart; its items may be read in two ways",
		d.Criterion, d.Low.Judge, d.Low.Score, d.High.Judge, d.High.Score, d.Gap)
}

func judgeLine(judges []rulph.JudgeView) string {
	var parts []string
	for _, j := range judges {
		part := j.Name + " " + string(j.State)
		if j.Overall != nil {
			part += fmt.Sprintf(" %.1f", *j.Overall)
		}
		if j.Reason != "" {
			part += " (" + ui.OneLine(j.Reason) + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func agreement(r rulph.RoundView) string {
	if r.Agreement == nil {
		return ""
	}
	out := fmt.Sprintf("; agreement %.0f%%", *r.Agreement)
	if r.Alpha != nil {
		out += fmt.Sprintf(", alpha %.2f", *r.Alpha)
	}
	if r.Independent != nil {
		out += fmt.Sprintf(", worth %.1f independent judges", *r.Independent)
	}
	return out
}

func criteriaTable(v rulph.View) ui.Table {
	t := ui.Table{Columns: []ui.Column{{Title: "criterion"}, {Title: "weight", Right: true}, {Title: "score", Right: true}, {Title: "floor", Right: true}, {Title: ""}}}
	for _, c := range v.Criteria {
		score, note := "none", "nothing was answered"
		if c.Score != nil {
			score, note = fmt.Sprintf("%.1f", *c.Score), ""
			if n := len(c.Open); n > 0 {
				note = fmt.Sprintf("%d open", n)
			}
		}
		if c.Below {
			note = strings.TrimPrefix(note+", BELOW FLOOR", ", ")
		}
		t.Rows = append(t.Rows, []string{c.Name, setting(c.Weight) + "%", score, setting(c.Floor), note})
	}
	t.Tone = func(row, column int) ui.Tone {
		if column >= 2 && row >= 0 && row < len(v.Criteria) && v.Criteria[row].Below {
			return ui.Wrong
		}
		return ui.Plain
	}
	return t
}

func printSubmission(io ui.IO, s rulph.Submission) error {
	var text string
	switch s.Intake {
	case prompt.Taken:
		text = fmt.Sprintf("rulph: the verdict of %s is in (round %d)\nnext: %s", s.Judge, s.Round, s.Next.Text)
	case prompt.Mend:
		text = fmt.Sprintf("rulph: the answer of %[1]s cannot be used: %[2]s\nnext: let %[1]s answer once more with nothing but the JSON object of its prompt, and submit that", s.Judge, s.Reason)
	default:
		text = fmt.Sprintf("rulph: the second answer of %[1]s cannot be used either: %[2]s\n%[1]s is %[3]s in round %[4]d\nnext: %[5]s", s.Judge, s.Reason, score.Degraded, s.Round, s.Next.Text)
	}
	_, err := fmt.Fprintln(io.Out, ui.Printable(text))
	return err
}

func resultTone(r loop.End) ui.Tone {
	if r == loop.Passed {
		return ui.Good
	}
	return ui.Wrong
}

// setting shows a setting: without decimals where it has none.
func setting(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }
