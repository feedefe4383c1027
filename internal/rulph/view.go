package rulph

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rulph/internal/loop"
	"rulph/internal/score"
)

// View is a loop as the command line shows it, in words and with --json.
type View struct {
	Session   string            `json:"session"`
	Status    loop.Status       `json:"status"`
	Result    loop.End          `json:"result,omitempty"`
	Reason    string            `json:"reason,omitempty"`
	Target    string            `json:"target,omitempty"`
	Files     []string          `json:"files,omitempty"` // absolute
	Rubric    string            `json:"rubric,omitempty"`
	Hash      string            `json:"rubric_hash,omitempty"`
	Round     int               `json:"round"`
	MaxRounds int               `json:"max_rounds"`
	Best      int               `json:"best"` // round that is kept; -1 before the baseline
	Score     float64           `json:"score"`
	Threshold float64           `json:"threshold"`
	Floor     float64           `json:"floor"`
	Judges    []string          `json:"judges,omitempty"`
	Programs  map[string]string `json:"programs,omitempty"` // the judges that are programs, each as it is asked
	Improver  string            `json:"improver,omitempty"` // the program that improves
	Estimate  *Estimate         `json:"estimate,omitempty"` // what all of it takes at most, before the baseline
	Limits    *loop.Limits      `json:"budget,omitempty"`
	Spent     *loop.Spent       `json:"spent,omitempty"`
	// Calibration is how far the judges differ from themselves; nil where it was not measured.
	Calibration *score.Calibration `json:"calibration,omitempty"`
	Rounds      []RoundView        `json:"rounds,omitempty"`
	Criteria    []CriterionView    `json:"criteria,omitempty"` // of the kept round
	Why         []AnswerView       `json:"open,omitempty"`     // answers that are not yes and need no judge
	Warnings    []string           `json:"warnings,omitempty"`
	Report      string             `json:"report,omitempty"` // folder
	Next        loop.Step          `json:"next"`
	Seats       map[string]string  `json:"seats,omitempty"` // of the open round: what each judge has done
}

// RoundView is one scoring.
type RoundView struct {
	Round         int                  `json:"round"`
	Overall       float64              `json:"overall"`
	Void          bool                 `json:"void,omitempty"`
	Kept          bool                 `json:"kept,omitempty"`
	RolledBack    bool                 `json:"rolled_back,omitempty"`
	Note          string               `json:"note,omitempty"`
	Improved      string               `json:"improved,omitempty"` // criterion
	LowConfidence bool                 `json:"low_confidence,omitempty"`
	Judges        []JudgeView          `json:"judges,omitempty"`
	Disagreements []score.Disagreement `json:"disagreements,omitempty"`
	Agreement     *float64             `json:"agreement,omitempty"`
	Alpha         *float64             `json:"alpha,omitempty"`
	Independent   *float64             `json:"independent,omitempty"` // what the judges are worth, counted as independent ones
	Change        *score.Change        `json:"change,omitempty"`      // against the round it was built on
	Shown         *float64             `json:"shown,omitempty"`       // overall of the items the improver knows; only with a holdout
	Held          *float64             `json:"held,omitempty"`        // of those it does not
	Dropped       []string             `json:"dropped,omitempty"`     // what else the improver touched; none of it was taken
	Spent         *loop.Spent          `json:"spent,omitempty"`       // to make this version and to judge it
	Criteria      map[string]*float64  `json:"criteria"`              // score by criterion id; null: none
}

// JudgeView is one judge's part in a round.
type JudgeView struct {
	Name    string      `json:"name"`
	State   score.State `json:"state"`
	Reason  string      `json:"reason,omitempty"`
	Overall *float64    `json:"overall,omitempty"`
	Work    *loop.Work  `json:"work,omitempty"` // of a program
}

// CriterionView is a criterion's standing.
type CriterionView struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Weight float64  `json:"weight"`
	Floor  float64  `json:"floor"`
	Score  *float64 `json:"score"` // null: nothing was answered
	Below  bool     `json:"below_floor,omitempty"`
	Open   []string `json:"open,omitempty"` // texts of the items that are not yes
}

// AnswerView is one answer that a command or the text gave.
type AnswerView struct {
	Criterion string        `json:"criterion"`
	Item      string        `json:"item"`
	Outcome   score.Outcome `json:"outcome"`
	Why       string        `json:"why,omitempty"`
}

func (e Engine) view(s loop.State) View {
	v := View{
		Session: e.SID, Status: s.Status, Result: s.Result, Reason: s.Reason,
		Round: s.Round, MaxRounds: s.MaxRounds, Best: s.Best, Score: s.Score, Threshold: s.Threshold, Floor: s.Floor,
		Judges: s.Judges, Programs: s.Programs, Improver: s.Improver, Limits: s.Limits, Spent: s.Spent, Calibration: s.Calibration,
		Warnings: e.warnings(s), Report: s.Report,
		Next: loop.NextStep(s, e.changed(s), e.CLI),
	}
	if s.Target != nil {
		v.Target, v.Files = s.Target.Label, s.Target.Files
	}
	if s.Rubric != nil {
		v.Rubric, v.Hash = s.Rubric.Path, s.Rubric.Hash
	}
	for _, r := range s.History {
		v.Rounds = append(v.Rounds, roundView(r))
	}
	if kept, ok := s.Kept(); ok {
		for _, c := range kept.Result.Criteria {
			v.Criteria = append(v.Criteria, CriterionView{ID: c.ID, Name: c.Name, Weight: c.Weight, Floor: c.Floor, Score: c.Score, Below: c.Below, Open: texts(s, c)})
		}
	}
	if s.Pending != nil {
		v.Seats = map[string]string{}
		for _, j := range s.Judges {
			v.Seats[j] = seatWord(s.Pending.Seats[j])
		}
	}
	return v
}

