package score

import (
	"fmt"
	"strings"
	"testing"

	"rulph/internal/rubric"
)

// text makes the text answer the first n items of a criterion.
func text(c rubric.Criterion, n int) rubric.Criterion {
	for i := range n {
		c = probed(c, i)
	}
	return c
}

// scoring scores the judges' answers; fixed gives those of the text, in the letters y, n and - (unknown).
func scoring(r rubric.Rubric, fixed map[string]string, judges ...Judge) Result {
	in := round(r, judges...)
	in.Fixed = Fixed{}
	for c, letters := range fixed {
		in.Fixed[c] = map[string]Outcome{}
		for i, l := range letters {
			in.Fixed[c][itemID(i)] = map[rune]Outcome{'y': Yes, 'n': No, '-': Unknown}[l]
		}
	}
	return Compute(in)
}

func TestTheWordOfAChange(t *testing.T) {
	judged := of(checklist("a", 50, 10), checklist("b", 50, 10))
	yes := func(n int) string { return strings.Repeat("y", n) + strings.Repeat("n", 10-n) }
	ten := strings.Repeat("n", 10)
	for name, c := range map[string]struct {
		before, after string
		level         float64
		word          Word
		better, worse int
		p             float64 // -1: none
		items         int
	}{
		"nothing changed":                         {"a=" + ten, "a=" + ten, 0.01, NoChange, 0, 0, -1, 0},
		"seven of seven at 0.01":                  {"a=" + ten, "a=" + yes(7), 0.01, Improved, 7, 0, 1.0 / 128, 0},
		"six of six are too few at 0.01":          {"a=" + ten, "a=" + yes(6), 0.01, Underpowered, 6, 0, 1.0 / 64, 7},
		"five of five at 0.05":                    {"a=" + ten, "a=" + yes(5), 0.05, Improved, 5, 0, 1.0 / 32, 0},
		"four of four are too few at 0.05":        {"a=" + ten, "a=" + yes(4), 0.05, Underpowered, 4, 0, 1.0 / 16, 5},
		"the mirror image":                        {"a=" + yes(7), "a=" + ten, 0.01, Regressed, 0, 7, 1.0 / 128, 0},
		"too few the other way":                   {"a=" + yes(3), "a=" + ten, 0.01, Underpowered, 0, 3, 1.0 / 8, 7},
		"one each way leads nowhere":              {"a=ynnnnnnnnn", "a=nynnnnnnnn", 0.01, NoChange, 1, 1, 0.75, 0},
		"ten that do not agree":                   {"a=yyyynnnnnn", "a=nnnnyyyyyy", 0.01, NoChange, 6, 4, 386.0 / 1024, 0},
		"credible alone, not as one of several":   {"a=ynnnnnnnnn", "a=nyyyyyyyyn", 0.01, Underpowered, 8, 1, 10.0 / 512, 14},
		"unsure afterwards is no answer":          {"a=ynnn", "a=yuuu", 0.05, NoChange, 0, 0, -1, 0},
		"an unverified yes has fallen":            {"a=qqqqqqqqqq", "a=xxxxxxxxxx", 0.01, Regressed, 0, 10, 1.0 / 1024, 0},
		"many small rises do not outweigh a fall": {"a=" + yes(9) + " b=" + yes(2), "a=n b=yyyyyyyyyy", 0.05, NoChange, 8, 1, 10.0 / 512, 0},
	} {
		r := judged
		if strings.HasPrefix(name, "many small") {
			r = of(checklist("a", 90, 10), checklist("b", 10, 10))
		}
		before, after := scoring(r, nil, available("1", c.before)), scoring(r, nil, available("1", c.after))
		got := Compare(r, before, after, c.level, nil)
		if got.Word != c.word || got.Better != c.better || got.Worse != c.worse || got.NeedItems != c.items || got.Level != c.level {
			t.Errorf("%s: %+v", name, got)
		}
		if (got.P == nil) != (c.p < 0) {
			t.Errorf("%s: p = %v, want %v", name, got.P, c.p)
		} else if got.P != nil {
			near(t, name, *got.P, c.p, 1e-12)
		}
		near(t, name+": delta", got.Delta, after.Overall-before.Overall, 0)
	}
}

