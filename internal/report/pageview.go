package report

import (
	"fmt"
	"html/template"
	"strings"

	"rulph/internal/ui"
)

// pageView is what the page's template prints: words and coordinates, nothing to compute.
type pageView struct {
	Style                                                     template.CSS
	Title, Target, Result, Tone, Reason                       string
	Score, ScoreNote, FinalNote, Footer, Holdout              string
	Meter                                                     meter
	Facts                                                     []fact
	Rounds                                                    []roundView
	Criteria                                                  []criterionView
	Final                                                     []finalView
	Open                                                      []openView
	Notes, JudgeNames                                         []string
	Chart                                                     chart
	Heat                                                      heat
	Rubric                                                    RubricInfo
	Has                                                       columns
	Agents                                                    [][]string
	Noise                                                     *noiseView
	Rolled, AnyBelow, Dense, Trends, Spent, Timed, ShortDiffs bool
}

type fact struct{ Name, Value string }

type scoreView struct {
	Text  string
	Below bool
}

type finalView struct {
	Name, Weight, Floor string
	Score               scoreView
	Meter               meter
	Trend               spark
	Suggestion          *Suggestion
}

type openView struct {
	Name  string
	Below bool
	Items []openItem
}

// noiseView is the calibration as the page prints it.
type noiseView struct {
	Facts  []fact
	Judges [][]string // name, flip rate, standard deviation
}

func noiseOf(d Data) *noiseView {
	if d.Calibration == nil {
		return nil
	}
	v := noiseView{Facts: d.Calibration.facts()}
	for _, j := range d.Calibration.Judges {
		v.Judges = append(v.Judges, []string{ui.OneLine(j.Name), share(j.FlipRate), points(j.SD)})
	}
	return &v
}

type criterionView struct {
	Name, Weight, Floor, Kind string
	Items                     []ItemInfo
	Levels                    []LevelInfo
	Bare                      bool
}

// resultTones picks the colour of a result. Whatever is not listed is neutral.
var resultTones = map[string]string{
	passed: "good", "CIRCUIT_BREAKER": "warn", "STAGNATED": "warn", "BUDGET": "warn", "CAPPED": "warn", "BLOCKED": "bad",
}

// shortDiff is how many lines all diffs together may have for the page to show them unfolded.
const shortDiff = 240

// manyCriteria is how many columns the table of rounds takes before their names stand upright.
const manyCriteria = 6

func pageOf(d Data) pageView {
	v := pageView{
		Title: d.title(), Target: ui.OneLine(d.Target), Result: d.result(), Tone: resultTones[d.Result],
		Reason: ui.OneLine(d.Reason),
		Facts:  facts(d), Criteria: criteriaOf(d), Notes: d.notes(), JudgeNames: d.judgeNames(),
		Chart: scoreChart(d), Heat: heatMap(d),
		Rubric: RubricInfo{Title: ui.OneLine(d.Rubric.Title), Hash: ui.OneLine(d.Rubric.Hash), Path: ui.OneLine(d.Rubric.Path)},
		Meter:  scoreMeter(headWidth, nil, d.Threshold, false),
		Footer: footer(d), Has: d.columns(), Noise: noiseOf(d),
	}
	for _, a := range d.Agents {
		v.Agents = append(v.Agents, a.cells())
	}
	for i, name := range v.JudgeNames {
		v.JudgeNames[i] = ui.OneLine(name)
	}
	v.ScoreNote = "threshold " + short(d.Threshold) + ", floor " + floorWord(d.Floor)
	if best, ok := d.best(); ok {
		v.Score = d.overall(best)
		v.Holdout = best.holdout()
		v.ScoreNote = strings.ToLower(best.label()) + ", " + v.ScoreNote
		v.Meter = scoreMeter(headWidth, &best.Overall, d.Threshold, false)
		v.FinalNote = "The artifact as it was kept, scored in " + inRound(best) + ". The tick on a bar is the floor of the criterion."
		v.Final = finals(d, best)
		v.Open = opens(d, best)
	}
	v.Dense = len(d.Criteria) > manyCriteria
	v.Trends = len(d.Rounds) > 1
	lines := 0
	for i, r := range d.Rounds {
		rv := roundOf(d, i)
		for _, f := range rv.Diff {
			lines += len(f.Lines)
		}
		for _, s := range rv.Scores {
			v.AnyBelow = v.AnyBelow || s.Below
		}
		v.Rolled = v.Rolled || r.RolledBack
		v.Spent = v.Spent || r.Tokens > 0 || r.USD > 0
		v.Timed = v.Timed || r.Seconds > 0
		v.Rounds = append(v.Rounds, rv)
	}
	v.ShortDiffs = lines <= shortDiff
	return v
}

