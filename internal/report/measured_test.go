package report

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAChangeIsItsWordAndItsNumbers(t *testing.T) {
	for _, c := range []struct {
		change     *Change
		word, text string
	}{
		{nil, "", ""},
		{&Change{Word: "IMPROVED"}, "IMPROVED", "IMPROVED"},
		{&Change{"IMPROVED", "IMPROVED: 6 better"}, "IMPROVED", "IMPROVED: 6 better"},
		{&Change{"REGRESSED", "5 worse"}, "REGRESSED", "REGRESSED: 5 worse"},
		{&Change{"NO CREDIBLE CHANGE", "NO CREDIBLE CHANGE"}, "NO CREDIBLE CHANGE", "NO CREDIBLE CHANGE"},
	} {
		r := Round{Change: c.change}
		if r.changeWord() != c.word || r.change() != c.text {
			t.Errorf("%+v: %q and %q, want %q and %q", c.change, r.changeWord(), r.change(), c.word, c.text)
		}
	}
}

func TestTheBudgetStandsBesideWhatWasSpent(t *testing.T) {
	d := handbook()
	for _, c := range []struct {
		limits Limits
		want   string
	}{
		{Limits{}, ""},
		{Limits{Tokens: 200000}, "at least 184,230 of 200,000 tokens"},
		{Limits{USD: 0.5}, "at least USD 0.42 of USD 0.50"},
		{Limits{Seconds: 90, Used: 877}, "14 min 37 s of 1 min 30 s"},
		{Limits{Seconds: 3600, Used: 877, Tokens: 1, USD: 2}, "at least 184,230 of 1 tokens, at least USD 0.42 of USD 2.00, 14 min 37 s of 1 h 0 min"},
	} {
		d.Limits = c.limits
		if got := d.budget(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.limits, got, c.want)
		}
	}
	if got, want := (Data{Limits: Limits{Seconds: 90, USD: 1}}).budget(), "USD 0.00 of USD 1.00, no time of 1 min 30 s"; got != want {
		t.Errorf("nothing spent: %q, want %q", got, want)
	}
	d.Limits, d.Unpriced, d.Silent = Limits{Tokens: 200000, USD: 0.5}, 0, 0
	if got, want := d.budget(), "184,230 of 200,000 tokens, USD 0.42 of USD 0.50"; got != want {
		t.Errorf("all known: %q, want %q", got, want)
	}
	d.Tokens, d.USD, d.Silent = 0, 0, 1
	if got, want := d.budget(), "at least 0 of 200,000 tokens, an unknown cost of USD 0.50"; got != want {
		t.Errorf("nothing known: %q, want %q", got, want)
	}
}

func TestWhatAJudgeTookIsShownWhereItIsKnown(t *testing.T) {
	for _, c := range []struct {
		judge Judge
		want  string
	}{
		{Judge{}, ""},
		{Judge{Seconds: 8.04}, "8.0 s"},
		{Judge{Seconds: 64.2, Tokens: 7011, Model: "gpt-5.1"}, "1 min 4 s, 7,011 tokens, gpt-5.1"},
	} {
		if got := c.judge.took(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.judge, got, c.want)
		}
	}
}

// What a loop without programs, noise and holdout had nothing of takes no room in its report.
func TestColumnsThatNothingFillsAreNotThere(t *testing.T) {
	if diff := cmp.Diff(columns{}, baselineOnly().columns()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(columns{Holdout: true, Changes: true, Independent: true}, handbook().columns()); diff != "" {
		t.Error(diff)
	}
	page, err := HTML(baselineOnly())
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(page), "</style>")
	for name, text := range map[string]string{"Markdown": string(Markdown(baselineOnly())), "HTML": body} {
		for _, word := range []string{"eld-out", "held out", "Change", "Worth", "Agents", "Noise", "noise", "Budget", "Took"} {
			if strings.Contains(text, word) {
				t.Errorf("%s of a bare loop has %q", name, word)
			}
		}
	}
}

func TestNumbersThatAreNoneAreRefusedWhereverTheyStand(t *testing.T) {
	for want, spoil := range map[string]func(*Data){
		"usd of judge gemini":             func(d *Data) { d.Agents[1].USD = math.NaN() },
		"limit of usd":                    func(d *Data) { d.Limits.USD = math.Inf(1) },
		"calibration: band":               func(d *Data) { d.Calibration.Band = math.NaN() },
		"calibration: sd of gemini":       func(d *Data) { d.Calibration.Judges[1].SD = math.NaN() },
		"round 1: shown":                  func(d *Data) { d.Rounds[1].Shown = ptr(math.NaN()) },
		"round 2: held":                   func(d *Data) { d.Rounds[2].Held = ptr(math.NaN()) },
		"round 0: independent":            func(d *Data) { d.Rounds[0].Independent = ptr(math.Inf(-1)) },
		"round 5: seconds of codex":       func(d *Data) { d.Rounds[5].Judges[0].Seconds = math.NaN() },
		"round 0: score of tone by codex": func(d *Data) { d.Rounds[0].Criteria[2].ByJudge["codex"] = math.NaN() },
	} {
		d := handbook()
		spoil(&d)
		if _, err := Encode(d); err == nil || !strings.HasPrefix(err.Error(), want+" is ") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