func TestAnItemMovesWhenHalfOfTheJudgesDo(t *testing.T) {
	for _, c := range []struct {
		before, after string // one letter a judge
		want          string
	}{
		{"y", "n", "worse"}, {"nn", "yn", "better"}, {"yn", "ny", ""}, {"nn", "yy", "better"},
		{"nnn", "ynn", ""}, {"nnn", "yyn", "better"}, {"yyn", "nny", ""}, {"yyy", "ynn", "worse"}, {"nnnn", "yynn", "better"},
		{"nnnn", "ynnn", ""}, {"nnu", "yny", "better"}, {"nn-", "ynn", "better"}, {"u", "y", ""}, {"nu", "uy", ""},
	} {
		r := of(checklist("c", 100, 1))
		panel := func(letters string) (judges []Judge) {
			for i, l := range letters {
				judges = append(judges, available(fmt.Sprint(i), "c="+string(l)))
			}
			return judges
		}
		// A second criterion keeps a round in which nothing of the first was answered from being void.
		r.Criteria = append(r.Criteria, levels("l", 1))
		add := func(judges []Judge) []Judge {
			for i := range judges {
				judges[i].Verdict.Levels["l"] = 50
			}
			return judges
		}
		got := Compare(r, scoring(r, nil, add(panel(c.before))...), scoring(r, nil, add(panel(c.after))...), 0.05, nil)
		if got.Better != map[string]int{"better": 1}[c.want] || got.Worse != map[string]int{"worse": 1}[c.want] {
			t.Errorf("%s to %s: %d better, %d worse, want %q", c.before, c.after, got.Better, got.Worse, c.want)
		}
	}
}

func TestALevelIsOneUnit(t *testing.T) {
	r := of(levels("l", 50), points("p", 50))
	for _, c := range []struct {
		before, after []string // a judge each
		better, worse int
	}{
		{[]string{"l=25 p=1"}, []string{"l=50 p=0"}, 1, 1},
		{[]string{"l=25 p=1", "l=25 p=1"}, []string{"l=50 p=1", "l=25 p=1"}, 1, 0},
		{[]string{"l=25 p=1", "l=25 p=1", "l=25 p=1"}, []string{"l=50 p=2", "l=25 p=1", "l=25 p=1"}, 0, 0},
		{[]string{"l=0 p=1", "l=25 p=1", "l=25 p=1"}, []string{"l=50 p=2", "l=25 p=2", "l=25 p=1"}, 2, 0},
	} {
		side := func(answers []string) (judges []Judge) {
			for i, a := range answers {
				judges = append(judges, available(fmt.Sprint(i), a))
			}
			return judges
		}
		got := Compare(r, scoring(r, nil, side(c.before)...), scoring(r, nil, side(c.after)...), 0.05, nil)
		if got.Better != c.better || got.Worse != c.worse {
			t.Errorf("%v to %v: %+v", c.before, c.after, got)
		}
	}
}

// A strict judge that drops out raises the mean of every item it said no to. Nothing has improved.
func TestAJudgeThatDropsOutImprovesNothing(t *testing.T) {
	r := of(checklist("a", 50, 10), checklist("b", 50, 10))
	kind, strict := "a=yyyyyyyyyy b=yyyyyyyyyy", "a=nnnnnnnnnn b=nnnnnnnnnn"
	before := scoring(r, nil, available("1", kind), available("2", strict))
	after := scoring(r, nil, available("1", kind), Judge{Name: "2", State: Degraded})
	got := Compare(r, before, after, 0.05, nil)
	if got.Word != NoChange || got.Better != 0 || got.Delta != 50 || got.P != nil {
		t.Errorf("%+v", got)
	}
}

