package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"rulph/internal/loop"
	"rulph/internal/rulph"
	"rulph/internal/score"
	"rulph/internal/ui"
)

// printView shows a loop to a person: where it stands, what the last round said, what comes next. It
// stays short, since an agent reads it too.
func printView(io ui.IO, v rulph.View) error {
	var b strings.Builder
	look := io.Look(io.Out)
	switch {
	case v.Result != "":
		fmt.Fprintf(&b, "rulph: %s %s: %s\n", ui.OneLine(v.Target), look.Paint(resultTone(v.Result), string(v.Result)), v.Reason)
	case len(v.Rounds) == 0:
		fmt.Fprintf(&b, "rulph: the loop for %s is armed in session %s\n", ui.OneLine(v.Target), v.Session)
		fmt.Fprintf(&b, "passes at %s overall, no criterion below its floor (%s); at most %d rounds after the baseline\n", setting(v.Threshold), setting(v.Floor), v.MaxRounds)
	default:
		fmt.Fprintf(&b, "rulph: %s, round %d of %d, score %.1f of %s\n", ui.OneLine(v.Target), v.Round, v.MaxRounds, v.Score, setting(v.Threshold))
	}
	if len(v.Rounds) > 0 {
		printRound(&b, look, v.Rounds[len(v.Rounds)-1])
	}
	if len(v.Criteria) > 0 {
		b.WriteString(criteriaTable(v).Render(look))
	}
	for _, w := range v.Warnings {
		fmt.Fprintf(&b, "%s %s\n", look.Paint(ui.Warn, "warning:"), ui.OneLine(w))
	}
	for judge, state := range v.Seats {
		fmt.Fprintf(&b, "judge %s: %s\n", judge, ui.OneLine(state))
	}
	if v.Report != "" {
		fmt.Fprintf(&b, "report: %s\n", filepath.Join(v.Report, "report.md"))
	}
	if v.Result == "" || v.Report == "" {
		fmt.Fprintf(&b, "next: %s\n", v.Next.Text)
	} else {
		b.WriteString("next: tell the user the result, the scores by round and where the report is.\n")
	}
	_, err := fmt.Fprint(io.Out, b.String())
	return err
}

func printRound(b *strings.Builder, look ui.Look, r rulph.RoundView) {
	if r.Void {
		fmt.Fprintf(b, "%s this scoring counts for nothing: %s\n", look.Paint(ui.Wrong, "void:"), judgeLine(r.Judges))
		return
	}
	if r.RolledBack {
		fmt.Fprintf(b, "%s round %d (%.1f) was %s\n", look.Paint(ui.Warn, "rolled back:"), r.Round, r.Overall, ui.OneLine(r.Note))
	}
	if r.LowConfidence {
		fmt.Fprintf(b, "%s one judge alone scored this round\n", look.Paint(ui.Warn, "LOW CONFIDENCE:"))
	}
	for _, d := range r.Disagreements {
		fmt.Fprintf(b, "%s %s: %s says %.1f, %s says %.1f, %.1f apart; its items may be read in two ways\n", look.Paint(ui.Warn, "disagreement:"),
			d.Criterion, d.Low.Judge, d.Low.Score, d.High.Judge, d.High.Score, d.Gap)
	}
	if line := judgeLine(r.Judges); line != "" {
		fmt.Fprintf(b, "judges: %s%s\n", line, agreement(r))
	}
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

func printSubmission(io ui.IO, s rulph.Submission) {
	switch s.Intake {
	case loop.Taken:
		fmt.Fprintf(io.Out, "rulph: the verdict of %s is in (round %d)\nnext: %s\n", s.Judge, s.Round, s.Next.Text)
	case loop.Mend:
		fmt.Fprintf(io.Out, "rulph: the verdict of %s cannot be used: %s\nnext: let %s answer once more with nothing but the JSON object of its prompt, and submit that\n", s.Judge, s.Reason, s.Judge)
	default:
		fmt.Fprintf(io.Out, "rulph: the verdict of %s cannot be used again: %s\n%s is %s in round %d\nnext: %s\n", s.Judge, s.Reason, s.Judge, score.Degraded, s.Round, s.Next.Text)
	}
}

func resultTone(r loop.End) ui.Tone {
	if r == loop.Passed {
		return ui.Good
	}
	return ui.Wrong
}

// setting shows a setting: without decimals where it has none.
func setting(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }
