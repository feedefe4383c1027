package score

import (
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"rulph/internal/rubric"
	"rulph/internal/verdict"
)

// arbitrary makes a round out of bytes: one to six criteria of all kinds, up to four judges in all
// states, any answers, some of them fixed.
func arbitrary(data []byte) Input {
	next := func(below int) int {
		if len(data) == 0 {
			return 0
		}
		b := int(data[0]) % below
		data = data[1:]
		return b
	}
	var in Input
	in.Rubric = of()
	in.Quoted = quoted
	in.Rubric.Evidence = []rubric.Evidence{rubric.Optional, rubric.Required, rubric.Off}[next(3)]
	in.Floor = float64(next(101))
	in.Fixed = Fixed{}
	for i := range 1 + next(6) {
		id, weight := "c"+itemID(i), 0.1+float64(next(256))/3
		switch next(4) {
		case 0:
			in.Rubric.Criteria = append(in.Rubric.Criteria, levels(id, weight))
		case 1:
			in.Rubric.Criteria = append(in.Rubric.Criteria, points(id, weight))
		default:
			c := checklist(id, weight, 1+next(9))
			in.Fixed[id] = map[string]Outcome{}
			for _, it := range c.Items {
				if o := []Outcome{"", "", "", "", "", Yes, No, Unknown}[next(8)]; o != "" {
					in.Fixed[id][it.ID] = o
				}
			}
			in.Rubric.Criteria = append(in.Rubric.Criteria, c)
		}
	}
	for j := range next(5) {
		answers := ""
		for _, c := range in.Rubric.Criteria {
			answers += " " + c.ID + "="
			switch {
			case len(c.Levels) > 0:
				answers += []string{"-", "0", "25", "50", "75", "100", "33"}[next(7)]
			case len(c.Points) > 0:
				answers += []string{"-", "0", "1", "2", "50"}[next(5)]
			default:
				for range c.Items {
					answers += []string{"y", "n", "u", "-", "q", "x"}[next(6)]
				}
			}
		}
		judge := available("judge "+itemID(j), answers)
		judge.State = []State{Available, Available, Available, Degraded, Skipped}[next(5)]
		judge.Verdict.Claimed = map[string]float64{"ca": float64(next(101))}
		judge.Verdict.Suggestions = map[string]string{"ca": "<b>Do & say</b>"}
		in.Judges = append(in.Judges, judge)
	}
	return in
}

func check(t *testing.T, in Input) {
	got := Compute(in)
	inside := func(what string, v float64) {
		if !(v >= 0 && v <= 100) {
			t.Errorf("%s = %v", what, v)
		}
	}
	inside("overall", got.Overall)
	for _, c := range got.Criteria {
		if c.Score != nil {
			inside(c.ID, *c.Score)
		}
		for j, v := range c.ByJudge {
			inside(c.ID+" by "+j, v)
		}
	}
	if got.Agreement != nil {
		inside("agreement", *got.Agreement)
	}
	if got.Alpha != nil && !(*got.Alpha >= -1 && *got.Alpha <= 1) {
		t.Errorf("alpha = %v", *got.Alpha)
	}
	if target, ok := Target(got.Criteria); ok && (target.Score == nil || *target.Score >= 100) {
		t.Errorf("target %+v", target)
	}

	stored, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var back Result
	if err := json.Unmarshal(stored, &back); err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(got, back); diff != "" {
		t.Errorf("JSON changed the result:\n%s", diff)
	}

	if diff := gocmp.Diff(byName(got), byName(Compute(shuffled(in)))); diff != "" {
		t.Errorf("another order changed the result:\n%s", diff)
	}
	noLower(t, in, got)
}

