package report

import (
	"fmt"
	"time"
)

func ptr(v float64) *float64 { return &v }

// answers is one judge's answers: criterion, then item and word in turn.
func answers(criteria map[string][]string) map[string]map[string]string {
	items := map[string]map[string]string{}
	for id, pairs := range criteria {
		items[id] = map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			items[id][pairs[i]] = pairs[i+1]
		}
	}
	return items
}

// handbook is a loop that shows everything a report can: six scorings, a round rolled back, a void
// one, one with a single judge, a disagreement, scales and checklists, diffs, tokens and cost.
func handbook() Data {
	started := time.Date(2026, 4, 18, 9, 30, 12, 0, time.UTC)
	d := Data{
		Schema: SchemaVersion, Title: "Team handbook", Target: "HANDBOOK.md", Result: "PASSED",
		Reason:  "Overall 86.5 reaches 80, and every criterion reaches its floor.",
		Started: started, Ended: started.Add(14*time.Minute + 37*time.Second), Session: "4f1c2a90-77",
		Rubric:    RubricInfo{Title: "Handbook rubric", Hash: "sha256:9d1f6c0b8a52", Path: "rubric.yaml"},
		Threshold: 80, Floor: 60, MaxRounds: 5, Best: 5, Tokens: 184230, USD: 0.4172,
		Criteria: []CriterionInfo{
			{ID: "setup", Name: "Set-up instructions", Weight: 40, Floor: 70, Kind: "checklist", Items: []ItemInfo{
				{"os", "Names the supported operating systems", "judge", false},
				{"install", "Gives an install command in a code block", "command", false},
				{"verify", "Says how to check that the installation works", "judge", true},
				{"todo", "Leaves nothing to be done", "text", false},
			}},
			{ID: "duties", Name: "Duties and contacts", Weight: 35, Floor: 60, Kind: "checklist", Items: []ItemInfo{
				{"owner", "Names an owner for each service", "judge", false},
				{"oncall", "Says who is on call and how the rota changes", "judge", true},
				{"escalate", "Gives the steps of an escalation with a time for each", "judge", false},
			}},
			{ID: "tone", Name: "Writing tone", Weight: 25, Floor: 60, Kind: "levels", Levels: []LevelInfo{
				{0, "Cannot be followed"}, {25, "Jargon without explanation"}, {50, "Clear in parts"}, {75, "Clear throughout"}, {100, "Clear, short, and every term explained"},
			}},
		},
	}
	judge := func(name string, items map[string][]string) Judge {
		return Judge{Name: name, State: "AVAILABLE", Items: answers(items)}
	}
	base := []Judge{
		judge("codex", map[string][]string{"setup": {"os", "no", "install", "no", "verify", "no", "todo", "yes"}, "duties": {"owner", "yes", "oncall", "unsure", "escalate", "no"}}),
		judge("gemini", map[string][]string{"setup": {"os", "no", "install", "no", "verify", "unverified", "todo", "yes"}, "duties": {"owner", "yes", "oncall", "yes", "escalate", "no"}}),
		{Name: "claude", State: "SKIPPED", Reason: "not installed: no claude on PATH"},
	}
	d.Rounds = []Round{
		{
			Number: 0, Overall: 45.208333, Kept: true, Judges: base, Agreement: ptr(83.333333), Alpha: ptr(0.6421), Tokens: 28110, USD: 0.0612, Seconds: 41.2,
			Criteria: []CriterionScore{
				{ID: "setup", Score: ptr(25), Below: true, ByJudge: map[string]float64{"codex": 25, "gemini": 25}, Open: []string{"os", "install", "verify"},
					Suggestions: []Suggestion{{"codex", "Add an install command in a code block"}, {"gemini", "Name the operating systems first"}}},
				{ID: "duties", Score: ptr(58.333333), Below: true, ByJudge: map[string]float64{"codex": 50, "gemini": 66.666667}, Open: []string{"oncall", "escalate"},
					Suggestions: []Suggestion{{"codex", "Give each escalation step a time"}}},
				{ID: "tone", Score: ptr(59.166667), Below: true, ByJudge: map[string]float64{"codex": 43.333333, "gemini": 75}},
			},
			Disagreements: []Disagreement{{"tone", "codex", "gemini", 31.666667}},
		},
		{
			Number: 1, Overall: 62.5, Kept: true, Target: "setup", Note: "Set-up instructions rose by 50.0 points.", Agreement: ptr(100), Alpha: ptr(1), Tokens: 31200, USD: 0.0703, Seconds: 63,
			Judges: []Judge{
				judge("codex", map[string][]string{"setup": {"os", "yes", "install", "yes", "verify", "no", "todo", "yes"}, "duties": {"owner", "yes", "oncall", "yes", "escalate", "no"}}),
				judge("gemini", map[string][]string{"setup": {"os", "yes", "install", "yes", "verify", "no", "todo", "yes"}, "duties": {"owner", "yes", "oncall", "missing", "escalate", "no"}}),
				{Name: "claude", State: "SKIPPED", Reason: "not installed: no claude on PATH"},
			},
			Criteria: []CriterionScore{
				{ID: "setup", Score: ptr(75), ByJudge: map[string]float64{"codex": 75, "gemini": 75}, Open: []string{"verify"}},
				{ID: "duties", Score: ptr(58.333333), Below: true, ByJudge: map[string]float64{"codex": 66.666667, "gemini": 50}, Open: []string{"escalate"}},
				{ID: "tone", Score: ptr(62.5), ByJudge: map[string]float64{"codex": 50, "gemini": 75}},
			},
			Diff: "--- a/HANDBOOK.md\n+++ b/HANDBOOK.md\n@@ -1,7 +1,12 @@\n # Team handbook\n \n ## Set-up\n \n-Install the tool and start it.\n+Linux and macOS are supported. Install the tool and start it:\n+\n+```sh\n+go install ./...\n+handbook serve\n+```\n \n ## Duties\n",
		},
		{
			Number: 2, Overall: 54.166667, RolledBack: true, Target: "duties", Note: "The overall score fell by 8.3 and Set-up instructions broke its floor, so the best version was restored.",
			Agreement: ptr(91.666667), Alpha: ptr(0.8), Tokens: 30870, USD: 0.0691, Seconds: 58.4,
			Judges: []Judge{
				judge("codex", map[string][]string{"setup": {"os", "no", "install", "yes", "verify", "no", "todo", "no"}, "duties": {"owner", "yes", "oncall", "yes", "escalate", "yes"}}),
				judge("gemini", map[string][]string{"setup": {"os", "no", "install", "yes", "verify", "yes", "todo", "no"}, "duties": {"owner", "yes", "oncall", "yes", "escalate", "no"}}),
				{Name: "claude", State: "SKIPPED", Reason: "not installed: no claude on PATH"},
			},
			Criteria: []CriterionScore{
				{ID: "setup", Score: ptr(37.5), Below: true, ByJudge: map[string]float64{"codex": 25, "gemini": 50}, Open: []string{"os", "verify", "todo"}},
				{ID: "duties", Score: ptr(83.333333), ByJudge: map[string]float64{"codex": 100, "gemini": 66.666667}},
				{ID: "tone", Score: ptr(62.5), ByJudge: map[string]float64{"codex": 50, "gemini": 75}},
			},
			Disagreements: []Disagreement{{"setup", "codex", "gemini", 25}, {"duties", "gemini", "codex", 33.333333}},
			Diff:          "--- a/HANDBOOK.md\n+++ b/HANDBOOK.md\n@@ -12,4 +12,5 @@\n ## Duties\n \n--- see the old wiki page --\n-Ask around when something breaks.\n+The owner is told within 15 minutes, the lead within 30.\n+TODO: add the rota.\n+\n",
		},
		{
			Number: 3, Void: true, Target: "duties", Note: "No judge answered, so the round counts for nothing.",
			Judges: []Judge{
				{Name: "codex", State: "DEGRADED", Reason: "exit 1: stream disconnected before completion"},
				{Name: "gemini", State: "DEGRADED", Reason: "timed out after 4 min"},
				{Name: "claude", State: "SKIPPED", Reason: "not installed: no claude on PATH"},
			},
		},
		{
			Number: 4, Overall: 79.958333, Kept: true, LowConfidence: true, Target: "duties", Tokens: 17330, USD: 0.0351, Seconds: 38,
			Judges: []Judge{
				judge("codex", map[string][]string{"setup": {"os", "yes", "install", "yes", "verify", "no", "todo", "yes"}, "duties": {"owner", "yes", "oncall", "yes", "escalate", "yes"}}),
				{Name: "gemini", State: "DEGRADED", Reason: "the verdict names no criterion of the rubric: “style”"},
				{Name: "claude", State: "SKIPPED", Reason: "not installed: no claude on PATH"},
			},
			Criteria: []CriterionScore{
				{ID: "setup", Score: ptr(75), ByJudge: map[string]float64{"codex": 75}, Open: []string{"verify"}},
				{ID: "duties", Score: ptr(100), ByJudge: map[string]float64{"codex": 100}},
				{ID: "tone", Score: ptr(59.96), Below: true, ByJudge: map[string]float64{"codex": 59.96}},
			},
			Diff: "--- a/HANDBOOK.md\n+++ b/HANDBOOK.md\n@@ -14,2 +14,2 @@\n \n-Ask around when something breaks.\n+The owner is told within 15 minutes, the lead within 30.\n",
		},
		{
			Number: 5, Overall: 86.458333, Kept: true, Passed: true, Target: "tone", Note: "Writing tone reaches its floor.", Agreement: ptr(92.857143), Alpha: ptr(0.4474), Tokens: 76720, USD: 0.1815, Seconds: 71.9,
			Judges: []Judge{
				judge("codex", map[string][]string{"setup": {"os", "yes", "install", "yes", "verify", "no", "todo", "yes"}, "duties": {"owner", "yes", "oncall", "yes", "escalate", "yes"}}),
				judge("gemini", map[string][]string{"setup": {"os", "yes", "install", "yes", "verify", "no", "todo", "yes"}, "duties": {"owner", "yes", "oncall", "yes", "escalate", "yes"}}),
				judge("claude", map[string][]string{"setup": {"os", "yes", "install", "yes", "verify", "unsure", "todo", "yes"}, "duties": {"owner", "yes", "oncall", "yes", "escalate", "yes"}}),
			},
			Criteria: []CriterionScore{
				{ID: "setup", Score: ptr(83.333333), ByJudge: map[string]float64{"codex": 75, "gemini": 75, "claude": 100}, Open: []string{"verify"},
					Suggestions: []Suggestion{{"gemini", "Say which line `handbook serve` prints when the installation works"}, {"codex", "Add a smoke test"}}},
				{ID: "duties", Score: ptr(100), ByJudge: map[string]float64{"codex": 100, "gemini": 100, "claude": 100}},
				{ID: "tone", Score: ptr(75), ByJudge: map[string]float64{"codex": 75, "gemini": 75, "claude": 75},
					Suggestions: []Suggestion{{"claude", "Explain “rota” where it first occurs"}}},
			},
			Disagreements: []Disagreement{{"setup", "gemini", "claude", 25}},
			Diff:          "--- a/HANDBOOK.md\n+++ b/HANDBOOK.md\n@@ -14,2 +14,2 @@\n \n-The owner is told within 15 minutes, the lead within 30.\n+The owner is told within 15 minutes, the team lead within 30.\n--- a/docs/rota.md\n+++ b/docs/rota.md\n@@ -0,0 +1,3 @@\n+# Rota\n+\n+It changes on Mondays at 10:00.\n",
		},
	}
	measure(&d)
	d.Warnings = []string{"the items held out score 21.5 points below those the improver knows: the artifact may have been fitted to them", "two checks of rubric.yaml ran because it is trusted; review them when the file changes"}
	return d
}

