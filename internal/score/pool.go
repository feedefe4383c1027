package score

import (
	"slices"

	"rulph/internal/rubric"
)

// Pool is the mean of several scorings of one version of an artifact by the same judges. Scores are means
// over the scorings that have them, and what follows from scores (below a floor, two judges apart) is
// taken from the means. An item's outcome for a judge is the one it gave most often, and Unsure where two
// are as often; an item is open when it is open in at least half of the scorings. A judge is Available when
// it was once. Void scorings count for nothing; when all are void, so is the pool. One scoring is its own pool.
func Pool(r rubric.Rubric, results []Result) Result {
	counted := Counted(results)
	switch {
	case len(results) == 0:
		return Result{Void: true}
	case len(counted) == 0:
		return results[len(results)-1]
	case len(results) == 1:
		return results[0]
	}
	out := Result{LowConfidence: !slices.ContainsFunc(counted, func(res Result) bool { return !res.LowConfidence })}
	out.Overall, _ = mean(each(counted, func(res Result) *float64 { return &res.Overall }))
	out.Agreement = over(counted, func(res Result) *float64 { return res.Agreement })
	out.Alpha = over(counted, func(res Result) *float64 { return res.Alpha })
	out.Independent = over(counted, func(res Result) *float64 { return res.Independent })
	out.Shown = over(counted, func(res Result) *float64 { return res.Shown })
	out.Held = over(counted, func(res Result) *float64 { return res.Held })
	for i := range counted[0].Criteria {
		c := poolCriterion(each(counted, func(res Result) *Criterion { return &res.Criteria[i] }))
		out.Criteria = append(out.Criteria, c)
		if d, ok := c.disagreement(); ok {
			out.Disagreements = append(out.Disagreements, d)
		}
	}
	for i := range results[0].Judges {
		out.Judges = append(out.Judges, poolJudge(each(results, func(res Result) *JudgeResult { return &res.Judges[i] })))
	}
	return out
}

// Counted are the scorings that are not void, in their order.
func Counted(results []Result) []Result {
	return slices.DeleteFunc(slices.Clone(results), func(res Result) bool { return res.Void })
}

// Spread is the sample standard deviation of the overall scores, in points; nil where fewer than two count.
func Spread(results []Result) *float64 {
	var scores []float64
	for _, r := range Counted(results) {
		scores = append(scores, r.Overall)
	}
	if len(scores) < 2 {
		return nil
	}
	sd := deviation(scores)
	return &sd
}

func poolCriterion(of []Criterion) Criterion {
	out := of[0]
	out.ByJudge, out.Open, out.Suggestions = nil, nil, nil
	out.Yes, out.No, out.Unsure, out.Missing, out.Unverified, out.Unknown = 0, 0, 0, 0, 0, 0
	out.Score = over(of, func(c Criterion) *float64 { return c.Score })
	out.Below = out.below()
	byJudge, open := map[string][]float64{}, map[string]int{}
	var items []string // in rubric order, as far as they were ever open
	for _, c := range of {
		out.Yes += c.Yes
		out.No += c.No
		out.Unsure += c.Unsure
		out.Missing += c.Missing
		out.Unverified += c.Unverified
		out.Unknown += c.Unknown
		for judge, s := range c.ByJudge {
			byJudge[judge] = append(byJudge[judge], s)
		}
		for _, id := range c.Open {
			if open[id]++; open[id] == 1 {
				items = append(items, id)
			}
		}
		for _, sg := range c.Suggestions {
			if !slices.Contains(out.Suggestions, sg) {
				out.Suggestions = append(out.Suggestions, sg)
			}
		}
	}
	for judge, scores := range byJudge {
		m, _ := mean(scores)
		set(&out.ByJudge, judge, m)
	}
	for _, id := range items {
		if 2*open[id] >= len(of) {
			out.Open = append(out.Open, id)
		}
	}
	return out
}

func poolJudge(of []JudgeResult) JudgeResult {
	there := slices.DeleteFunc(slices.Clone(of), func(j JudgeResult) bool { return j.State != Available })
	if len(there) == 0 {
		return of[len(of)-1]
	}
	out := JudgeResult{Name: of[0].Name, State: Available, Claims: there[len(there)-1].Claims, Overall: over(there, func(j JudgeResult) *float64 { return j.Overall })}
	for _, j := range of {
		if j.State != Available {
			out.Reason = j.Reason // of the last time it was not
		}
	}
	for criterion, items := range there[0].Items {
		outcomes := map[string]Outcome{}
		for id := range items {
			outcomes[id] = Usual(each(there, func(j JudgeResult) *Outcome { o := j.Items[criterion][id]; return &o }))
		}
		set(&out.Items, criterion, outcomes)
	}
	for criterion := range there[0].Levels {
		if m := over(there, func(j JudgeResult) *float64 {
			if v, ok := j.Levels[criterion]; ok {
				return &v
			}
			return nil
		}); m != nil {
			set(&out.Levels, criterion, *m)
		}
	}
	return out
}

// Usual is the most frequent outcome, Unsure where there are two.
func Usual(of []Outcome) Outcome {
	counts := map[Outcome]int{}
	for _, o := range of {
		counts[o]++
	}
	best, tied := of[0], false
	for o, n := range counts {
		switch {
		case n > counts[best]:
			best, tied = o, false
		case n == counts[best] && o != best:
			tied = true
		}
	}
	if tied {
		return Unsure
	}
	return best
}

// each lists what pick finds in each of them, without nil.
func each[T, V any](of []T, pick func(T) *V) (out []V) {
	for _, x := range of {
		if v := pick(x); v != nil {
			out = append(out, *v)
		}
	}
	return out
}

// over is the mean of the numbers that pick finds; nil where there are none.
func over[T any](of []T, pick func(T) *float64) *float64 {
	values := each(of, pick)
	if len(values) == 0 {
		return nil
	}
	m := sum(values) / float64(len(values))
	return &m
}
