package report

import (
	"fmt"
	"strconv"
	"strings"

	"rulph/internal/ui"
)

// Summary is what a terminal prints at the end of a loop, without colour and with every row on one
// line: the result, the scores by round, the best round, and what is still open.
func Summary(d Data) string { return SummaryFor(d, ui.Look{}) }

// SummaryFor is Summary as a stream with this look shows it.
func SummaryFor(d Data, l ui.Look) string {
	var b strings.Builder
	b.WriteString(l.Paint(resultTone(d.Result), d.result()))
	if reason := ui.OneLine(d.Reason); reason != "" {
		b.WriteString(": " + reason)
	}
	b.WriteString("\n")
	if target := ui.OneLine(d.Target); target != "" {
		fmt.Fprintf(&b, "%s, threshold %s, floor %s\n", target, short(d.Threshold), floorWord(d.Floor))
	}
	if len(d.Rounds) > 0 {
		b.WriteString("\n" + scoreTable(d).Render(l))
	}
	if best, ok := d.best(); ok {
		fmt.Fprintf(&b, "\nBest: %s with %s\n", inRound(best), d.overall(best))
		b.WriteString(setAside(d))
		b.WriteString(openList(d, best))
	} else {
		b.WriteString("\nNo round counted\n")
	}
	for _, n := range d.notes() {
		b.WriteString(l.Paint(ui.Warn, "Note") + ": " + n + "\n")
	}
	if s := spent(d.Tokens, d.USD); s != "" {
		b.WriteString("Spent: " + s + "\n")
	}
	return b.String()
}

// scoreTable has a row a criterion and a column a round: rounds are few and their names short, so it
// fits a terminal where the names of criteria beside each other would not.
func scoreTable(d Data) ui.Table {
	t := ui.Table{Columns: []ui.Column{{Title: "Criterion"}, {Title: "Weight", Right: true}, {Title: "Floor", Right: true}}}
	overall := []string{"Overall", "", ""}
	for _, r := range d.Rounds {
		title := "R" + strconv.Itoa(r.Number)
		if r.Number == baseline {
			title = "Base"
		}
		t.Columns = append(t.Columns, ui.Column{Title: title, Right: true})
		overall = append(overall, d.overall(r))
	}
	for _, c := range d.Criteria {
		row := []string{c.Name, short(c.Weight) + "%", floorWord(c.Floor)}
		for _, r := range d.Rounds {
			s := r.criterion(c.ID)
			cell := s.score(c.Floor)
			if s.Below {
				cell = belowMark + cell
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	t.Rows = append(t.Rows, overall)
	t.Tone = func(row, column int) ui.Tone {
		switch {
		case column < 3:
			return ui.Plain
		case row < len(d.Criteria):
			if d.Rounds[column-3].criterion(d.Criteria[row].ID).Below {
				return ui.Wrong
			}
		default:
			return ui.Strong
		}
		return ui.Plain
	}
	return t
}

// setAside names the rounds that did not add to the result.
func setAside(d Data) string {
	var back, void []string
	for _, r := range d.Rounds {
		switch {
		case r.Void:
			void = append(void, inRound(r))
		case r.RolledBack:
			back = append(back, inRound(r))
		}
	}
	var b strings.Builder
	if len(back) > 0 {
		b.WriteString("Rolled back: " + strings.Join(back, ", ") + "\n")
	}
	if len(void) > 0 {
		b.WriteString("Void: " + strings.Join(void, ", ") + "\n")
	}
	return b.String()
}

func openList(d Data, best Round) string {
	var b strings.Builder
	for _, c := range d.Criteria {
		items := best.openIn(c)
		for _, item := range items {
			fmt.Fprintf(&b, "  %s: %s", ui.OneLine(c.Name), ui.OneLine(item.Text))
			if item.Said != "" {
				b.WriteString(" (" + item.Said + ")")
			}
			b.WriteByte('\n')
		}
		if len(items) == 0 && best.criterion(c.ID).Below {
			fmt.Fprintf(&b, "  %s: below its floor\n", ui.OneLine(c.Name))
		}
	}
	if b.Len() == 0 {
		return "Still open: nothing\n"
	}
	return "Still open:\n" + b.String()
}

func resultTone(result string) ui.Tone {
	switch resultTones[result] {
	case "good":
		return ui.Good
	case "warn":
		return ui.Warn
	case "bad":
		return ui.Wrong
	}
	return ui.Strong
}
