package report

import (
	"strconv"

	"rulph/internal/ui"
)

// roundView is one round as the page prints it.
type roundView struct {
	Index, Number                      int // Index is its place, which is unique even where numbers are not
	Label, Overall, Judges, Step, Note string
	Best, Void                         bool
	Badges                             []badge
	Scores                             []scoreView // in the order of the rubric
	States                             []stateView // in the order of judgeNames
	Agreement, Alpha, Independent      string
	Tokens, Cost, Time                 string
	Shown, Held, Change                string
	Word                               badge // of the change
	Remarks                            []string
	Suggestions                        []suggestionView
	SuggestionCount                    string
	Diff                               []diffFile
}

type stateView struct{ State, Tone, Reason, Took string }

type suggestionView struct{ Criterion, Text, Judge string }

var stateTones = map[string]string{available: "good", "SKIPPED": "plain", "DEGRADED": "warn"}

func roundOf(d Data, i int) roundView {
	r := d.Rounds[i]
	best, found := d.best()
	v := roundView{
		Index: i, Number: r.Number, Label: r.label(), Overall: d.overall(r), Judges: r.judges(), Step: d.step(i),
		Note: ui.OneLine(r.Note), Best: found && best.Number == r.Number, Void: r.Void, Badges: d.badges(r),
		Agreement: "\u2013", Alpha: "\u2013", Tokens: "\u2013", Cost: "\u2013", Time: "\u2013",
		Remarks: remarks(d, r), Diff: parseDiff(r.Diff), Independent: dashed(r.Independent),
		Shown: dashed(r.Shown), Held: dashed(r.Held), Change: r.change(),
	}
	if word := r.changeWord(); word != "" {
		v.Word = badge{word, changeTones[r.Change.Word]}
	}
	for _, c := range d.Criteria {
		s := r.criterion(c.ID)
		v.Scores = append(v.Scores, scoreView{s.score(c.Floor), s.Below})
		for _, sug := range s.Suggestions {
			v.Suggestions = append(v.Suggestions, suggestionView{ui.OneLine(c.Name), ui.OneLine(sug.Text), ui.OneLine(sug.Judge)})
		}
	}
	v.SuggestionCount = many(len(v.Suggestions), "suggestion", "suggestions")
	for _, name := range d.judgeNames() {
		j, ok := r.judge(name)
		if !ok {
			v.States = append(v.States, stateView{})
			continue
		}
		v.States = append(v.States, stateView{ui.OneLine(j.State), stateTones[j.State], ui.OneLine(j.Reason), j.took()})
	}
	if r.Agreement != nil {
		v.Agreement = points(*r.Agreement) + "%"
	}
	if r.Alpha != nil {
		v.Alpha = strconv.FormatFloat(*r.Alpha, 'f', 2, 64)
	}
	if r.Tokens > 0 {
		v.Tokens = count(r.Tokens)
	}
	if r.USD > 0 {
		v.Cost = dollars(r.USD)
	}
	if s := seconds(r.Seconds); s != "" {
		v.Time = s
	}
	return v
}

// changeTones picks the colour of a change's word. What is no credible change is neutral.
var changeTones = map[string]string{"IMPROVED": "good", "REGRESSED": "bad", "UNDERPOWERED": "warn"}

// remarks is what to know of one round before trusting its scores.
func remarks(d Data, r Round) []string {
	var rs []string
	if r.LowConfidence {
		rs = append(rs, lowConfidence)
	}
	for _, g := range r.Disagreements {
		rs = append(rs, d.disagreement(g))
	}
	if s := d.beside(r); s != "" {
		rs = append(rs, "Neither yes nor no: "+s)
	}
	if s := r.dropped(); s != "" {
		rs = append(rs, "Touched by the improver and not taken: "+s)
	}
	return rs
}
