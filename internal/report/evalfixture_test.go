package report

// handbookCI is an evaluation that shows everything one can: each outcome, a scale, a criterion without
// a score, a floor that is missed, judges in each state, repeats, what is known of the cost and what is not.
func handbookCI() Evaluation {
	return Evaluation{
		Title: "Team handbook", Target: "HANDBOOK.md", Rubric: "rubric.yaml", Hash: "sha256:9d1f6c0b8a52",
		Threshold: 80, Overall: 79.96, Repeats: 3, SD: ptr(1.27),
		Criteria: []EvalCriterion{
			{ID: "setup", Name: "Set-up instructions", Weight: 40, Floor: 70, Score: ptr(66.666667), Below: true,
				Items: []EvalItem{
					{ID: "os", Text: "Names the supported operating systems", Outcome: "yes", ByJudge: map[string]string{"gemini": "yes", "codex": "yes"}, Evidence: "Linux and macOS are supported."},
					{ID: "install", Text: "Gives an install command in a code block", Outcome: "no", ByJudge: map[string]string{"gemini": "no", "codex": "no"}, Why: "the check exited 1"},
					{ID: "verify", Text: "Says how to check that the installation works", Outcome: "unverified", ByJudge: map[string]string{"gemini": "unverified", "codex": "no"}, Evidence: "It works when it prints ok"},
					{ID: "todo", Text: "Leaves nothing to be done", Outcome: "unsure", ByJudge: map[string]string{"gemini": "unsure", "codex": "unsure"}, Why: "the last part is unclear"},
				},
				Suggestions: []Suggestion{{"codex", "Add an install command in a code block"}, {"", "Name the shell"}}},
			{ID: "duties", Name: "Duties and contacts", Weight: 35, Score: ptr(100), Items: []EvalItem{
				{ID: "owner", Text: "Names an owner for each service", Outcome: "yes"},
				{ID: "oncall", Text: "Says who is on call", Outcome: "missing"},
				{ID: "links", Text: "Its links resolve", Outcome: "unknown", Why: "the commands of the rubric are not trusted"},
			}},
			{ID: "tone", Name: "Writing tone", Weight: 15, Floor: 60, Score: ptr(75)},
			{ID: "law", Name: "Legal terms", Weight: 10, Floor: 60},
		},
		Judges: []EvalJudge{
			{Name: "codex", Program: "codex:effort=high", Model: "gpt-5.1", State: "AVAILABLE", Overall: ptr(81.25), Seconds: 12.3, Calls: 3, Tokens: 9120, USD: 0.0312},
			{Name: "gemini", Program: "gemini", State: "AVAILABLE", Overall: ptr(78.67), Seconds: 64.2, Calls: 4, Tokens: 7011, Unpriced: 7011, Silent: 1},
			{Name: "claude", Program: "claude", State: "DEGRADED", Reason: "timed out after 4 min", Seconds: 240},
			{Name: "script", Program: "command:./judge.sh", State: "SKIPPED", Reason: "not installed: no ./judge.sh"},
		},
		Disagreements: []Disagreement{{"tone", "gemini", "codex", 25}},
		Agreement:     ptr(83.333333), Alpha: ptr(0.6421), Independent: ptr(1.57),
		Tokens: 16131, USD: 0.0312, Seconds: 240.4, Files: []string{"HANDBOOK.md"},
		Warnings: []string{"judge gemini made its scores up: it claims 90 for setup, its answers give 66.7"},
	}
}

// passedCI is an evaluation by checks alone that reached everything.
func passedCI() Evaluation {
	return Evaluation{
		Title: "Release notes", Target: "notes", Rubric: "rubric.yaml", Threshold: 70, Passed: true, Overall: 100, Repeats: 1,
		Criteria: []EvalCriterion{
			{ID: "form", Name: "Form", Weight: 50, Floor: 60, Score: ptr(100), Items: []EvalItem{{ID: "date", Text: "Has a date", Outcome: "yes"}, {ID: "links", Text: "Links resolve", Outcome: "yes"}}},
			{ID: "content", Name: "Content", Weight: 50, Score: ptr(100), Items: []EvalItem{{ID: "short", Text: "At most 400 words", Outcome: "yes"}}},
		},
		Judges: []EvalJudge{{Name: "checks", State: "AVAILABLE", Overall: ptr(100)}},
		Files:  []string{"notes/1.md", "notes/2.md"},
	}
}

// voidCI is an evaluation that nobody answered.
func voidCI() Evaluation {
	return Evaluation{Target: "x.md", Rubric: "rubric.yaml", Threshold: 70, Void: true, Repeats: 1,
		Criteria: []EvalCriterion{{ID: "form", Name: "Form", Weight: 100, Floor: 60, Items: []EvalItem{{ID: "date", Text: "Has a date", Outcome: "missing"}}}},
		Judges:   []EvalJudge{{Name: "codex", State: "SKIPPED", Reason: "not installed: no codex on PATH"}}}
}

// hostileCI has the same attack in every text of an evaluation.
func hostileCI(text string) Evaluation {
	e := handbookCI()
	e.Title, e.Target, e.Rubric, e.Hash = text, text, text, text
	e.Warnings, e.Files = []string{text}, []string{text}
	e.Disagreements = []Disagreement{{text, text, text, 30}}
	for i := range e.Criteria {
		c := &e.Criteria[i]
		c.ID, c.Name, c.Suggestions = text, text, []Suggestion{{text, text}}
		for j := range c.Items {
			c.Items[j].ID, c.Items[j].Text, c.Items[j].Evidence, c.Items[j].Why = text, text, text, text
			c.Items[j].ByJudge = map[string]string{text: text}
		}
		if len(c.Items) > 0 {
			c.Items[0].Outcome = text
		}
	}
	for i := range e.Judges {
		j := &e.Judges[i]
		j.Name, j.Program, j.Model, j.Reason = text, text, text, text
	}
	e.Judges[3].State = text
	return e
}
