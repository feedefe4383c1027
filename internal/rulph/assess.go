package rulph

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"rulph/internal/artifact"
	"rulph/internal/evaluator"
	"rulph/internal/loop"
	"rulph/internal/report"
	"rulph/internal/rubric"
	"rulph/internal/score"
	"rulph/internal/ui"
)

// AssessOptions are what `hoyeon-cli evaluate` is given. Of the StartOptions those count that say what is
// scored, by whom, and what it may cost.
type AssessOptions struct {
	StartOptions
	Repeats int           // how often it is judged; at least 1
	Timeout time.Duration // of each call; 0: the evaluator's
}

// Assess scores an artifact as it is: no loop, nothing that is kept. A limit that is reached before all have
// answered is a warning: those that have count, and so do the repeats before. One that is reached before
// anybody has answered is an error.
func (e Engine) Assess(ctx context.Context, o AssessOptions) (report.Evaluation, error) {
	began := e.Now()
	s, a, err := e.single(o.StartOptions)
	if err != nil {
		return report.Evaluation{}, err
	}
	fixed, err := e.fixed(ctx, s, a)
	if err != nil {
		return report.Evaluation{}, err
	}
	s.Deviations = fixed.warnings()
	ctx, stop := e.limited(ctx, s)
	defer stop()
	repeats := max(1, o.Repeats)
	e.foretell(s, a, repeats)
	got, err := e.repeat(ctx, s, a, fixed, CalibrateOptions{repeats, o.Timeout}, func(seats map[string]loop.Seat) (loop.State, error) {
		s = charge(s, "judge", seats)
		return s, nil
	})
	if err != nil {
		return report.Evaluation{}, err
	}
	switch done := len(got.results); {
	case got.rescue(s):
		got.results = append(got.results, compute(s, a, fixed, got.cut))
		got.answers = append(got.answers, got.cut)
		s.Deviations = append(s.Deviations, got.limit+" before all had answered"+of(done+1, repeats))
	case done == 0:
		return report.Evaluation{}, unscored(got.limit)
	case done < repeats:
		s.Deviations = append(s.Deviations, fmt.Sprintf("%s after %d of %d repeats", got.limit, done, repeats))
	}
	ev := evaluation(s, fixed, got)
	if ev.Void && got.limit != "" {
		return report.Evaluation{}, unscored(got.limit)
	}
	ev.Seconds = e.Now().Sub(began).Seconds()
	if !fromInput(o.Targets) {
		for _, f := range a.Files {
			ev.Files = append(ev.Files, relative(o.Cwd, filepath.Join(s.Target.Root, filepath.FromSlash(f.Path))))
		}
	}
	ev.Rubric = relative(o.Cwd, s.Rubric.Path)
	return ev, nil
}

// rescue makes a scoring of a time that was cut short, where anybody had answered by then: the others are
// DEGRADED.
func (got scorings) rescue(s loop.State) bool {
	answered := false
	for _, seat := range got.cut {
		answered = answered || seat.State == score.Available
	}
	if !answered {
		return false
	}
	for _, name := range s.ProgramNames() {
		if seat := got.cut[name]; seat.State == "" {
			seat.State, seat.Reason = score.Degraded, "cut short: "+got.limit
			got.cut[name] = seat
		}
	}
	return true
}

// of says which repeat it was, where there are several.
func of(n, repeats int) string {
	if repeats == 1 {
		return ""
	}
	return fmt.Sprintf(" in repeat %d of %d", n, repeats)
}

// fromInput says whether the artifact is a text from standard input, which lies nowhere that anybody could
// look for it afterwards.
func fromInput(targets []string) bool { return len(targets) == 1 && targets[0] == "-" }

func unscored(limit string) error {
	return ui.Fail(ui.BudgetSpent, fmt.Errorf("%s before anything was scored", limit), "give more with --max-time, --max-tokens or --max-usd")
}

// single is what a loop would begin with, for a scoring without one. Only a text from standard input is
// written to the Store.
func (e Engine) single(o StartOptions) (s loop.State, a artifact.Artifact, err error) {
	o.Headless, o.Improver = true, string(evaluator.Fix)
	r, err := e.readRubric(o.Cwd, o.Rubric)
	if err != nil {
		return s, a, err
	}
	path := absolute(o.Cwd, o.Rubric)
	if s, err = e.newState(o, *r, path); err != nil {
		return s, a, err
	}
	a, err = e.target(&s, o, *r, path)
	return s, a, err
}

// relative is the path as seen from dir, where it lies below, with slashes.
func relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return filepath.ToSlash(path)
}

// evaluation puts the scorings of one version together as a report shows them.
func evaluation(s loop.State, fixed answered, got scorings) report.Evaluation {
	results, answers := got.results, got.answers
	res, counted := score.Pool(s.Rubric.Body, results), len(score.Counted(results))
	if counted > 0 && counted < len(results) {
		s.Deviations = append(s.Deviations, fmt.Sprintf("no judge answered in %d of %d repeats, which count for nothing", len(results)-counted, len(results)))
	}
	ev := report.Evaluation{
		Schema: report.EvaluationSchema, Title: s.Rubric.Title, Target: s.Target.Label, Hash: s.Rubric.Hash, Threshold: s.Threshold,
		Passed: score.Passed(res, s.Threshold), Overall: res.Overall, Void: res.Void, LowConfidence: res.LowConfidence, Repeats: max(1, counted),
		SD: score.Spread(results), Disagreements: disagreements(res), Agreement: res.Agreement, Alpha: res.Alpha, Independent: res.Independent,
		Warnings: slices.Concat(s.Caveats, unseen(s), s.Deviations, claims(res)),
	}
	if ev.Title == "" {
		ev.Title = s.Target.Label
	}
	if s.Spent != nil {
		ev.Tokens, ev.USD = s.Spent.Tokens, s.Spent.USD
	}
	scores := map[string]score.Criterion{}
	for _, c := range res.Criteria {
		scores[c.ID] = c
	}
	for _, c := range s.Rubric.Body.Criteria {
		ev.Criteria = append(ev.Criteria, evalCriterion(c, scores[c.ID], s, fixed, res, answers))
	}
	for _, j := range res.Judges {
		ev.Judges = append(ev.Judges, evalJudge(j, s, answers))
	}
	return ev
}

func evalCriterion(c rubric.Criterion, got score.Criterion, s loop.State, fixed answered, res score.Result, answers []map[string]loop.Seat) report.EvalCriterion {
	out := report.EvalCriterion{ID: c.ID, Name: c.Name, Weight: c.Weight, Floor: c.FloorOr(s.Floor), Score: got.Score, Below: got.Below}
	for _, sg := range got.Suggestions {
		out.Suggestions = append(out.Suggestions, report.Suggestion{Judge: sg.Judge, Text: sg.Text})
	}
	for _, it := range c.Items {
		item := report.EvalItem{ID: it.ID, Text: it.Text, Outcome: string(score.Missing), Why: fixed.why[c.ID][it.ID]}
		var said []score.Outcome
		for _, j := range res.Judges {
			if o, ok := j.Items[c.ID][it.ID]; ok {
				said = append(said, o)
				if it.Kind() == rubric.ByJudge {
					if item.ByJudge == nil {
						item.ByJudge = map[string]string{}
					}
					item.ByJudge[j.Name] = string(o)
				}
			}
		}
		if o, ok := fixed.outcomes[c.ID][it.ID]; ok {
			said = []score.Outcome{o}
		}
		if len(said) > 0 {
			item.Outcome = string(score.Usual(said))
		}
		item.Evidence = evidence(c.ID, it.ID, answers)
		out.Items = append(out.Items, item)
	}
	return out
}

// evidence is the first quotation that a judge gave for the item.
func evidence(criterion, item string, answers []map[string]loop.Seat) string {
	for _, seats := range answers {
		for _, seat := range seats {
			if seat.Verdict != nil {
				if quote := seat.Verdict.Items[criterion][item].Evidence; quote != "" {
					return quote
				}
			}
		}
	}
	return ""
}

func evalJudge(j score.JudgeResult, s loop.State, answers []map[string]loop.Seat) report.EvalJudge {
	out := report.EvalJudge{Name: j.Name, Program: s.Programs[j.Name], State: string(j.State), Reason: j.Reason, Overall: j.Overall}
	var sum loop.Spent
	for _, seats := range answers {
		if w := seats[j.Name].Work; w != nil {
			out.Model = w.Model
			out.Seconds += w.Seconds
			sum = sum.Add(w.Spent)
		}
	}
	out.Calls, out.Tokens, out.USD, out.Unpriced, out.Silent = sum.Calls, sum.Tokens, sum.USD, sum.Unpriced, sum.Silent
	return out
}
