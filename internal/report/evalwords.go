package report

import (
	"fmt"
	"slices"
	"strings"

	"rulph/internal/ui"
)

// title is the headline: the rubric's title, else the artifact.
func (e Evaluation) title() string { return Data{Title: e.Title, Target: e.Target}.title() }

// verdict is the result in a word.
func (e Evaluation) verdict() string {
	switch {
	case e.Void:
		return "NOT SCORED"
	case e.Passed:
		return "PASSED"
	}
	return "NOT PASSED"
}

// overall is the score against the threshold, or a dash where nothing was scored.
func (e Evaluation) overall() string {
	if !e.Void && e.Overall >= e.Threshold-same {
		return points(e.Overall)
	}
	return Data{Threshold: e.Threshold}.overall(Round{Overall: e.Overall, Void: e.Void})
}

// headline is the result in a sentence.
func (e Evaluation) headline() string {
	if e.Void {
		return "NOT SCORED: no judge answered"
	}
	return fmt.Sprintf("%s: %s of 100, threshold %s", e.verdict(), e.overall(), short(e.Threshold))
}

func (c EvalCriterion) score() string {
	return CriterionScore{Score: c.Score, Below: c.Below}.score(c.Floor)
}

// open are the items that are not a yes.
func (c EvalCriterion) open() []EvalItem {
	return slices.DeleteFunc(slices.Clone(c.Items), func(i EvalItem) bool { return i.Outcome == "yes" })
}

// failed reports whether the item counts against the score. One that is neither a yes nor failed was
// left out of it.
func (i EvalItem) failed() bool { return i.Outcome == "no" || i.Outcome == "unverified" }

// outcomeMeans says in a sentence what an outcome other than yes means.
var outcomeMeans = map[string]string{
	"no":         "no",
	"unsure":     "the judges are unsure: not counted",
	"missing":    "no judge answered: not counted",
	"unverified": "a yes without a quotation that occurs in the text: counts as no",
	"unknown":    "the check could not tell: not counted",
}

// reason is the outcome and why, on one line.
func (i EvalItem) reason() string {
	s, known := outcomeMeans[i.Outcome]
	if !known {
		s = ui.OneLine(i.Outcome)
	}
	if why := ui.OneLine(i.Why); why != "" {
		s += "; " + why
	}
	return s
}

// said is who answered what, sorted by name.
func (i EvalItem) said() string {
	var parts []string
	for judge, word := range i.ByJudge {
		parts = append(parts, ui.OneLine(judge+" "+word))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// cost is what a judge spent, in words: an unknown cost is not a cost of nothing.
func (j EvalJudge) cost() string {
	return costWords(Agent{Tokens: j.Tokens, USD: j.USD, Unpriced: j.Unpriced, Silent: j.Silent})
}

// spent is what the evaluation spent as a whole.
func (e Evaluation) spent() string {
	all := Agent{Tokens: e.Tokens, USD: e.USD}
	for _, j := range e.Judges {
		all.Unpriced += j.Unpriced
		all.Silent += j.Silent
	}
	return spentWords(all)
}

// notes is what to know before trusting the score.
func (e Evaluation) notes() []string {
	var notes []string
	for _, w := range e.Warnings {
		notes = append(notes, ui.OneLine(w))
	}
	if e.LowConfidence {
		notes = append(notes, lowConfidence)
	}
	for _, g := range e.Disagreements {
		name := g.Criterion
		for _, c := range e.Criteria {
			if c.ID == g.Criterion && c.Name != "" {
				name = c.Name
			}
		}
		notes = append(notes, ui.OneLine(fmt.Sprintf("%s: %s scores it %s points above %s", name, g.High, points(g.Gap), g.Low)))
	}
	return notes
}

// measured says how the score came about: repeats, their spread, and how far the judges agree.
func (e Evaluation) measured() string {
	var parts []string
	if e.Repeats > 1 {
		s := many(e.Repeats, "scoring", "scorings")
		if e.SD != nil {
			s += ", standard deviation " + points(*e.SD) + " points"
		}
		parts = append(parts, s)
	}
	if s := (Round{Agreement: e.Agreement, Alpha: e.Alpha, Independent: e.Independent}).agreement(); s != "" {
		parts = append(parts, "agreement: "+s)
	}
	if s := seconds(e.Seconds); s != "" {
		parts = append(parts, s)
	}
	if s := e.spent(); s != "" {
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}

// gate is one bar that has to be reached. Reason is why it was not, empty where it was.
type gate struct {
	Name, Reached, Reason string
	Unscored              bool // there was nothing to hold against the bar
}

// same is how far below a bar a score may be and still be on it: the error of a sum of some hundred
// products, far below what one answer changes.
const same = 1e-9

// gates are the threshold and the floors. One of them is missed if and only if the evaluation did not
// pass.
func (e Evaluation) gates() []gate {
	overall := gate{Name: "overall at least " + short(e.Threshold), Reached: e.overall() + " of 100"}
	switch {
	case e.Void:
		overall.Reason, overall.Unscored = "no judge answered", true
	case !e.Passed && e.Overall < e.Threshold-same:
		overall.Reason = e.overall() + " of 100 is below the threshold of " + short(e.Threshold)
	}
	gates := []gate{overall}
	missed := overall.Reason != ""
	for _, c := range e.Criteria {
		if c.Floor == 0 && c.Score != nil {
			continue
		}
		name := ui.OneLine(c.Name)
		g := gate{Name: name + " at least " + short(c.Floor), Reached: c.score() + " of 100"}
		switch {
		case c.Score == nil:
			g.Reason, g.Unscored = name+" has no score: nothing was answered", true
		case c.Below:
			g.Reason = name + ": " + c.score() + " is below the floor of " + short(c.Floor)
		}
		missed = missed || g.Reason != ""
		gates = append(gates, g)
	}
	if !e.Passed && !missed {
		gates[0].Reason = "not passed"
	}
	return gates
}

// clip cuts a text to so many characters, for where there is little room.
func clip(s string, limit int) string {
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit-1]) + "\u2026"
	}
	return s
}
