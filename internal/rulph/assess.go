package rulph

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
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

// Assess scores an artifact as it is: no loop, nothing that is kept. A budget that ends before the last
// repeat is a warning; one that ends before the first is an error.
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
	limit, stop := e.limited(ctx, s)
	defer stop()
	repeats, short := max(1, o.Repeats), errors.New("")
	e.foretell(s, a, repeats)
	results, answers, err := e.repeat(limit, s, a, fixed, CalibrateOptions{repeats, o.Timeout}, func(spent loop.Spent) error {
		s = loop.Charge(s, spent)
		if why := loop.Exhausted(s, e.Now()); why != "" {
			short = errors.New(why)
			return short
		}
		return nil
	})
	switch {
	case errors.Is(err, errTime):
		short = errTime
	case err != nil && !errors.Is(err, short):
		return report.Evaluation{}, err
	}
	switch {
	case len(results) == 0:
		return report.Evaluation{}, unscored(short)
	case len(results) < repeats:
		s.Deviations = append(s.Deviations, fmt.Sprintf("%v after %d of %d repeats", short, len(results), repeats))
	}
	ev := evaluation(s, fixed, results, answers)
	if ev.Void && short.Error() != "" {
		return report.Evaluation{}, unscored(short)
	}
	ev.Seconds = e.Now().Sub(began).Seconds()
	for _, f := range a.Files {
		ev.Files = append(ev.Files, relative(o.Cwd, filepath.Join(s.Target.Root, filepath.FromSlash(f.Path))))
	}
	ev.Rubric = relative(o.Cwd, s.Rubric.Path)
	return ev, nil
}

func unscored(why error) error {
	return ui.Fail(ui.BudgetSpent, fmt.Errorf("%w before anything was scored", why), "give more with --max-time, --max-tokens or --max-usd")
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
func evaluation(s loop.State, fixed answered, results []score.Result, answers []map[string]loop.Seat) report.Evaluation {
	res := score.Pool(s.Rubric.Body, results)
	ev := report.Evaluation{
		Schema: report.EvaluationSchema, Title: s.Rubric.Title, Target: s.Target.Label, Hash: s.Rubric.Hash, Threshold: s.Threshold,
		Passed: score.Passed(res, s.Threshold), Overall: res.Overall, Void: res.Void, LowConfidence: res.LowConfidence, Repeats: len(results),
		SD: score.Spread(results), Disagreements: disagreements(res), Agreement: res.Agreement, Alpha: res.Alpha, Independent: res.Independent,
		Warnings: append(s.Caveats, s.Deviations...),
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
	for _, seats := range answers {
		if w := seats[j.Name].Work; w != nil {
			out.Model = w.Model
			out.Seconds += w.Seconds
			out.Calls += w.Calls
			out.Tokens += w.Tokens
			out.USD += w.USD
			out.Unpriced += w.Unpriced
			out.Silent += w.Silent
		}
	}
	return out
}
