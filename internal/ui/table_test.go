package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

var scores = Table{
	Columns: []Column{{Title: "Criterion"}, {Title: "Score", Right: true}, {Title: "Top suggestion"}},
	Rows: [][]string{
		{"Set-up instructions", "100.0", ""},
		{"설치 안내", "66.7", "Name the supported operating systems before the install command"},
		{"Tone", "5.0"},
	},
}

func TestTableAlignsInAPipeWithOneLineARow(t *testing.T) {
	want := strings.Join([]string{
		"Criterion            Score  Top suggestion",
		"Set-up instructions  100.0",
		"설치 안내             66.7  Name the supported operating systems before the install command",
		"Tone                   5.0",
		"",
	}, "\n")
	if got := scores.Render(Look{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTableWrapsItsTextColumnToTheTerminal(t *testing.T) {
	want := strings.Join([]string{
		"Criterion            Score  Top suggestion",
		"Set-up instructions  100.0",
		"설치 안내             66.7  Name the supported operating",
		"                            systems before the install",
		"                            command",
		"Tone                   5.0",
		"",
	}, "\n")
	if got := scores.Render(Look{Live: true, Width: 60}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestStyledTableSaysTheSameWordsAndKeepsTheWidth(t *testing.T) {
	styled := scores
	styled.Tone = func(row, column int) Tone {
		if row == 2 && column == 1 {
			return Wrong
		}
		return Plain
	}
	got := styled.Render(Look{Live: true, Color: true, Width: 60})
	if !strings.Contains(got, "\x1b[31m") {
		t.Errorf("the low score is not red:\n%q", got)
	}
	for _, line := range strings.Split(got, "\n") {
		if w := ansi.StringWidth(line); w > 60 {
			t.Errorf("%d columns wide: %q", w, line)
		}
	}
	want := []string{
		"Criterion            Score  Top suggestion",
		"────────────────────────────────────────────────────────────",
		"Set-up instructions  100.0",
		"설치 안내             66.7  Name the supported operating",
		"                            systems before the install",
		"                            command",
		"Tone                   5.0",
	}
	lines := strings.Split(strings.TrimRight(ansi.Strip(got), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	if strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

func TestTableCellsCannotActOnTheTerminal(t *testing.T) {
	hostile := Table{Columns: []Column{{Title: "Item"}}, Rows: [][]string{{"a\x1b[2Jb\nc", "dropped"}}}
	if got, want := hostile.Render(Look{}), "Item\na␛[2Jb c\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (Table{}).Render(Look{}); got != "" {
		t.Errorf("a table without columns: %q", got)
	}
}
