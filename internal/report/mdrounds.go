package report

import (
	"slices"
	"strings"
)

// mdRounds is one part a round: what was tried, who judged it, and what changed in the artifact.
func mdRounds(d Data) string {
	if len(d.Rounds) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("## Rounds\n")
	for i, r := range d.Rounds {
		b.WriteString("\n### " + r.label() + "\n\n")
		b.WriteString(mdRound(d, i))
	}
	return b.String()
}

func mdRound(d Data, i int) string {
	r := d.Rounds[i]
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			b.WriteString("- " + name + ": " + value + "\n")
		}
	}
	overall := d.overall(r)
	if words := badgeWords(d.badges(r)); words != "" {
		overall += " (" + words + ")"
	}
	line("Overall", overall)
	if step := d.step(i); step != "" {
		b.WriteString("- " + md(step) + "\n")
	}
	line("Change", md(r.change()))
	line("Note", md(r.Note))
	line("Holdout", r.holdout())
	line("Agreement", r.agreement())
	for _, g := range r.Disagreements {
		line("Disagreement", md(d.disagreement(g)))
	}
	if r.LowConfidence {
		b.WriteString("- " + lowConfidence + "\n")
	}
	line("Neither yes nor no", md(d.beside(r)))
	line("Touched by the improver and not taken", md(r.dropped()))
	line("Took", seconds(r.Seconds))
	line("Spent", spentWords(Agent{Tokens: r.Tokens, USD: r.USD}))

	if len(r.Judges) > 0 {
		b.WriteString("\n" + mdJudges(r.Judges))
	}
	if r.Diff != "" {
		b.WriteString("\n" + mdFence("diff", r.Diff))
	}
	return b.String()
}

// mdJudges is the judges of a round, with what each took where that is known of any.
func mdJudges(judges []Judge) string {
	took := slices.ContainsFunc(judges, func(j Judge) bool { return j.took() != "" })
	titles := []string{"Judge", "State", "Reason"}
	if took {
		titles = append(titles, "Took")
	}
	var rows [][]string
	for _, j := range judges {
		row := []string{md(j.Name), md(j.State), md(j.Reason)}
		if took {
			row = append(row, md(j.took()))
		}
		rows = append(rows, row)
	}
	return mdTable(titles, rows)
}