// measure adds what programs, a budget, a calibration and a holdout put into a report.
func measure(d *Data) {
	d.Unpriced, d.Silent = 48830, 2
	d.Limits = Limits{Seconds: 1800, Used: 877, Tokens: 400000, USD: 1.5}
	d.Agents = []Agent{
		{Name: "codex", Role: "judge", Program: "codex:model=gpt-5.1,effort=high", Model: "gpt-5.1", Calls: 6, Tokens: 61200, USD: 0.1723},
		{Name: "gemini", Role: "judge", Program: "gemini", Model: "gemini-2.5-pro", Calls: 7, Tokens: 48830, Unpriced: 48830, Silent: 1},
		{Name: "claude", Role: "judge", Program: "claude", Calls: 1, Silent: 1},
		{Name: "improver", Role: "improver", Program: "command:./improve.sh --strict 'a b'", Calls: 5, Tokens: 74200, USD: 0.2449},
	}
	d.Calibration = &Calibration{Repeats: 5, Items: 7, FlipRate: 0.0857, FlipLow: 0.0412, FlipHigh: 0.1533, SD: 2.14, Band: 5.93,
		Judges: []JudgeNoise{{"codex", 0.0571, 1.62}, {"gemini", 0.1143, 2.9}}}
	for i, more := range []struct {
		change      *Change
		shown, held float64
		independent float64
	}{
		{nil, 41.2, 50, 1.6},
		{&Change{"IMPROVED", "IMPROVED: 6 items better, 0 worse; the chance of that without a change is 1.6%"}, 72.5, 45, 2},
		{&Change{"REGRESSED", "REGRESSED: 0 items better, 5 worse; the chance of that without a change is 3.1%"}, 60, 40, 1.8},
		{},
		{&Change{"UNDERPOWERED", "UNDERPOWERED: 3 items better, 0 worse; 2 more that agree would decide, or about 4 repeats"}, 88.9, 66.7, 0},
		{&Change{"NO CREDIBLE CHANGE", "+6.5 is within the noise band of 5.9 on 2 items better and 1 worse"}, 93.2, 71.7, 2.2},
	} {
		r := &d.Rounds[i]
		r.Change = more.change
		if more.shown > 0 {
			r.Shown, r.Held = ptr(more.shown), ptr(more.held)
		}
		if more.independent > 0 {
			r.Independent = ptr(more.independent)
		}
	}
	d.Rounds[4].Dropped = []string{"README.md", "docs/rota draft.md"}
	last := d.Rounds[5].Judges
	last[0].Seconds, last[0].Tokens, last[0].Model = 12.31, 9120, "gpt-5.1"
	last[1].Seconds, last[1].Tokens = 64.2, 7011
	last[2].Seconds = 8.04
}

