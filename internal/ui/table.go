package ui

import (
	"strings"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"
	"github.com/charmbracelet/x/ansi"
)

// Column is one column of a Table.
type Column struct {
	Title string
	Right bool // numbers, which compare by their last digit
}

// Table is rows of short texts. What others wrote may be in it: cells are made one printable line.
type Table struct {
	Columns []Column
	Rows    [][]string                 // a short row is filled with empty cells, cells without a column are dropped
	Tone    func(row, column int) Tone // nil: all plain
}

// gap is what stands between two columns.
const gap = 2

// narrowest is as far as a text column shrinks before the table is allowed to be too wide.
const narrowest = 12

// Render is the table as a stream with this look shows it, ending with a line feed. Where the table
// is wider than the stream, its widest text column is wrapped; a pipe gets every row on one line.
func (t Table) Render(l Look) string {
	if len(t.Columns) == 0 {
		return ""
	}
	cells := t.cells()
	widths := t.fit(cells, l.Width)
	if l.Color {
		return t.styled(cells, widths)
	}
	return t.plain(cells, widths)
}

// cells is the body, cleaned and made rectangular.
func (t Table) cells() [][]string {
	rows := make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = make([]string, len(t.Columns))
		for j := range min(len(row), len(t.Columns)) {
			rows[i][j] = OneLine(row[j])
		}
	}
	return rows
}

// fit gives each column the width of its widest cell and takes what is too much from the widest
// column of text.
func (t Table) fit(cells [][]string, limit int) []int {
	widths := make([]int, len(t.Columns))
	total := gap * (len(t.Columns) - 1)
	flexible := -1
	for j, c := range t.Columns {
		widths[j] = ansi.StringWidth(c.Title)
		for _, row := range cells {
			widths[j] = max(widths[j], ansi.StringWidth(row[j]))
		}
		total += widths[j]
		if !c.Right && (flexible < 0 || widths[j] > widths[flexible]) {
			flexible = j
		}
	}
	if over := total - limit; limit > 0 && over > 0 && flexible >= 0 {
		widths[flexible] = max(narrowest, widths[flexible]-over)
	}
	return widths
}

func (t Table) plain(cells [][]string, widths []int) string {
	var b strings.Builder
	titles := make([]string, len(t.Columns))
	for j, c := range t.Columns {
		titles[j] = c.Title
	}
	t.plainRow(&b, titles, widths)
	for _, row := range cells {
		t.plainRow(&b, row, widths)
	}
	return b.String()
}

func (t Table) plainRow(b *strings.Builder, row []string, widths []int) {
	columns := make([][]string, len(row))
	height := 1
	for j, cell := range row {
		columns[j] = strings.Split(ansi.Wrap(cell, widths[j], ""), "\n")
		height = max(height, len(columns[j]))
	}
	for i := range height {
		var line strings.Builder
		for j, lines := range columns {
			part := ""
			if i < len(lines) {
				part = lines[i]
			}
			pad := strings.Repeat(" ", max(0, widths[j]-ansi.StringWidth(part)))
			if j > 0 {
				line.WriteString(strings.Repeat(" ", gap))
			}
			if t.Columns[j].Right {
				line.WriteString(pad + part)
			} else {
				line.WriteString(part + pad)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

func (t Table) styled(cells [][]string, widths []int) string {
	titles := make([]string, len(t.Columns))
	for j, c := range t.Columns {
		titles[j] = c.Title
	}
	out := table.New().
		Headers(titles...).Rows(cells...).
		Border(lipgloss.NormalBorder()).
		BorderStyle(Faint.style()).
		BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false).BorderColumn(false).
		StyleFunc(func(row, column int) lipgloss.Style {
			tone := Plain
			switch {
			case row == table.HeaderRow:
				tone = Strong
			case t.Tone != nil:
				tone = t.Tone(row, column)
			}
			s := tone.style().Width(widths[column])
			if column > 0 {
				s = s.PaddingLeft(gap).Width(widths[column] + gap) // lipgloss counts the padding in
			}
			if t.Columns[column].Right {
				s = s.Align(lipgloss.Right)
			}
			return s
		}).
		String()
	return strings.TrimRight(out, "\n") + "\n"
}
