package report

import (
	"fmt"
	"strconv"
	"strings"

	"rulph/internal/ui"
)

// heldOut marks an item that the improver was not told of.
const heldOut = "held out"

// columns says which columns the tables of rounds need.
type columns struct{ Holdout, Changes, Independent bool }

func (d Data) columns() columns {
	var has columns
	for _, r := range d.Rounds {
		has.Holdout = has.Holdout || r.Shown != nil || r.Held != nil
		has.Changes = has.Changes || r.Change != nil
		has.Independent = has.Independent || r.Independent != nil
	}
	return has
}

// dashed is a score, or a dash where there is none.
func dashed(v *float64) string {
	if v == nil {
		return "\u2013"
	}
	return points(*v)
}

// holdout is both scores side by side, empty where there is no holdout.
func (r Round) holdout() string {
	if r.Shown == nil && r.Held == nil {
		return ""
	}
	return "shown items " + dashed(r.Shown) + ", held-out items " + dashed(r.Held)
}

// changeWord is the word for the round's change, empty where nothing was compared.
func (r Round) changeWord() string {
	if r.Change == nil {
		return ""
	}
	return ui.OneLine(r.Change.Word)
}

// change is the word and its numbers.
func (r Round) change() string {
	word := r.changeWord()
	if r.Change == nil {
		return ""
	}
	text := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(ui.OneLine(r.Change.Text), word), ":"))
	if text == "" {
		return word
	}
	return word + ": " + text
}

// dropped lists the files that the improver touched and that were not taken.
func (r Round) dropped() string {
	names := make([]string, len(r.Dropped))
	for i, name := range r.Dropped {
		names[i] = ui.OneLine(name)
	}
	return strings.Join(names, ", ")
}

// took is what one judge took in one round, empty where nothing is known of it.
func (j Judge) took() string {
	var parts []string
	for _, part := range []string{seconds(j.Seconds), spentWords(Agent{Tokens: j.Tokens}), ui.OneLine(j.Model)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// share is a part of one as a percentage.
func share(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + "%" }

// facts are the figures of the noise, named.
func (c Calibration) facts() []fact {
	return []fact{
		{"Measured on", fmt.Sprintf("%s of the same artifact, %s each", many(c.Repeats, "scoring", "scorings"), many(c.Items, "item", "items"))},
		{"Answers that flip from one scoring to the next", fmt.Sprintf("%s (95%% interval %s to %s)", share(c.FlipRate), share(c.FlipLow), share(c.FlipHigh))},
		{"Standard deviation of a score", points(c.SD) + " points"},
		{"Noise band", "\u00b1" + points(c.Band) + " points: 95% of differences without a change are smaller"},
	}
}

// cells are an agent's columns: name, role, program, model, calls, tokens, cost.
func (a Agent) cells() []string {
	number := func(n int64) string {
		if n == 0 {
			return "\u2013"
		}
		return count(n)
	}
	cost := costWords(a)
	if cost == "" {
		cost = "\u2013"
	}
	return []string{ui.OneLine(a.Name), ui.OneLine(a.Role), ui.OneLine(a.Program), ui.OneLine(a.Model), number(int64(a.Calls)), number(a.Tokens), cost}
}