func TestWhatTextAndCommandsAnswerIsCertain(t *testing.T) {
	r := of(text(checklist("f", 40, 4), 4), checklist("j", 60, 10))
	for name, c := range map[string]struct {
		fixed   [2]string
		judged  [2]string
		word    Word
		certain float64
	}{
		"two mended, nothing else":                       {[2]string{"nnnn", "yynn"}, [2]string{"yyyyynnnnn", "yyyyynnnnn"}, Improved, 20},
		"one broken":                                     {[2]string{"yyyy", "yyyn"}, [2]string{"yyyyynnnnn", "yyyyynnnnn"}, Regressed, -10},
		"one mended and one broken":                      {[2]string{"ynnn", "nynn"}, [2]string{"yyyyynnnnn", "yyyyynnnnn"}, NoChange, 0},
		"mended, and a little noise against it":          {[2]string{"nnnn", "yynn"}, [2]string{"yyyyynnnnn", "yyyynnnnnn"}, Improved, 20},
		"mended, and the noise outweighs it":             {[2]string{"nnnn", "ynnn"}, [2]string{"yyyyynnnnn", "yynnnnnnnn"}, Underpowered, 10},
		"a small mend does not hide a credible fall":     {[2]string{"nnnn", "ynnn"}, [2]string{"yyyyyyyynn", "nnnnnnnnnn"}, Regressed, 10},
		"a credible rise outweighs a broken one":         {[2]string{"yyyy", "yyyn"}, [2]string{"nnnnnnnnnn", "yyyyyyyynn"}, Improved, -10},
		"a command that could not run mended nothing":    {[2]string{"yynn", "yy--"}, [2]string{"yyyyynnnnn", "yyyyynnnnn"}, NoChange, 0},
		"and one that can run again mended nothing":      {[2]string{"yn--", "ynyy"}, [2]string{"yyyyynnnnn", "yyyyynnnnn"}, NoChange, 0},
		"certain is of the answers before":               {[2]string{"nn--", "yn--"}, [2]string{"yyyyynnnnn", "yyyyynnnnn"}, Improved, 20},
		"judges' unsure answers do not count as certain": {[2]string{"nnnn", "nnnn"}, [2]string{"yyyyynnnnn", "yyyyyuuuuu"}, NoChange, 0},
	} {
		before := scoring(r, map[string]string{"f": c.fixed[0]}, available("1", "j="+c.judged[0]))
		after := scoring(r, map[string]string{"f": c.fixed[1]}, available("1", "j="+c.judged[1]))
		got := Compare(r, before, after, 0.01, nil)
		if got.Word != c.word {
			t.Errorf("%s: %+v", name, got)
		}
		near(t, name, got.Certain, c.certain, 1e-9)
	}
}

func TestALoopWithoutJudgesIsCertain(t *testing.T) {
	r := of(text(checklist("a", 50, 4), 4), text(checklist("b", 50, 4), 4))
	last := scoring(r, map[string]string{"a": "nnnn", "b": "nnnn"})
	for _, step := range []string{"ynnn", "yynn", "yyyn", "yyyy"} {
		next := scoring(r, map[string]string{"a": step, "b": "nnnn"})
		got := Compare(r, last, next, 0.01, nil)
		if got.Word != Improved || got.Certain != got.Delta || got.Delta != 12.5 || got.P != nil {
			t.Errorf("%s: %+v", step, got)
		}
		if back := Compare(r, next, last, 0.01, nil); back.Word != Regressed {
			t.Errorf("back from %s: %+v", step, back)
		}
		last = next
	}
}

func TestAVoidScoringIsNoChange(t *testing.T) {
	r := of(checklist("a", 100, 10))
	full, void := scoring(r, nil, available("1", "a=yyyyyyyyyy")), scoring(r, nil, Judge{Name: "1", State: Degraded})
	for _, got := range []Change{Compare(r, void, full, 0.05, nil), Compare(r, full, void, 0.05, nil)} {
		if got != (Change{Word: NoChange, Level: 0.05}) {
			t.Errorf("%+v", got)
		}
	}
}