// baselineOnly is a loop that passed at once: one round, checks alone, no tokens.
func baselineOnly() Data {
	return Data{
		Schema: SchemaVersion, Target: "notes.txt", Result: "PASSED", Reason: "Overall 100.0 reaches 70.",
		Rubric: RubricInfo{Title: "Release notes"}, Threshold: 70, MaxRounds: 5,
		Criteria: []CriterionInfo{
			{ID: "form", Name: "Form", Weight: 50, Kind: "checklist", Items: []ItemInfo{{"date", "Has a date", "text", false}, {"links", "Links resolve", "text", false}}},
			{ID: "content", Name: "Content", Weight: 50, Kind: "checklist", Items: []ItemInfo{{"build", "The example builds", "command", false}, {"short", "At most 400 words", "text", false}}},
		},
		Rounds: []Round{{
			Overall: 100, Kept: true, Passed: true,
			Judges:   []Judge{{Name: "checks", State: "AVAILABLE", Items: answers(map[string][]string{"form": {"date", "yes", "links", "yes"}, "content": {"build", "yes", "short", "yes"}})}},
			Criteria: []CriterionScore{{ID: "form", Score: ptr(100), ByJudge: map[string]float64{"checks": 100}}, {ID: "content", Score: ptr(100), ByJudge: map[string]float64{"checks": 100}}},
		}},
	}
}

