package report

import (
	"slices"
	"strings"

	"rulph/internal/ui"
)

// heat is the map of answers: a row an item, a column a judge of a round. It is a table, so it needs
// no twin for those who cannot see its colours.
type heat struct {
	Rounds []heatRound
	Groups []heatGroup
	Legend []heatCell
}

type heatRound struct {
	Label  string
	Judges []heatJudge // those who answered; one without a name in a void round
}

// heatJudge heads a column. Its name stands upright, so a long one is cut short where it is seen.
type heatJudge struct{ Short, Full string }

const longestJudge = 18 // characters

// Span is how many columns the round has.
func (r heatRound) Span() int { return len(r.Judges) }

// heatGroup is one criterion: its scores by judge, then its items.
type heatGroup struct {
	Rows []heatRow // the first is the criterion itself
}

type heatRow struct {
	Text  string
	By    string // how an item is answered, empty for judges; whether it is held out
	Cells []heatCell
}

type heatCell struct {
	Kind  string // one of outcomes, "none", or "s0".."s4" for a score by fifths
	Mark  string // what is seen
	Word  string // what is read out
	First bool   // first column of its round
}

// heatMarks tell the outcomes apart without colour.
var heatMarks = map[string]string{
	"yes": "\u2713", "no": "\u2717", "unsure": "?", "missing": "\u2013", "unverified": "\u2260", "unknown": "\u2298",
}

// heatMeans says what an outcome means, for the legend.
var heatMeans = map[string]string{
	"yes": "yes", "no": "no", "unsure": "unsure, not counted", "missing": "no answer, not counted",
	"unverified": "yes, but its quote does not occur or is missing: not checked", "unknown": "the check could not tell, not counted",
}

func heatMap(d Data) heat {
	var h heat
	for _, r := range d.Rounds {
		round := heatRound{Label: r.label()}
		for _, j := range r.answering() {
			full := ui.OneLine(j.Name)
			short := full
			if runes := []rune(full); len(runes) > longestJudge {
				short = string(runes[:longestJudge-1]) + "\u2026"
			}
			round.Judges = append(round.Judges, heatJudge{short, full})
		}
		if len(round.Judges) == 0 {
			round.Judges = []heatJudge{{}}
		}
		h.Rounds = append(h.Rounds, round)
	}
	seen := map[string]bool{}
	for _, c := range d.Criteria {
		group := heatGroup{Rows: []heatRow{{Text: ui.OneLine(c.Name), Cells: scoreCells(d, c)}}}
		for _, item := range c.Items {
			row := heatRow{Text: ui.OneLine(item.Text)}
			if item.By != "judge" && item.By != "" {
				row.By = "by " + ui.OneLine(answeredBy(item.By))
			}
			if item.Held {
				row.By = strings.TrimPrefix(row.By+", "+heldOut, ", ")
			}
			row.Cells = itemCells(d, c.ID, item.ID, seen)
			group.Rows = append(group.Rows, row)
		}
		h.Groups = append(h.Groups, group)
	}
	for _, word := range outcomes {
		if seen[word] {
			h.Legend = append(h.Legend, heatCell{Kind: word, Mark: heatMarks[word], Word: heatMeans[word]})
		}
	}
	return h
}

// cells calls cell for each column of the map, with nil in a round nobody answered.
func cells(d Data, cell func(Round, *Judge) heatCell) []heatCell {
	var row []heatCell
	for _, r := range d.Rounds {
		judges := r.answering()
		if len(judges) == 0 {
			c := cell(r, nil)
			c.First = true
			row = append(row, c)
		}
		for i := range judges {
			c := cell(r, &judges[i])
			c.First = i == 0
			row = append(row, c)
		}
	}
	return row
}

var noAnswer = heatCell{Kind: "none", Mark: "", Word: "no answer"}

func scoreCells(d Data, c CriterionInfo) []heatCell {
	return cells(d, func(r Round, j *Judge) heatCell {
		if j == nil {
			return noAnswer
		}
		v, ok := r.criterion(c.ID).ByJudge[j.Name]
		if !ok {
			return noAnswer
		}
		fifth := int(min(4, max(0, v/20)))
		return heatCell{Kind: "s" + string(rune('0'+fifth)), Mark: points(v), Word: points(v)}
	})
}

func itemCells(d Data, criterion, item string, seen map[string]bool) []heatCell {
	return cells(d, func(_ Round, j *Judge) heatCell {
		if j == nil {
			return noAnswer
		}
		word, ok := j.Items[criterion][item]
		if !ok {
			return noAnswer
		}
		seen[word] = true
		if !slices.Contains(outcomes, word) {
			return heatCell{Kind: "none", Mark: "\u00b7", Word: ui.OneLine(word)}
		}
		return heatCell{Kind: word, Mark: heatMarks[word], Word: word}
	})
}
