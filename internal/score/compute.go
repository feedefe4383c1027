package score

import (
	"strings"
	"unicode/utf8"

	"rulph/internal/rubric"
)

// gapLimit is how many points two judges may be apart on a criterion without a warning.
const gapLimit = 20

// reasonLimit is the most bytes of a judge's reason that a result keeps.
const reasonLimit = 500

// Compute scores a round.
func Compute(in Input) Result {
	judges := in.asked()
	var res Result
	var sheets []sheet
	for _, j := range judges {
		out := JudgeResult{Name: j.Name, State: j.State, Reason: cut(j.Reason)}
		if j.State == Available {
			s := in.sheet(j)
			sheets = append(sheets, s)
			out.Items, out.Levels, out.Claims = s.items, s.levels, in.claims(j)
			if v, ok := weighted(s.scores, weights(in.Rubric)); ok {
				out.Overall = &v
			}
		}
		res.Judges = append(res.Judges, out)
	}

	scores := make([]*float64, len(in.Rubric.Criteria))
	for i, c := range in.Rubric.Criteria {
		crit := in.criterion(i, c, sheets)
		scores[i] = crit.Score
		res.Criteria = append(res.Criteria, crit)
		if d, ok := crit.disagreement(); ok {
			res.Disagreements = append(res.Disagreements, d)
		}
	}
	overall, ok := weighted(scores, weights(in.Rubric))
	res.Overall, res.Void = overall, !ok
	res.LowConfidence = ok && len(sheets) == 1 && sheets[0].own
	units := in.units(sheets)
	res.Agreement, res.Alpha, res.Independent = agreement(units), alpha(units), in.independent(sheets)
	res.Shown, res.Held = parts(in.Rubric, res.Judges)
	return res
}

// asked lists the judges of the round, or the one that stands for the fixed answers.
func (in Input) asked() []Judge {
	if len(in.Judges) > 0 {
		return in.Judges
	}
	fixed := 0
	for _, c := range in.Rubric.Criteria {
		for _, it := range c.Items {
			if _, ok := in.Fixed[c.ID][it.ID]; !ok {
				return nil
			}
			fixed++
		}
	}
	if fixed == 0 {
		return nil
	}
	return []Judge{{Name: Checks, State: Available}}
}

// sheet is one available judge's answers, evidence looked up and fixed answers filled in.
type sheet struct {
	judge  string
	items  map[string]map[string]Outcome
	levels map[string]float64
	tally  []tally    // of each criterion
	scores []*float64 // of each criterion; nil: nothing was answered
	own    bool       // at least one answer is the judge's own
	advice map[string]string
}

func (in Input) sheet(j Judge) sheet {
	n := len(in.Rubric.Criteria)
	s := sheet{judge: j.Name, tally: make([]tally, n), scores: make([]*float64, n), advice: j.Verdict.Suggestions}
	for i, c := range in.Rubric.Criteria {
		var score float64
		var ok bool
		if c.Scale() == rubric.Checklist {
			outcomes := make(map[string]Outcome, len(c.Items))
			for _, it := range c.Items {
				o := in.outcome(c, it, j.Verdict)
				outcomes[it.ID] = o
				s.tally[i].add(o)
				s.own = s.own || in.judged(c, it) && o != Missing
			}
			set(&s.items, c.ID, outcomes)
			score, ok = s.tally[i].score()
		} else if given, has := j.Verdict.Levels[c.ID]; has {
			if score, ok = mark(c, given); ok {
				set(&s.levels, c.ID, given)
				s.own = true
			}
		}
		if ok {
			s.scores[i] = &score
		} else if c.Scale() != rubric.Checklist {
			s.tally[i].add(Missing)
		}
	}
	return s
}

// set makes a map only when there is something to keep: an empty one would not survive JSON.
func set[V any](m *map[string]V, key string, v V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = v
}

// criterion puts the sheets together for the i-th criterion.
func (in Input) criterion(i int, c rubric.Criterion, sheets []sheet) Criterion {
	out := Criterion{ID: c.ID, Name: c.Name, Weight: c.Weight, Floor: c.FloorOr(in.Floor)}
	var scores []float64
	for _, s := range sheets {
		t := s.tally[i]
		out.Yes += t.yes
		out.No += t.no
		out.Unsure += t.unsure
		out.Missing += t.missing
		out.Unverified += t.unverified
		out.Unknown += t.unknown
		if s.scores[i] != nil {
			scores = append(scores, *s.scores[i])
			set(&out.ByJudge, s.judge, *s.scores[i])
		}
		if text := s.advice[c.ID]; text != "" {
			out.Suggestions = append(out.Suggestions, Suggestion{s.judge, text})
		}
	}
	if v, ok := mean(scores); ok {
		out.Score = &v
	}
	out.Below = out.below()
	if len(sheets) == 0 {
		return out
	}
	for _, it := range c.Items {
		yes := 0
		for _, s := range sheets {
			if s.items[c.ID][it.ID] == Yes {
				yes++
			}
		}
		if 2*yes <= len(sheets) {
			out.Open = append(out.Open, it.ID)
		}
	}
	return out
}

// disagreement is the two judges that are furthest apart on the criterion, where that is too far. Of judges
// with the same score the first name stands for them.
func (c Criterion) disagreement() (Disagreement, bool) {
	d, found := Disagreement{Criterion: c.ID}, false
	for judge, s := range c.ByJudge {
		js := JudgeScore{judge, s}
		if !found {
			d.Low, d.High, found = js, js, true
			continue
		}
		if js.Score < d.Low.Score || js.Score == d.Low.Score && js.Judge < d.Low.Judge {
			d.Low = js
		}
		if js.Score > d.High.Score || js.Score == d.High.Score && js.Judge < d.High.Judge {
			d.High = js
		}
	}
	d.Gap = d.High.Score - d.Low.Score
	return d, exceeds(d.Gap, gapLimit)
}

// claims lists the scores that a judge computed wrongly. It is held to its own answers, before evidence
// is looked up and without the items it never saw.
func (in Input) claims(j Judge) []Claim {
	const rounding = 0.5
	var out []Claim
	for _, c := range in.Rubric.Criteria {
		claimed, ok := j.Verdict.Claimed[c.ID]
		if !ok {
			continue
		}
		var t tally
		for _, a := range j.Verdict.Items[c.ID] {
			t.add(Outcome(a.Word))
		}
		counted, ok := t.score()
		if c.Scale() != rubric.Checklist {
			given, has := j.Verdict.Levels[c.ID]
			if counted, ok = mark(c, given); !has || given == claimed { // the points themselves are no wrong score
				continue
			}
		}
		if ok && (exceeds(claimed, counted+rounding) || exceeds(counted-rounding, claimed)) {
			out = append(out, Claim{c.ID, claimed, counted})
		}
	}
	return out
}

func weights(r rubric.Rubric) []float64 {
	ws := make([]float64, len(r.Criteria))
	for i, c := range r.Criteria {
		ws[i] = c.Weight
	}
	return ws
}

// cut shortens a reason to what a result keeps, at a rune border and as valid UTF-8.
func cut(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= reasonLimit {
		return s
	}
	end := reasonLimit
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