// shuffled is the same round in another order of judges, criteria and items.
func shuffled(in Input) Input {
	random := rand.New(rand.NewPCG(1, uint64(len(in.Judges))))
	out := in
	out.Judges = slices.Clone(in.Judges)
	random.Shuffle(len(out.Judges), func(i, j int) { out.Judges[i], out.Judges[j] = out.Judges[j], out.Judges[i] })
	cs := slices.Clone(in.Rubric.Criteria)
	random.Shuffle(len(cs), func(i, j int) { cs[i], cs[j] = cs[j], cs[i] })
	for i := range cs {
		cs[i].Items = slices.Clone(cs[i].Items)
		slices.Reverse(cs[i].Items)
	}
	out.Rubric.Criteria = cs
	return out
}

// byName takes the order out of a result.
func byName(r Result) Result {
	r.Criteria = slices.Clone(r.Criteria)
	r.Judges = slices.Clone(r.Judges)
	slices.SortFunc(r.Criteria, func(a, b Criterion) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(r.Judges, func(a, b JudgeResult) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(r.Disagreements, func(a, b Disagreement) int { return cmp.Compare(a.Criterion, b.Criterion) })
	for i := range r.Criteria {
		slices.Sort(r.Criteria[i].Open)
		slices.SortFunc(r.Criteria[i].Suggestions, func(a, b Suggestion) int { return cmp.Compare(a.Judge, b.Judge) })
	}
	return r
}

// noLower turns one answer after the other into a yes that counts.
func noLower(t *testing.T, in Input, before Result) {
	for j := range in.Judges {
		for i, c := range in.Rubric.Criteria {
			for _, it := range c.Items {
				items := in.Judges[j].Verdict.Items[c.ID]
				old, had := items[it.ID]
				items[it.ID] = verdict.Answer{Word: verdict.Yes, Evidence: truth}
				after := Compute(in)
				if had {
					items[it.ID] = old
				} else {
					delete(items, it.ID)
				}
				if !AtLeast(after.Overall, before.Overall) || scoreOf(after, i) < scoreOf(before, i)-Tolerance {
					t.Errorf("a yes of judge %d to %s/%s lowered %v to %v, %v to %v", j, c.ID, it.ID, before.Overall, after.Overall, scoreOf(before, i), scoreOf(after, i))
				}
			}
		}
	}
}

func FuzzCompute(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("a round of nothing in particular, long enough for two judges and more"))
	f.Fuzz(func(t *testing.T, data []byte) { check(t, arbitrary(data)) })
}

func TestPropertiesHoldForManyRounds(t *testing.T) {
	random := rand.New(rand.NewPCG(20, 26))
	seen := map[string]int{}
	for range 500 {
		data := make([]byte, 300)
		for i := range data {
			data[i] = byte(random.UintN(256))
		}
		in := arbitrary(data)
		check(t, in)
		got := Compute(in)
		for what, is := range map[string]bool{"void": got.Void, "low confidence": got.LowConfidence, "alpha": got.Alpha != nil,
			"disagreement": got.Disagreements != nil, "no score": slices.ContainsFunc(got.Criteria, func(c Criterion) bool { return c.Score == nil })} {
			if is {
				seen[what]++
			}
		}
	}
	for _, what := range []string{"void", "low confidence", "alpha", "disagreement", "no score"} {
		if seen[what] < 20 {
			t.Errorf("only %d of 500 rounds had %s: the rounds are too much alike", seen[what], what)
		}
	}
}

func TestResultIsSmall(t *testing.T) {
	// Five criteria of eight items and three judges: a usual round.
	r := of()
	answers := ""
	for i := range 5 {
		r.Criteria = append(r.Criteria, checklist("criterion-"+itemID(i), 20, 8))
		answers += " criterion-" + itemID(i) + "=yyyynyyu"
	}
	stored, err := json.Marshal(Compute(round(r, available("codex", answers), available("claude", answers), available("gemini", answers))))
	if err != nil {
		t.Fatal(err)
	}
	if len(stored) > 4000 {
		t.Errorf("%d bytes: %s", len(stored), stored)
	}
}