func seatWord(seat *loop.Seat) string {
	switch {
	case seat == nil:
		return "not started"
	case seat.State != "":
		return strings.TrimSpace(string(seat.State) + " " + seat.Reason)
	case seat.Malformed > 0:
		return "asked to mend its answer"
	}
	return "reading"
}

func roundView(r loop.Round) RoundView {
	v := RoundView{Round: r.Number, Overall: r.Result.Overall, Void: r.Result.Void, Kept: r.Kept, RolledBack: r.RolledBack, Note: r.Note,
		Improved: r.Improved, LowConfidence: r.Result.LowConfidence, Disagreements: r.Result.Disagreements,
		Agreement: r.Result.Agreement, Alpha: r.Result.Alpha, Independent: r.Result.Independent,
		Change: r.Change, Shown: r.Result.Shown, Held: r.Result.Held, Criteria: map[string]*float64{}}
	for _, j := range r.Result.Judges {
		jv := JudgeView{Name: j.Name, State: j.State, Reason: j.Reason, Overall: j.Overall}
		if w, ok := r.Work[j.Name]; ok {
			jv.Work = &w
		}
		v.Judges = append(v.Judges, jv)
	}
	if spent := r.Spent(); spent != (loop.Spent{}) {
		v.Spent = &spent
	}
	if r.Improvement != nil {
		v.Dropped = r.Improvement.Dropped
	}
	for _, c := range r.Result.Criteria {
		v.Criteria[c.ID] = c.Score
	}
	return v
}

// claims lists the scores that judges made up beside their answers.
func claims(r score.Result) (out []string) {
	for _, j := range r.Judges {
		for _, c := range j.Claims {
			out = append(out, fmt.Sprintf("%s claims a score of %.1f for %s; its own answers come to %.1f, which counts", j.Name, c.Claimed, c.Criterion, c.Counted))
		}
	}
	return out
}

// warnings are those of the loop itself, those of the last scoring, and what all scorings together give rise to.
func (e Engine) warnings(s loop.State) []string {
	out := slices.Concat(s.Caveats, unseen(s), s.Deviations)
	if s.Unscored != nil {
		out = append(out, "the last improvement was not scored any more, and was taken back; it is kept in "+filepath.Join(e.dir(s), "unscored")+", and a run that is resumed goes on with it")
	}
	if last, ok := s.Last(); ok {
		out = append(out, claims(last.Result)...)
	}
	kept, ok := s.Kept()
	if !ok {
		return out
	}
	for _, base := range s.History {
		if base.Result.Void {
			continue
		}
		if score.Parted(base.Result, kept.Result) {
			out = append(out, fmt.Sprintf("the score of the items that the improver knows rose from %.1f to %.1f, that of the held-out items from %.1f to %.1f: the artifact may have been fitted to the items rather than improved",
				*base.Result.Shown, *kept.Result.Shown, *base.Result.Held, *kept.Result.Held))
		}
		break // the baseline is the first that counts
	}
	return out
}

// openAnswers lists what the text and the commands did not answer with yes, in rubric order. It tells no item
// that is held out: the agent that reads it starts the improver.
func openAnswers(s loop.State, f answered) (out []AnswerView) {
	held := s.Rubric.Body.Held()
	for _, c := range s.Rubric.Body.Criteria {
		for _, it := range c.Items {
			if o, ok := f.outcomes[c.ID][it.ID]; ok && o != score.Yes && !held[c.ID][it.ID] {
				out = append(out, AnswerView{Criterion: c.ID, Item: it.ID, Outcome: o, Why: f.why[c.ID][it.ID]})
			}
		}
	}
	return out
}

// Status is the loop as it stands.
func (e Engine) Status() (View, error) {
	s, err := e.load()
	if err != nil {
		return View{}, err
	}
	return e.view(s), nil
}

// Next is Status for an agent that wants to know what to do. Where the decision that the loop is over
// has not been carried out yet, it is now.
func (e Engine) Next() (View, error) {
	s, err := e.load()
	if err != nil {
		return View{}, err
	}
	if s.Live() && s.Rubric != nil && s.Result == "" {
		if err := e.stopWhenUnlocked(s); err != nil {
			return View{}, err
		}
	}
	if s.Live() {
		if d := loop.Decide(s, e.Now()); d.Over {
			if s, err = e.end(s, d); err != nil {
				return View{}, err
			}
		}
	}
	return e.view(s), nil
}

// Wait notes that a person has been asked something: until the next verb, no stop is blocked.
func (e Engine) Wait() (View, error) {
	if _, err := e.live(); err != nil {
		return View{}, err
	}
	s, err := e.update(func(s loop.State) (loop.State, error) {
		s.Waiting = true
		return s, nil
	})
	if err != nil {
		return View{}, err
	}
	return e.view(s), nil
}

// NoJudge says that the loop ended because nothing could score it.
func (v View) NoJudge() bool {
	if len(v.Rounds) > 0 && v.Rounds[len(v.Rounds)-1].Void {
		return true
	}
	return slices.ContainsFunc(v.Criteria, func(c CriterionView) bool { return c.Score == nil })
}
