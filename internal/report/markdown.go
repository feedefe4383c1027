package report

import (
	"fmt"
	"strings"

	"rulph/internal/ui"
)

// Markdown is the report as CommonMark with GitHub's tables. It ends with a line feed, and the same
// Data gives the same bytes.
func Markdown(d Data) []byte {
	var b strings.Builder
	for _, section := range []func(Data) string{
		mdHead, mdHistory, mdFinal, mdOpen, mdNotes, mdAgents, mdNoise, mdRounds, mdRubric,
	} {
		if s := section(d); s != "" {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(s)
		}
	}
	return []byte(b.String())
}

func mdHead(d Data) string {
	var b strings.Builder
	b.WriteString("# " + md(d.title()) + "\n\n")
	line := func(name, value string) {
		if value != "" {
			b.WriteString("- " + name + ": " + value + "\n")
		}
	}
	result := "**" + md(d.result()) + "**"
	if reason := md(d.Reason); reason != "" {
		result += " \u2013 " + reason
	}
	line("Result", result)
	line("Artifact", mdCode(d.Target))
	line("Criteria", count(len(d.Criteria)))
	line("Threshold", short(d.Threshold))
	line("Floor", floorWord(d.Floor))
	if r, ok := d.best(); ok {
		line("Best round", strings.ToLower(r.label())+" with "+d.overall(r))
		line("Holdout", r.holdout())
	} else {
		line("Best round", "none counted")
	}
	line("Rounds", d.roundsUsed())
	line("Started", stamp(d.Started))
	line("Ended", stamp(d.Ended))
	line("Took", d.took())
	line("Spent", d.spent())
	line("Budget", d.budget())
	line("Session", mdCode(d.Session))
	return b.String()
}

func mdHistory(d Data) string {
	if len(d.Rounds) == 0 {
		return "## Score history\n\nNo round was scored.\n"
	}
	titles := []string{"Round", ">Overall"}
	for _, c := range d.Criteria {
		titles = append(titles, ">"+md(c.Name))
	}
	has := d.columns()
	if has.Holdout {
		titles = append(titles, ">Shown items", ">Held-out items")
	}
	if has.Changes {
		titles = append(titles, "Change")
	}
	titles = append(titles, "Judges")
	below := false
	var rows [][]string
	for _, r := range d.Rounds {
		row := []string{mdRoundCell(d, r), d.overall(r)}
		for _, c := range d.Criteria {
			s := r.criterion(c.ID)
			cell := s.score(c.Floor)
			if s.Below {
				cell, below = belowMark+" "+cell, true
			}
			row = append(row, cell)
		}
		if has.Holdout {
			row = append(row, dashed(r.Shown), dashed(r.Held))
		}
		if has.Changes {
			row = append(row, md(r.changeWord()))
		}
		rows = append(rows, append(row, md(r.judges())))
	}
	out := "## Score history\n\n" + mdTable(titles, rows)
	if below {
		out += "\n" + belowMark + " below its floor\n"
	}
	return out
}

// belowMark stands before a score below its floor, where colour cannot say it.
const belowMark = "\u25bc"

func mdRoundCell(d Data, r Round) string {
	cell := fmt.Sprint(r.Number)
	words := badgeWords(d.badges(r))
	if r.Number == baseline {
		words = strings.TrimSuffix("baseline, "+words, ", ")
	}
	if words != "" {
		cell += " (" + words + ")"
	}
	return cell
}

func mdFinal(d Data) string {
	best, ok := d.best()
	if !ok {
		return ""
	}
	var rows [][]string
	for _, c := range d.Criteria {
		s := best.criterion(c.ID)
		score := s.score(c.Floor)
		if s.Below {
			score = belowMark + " " + score
		}
		rows = append(rows, []string{md(c.Name), short(c.Weight) + "%", score, floorWord(c.Floor), mdSuggestion(s)})
	}
	return fmt.Sprintf("## Final scores\n\n%s\nOverall: %s of 100, threshold %s (%s)\n",
		mdTable([]string{"Criterion", ">Weight", ">Score", ">Floor", "Top suggestion"}, rows),
		d.overall(best), short(d.Threshold), strings.ToLower(best.label()))
}

func mdSuggestion(s CriterionScore) string {
	if len(s.Suggestions) == 0 {
		return ""
	}
	top := s.Suggestions[0]
	if top.Judge == "" {
		return md(top.Text)
	}
	return md(top.Text) + " (" + md(top.Judge) + ")"
}

func mdOpen(d Data) string {
	best, ok := d.best()
	if !ok {
		return ""
	}
	var b strings.Builder
	for _, c := range d.Criteria {
		items := best.openIn(c)
		for _, item := range items {
			fmt.Fprintf(&b, "- %s: %s", md(c.Name), md(item.Text))
			if item.Said != "" {
				b.WriteString(" (" + md(item.Said) + ")")
			}
			if item.Held {
				b.WriteString(" (" + heldOut + ")")
			}
			b.WriteByte('\n')
		}
		if best.criterion(c.ID).Below && len(items) == 0 {
			fmt.Fprintf(&b, "- %s: below its floor\n", md(c.Name))
		}
	}
	if b.Len() == 0 {
		return "## Still open\n\nNothing.\n"
	}
	return "## Still open\n\n" + b.String()
}

func mdNotes(d Data) string {
	notes := d.notes()
	if len(notes) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("## Notes\n\n")
	for _, n := range notes {
		b.WriteString("- " + md(n) + "\n")
	}
	return b.String()
}

func mdRubric(d Data) string {
	var b strings.Builder
	b.WriteString("## Rubric\n\n")
	for _, part := range []struct{ name, value string }{
		{"Title", md(d.Rubric.Title)}, {"File", mdCode(d.Rubric.Path)}, {"Hash", mdCode(d.Rubric.Hash)},
	} {
		if part.value != "" {
			b.WriteString("- " + part.name + ": " + part.value + "\n")
		}
	}
	for _, c := range d.Criteria {
		fmt.Fprintf(&b, "\n### %s (%s%%, floor %s)\n\n", md(c.Name), short(c.Weight), floorWord(c.Floor))
		for _, item := range c.Items {
			b.WriteString("- " + md(item.Text))
			if item.By != "" && item.By != "judge" {
				b.WriteString(" (answered by " + md(answeredBy(item.By)) + ")")
			}
			if item.Held {
				b.WriteString(" (" + heldOut + ")")
			}
			b.WriteByte('\n')
		}
		for _, l := range c.Levels {
			fmt.Fprintf(&b, "- %d: %s\n", l.At, md(l.Text))
		}
		if len(c.Items)+len(c.Levels) == 0 {
			fmt.Fprintf(&b, "Scored by %s.\n", md(ui.OneLine(c.Kind)))
		}
	}
	return b.String()
}