// wide is as much as a rubric may hold: ten criteria of three items each, three judges, six rounds,
// long names and texts.
func wide() Data {
	d := Data{
		Schema: SchemaVersion, Title: "Service level agreement between the platform group and everyone who deploys to it, third revision",
		Target: "contracts/platform/service-level-agreement-third-revision-for-review.md", Result: "CIRCUIT_BREAKER",
		Reason: "Five rounds were used and two criteria are still below their floors.", Threshold: 90, Floor: 85, MaxRounds: 5, Best: 5,
		Started: time.Date(2026, 4, 18, 9, 0, 0, 0, time.UTC), Ended: time.Date(2026, 4, 18, 10, 12, 0, 0, time.UTC),
	}
	words := []string{"yes", "yes", "yes", "no", "yes", "unsure", "yes", "unverified", "yes", "missing", "no", "yes", "unknown"}
	names := []string{"Availability targets", "Response and repair times for every class of incident", "Credits", "Maintenance windows", "Data protection", "Escalation", "Reporting", "Exclusions", "Termination and exit", "변경 관리"}
	for i, name := range names {
		c := CriterionInfo{ID: fmt.Sprintf("c%d", i), Name: name, Weight: 10, Floor: 85, Kind: "checklist"}
		for j := range 3 {
			text := fmt.Sprintf("States obligation %d of %q as a number with a unit, a period of measurement and the party that measures it", j+1, name)
			c.Items = append(c.Items, ItemInfo{fmt.Sprintf("i%d", j), text, []string{"judge", "judge", "text"}[j], false})
		}
		d.Criteria = append(d.Criteria, c)
	}
	for n := range 6 {
		r := Round{Number: n, Overall: 48 + 7*float64(n), Kept: true, Agreement: ptr(80 + float64(n)), Alpha: ptr(0.5 + float64(n)/20), Diff: "--- a/x.md\n+++ b/x.md\n@@ -1 +1 @@\n-" + fmt.Sprint(n) + " old words\n+" + fmt.Sprint(n) + " new words\n"}
		for k, name := range []string{"codex", "gemini-2.5-pro-preview", "claude"} {
			j := Judge{Name: name, State: "AVAILABLE", Items: map[string]map[string]string{}}
			for i, c := range d.Criteria {
				j.Items[c.ID] = map[string]string{}
				for m, item := range c.Items {
					word := words[(n*7+k*3+i*5+m*2)%len(words)]
					if n*3+k+i+m > 16 {
						word = "yes"
					}
					j.Items[c.ID][item.ID] = word
				}
			}
			r.Judges = append(r.Judges, j)
		}
		for i, c := range d.Criteria {
			v := min(100, 30+float64(n*9+(i*13)%40))
			var open []string
			if v < 85 {
				open = []string{"i1"}
			}
			r.Criteria = append(r.Criteria, CriterionScore{ID: c.ID, Score: ptr(v), Below: v < 85, Open: open,
				ByJudge:     map[string]float64{"codex": v, "gemini-2.5-pro-preview": max(0, v-11.3), "claude": min(100, v+11.3)},
				Suggestions: []Suggestion{{"gemini-2.5-pro-preview", "Say in the second paragraph which party measures the period and what happens when the measurement is missing for more than one month"}}})
		}
		d.Rounds = append(d.Rounds, r)
	}
	return d
}

