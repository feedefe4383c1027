package rubric

import (
	"fmt"
	"strings"
)

// perRow is how many items the draft table shows side by side.
const perRow = 3

// DraftTable is the draft a person is asked to confirm, in Markdown: the checklists in one table, each
// ending with its formula, and the criteria with levels or points in a second one.
func (r Rubric) DraftTable() string {
	var lists, scales [][4]string
	for i, c := range r.Criteria {
		if c.Scale() == Checklist {
			lists = append(lists, c.draftRows(i+1)...)
		} else {
			scales = append(scales, [4]string{fmt.Sprint(i + 1), cell(c.Name), c.weightText(), cell(c.questions())})
		}
	}
	var b strings.Builder
	b.WriteString("## Draft Rubric\n")
	table(&b, "Sub-items (yes/no each)", lists)
	table(&b, "Scoring Guidance", scales)
	return b.String()
}

func (c Criterion) draftRows(number int) [][4]string {
	var rows [][4]string
	for i := 0; i < len(c.Items); i += perRow {
		part := Criterion{Items: c.Items[i:min(i+perRow, len(c.Items))]}
		rows = append(rows, [4]string{3: cell(part.questions())})
	}
	rows[0][0], rows[0][1], rows[0][2] = fmt.Sprint(number), cell(c.Name), c.weightText()
	return append(rows, [4]string{3: fmt.Sprintf("score = (checked / %d) × 100", len(c.Items))})
}

func table(b *strings.Builder, last string, rows [][4]string) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n| # | Criterion | Weight | %s |\n|---|---|---|---|\n", last)
	for _, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row[:], " | "))
	}
}