func inRound(r Round) string {
	if r.Number == baseline {
		return "the baseline"
	}
	return strings.ToLower(r.label())
}

func facts(d Data) []fact {
	var fs []fact
	add := func(name, value string) {
		if value != "" {
			fs = append(fs, fact{name, value})
		}
	}
	add("Criteria", count(len(d.Criteria)))
	add("Rounds", d.roundsUsed())
	add("Judges", ui.OneLine(strings.Join(d.judgeNames(), ", ")))
	add("Started", day(d.Started))
	add("Took", d.took())
	add("Spent", d.spent())
	add("Budget", d.budget())
	return fs
}

func footer(d Data) string {
	parts := []string{fmt.Sprintf("Report format %d", SchemaVersion)}
	if s := ui.OneLine(d.Session); s != "" {
		parts = append(parts, "session "+s)
	}
	if s := stamp(d.Ended); s != "" {
		parts = append(parts, "ended "+s)
	}
	return strings.Join(parts, ", ")
}

func criteriaOf(d Data) []criterionView {
	var cs []criterionView
	for _, c := range d.Criteria {
		cv := criterionView{
			Name: ui.OneLine(c.Name), Weight: short(c.Weight), Floor: floorWord(c.Floor), Kind: ui.OneLine(c.Kind),
			Bare: len(c.Items)+len(c.Levels) == 0,
		}
		for _, item := range c.Items {
			by := ""
			if item.By != "judge" && item.By != "" {
				by = "answered by " + ui.OneLine(answeredBy(item.By))
			}
			cv.Items = append(cv.Items, ItemInfo{Text: ui.OneLine(item.Text), By: by, Held: item.Held})
		}
		for _, l := range c.Levels {
			cv.Levels = append(cv.Levels, LevelInfo{At: l.At, Text: ui.OneLine(l.Text)})
		}
		cs = append(cs, cv)
	}
	return cs
}

func finals(d Data, best Round) []finalView {
	var fs []finalView
	for _, c := range d.Criteria {
		s := best.criterion(c.ID)
		f := finalView{
			Name: ui.OneLine(c.Name), Weight: short(c.Weight), Floor: floorWord(c.Floor),
			Score: scoreView{s.score(c.Floor), s.Below},
			Meter: scoreMeter(meterWidth, s.Score, c.Floor, s.Below), Trend: trend(d, c),
		}
		if len(s.Suggestions) > 0 {
			top := s.Suggestions[0]
			f.Suggestion = &Suggestion{Text: ui.OneLine(top.Text), Judge: ui.OneLine(top.Judge)}
		}
		fs = append(fs, f)
	}
	return fs
}

func opens(d Data, best Round) []openView {
	var os []openView
	for _, c := range d.Criteria {
		o := openView{Name: ui.OneLine(c.Name), Below: best.criterion(c.ID).Below, Items: best.openIn(c)}
		for i := range o.Items {
			o.Items[i].Text = ui.OneLine(o.Items[i].Text)
		}
		if o.Below || len(o.Items) > 0 {
			os = append(os, o)
		}
	}
	return os
}
