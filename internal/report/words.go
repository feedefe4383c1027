package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"rulph/internal/ui"
)

// label names a round in a heading.
func (r Round) label() string {
	if r.Number == baseline {
		return "Baseline"
	}
	return "Round " + strconv.Itoa(r.Number)
}

// badge is one thing to know of a round at a glance. Its tone picks a colour in HTML.
type badge struct{ Text, Tone string }

// badges are the round's badges, the weightiest first.
func (d Data) badges(r Round) []badge {
	var fs []badge
	if r.Void {
		return []badge{{"void", "bad"}}
	}
	if r.Passed {
		fs = append(fs, badge{"passed", "good"})
	}
	best, ok := d.best()
	switch {
	case ok && best.Number == r.Number:
		fs = append(fs, badge{"best", "good"})
	case r.RolledBack:
		fs = append(fs, badge{"rolled back", "warn"})
	case r.Kept:
		fs = append(fs, badge{"kept", "plain"})
	}
	if r.LowConfidence {
		fs = append(fs, badge{"LOW CONFIDENCE", "warn"})
	}
	return fs
}

func badgeWords(fs []badge) string {
	words := make([]string, len(fs))
	for i, f := range fs {
		words[i] = f.Text
	}
	return strings.Join(words, ", ")
}

// judges says in one line who answered in a round: names, with the state of those that did not.
func (r Round) judges() string {
	parts := make([]string, len(r.Judges))
	for i, j := range r.Judges {
		parts[i] = ui.OneLine(j.Name)
		if j.State != available {
			parts[i] += " (" + ui.OneLine(j.State) + ")"
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// agreement is how far the judges agree, empty where there were not two to compare.
func (r Round) agreement() string {
	var parts []string
	if r.Agreement != nil {
		parts = append(parts, points(*r.Agreement)+"% of the pairs of answers")
	}
	if r.Alpha != nil {
		parts = append(parts, "Krippendorff's alpha "+strconv.FormatFloat(*r.Alpha, 'f', 2, 64))
	}
	if r.Independent != nil {
		parts = append(parts, "worth "+points(*r.Independent)+" independent judges")
	}
	return strings.Join(parts, ", ")
}

func (d Data) disagreement(g Disagreement) string {
	return fmt.Sprintf("%s: %s scores it %s points above %s",
		ui.OneLine(d.name(g.Criterion)), ui.OneLine(g.High), points(g.Gap), ui.OneLine(g.Low))
}

// twoReadings is the advice where judges are far apart.
const twoReadings = "Where judges are far apart, the wording of the criterion may leave room for two readings"

const lowConfidence = "LOW CONFIDENCE: one judge alone answered"

// step says what a round tried and what came of it.
func (d Data) step(i int) string {
	r := d.Rounds[i]
	var parts []string
	if r.Target != "" {
		parts = append(parts, "Improves "+ui.OneLine(d.name(r.Target)))
	}
	if base, ok := d.base(i); ok && !r.Void {
		parts = append(parts, change(base.Overall, r.Overall)+" against "+strings.ToLower(base.label()))
	}
	return strings.Join(parts, ", ")
}

// roundsUsed is how many improvements were made of how many were allowed.
func (d Data) roundsUsed() string {
	n := 0
	for _, r := range d.Rounds {
		if r.Number != baseline {
			n++
		}
	}
	if len(d.Rounds) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d of %d after the baseline", n, d.MaxRounds)
}

// notes is what a reader should know before trusting the scores: warnings of the loop, rounds with
// one judge, judges that disagree.
func (d Data) notes() []string {
	var notes []string
	for _, w := range d.Warnings {
		notes = append(notes, ui.OneLine(w))
	}
	apart := false
	for _, r := range d.Rounds {
		if r.LowConfidence {
			notes = append(notes, r.label()+": "+lowConfidence)
		}
		for _, g := range r.Disagreements {
			notes = append(notes, r.label()+": "+d.disagreement(g))
			apart = true
		}
	}
	if apart {
		notes = append(notes, twoReadings)
	}
	return notes
}

// floorWord is a floor as it is shown: 0 means there is none.
func floorWord(floor float64) string {
	if floor == 0 {
		return "off"
	}
	return short(floor)
}

// answeredBy names who answers an item in a sentence.
func answeredBy(by string) string {
	switch by {
	case "text":
		return "the text"
	case "command":
		return "a command"
	case "judge", "":
		return "the judges"
	}
	return by
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02 15:04:05 -07:00")
}

// day is stamp without its seconds, for where there is little room.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02 15:04 -07:00")
}
