package rulph

import (
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
		Threshold: s.Threshold, Floor: s.Floor, MaxRounds: s.MaxRounds, Best: s.Best, Warnings: s.Deviations,
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
	for _, c := range s.Rubric.Body.Criteria {
		d.Criteria = append(d.Criteria, criterionInfo(c, s.Floor))
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
	return d
}

func criterionInfo(c rubric.Criterion, floor float64) report.CriterionInfo {
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
		info.Items = append(info.Items, report.ItemInfo{ID: it.ID, Text: it.Text, By: by})
	}
	return info
}

func reportRound(r loop.Round) report.Round {
	out := report.Round{Number: r.Number, Overall: r.Result.Overall, Void: r.Result.Void, LowConfidence: r.Result.LowConfidence,
		Kept: r.Kept, RolledBack: r.RolledBack, Note: r.Note, Target: r.Improved, Agreement: r.Result.Agreement, Alpha: r.Result.Alpha, Seconds: r.Seconds}
	for _, c := range r.Result.Criteria {
		cs := report.CriterionScore{ID: c.ID, Score: c.Score, Below: c.Below, ByJudge: c.ByJudge, Open: c.Open}
		for _, sg := range c.Suggestions {
			cs.Suggestions = append(cs.Suggestions, report.Suggestion{Judge: sg.Judge, Text: sg.Text})
		}
		out.Criteria = append(out.Criteria, cs)
	}
	for _, j := range r.Result.Judges {
		rj := report.Judge{Name: j.Name, State: string(j.State), Reason: j.Reason, Items: map[string]map[string]string{}}
		for crit, items := range j.Items {
			rj.Items[crit] = map[string]string{}
			for id, o := range items {
				rj.Items[crit][id] = string(o)
			}
		}
		out.Judges = append(out.Judges, rj)
	}
	for _, g := range r.Result.Disagreements {
		out.Disagreements = append(out.Disagreements, report.Disagreement{Criterion: g.Criterion, Low: g.Low.Judge, High: g.High.Judge, Gap: g.Gap})
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