func TestWhatWouldDecide(t *testing.T) {
	for _, c := range []struct {
		most, least int
		level       float64
		want        int
	}{
		{1, 0, 0.05, 5}, {4, 0, 0.05, 5}, {3, 0, 0.01, 7}, {3, 0, 0.05 / 15, 9},
		{8, 1, 0.01, 14}, // 12 and 2: 106/16384
	} {
		n := needItems(c.most, c.least, c.level)
		if n != c.want {
			t.Errorf("%d:%d at %v: %d, want %d", c.most, c.least, c.level, n, c.want)
		}
		wins := n * c.most / (c.most + c.least)
		if SignTest(wins, n-wins) > c.level {
			t.Errorf("%d:%d at %v: %d does not decide", c.most, c.least, c.level, n)
		}
		for k := c.most + c.least + 1; k < n; k++ {
			if wins := k * c.most / (c.most + c.least); SignTest(wins, k-wins) <= c.level {
				t.Errorf("%d:%d at %v: %d decides before %d", c.most, c.least, c.level, k, n)
			}
		}
	}
	band := func(v float64) *float64 { return &v }
	for _, c := range []struct {
		delta float64
		band  *float64
		want  int
	}{
		{4, band(8), 4}, {-4, band(8), 4}, {5, band(8.8), 4}, {8.7, band(8.8), 2}, {8.8, band(8.8), 0}, {9, band(8.8), 0},
		{0, band(8.8), 0}, {4, nil, 0}, {1e-7, band(100), 1_000_000},
	} {
		if got := needRepeats(c.delta, c.band); got != c.want {
			t.Errorf("a rise of %v under a band of %v: %d repeats, want %d", c.delta, c.band, got, c.want)
		}
	}
}

func TestAChangeInALine(t *testing.T) {
	p := func(v float64) *float64 { return &v }
	for want, c := range map[string]Change{
		"UNDERPOWERED: 3 items better, 0 worse; 7 that agree would decide, or about 4 repeats":            {Word: Underpowered, Better: 3, P: p(0.125), NeedItems: 7, NeedRepeats: 4},
		"UNDERPOWERED: 1 item better, 0 worse; 5 that agree would decide":                                 {Word: Underpowered, Better: 1, P: p(0.5), NeedItems: 5},
		"UNDERPOWERED: 8 items better, 1 worse; 14 in that ratio would decide":                            {Word: Underpowered, Better: 8, Worse: 1, P: p(0.02), NeedItems: 14},
		"UNDERPOWERED: 3 items better, 0 worse; about 4 repeats would decide":                             {Word: Underpowered, Better: 3, P: p(0.125), NeedRepeats: 4},
		"UNDERPOWERED: +10.0 points by what the text and commands answer, 0 items better, 3 worse":        {Word: Underpowered, Certain: 10, Worse: 3, P: p(0.125)},
		"IMPROVED: 9 items better, 1 worse (p = 0.011)":                                                   {Word: Improved, Better: 9, Worse: 1, P: p(11.0 / 1024)},
		"IMPROVED: 20 items better, 0 worse (p < 0.001)":                                                  {Word: Improved, Better: 20, P: p(1e-6)},
		"IMPROVED: +12.5 points by what the text and commands answer":                                     {Word: Improved, Certain: 12.5},
		"REGRESSED: -5.0 points by what the text and commands answer, 1 item better, 2 worse (p = 0.500)": {Word: Regressed, Certain: -5, Better: 1, Worse: 2, P: p(0.5)},
		"NO CREDIBLE CHANGE: 6 items better, 4 worse (p = 0.377)":                                         {Word: NoChange, Better: 6, Worse: 4, P: p(0.377)},
		"NO CREDIBLE CHANGE: no item moved for half of the judges or more":                                {Word: NoChange},
	} {
		if got := c.String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
