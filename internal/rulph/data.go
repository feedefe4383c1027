package rulph

import (
	"slices"

	"rulph/internal/artifact"
	"rulph/internal/evaluator"
	"rulph/internal/loop"
	"rulph/internal/report"
	"rulph/internal/rubric"
	"rulph/internal/score"
)

// data is the loop as the report shows it.
func (e Engine) data(s loop.State) report.Data {
	d := report.Data{
		Schema: 1, Title: "rulph", Result: string(s.Result), Reason: s.Reason, Started: s.StartedAt, Ended: s.EndedAt, Session: e.SID,
		Threshold: s.Threshold, Floor: s.Floor, MaxRounds: s.MaxRounds, Best: s.Best, Warnings: append(slices.Clone(s.Caveats), warnings(s)...),
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
		d.Tokens, d.USD = s.Spent.Tokens, s.Spent.USD
	}
	if s.Limits != nil {
		d.Limits = report.Limits{Seconds: s.Limits.Seconds, Tokens: s.Limits.Tokens, USD: s.Limits.USD}
	}
	d.Agents, d.Calibration = agents(s), calibration(s.Calibration)
	return d
}

// agents sums up what each program took, judges first and in their order. What a calibration took is in the
// sum of the loop alone.
func agents(s loop.State) (out []report.Agent) {
	add := func(name, role string, works []loop.Work) {
		if len(works) == 0 {
			return
		}
		a := report.Agent{Name: name, Role: role, Program: works[0].Program}
		var sum loop.Spent
		for _, w := range works {
			sum = sum.Add(w.Spent)
			if w.Model != "" {
				a.Model = w.Model
			}
		}
		a.Calls, a.Tokens, a.USD, a.Unpriced, a.Silent = sum.Calls, sum.Tokens, sum.USD, sum.Unpriced, sum.Silent
		out = append(out, a)
	}
	for _, name := range s.ProgramNames() {
		var works []loop.Work
		for _, r := range s.History {
			if w, ok := r.Work[name]; ok {
				works = append(works, w)
			}
		}
		add(name, "judge", works)
	}
	var improved []loop.Work
	for _, r := range s.History {
		if r.Improvement != nil && r.Improvement.Program != string(evaluator.Fix) {
			improved = append(improved, r.Improvement.Work)
		}
	}
	if spec, err := evaluator.ParseImprover(s.Improver); err == nil {
		add(spec.Name(), "improver", improved)
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
