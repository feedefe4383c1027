package report

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rulph/schemas/schematest"
)

func TestEvaluationsLookAsTheyShould(t *testing.T) {
	for name, e := range map[string]Evaluation{"ci": handbookCI(), "ci-passed": passedCI(), "ci-void": voidCI()} {
		encoded, err := e.JSON()
		if err != nil {
			t.Fatal(err)
		}
		junit, err := e.JUnit()
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name+".json", encoded)
		golden(t, name+".xml", junit)
		golden(t, name+".github", e.GitHub())
		golden(t, name+".md", e.Markdown())
	}
}

func TestEvaluationsFitTheirSchema(t *testing.T) {
	for name, e := range map[string]Evaluation{"handbook": handbookCI(), "passed": passedCI(), "void": voidCI(), "nothing": {}} {
		encoded, err := e.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if err := schematest.Check(t, "evaluation", encoded); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var back Evaluation
		if err := json.Unmarshal(encoded, &back); err != nil {
			t.Fatal(err)
		}
		again, err := back.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(encoded), string(again)); diff != "" {
			t.Errorf("%s does not survive its JSON form:\n%s", name, diff)
		}
	}
}

func TestSchemaRefusesWhatIsNoEvaluation(t *testing.T) {
	encoded, err := handbookCI().JSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{`"schema":1,`, `"schema":2,`},
		{`"schema":1,`, ``},
		{`"passed":false`, `"passed":"no"`},
		{`"overall":79.96`, `"overall":179.96`},
		{`"repeats":3`, `"repeats":0`},
		{`"outcome":"unverified"`, `"outcome":"maybe"`},
		{`"codex":"yes"`, `"codex":"fine"`},
		{`"state":"DEGRADED"`, `"state":"BROKEN"`},
		{`"unpriced":7011`, `"unpriced":-1`},
		{`"threshold":80`, `"treshold":80`},
		{`"evidence":`, `"quote":`},
		{`"independent":1.57`, `"independent":0`},
	} {
		schematest.Refuses(t, "evaluation", encoded, c[0], c[1])
	}
}

func TestSchemaAndEvaluationNameTheSameFields(t *testing.T) {
	for place, of := range map[string]any{
		"":                "Evaluation",
		"$defs/criterion": EvalCriterion{}, "$defs/item": EvalItem{}, "$defs/judge": EvalJudge{},
		"properties/disagreements/items":               Disagreement{},
		"$defs/criterion/properties/suggestions/items": Suggestion{},
	} {
		if place == "" {
			of = Evaluation{}
		}
		schematest.Matches(t, "evaluation", place, reflect.TypeOf(of), true)
	}
}

func TestAnEvaluationOfNumbersThatAreNoneIsRefused(t *testing.T) {
	e := handbookCI()
	e.Criteria[1].Score = ptr(math.Inf(1))
	const want = "score of duties is +Inf: a report takes finite numbers"
	if _, err := e.JSON(); err == nil || err.Error() != want {
		t.Errorf("JSON: %v, want %s", err, want)
	}
	if _, err := e.JUnit(); err == nil || err.Error() != want {
		t.Errorf("JUnit: %v, want %s", err, want)
	}
}

func TestAGateIsMissedIfAndOnlyIfTheEvaluationDidNotPass(t *testing.T) {
	criterion := func(score *float64, floor float64, below bool) []EvalCriterion {
		return []EvalCriterion{{ID: "a", Name: "A", Floor: floor, Score: score, Below: below}}
	}
	for name, c := range map[string]struct {
		e    Evaluation
		want []gate
	}{
		"passed":             {Evaluation{Passed: true, Overall: 80, Threshold: 80, Criteria: criterion(ptr(60), 60, false)}, []gate{{Name: "overall at least 80", Reached: "80.0 of 100"}, {Name: "A at least 60", Reached: "60.0 of 100"}}},
		"below threshold":    {Evaluation{Overall: 79.96, Threshold: 80}, []gate{{Name: "overall at least 80", Reached: "79.96 of 100", Reason: "79.96 of 100 is below the threshold of 80"}}},
		"below a floor":      {Evaluation{Overall: 90, Threshold: 80, Criteria: criterion(ptr(59.96), 60, true)}, []gate{{Name: "overall at least 80", Reached: "90.0 of 100"}, {Name: "A at least 60", Reached: "59.96 of 100", Reason: "A: 59.96 is below the floor of 60"}}},
		"on it but for 1ulp": {Evaluation{Overall: math.Nextafter(80, 0), Threshold: 80, Criteria: criterion(ptr(10), 60, true)}, []gate{{Name: "overall at least 80", Reached: "80.0 of 100"}, {Name: "A at least 60", Reached: "10.0 of 100", Reason: "A: 10.0 is below the floor of 60"}}},
		"no score, no floor": {Evaluation{Overall: 90, Threshold: 80, Criteria: criterion(nil, 0, false)}, []gate{{Name: "overall at least 80", Reached: "90.0 of 100"}, {Name: "A at least 0", Reached: "– of 100", Reason: "A has no score: nothing was answered", Unscored: true}}},
		"no floor":           {Evaluation{Passed: true, Overall: 90, Threshold: 80, Criteria: criterion(ptr(10), 0, false)}, []gate{{Name: "overall at least 80", Reached: "90.0 of 100"}}},
		"void":               {Evaluation{Void: true, Threshold: 80}, []gate{{Name: "overall at least 80", Reached: "– of 100", Reason: "no judge answered", Unscored: true}}},
		"without a reason":   {Evaluation{Overall: 90, Threshold: 80}, []gate{{Name: "overall at least 80", Reached: "90.0 of 100", Reason: "not passed"}}},
	} {
		if diff := cmp.Diff(c.want, c.e.gates()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestACostThatNobodyToldIsNotACostOfNothing(t *testing.T) {
	for _, c := range []struct {
		agent       Agent
		cost, spent string
	}{
		{Agent{}, "", ""},
		{Agent{Tokens: 1500}, "", "1,500 tokens"},
		{Agent{USD: 0.5}, "USD 0.50", "USD 0.50"},
		{Agent{Tokens: 1500, USD: 0.5}, "USD 0.50", "1,500 tokens, USD 0.50"},
		{Agent{Tokens: 1500, Unpriced: 1500}, "1,500 tokens without a known price", "1,500 tokens without a known price"},
		{Agent{Silent: 1}, "1 call that told no usage", "1 call that told no usage"},
		{Agent{Tokens: 2000, USD: 0.004, Unpriced: 500, Silent: 2}, "USD 0.0040, 500 tokens without a known price, 2 calls that told no usage", "2,000 tokens (500 without a known price), USD 0.0040, 2 calls that told no usage"},
	} {
		if got := costWords(c.agent); got != c.cost {
			t.Errorf("%+v costs %q, want %q", c.agent, got, c.cost)
		}
		if got := spentWords(c.agent); got != c.spent {
			t.Errorf("%+v spent %q, want %q", c.agent, got, c.spent)
		}
	}
	d := handbook()
	d.USD, d.Agents = 0, []Agent{{Name: "gemini", Role: "judge", Calls: 2, Tokens: 184230, Unpriced: 184230}}
	for i := range d.Rounds {
		d.Rounds[i].USD = 0
	}
	page, err := HTML(d)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"Markdown": string(Markdown(d)), "HTML": string(page)} {
		if strings.Contains(text, "USD 0.00") {
			t.Errorf("%s shows an unknown cost as nothing", name)
		}
		if want := "an unknown cost of USD 1.50"; !strings.Contains(text, want) {
			t.Errorf("%s does not say %q", name, want)
		}
	}
}
