package rulph

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"rulph/internal/artifact"
	"rulph/internal/loop"
	"rulph/internal/report"
	"rulph/internal/rubric"
	"rulph/internal/score"
)

// data is the loop as the report shows it.
func (e Engine) data(s loop.State) report.Data {
	d := report.Data{
		Schema: 1, Title: "rulph", Result: string(s.Result), Reason: s.Reason, Started: s.StartedAt, Ended: s.EndedAt, Session: e.SID,
		Threshold: s.Threshold, Floor: s.Floor, MaxRounds: s.MaxRounds, Best: s.Best, Warnings: e.warnings(s),
	}
	if s.Target != nil {
		d.Target, d.Title = s.Target.Label, s.Target.Label
	}
	if s.Rubric == nil {
		d.Warnings = append(d.Warnings, "the loop was armed without a rubric: there is only a score")
		return d
	}
	d.Rubric.Title, d.Rubric.Hash, d.Rubric.Path = s.Rubric.Title, s.Rubric.Hash, s.Rubric.Path
	if s.Rubric.Title != "" {
		d.Title = s.Rubric.Title
	}
	held := s.Rubric.Body.Held()
	for _, c := range s.Rubric.Body.Criteria {
		d.Criteria = append(d.Criteria, criterionInfo(c, s.Floor, held[c.ID]))
	}
	base := -1 // the round whose version the next one was built on
	for _, r := range s.History {
		round := reportRound(r)
		if !r.Result.Void {
			round.Passed = score.Passed(r.Result, s.Threshold)
			round.Diff = e.diff(s, base, r.Number)
			if r.Kept {
				base = r.Number
			}
		}
		d.Rounds = append(d.Rounds, round)
	}
	if s.Spent != nil {
		d.Tokens, d.USD, d.Unpriced, d.Silent = s.Spent.Tokens, s.Spent.USD, s.Spent.Unpriced, s.Spent.Silent
	}
	if s.Limits != nil {
		d.Limits = report.Limits{Seconds: s.Limits.Seconds, Tokens: s.Limits.Tokens, USD: s.Limits.USD}
		if end := cmp.Or(s.EndedAt, e.Now()); s.Limits.Seconds > 0 {
			d.Limits.Used = max(0, end.Sub(s.Counting()).Seconds())
		}
	}
	d.Agents, d.Calibration = agents(s), calibration(s.Calibration)
	return d
}

// agents tells what each program took in each role, judges first and in their order. Their sums are what the
// loop has spent.
func agents(s loop.State) (out []report.Agent) {
	models := map[string]string{}
	for _, r := range s.History {
		for name, w := range r.Work {
			if w.Model != "" {
				models["judge "+name] = w.Model
			}
		}
		if r.Improvement != nil && r.Improvement.Model != "" {
			models["improver"] = r.Improvement.Model
		}
	}
	add := func(role, name, program, model string) {
		took, is := s.Took[role+" "+name]
		if !is {
			return
		}
		out = append(out, report.Agent{Name: name, Role: role, Program: program, Model: model,
			Calls: took.Calls, Tokens: took.Tokens, USD: took.USD, Unpriced: took.Unpriced, Silent: took.Silent})
	}
	for _, role := range []string{"judge", "calibration"} {
		for _, name := range s.ProgramNames() {
			model := models["judge "+name]
			if role == "calibration" && s.Calibration != nil {
				model = s.Calibration.Models[name]
			}
			add(role, name, s.Programs[name], model)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.Took)) { // a loop may have had another improver before
		if name, is := strings.CutPrefix(key, "improver "); is {
			add("improver", name, s.Improver, models["improver"])
		}
	}
	return out
}

func calibration(c *score.Calibration) *report.Calibration {
	if c == nil {
		return nil
	}
	out := &report.Calibration{Repeats: c.Repeats, Items: c.Items, FlipRate: c.Flip.Value, FlipLow: c.Flip.Low, FlipHigh: c.Flip.High, SD: c.SD, Band: c.Band}
	for _, j := range c.Judges {
		out.Judges = append(out.Judges, report.JudgeNoise{Name: j.Name, FlipRate: j.FlipRate, SD: j.SD})
	}
	return out
}

func criterionInfo(c rubric.Criterion, floor float64, held map[string]bool) report.CriterionInfo {
	info := report.CriterionInfo{ID: c.ID, Name: c.Name, Weight: c.Weight, Floor: c.FloorOr(floor), Kind: "checklist"}
	scale := c.Levels
	switch {
	case len(c.Levels) > 0:
		info.Kind = "levels"
	case len(c.Points) > 0:
		info.Kind, scale = "points", c.Points
	}
	for _, l := range scale {
		info.Levels = append(info.Levels, report.LevelInfo{At: l.At, Text: l.Text})
	}
	for _, it := range c.Items {
		by := "judge"
		switch {
		case it.Probe != nil:
			by = "text"
		case it.Check != "":
			by = "command"
		}
		info.Items = append(info.Items, report.ItemInfo{ID: it.ID, Text: it.Text, By: by, Held: held[it.ID]})
	}
	return info
}

func reportRound(r loop.Round) report.Round {
	out := report.Round{Number: r.Number, Overall: r.Result.Overall, Void: r.Result.Void, LowConfidence: r.Result.LowConfidence,
		Kept: r.Kept, RolledBack: r.RolledBack, Note: r.Note, Target: r.Improved, Agreement: r.Result.Agreement, Alpha: r.Result.Alpha, Seconds: r.Seconds,
		Independent: r.Result.Independent, Shown: r.Result.Shown, Held: r.Result.Held, Tokens: r.Spent().Tokens, USD: r.Spent().USD}
	if r.Change != nil {
		out.Change = &report.Change{Word: string(r.Change.Word), Text: r.Change.String()}
	}
	if r.Improvement != nil {
		out.Dropped = r.Improvement.Dropped
	}
	for _, c := range r.Result.Criteria {
		cs := report.CriterionScore{ID: c.ID, Score: c.Score, Below: c.Below, ByJudge: c.ByJudge, Open: c.Open}
		for _, sg := range c.Suggestions {
			cs.Suggestions = append(cs.Suggestions, report.Suggestion{Judge: sg.Judge, Text: sg.Text})
		}
		out.Criteria = append(out.Criteria, cs)
	}
	for _, j := range r.Result.Judges {
		rj := report.Judge{Name: j.Name, State: string(j.State), Reason: j.Reason, Items: map[string]map[string]string{}}
		if w, ok := r.Work[j.Name]; ok {
			rj.Seconds, rj.Tokens, rj.Model = w.Seconds, w.Tokens, w.Model
		}
		for crit, items := range j.Items {
			rj.Items[crit] = map[string]string{}
			for id, o := range items {
				rj.Items[crit][id] = string(o)
			}
		}
		out.Judges = append(out.Judges, rj)
	}
	out.Disagreements = disagreements(r.Result)
	return out
}

func disagreements(r score.Result) (out []report.Disagreement) {
	for _, g := range r.Disagreements {
		out = append(out, report.Disagreement{Criterion: g.Criterion, Low: g.Low.Judge, High: g.High.Judge, Gap: g.Gap})
	}
	return out
}

// diff compares two snapshots. One that is missing gives an empty diff: the scores stand without it.
func (e Engine) diff(s loop.State, from, to int) string {
	a, err := artifact.Load(e.snapshot(s, from), s.Target.Root)
	if err != nil {
		return ""
	}
	b, err := artifact.Load(e.snapshot(s, to), s.Target.Root)
	if err != nil {
		return ""
	}
	return artifact.Diff(a, b)
}
