package report

import (
	"slices"
	"strings"

	"rulph/internal/ui"
)

// The words of Data that the report treats in a special way.
const (
	available = "AVAILABLE"
	passed    = "PASSED"
	baseline  = 0 // number of the first round
)

// outcomes are the answers an item can have, in the order a legend lists them.
var outcomes = []string{"yes", "no", "unsure", "missing", "unverified", "unknown"}

// title is the headline: the loop's own title, else the rubric's, else the artifact.
func (d Data) title() string {
	for _, s := range []string{d.Title, d.Rubric.Title, d.Target} {
		if s = ui.OneLine(s); s != "" {
			return s
		}
	}
	return "Untitled"
}

// result is Result in words of a sentence's heading.
func (d Data) result() string {
	if d.Result == "" {
		return "NOT FINISHED"
	}
	return strings.ReplaceAll(ui.OneLine(d.Result), "_", " ")
}

// best is the round that was kept in the end.
func (d Data) best() (Round, bool) {
	i := slices.IndexFunc(d.Rounds, func(r Round) bool { return r.Number == d.Best && !r.Void })
	if i < 0 {
		return Round{}, false
	}
	return d.Rounds[i], true
}

// base is the round that the i-th was built on: the last one before it that counted and was not
// rolled back.
func (d Data) base(i int) (Round, bool) {
	for j := i - 1; j >= 0; j-- {
		if r := d.Rounds[j]; !r.Void && !r.RolledBack {
			return r, true
		}
	}
	return Round{}, false
}

// name is the criterion's name for its id, or the id where the rubric has no such criterion.
func (d Data) name(id string) string {
	for _, c := range d.Criteria {
		if c.ID == id && c.Name != "" {
			return c.Name
		}
	}
	return id
}

func (r Round) criterion(id string) CriterionScore {
	for _, c := range r.Criteria {
		if c.ID == id {
			return c
		}
	}
	return CriterionScore{ID: id}
}

// answering are the judges whose answers counted in the round.
func (r Round) answering() []Judge {
	var js []Judge
	for _, j := range r.Judges {
		if j.State == available {
			js = append(js, j)
		}
	}
	return js
}

// judgeNames lists every judge of the loop once, in the order they first appear.
func (d Data) judgeNames() []string {
	var names []string
	for _, r := range d.Rounds {
		for _, j := range r.Judges {
			if !slices.Contains(names, j.Name) {
				names = append(names, j.Name)
			}
		}
	}
	return names
}

func (r Round) judge(name string) (Judge, bool) {
	for _, j := range r.Judges {
		if j.Name == name {
			return j, true
		}
	}
	return Judge{}, false
}

// openItem is one item that still wants work, and what the judges said about it.
type openItem struct {
	Text string
	Said string // "codex no, gemini unsure"
	By   string // text command judge
	Held bool
}

// openIn lists the open items of one criterion in the given round.
func (r Round) openIn(c CriterionInfo) []openItem {
	var items []openItem
	for _, id := range r.criterion(c.ID).Open {
		item := openItem{Text: id, By: "judge"}
		for _, known := range c.Items {
			if known.ID == id {
				item.Text, item.By, item.Held = known.Text, known.By, known.Held
			}
		}
		item.Said = r.said(c.ID, id, item.By)
		items = append(items, item)
	}
	return items
}

// said is who answered what. An item that the text or a command answers has one answer for all.
func (r Round) said(criterion, item, by string) string {
	var parts []string
	for _, j := range r.answering() {
		word, ok := j.Items[criterion][item]
		if !ok {
			continue
		}
		if by == "text" || by == "command" {
			return ui.OneLine(by + " " + word)
		}
		parts = append(parts, ui.OneLine(j.Name+" "+word))
	}
	return strings.Join(parts, ", ")
}

// beside is how many answers of a round were neither yes nor no, by criterion. They are shown beside
// the scores, which they would otherwise silently thin out.
func (d Data) beside(r Round) string {
	var all []string
	for _, c := range d.Criteria {
		counts := map[string]int{}
		for _, j := range r.answering() {
			for _, word := range j.Items[c.ID] {
				counts[word]++
			}
		}
		var parts []string
		for _, word := range outcomes[2:] {
			if n := counts[word]; n > 0 {
				parts = append(parts, count(n)+" "+word)
			}
		}
		if len(parts) > 0 {
			all = append(all, ui.OneLine(c.Name)+" "+strings.Join(parts, ", "))
		}
	}
	return strings.Join(all, "; ")
}