const attack = "\x00\"><img src=x onerror=alert(1)></style><script>alert(1)</script><!-- ``` | [a](javascript:alert(1)) ![b](http://evil.example/p.png) http://evil.example www.evil.example \x1b[2J {{.}} ~~~~ */ url(//evil.example) \u202e"

// hostile has the same attack in every text a report shows.
func hostile() Data {
	d := handbook()
	d.Title, d.Target, d.Result, d.Reason, d.Session = attack, attack, attack, attack, attack
	d.Rubric = RubricInfo{attack, attack, attack}
	d.Warnings = []string{attack}
	d.Agents = append(d.Agents, Agent{Name: attack, Role: attack, Program: attack, Model: attack, Calls: 1})
	d.Calibration.Judges = append(d.Calibration.Judges, JudgeNoise{Name: attack})
	for i := range d.Criteria {
		c := &d.Criteria[i]
		c.Name, c.Kind = attack, attack
		for j := range c.Items {
			c.Items[j].Text, c.Items[j].By = attack, attack
		}
		for j := range c.Levels {
			c.Levels[j].Text = attack
		}
	}
	d.Criteria = append(d.Criteria, CriterionInfo{ID: attack, Name: attack, Kind: attack})
	for i := range d.Rounds {
		r := &d.Rounds[i]
		r.Note, r.Target = attack, attack
		r.Change, r.Dropped = &Change{attack, attack}, []string{attack}
		r.Diff = attack + "\n--- " + attack + "\n+++ " + attack + "\n@@ -1,2 +1,2 @@ " + attack + "\n-" + attack + "\n+" + attack + "\n ````````\n"
		r.Disagreements = []Disagreement{{attack, attack, attack, 30}}
		for j := range r.Criteria {
			r.Criteria[j].Suggestions = []Suggestion{{attack, attack}}
			r.Criteria[j].Open = append(r.Criteria[j].Open, attack)
		}
		r.Judges = append(r.Judges, Judge{Name: attack, State: "AVAILABLE", Reason: attack, Model: attack, Items: map[string]map[string]string{"setup": {"os": attack}}},
			Judge{Name: attack + "2", State: attack, Reason: attack})
	}
	return d
}
