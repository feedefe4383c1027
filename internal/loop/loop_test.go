package loop

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"rulph/internal/artifact"
	"rulph/internal/prompt"
	"rulph/internal/rubric"
	"rulph/internal/score"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// result is a scoring with one criterion a value; floors are all 60, weights equal.
func result(scores ...float64) score.Result {
	var r score.Result
	for i, v := range scores {
		v := v
		id := string(rune('a' + i))
		c := score.Criterion{ID: id, Name: strings.ToUpper(id), Weight: 100 / float64(len(scores)), Floor: 60, Score: &v, Below: v < 60}
		r.Criteria = append(r.Criteria, c)
		r.Overall += v / float64(len(scores))
	}
	return r
}

// scored is a loop in which these results were recorded one after the other, each for a new version.
func scored(t *testing.T, results ...score.Result) State {
	t.Helper()
	s := New()
	s.StartedAt, s.ProgressAt = noon, noon
	s.Threshold = 90
	s.Judges = []string{"j1", "j2"}
	s.Rubric = &Locked{Path: "/r.yaml", Hash: "sha256:x"}
	s.Target = &Target{Spec: artifact.Spec{Root: "/"}, Label: "F"}
	for i, r := range results {
		s = record(t, s, string(rune('A'+i)), r)
	}
	return s
}

func record(t *testing.T, s State, hash string, r score.Result) State {
	t.Helper()
	s, err := Open(s, hash, false, noon)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = Record(s, r, noon); err != nil {
		t.Fatal(err)
	}
	s.Restoring = nil
	return s
}

func TestDecide(t *testing.T) {
	void := score.Result{Void: true}
	unscored := result(95, 95)
	unscored.Criteria[1].Score = nil
	unscored.Overall = 95
	for name, c := range map[string]struct {
		state State
		want  End
	}{
		"nothing scored yet goes on":                    {scored(t), ""},
		"threshold and floors reached passes":           {scored(t, result(90, 90)), Passed},
		"a floor violation at 92 of 90 goes on":         {scored(t, result(100, 100, 100, 100, 100, 52)), ""},
		"below the threshold goes on":                   {scored(t, result(89.9, 90)), ""},
		"the last allowed round ends it":                {scored(t, result(10), result(20), result(30), result(40), result(50), result(60)), CircuitBreaker},
		"no rise in three rounds is stagnation":         {scored(t, result(50), result(51), result(52), result(52)), Stagnated},
		"a rise by just more than the band is not":      {scored(t, result(50), result(51), result(52), result(52.01)), ""},
		"rounds that were rolled back count for it":     {scored(t, result(50), result(40), result(40), result(40)), Stagnated},
		"one void round is judged again":                {scored(t, void), ""},
		"two void rounds in a row block":                {scored(t, void, void), Blocked},
		"a scoring between them does not":               {scored(t, void, result(50), void), ""},
		"a criterion nobody answered can never pass":    {scored(t, unscored), Blocked},
		"a round that passed only before its rollback?": {scored(t, result(70, 70), result(95, 50)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := Decide(c.state, noon)
			if d.Result != c.want || d.Over != (c.want != "") {
				t.Errorf("got %+v, want %q", d, c.want)
			}
			if d.Over && d.Reason == "" {
				t.Error("an end without a reason")
			}
		})
	}
}

func TestMaxRoundsZeroIsTheBaselineOnly(t *testing.T) {
	s := scored(t)
	s.MaxRounds = 0
	if d := Decide(s, noon); d.Over {
		t.Errorf("ended before the baseline: %+v", d)
	}
	if d := Decide(record(t, s, "A", result(50)), noon); d.Result != CircuitBreaker {
		t.Errorf("got %+v", d)
	}
	if d := Decide(record(t, s, "A", result(95)), noon); d.Result != Passed {
		t.Errorf("a baseline that passes: got %+v", d)
	}
}

func TestALoopArmedWithTheOriginalFieldsAlone(t *testing.T) {
	for doc, want := range map[string]End{
		`{"rulph":{"round":0,"max_rounds":5,"score":0,"threshold":70,"status":"active","iteration":0,"max_iterations":15}}`: "",
		`{"rulph":{"score":91.65,"threshold":90}}`:                            Passed,
		`{"rulph":{"score":69.99,"threshold":70}}`:                            "",
		`{"rulph":{"score":70,"threshold":70}}`:                               Passed,
		`{"rulph":{"score":0,"threshold":0}}`:                                 Passed,
		`{"rulph":{"round":5,"max_rounds":5,"score":10}}`:                     "",
		`{"rulph":{"round":6,"max_rounds":5,"score":10}}`:                     CircuitBreaker,
		`{"rulph":{"round":1,"max_rounds":0,"score":10}}`:                     CircuitBreaker,
		`{"rulph":{"status":"active"}}`:                                       "",
		`{"rulph":{"status":"cancelled","score":0}}`:                          CancelledEnd,
		`{"rulph":{"cancelled_at":"2026-01-02T03:04:05Z","status":"active"}}`: CancelledEnd,
	} {
		s, err := Parse([]byte(doc))
		if err != nil {
			t.Errorf("%s: %v", doc, err)
			continue
		}
		if d := Decide(s, noon); d.Result != want {
			t.Errorf("%s: got %+v, want %q", doc, d, want)
		}
	}
}

func TestADamagedLoopIsAnErrorAndNeverAGuess(t *testing.T) {
	for _, doc := range []string{
		`{"rulph":"active"}`, `{"rulph":[1]}`, `{"rulph":7}`, `{"rulph":{"iteration":2.5}}`, `{"rulph":{"iteration":"abc"}}`,
		`{"rulph":{"score":"91"}}`, `{"rulph":{"score":-1}}`, `{"rulph":{"score":101}}`, `{"rulph":{"threshold":"a[$(touch X)]"}}`,
		`{"rulph":{"round":-1}}`, `{"rulph":{"max_rounds":1e99}}`, `{"rulph":{"status":3}}`, `{"rulph":{"history":{}}}`,
	} {
		if s, err := Parse([]byte(doc)); err == nil {
			t.Errorf("%s was read as %+v", doc, s)
		}
	}
	if _, err := Parse([]byte(`{"rulph":{"schema":2}}`)); !errors.Is(err, ErrNewer) {
		t.Errorf("a newer schema: %v", err)
	}
	for _, doc := range []string{``, `{}`, `{"rulph":null}`, `{"rulph":false}`} {
		if _, err := Parse([]byte(doc)); !errors.Is(err, ErrNone) {
			t.Errorf("%q: %v", doc, err)
		}
	}
}

func TestAFieldOfTheWrongTypeIsNamedInTheWordsOfJSON(t *testing.T) {
	for doc, want := range map[string]string{
		`{"rulph":{"score":"90"}}`:                "state: .rulph.score has to be a number, and is string",
		`{"rulph":{"round":1.5}}`:                 "state: .rulph.round has to be a whole number, and is number 1.5",
		`{"rulph":{"status":7}}`:                  "state: .rulph.status has to be a string, and is number",
		`{"rulph":{"waiting":"no"}}`:              "state: .rulph.waiting has to be true or false, and is string",
		`{"rulph":{"judges":{}}}`:                 "state: .rulph.judges has to be an array, and is object",
		`{"rulph":{"rubric":{"body":[]}}}`:        "state: .rulph.rubric.body has to be an object, and is array",
		`{"rulph":{"target":{"files":"F"}}}`:      "state: .rulph.target.files has to be an array, and is string",
		`{"rulph":{"started_at":"yesterday"}}`:    `state: .rulph: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"`,
		`{"rulph":{"started_at":"2026-01-02"}}`:   `state: .rulph: parsing time "2026-01-02" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"`,
		`{"rulph":{"threshold":null,"score":[]}}`: "state: .rulph.score has to be a number, and is array",
	} {
		if _, err := Parse([]byte(doc)); err == nil || err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", doc, err, want)
		}
	}
}

func TestUnknownStatusesNeverBlock(t *testing.T) {
	for _, status := range []string{"init", "completed", "cancelled", "failed", "COMPLETED", ""} {
		s, err := Parse([]byte(`{"rulph":{"status":"` + status + `"}}`))
		if err != nil {
			t.Fatal(err)
		}
		if s.Live() {
			t.Errorf("status %q is live", status)
		}
	}
}

func TestWriteKeepsWhatItDoesNotKnow(t *testing.T) {
	doc := []byte(`{"skill":"x","rulph":{"future":{"n":12345678901234567890},"round":1,"score":5},"ralph":{"a":[1,2]}}`)
	s, err := Parse(doc)
	if err != nil {
		t.Fatal(err)
	}
	s.Round = 2
	out, err := s.Write(doc)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"rulph.future.n": "12345678901234567890", "ralph.a": "[1,2]", "skill": `"x"`, "rulph.round": "2"} {
		if got := gjson.GetBytes(out, path).Raw; got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	again, err := Parse(out)
	if err != nil || !reflect.DeepEqual(again, s) {
		t.Errorf("read back: %v\n%+v\n%+v", err, again, s)
	}
}

func TestKnownListsEveryFieldOfState(t *testing.T) {
	typ := reflect.TypeFor[State]()
	for i := range typ.NumField() {
		tag, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		if !known[tag] {
			t.Errorf("field %s (%s) is missing in known", typ.Field(i).Name, tag)
		}
	}
	if len(known) != typ.NumField() {
		t.Errorf("known has %d names, State has %d fields", len(known), typ.NumField())
	}
}

func TestAStateSurvivesJSON(t *testing.T) {
	s := scored(t, result(33.3333333333, 50), result(66.6666666667, 50))
	raw, err := s.Write(nil)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(s)
	b, _ := json.Marshal(back)
	if string(a) != string(b) {
		t.Errorf("got  %s\nwant %s", b, a)
	}
}

func TestARoundThatLowersTheScoreIsRolledBack(t *testing.T) {
	s := scored(t, result(70, 70))
	s, _ = Open(s, "B", false, noon)
	s, err := Record(s, result(80, 50), noon)
	if err != nil {
		t.Fatal(err)
	}
	if s.Restoring == nil || *s.Restoring != 0 || s.Best != 0 || s.Score != 70 || s.Round != 1 || s.Target.Hash != "A" {
		t.Errorf("got restoring %v best %d score %v round %d hash %s", s.Restoring, s.Best, s.Score, s.Round, s.Target.Hash)
	}
	if last := s.History[1]; !last.RolledBack || last.Kept || !strings.Contains(last.Note, "fell from 70.0 to 65.0") || !strings.Contains(last.Note, "B below a floor that held") {
		t.Errorf("got %+v", last)
	}
}

func TestAHigherScoreThatBreaksAFloorThatHeldIsRolledBack(t *testing.T) {
	s := scored(t, result(65, 65), result(100, 59))
	if s.Best != 0 || !s.History[1].RolledBack {
		t.Errorf("best %d, %+v", s.Best, s.History[1])
	}
}

func TestAnEqualScoreIsKept(t *testing.T) {
	s := scored(t, result(65, 65), result(65, 65))
	if s.Best != 1 || s.History[1].RolledBack || s.Target.Hash != "B" {
		t.Errorf("best %d, %+v", s.Best, s.History[1])
	}
}

func TestTheNextTargetIsTheLowestOfTheKeptRound(t *testing.T) {
	s := scored(t, result(90, 40, 70), result(95, 30, 70))
	if s.Next != "b" || s.Best != 0 {
		t.Errorf("next %q of round %d", s.Next, s.Best)
	}
}

func TestOpenRefusesAnUnchangedArtifact(t *testing.T) {
	s := scored(t, result(50))
	if _, err := Open(s, "A", false, noon); !errors.Is(err, ErrUnchanged) {
		t.Errorf("got %v", err)
	}
	again, err := Open(s, "A", true, noon)
	if err != nil || again.Pending.Round != 1 {
		t.Errorf("with again: %v %+v", err, again.Pending)
	}
}

func TestAChangedArtifactTakesTheSeatsOfItsRoundAway(t *testing.T) {
	s, _ := Open(scored(t), "A", false, noon)
	s, seat, err := Sit(s, "j1", prompt.TicketPrefix+strings.Repeat("a", 20))
	if err != nil {
		t.Fatal(err)
	}
	s, _ = Open(s, "B", false, noon)
	if _, ok := s.SeatOf([]string{seat.Ticket}); ok || s.Pending.Round != 0 || len(s.Pending.Seats) != 0 {
		t.Errorf("got %+v", s.Pending)
	}
}

func TestAskingTwiceKeepsTheTicket(t *testing.T) {
	s, _ := Open(scored(t), "A", false, noon)
	s, first, _ := Sit(s, "j1", "t1")
	_, second, _ := Sit(s, "j1", "t2")
	if first.Ticket != "t1" || second.Ticket != "t1" {
		t.Errorf("got %q and %q", first.Ticket, second.Ticket)
	}
	if _, _, err := Sit(s, "nobody", "t3"); !errors.Is(err, ErrUnknownJudge) {
		t.Errorf("a foreign judge: %v", err)
	}
}

func judging(t *testing.T) State {
	t.Helper()
	s := scored(t)
	s.Rubric.Body = rubric.Rubric{Criteria: []rubric.Criterion{
		{ID: "a", Name: "A", Weight: 50, Items: []rubric.Item{{ID: "one", Text: "One"}, {ID: "two", Text: "Two"}}},
		{ID: "b", Name: "B", Weight: 50, Items: []rubric.Item{{ID: "three", Text: "Three"}, {ID: "four", Text: "Four"}}},
	}}
	s, err := Open(s, "A", false, noon)
	if err != nil {
		t.Fatal(err)
	}
	s, _, err = Sit(s, "j1", prompt.TicketPrefix+strings.Repeat("b", 20))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const goodAnswer = `{"checklist":{"a":{"one":"yes","two":"no"},"b":{"three":"yes","four":"unsure"}}}`

func TestAMalformedAnswerIsMendedOnceThenDegraded(t *testing.T) {
	s, intake, reason, err := Take(judging(t), "j1", []byte("I think it is fine."))
	if err != nil || intake != prompt.Mend || reason == "" {
		t.Fatalf("first: %q %q %v", intake, reason, err)
	}
	mended, intake, _, err := Take(s, "j1", []byte(goodAnswer))
	if err != nil || intake != prompt.Taken || mended.Pending.Seats["j1"].State != score.Available {
		t.Errorf("mended: %q %v", intake, err)
	}
	s, intake, _, err = Take(s, "j1", []byte("Still prose."))
	if err != nil || intake != prompt.Degraded || s.Pending.Seats["j1"].State != score.Degraded {
		t.Errorf("second: %q %v", intake, err)
	}
	if got := s.Pending.Seats["j1"].Reason; !strings.HasPrefix(got, "malformed twice: no JSON object found") {
		t.Errorf("the reason is %q", got)
	}
	if _, _, _, err = Take(s, "j1", []byte(goodAnswer)); err == nil {
		t.Error("a third answer was taken")
	}
}

func TestAVerdictWithAnotherTicketIsMalformed(t *testing.T) {
	other := `{"ticket":"` + prompt.TicketPrefix + strings.Repeat("c", 20) + `",` + goodAnswer[1:]
	_, intake, reason, err := Take(judging(t), "j1", []byte(other))
	if err != nil || intake != prompt.Mend || !strings.Contains(reason, "ticket") {
		t.Errorf("got %q %q %v", intake, reason, err)
	}
}

func TestAJudgeThatDidNotAnswerIsDegraded(t *testing.T) {
	s, _, _, err := Take(judging(t), "j1", []byte(goodAnswer))
	if err != nil {
		t.Fatal(err)
	}
	got := s.Answers()
	if got[0].State != score.Available || got[1].State != score.Degraded || got[1].Reason == "" {
		t.Errorf("got %+v", got)
	}
	if un := s.Unanswered(); len(un) != 1 || un[0] != "j2" {
		t.Errorf("unanswered: %v", un)
	}
}

func TestTakeChangesNothingOfTheStateItWasGiven(t *testing.T) {
	s := judging(t)
	before, _ := json.Marshal(s)
	if _, _, _, err := Take(s, "j1", []byte(goodAnswer)); err != nil {
		t.Fatal(err)
	}
	if after, _ := json.Marshal(s); string(before) != string(after) {
		t.Error("the old state was changed")
	}
}

func TestStopLetsGoAfterIdleBlocksWithoutAnyChange(t *testing.T) {
	s := scored(t, result(50))
	var d Decision
	for i := range 5 {
		if s, d = Stop(s, "same", noon); d.Over {
			t.Fatalf("let go at stop %d: %+v", i+1, d)
		}
	}
	if s, d = Stop(s, "same", noon); d.Result != Capped || !strings.Contains(d.Reason, "5 stops in a row") {
		t.Errorf("sixth: %+v", d)
	}
}

func TestAChangeStartsTheIdleCountAnew(t *testing.T) {
	s := scored(t, result(50))
	s.MaxIterations = 1000
	var d Decision
	for i := range 40 {
		if s, d = Stop(s, string(rune('a'+i/4)), noon); d.Over {
			t.Fatalf("let go at stop %d: %+v", i+1, d)
		}
	}
}

func TestStopLetsGoAtMaxIterationsOfARound(t *testing.T) {
	s := scored(t, result(50))
	for i := range 15 {
		var d Decision
		if s, d = Stop(s, string(rune('a'+i)), noon); d.Over {
			t.Fatalf("let go at stop %d: %+v", i+1, d)
		}
	}
	if _, d := Stop(s, "z", noon); d.Result != Capped {
		t.Errorf("sixteenth: %+v", d)
	}
	s = record(t, s, "B", result(55))
	if s, d := Stop(s, "z", noon); d.Over || s.Iteration != 1 {
		t.Errorf("a scored round counts anew: %+v, iteration %d", d, s.Iteration)
	}
}

func TestStopLetsGoTwoHoursAfterTheLastProgress(t *testing.T) {
	s := scored(t, result(50))
	if _, d := Stop(s, "m", noon.Add(2*time.Hour)); d.Over {
		t.Errorf("at two hours: %+v", d)
	}
	if _, d := Stop(s, "m", noon.Add(2*time.Hour+time.Second)); d.Result != Capped {
		t.Errorf("after: %+v", d)
	}
}

func TestStopOfALoopThatIsOverSaysSo(t *testing.T) {
	if _, d := Stop(scored(t, result(95)), "m", noon); d.Result != Passed {
		t.Errorf("got %+v", d)
	}
}

func TestMarkSeesStateAndArtifactButNotItsOwnCounters(t *testing.T) {
	a := []byte(`{"rulph":{"score":1,"iteration":1,"idle_blocks":1,"mark":"x"},"other":1}`)
	b := []byte(`{"rulph":{"score":1,"iteration":9,"idle_blocks":7,"mark":"y"},"other":2}`)
	c := []byte(`{"rulph":{"score":2,"iteration":1}}`)
	if Mark(a, "s") != Mark(b, "s") {
		t.Error("counters changed the mark")
	}
	if Mark(a, "s") == Mark(c, "s") || Mark(a, "s") == Mark(a, "t") {
		t.Error("a change left the mark as it was")
	}
}

func TestACancelledLoopStaysCancelled(t *testing.T) {
	s := Complete(Cancel(scored(t, result(50)), "enough", noon), "/r")
	if s.Status != Cancelled || s.Result != CancelledEnd {
		t.Errorf("got %s %s", s.Status, s.Result)
	}
	s.Status = Active // as a model does that remembers the loop from before
	if s.Live() {
		t.Error("it came back to life")
	}
	if _, err := Resume(s, 0, noon); !errors.Is(err, ErrNotResumable) {
		t.Errorf("resume: %v", err)
	}
}

func TestResume(t *testing.T) {
	ended := func(d End, s State) State { return Complete(Finish(s, over(d, "r"), noon), "/r") }
	for name, c := range map[string]struct {
		state  State
		rounds int
		max    int
		fails  bool
	}{
		"a capped loop as it is":             {ended(Capped, scored(t, result(50))), 0, 5, false},
		"a breaker with five more":           {ended(CircuitBreaker, scored(t, result(1), result(11), result(21), result(31), result(41), result(51))), 0, 10, false},
		"a breaker with a new limit":         {ended(CircuitBreaker, scored(t, result(1), result(11), result(21), result(31), result(41), result(51))), 7, 7, false},
		"a limit that is used up":            {ended(CircuitBreaker, scored(t, result(1), result(11))), 1, 0, true},
		"a passed loop is over":              {ended(Passed, scored(t, result(95))), 0, 0, true},
		"a stagnated loop counts from there": {ended(Stagnated, scored(t, result(50), result(50), result(50), result(50))), 0, 5, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Resume(c.state, c.rounds, noon)
			if (err != nil) != c.fails {
				t.Fatalf("got %v", err)
			}
			if err == nil && (s.MaxRounds != c.max || !s.Live() || s.Result != "") {
				t.Errorf("got max %d, status %s, result %q", s.MaxRounds, s.Status, s.Result)
			}
			if err == nil && Decide(s, noon).Over {
				t.Errorf("it ended again at once: %+v", Decide(s, noon))
			}
		})
	}
}

func TestResumeForgetsTheReportOfTheEarlierEnd(t *testing.T) {
	s, err := Resume(Complete(Finish(scored(t, result(50)), over(Capped, "r"), noon), "/r"), 0, noon)
	if err != nil || s.Report != "" {
		t.Errorf("%v, report %q: the next end would point at it", err, s.Report)
	}
}

func TestResumeOfALoopThatGoesOnChangesItsLimitAlone(t *testing.T) {
	s := scored(t, result(50), result(55))
	s.Iteration, s.Mark = 3, "m"
	for rounds, want := range map[int]int{0: 5, 2: 2, 9: 9} {
		got, err := Resume(s, rounds, noon.Add(time.Hour))
		if err != nil || got.MaxRounds != want || got.Iteration != 3 || got.Mark != "m" || got.ProgressAt != noon {
			t.Errorf("--max-rounds %d: %v, %+v", rounds, err, got)
		}
	}
	if _, err := Resume(s, 1, noon); !errors.Is(err, ErrNotResumable) {
		t.Errorf("a limit that is used up: %v", err)
	}
}

func TestTheReasonCountsInEnglish(t *testing.T) {
	for rounds, want := range map[int]string{0: "no improvement was allowed", 1: "the one improvement is made", 2: "all 2 improvements are made"} {
		s := scored(t)
		s.MaxRounds = rounds
		for i := range rounds + 1 {
			s = record(t, s, string(rune('A'+i)), result(float64(10*i)))
		}
		if d := Decide(s, noon); d.Result != CircuitBreaker || !strings.HasPrefix(d.Reason, want+"; ") {
			t.Errorf("got %+v, want %q", d, want)
		}
	}
	for d, want := range map[time.Duration]string{time.Millisecond: "1ms", 90 * time.Second: "1m30s", 45 * time.Minute: "45m", 2 * time.Hour: "2h", time.Hour + time.Second: "1h0m1s", 20 * time.Second: "20s"} {
		if got := span(d); got != want {
			t.Errorf("%v is shown as %q, want %q", d, got, want)
		}
	}
}

func TestBudget(t *testing.T) {
	s := scored(t, result(50))
	for name, c := range map[string]struct {
		limits Limits
		spent  Spent
		after  time.Duration
		over   bool
	}{
		"time left":    {Limits{Seconds: 60}, Spent{}, 59 * time.Second, false},
		"time spent":   {Limits{Seconds: 60}, Spent{}, time.Minute, true},
		"tokens spent": {Limits{Tokens: 100}, Spent{Tokens: 100}, 0, true},
		"money left":   {Limits{USD: 1}, Spent{USD: 0.99}, 0, false},
		"money spent":  {Limits{USD: 1}, Spent{USD: 1}, 0, true},
		"no limit":     {Limits{}, Spent{Tokens: math.MaxInt64, USD: 1e9}, 1000 * time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			s.Limits, s.Spent = &c.limits, &c.spent
			if d := Decide(s, noon.Add(c.after)); d.Over != c.over || (c.over && d.Result != Budget) {
				t.Errorf("got %+v", d)
			}
		})
	}
}

func TestNextStep(t *testing.T) {
	cli := prompt.CLI{Program: "hoyeon-cli"}
	pending := judging(t)
	answered, _, _, _ := Take(pending, "j1", []byte(goodAnswer))
	one := answered
	one.Judges = []string{"j1"}
	none := scored(t)
	none.Judges = nil
	for name, c := range map[string]struct {
		state   State
		changed bool
		act     Act
		words   string
	}{
		"before the baseline":    {scored(t), true, Judge, "hoyeon-cli rulph prompt --judge j2"},
		"one judge is missing":   {answered, true, Judge, "prompt --judge j2"},
		"all have answered":      {one, true, Score, "hoyeon-cli rulph score"},
		"no item needs a judge":  {none, true, Score, "rulph score"},
		"scored and not changed": {scored(t, result(50)), false, Improve, "hoyeon-cli rulph next --brief"},
		"scored and changed":     {scored(t, result(50)), true, Judge, "round 1 of 5"},
		"void and not changed":   {scored(t, score.Result{Void: true}), false, Judge, "baseline"},
		"over":                   {Complete(Finish(scored(t, result(95)), over(Passed, "r"), noon), "/rep"), false, Done, "/rep/report.md"},
		"cancelled":              {Cancel(scored(t), "no", noon), false, Done, "CANCELLED"},
	} {
		t.Run(name, func(t *testing.T) {
			step := NextStep(c.state, c.changed, cli)
			if step.Act != c.act || !strings.Contains(step.Text, c.words) {
				t.Errorf("got %s: %s", step.Act, step.Text)
			}
		})
	}
	if step := NextStep(answered, true, cli); strings.Contains(step.Text, "--judge j1") {
		t.Error("a judge that has answered is asked again")
	}
}

func TestTheNextStepOfARunIsTheRunItself(t *testing.T) {
	for name, c := range map[string]struct {
		state   State
		changed bool
		want    Act
	}{
		"before the baseline":  {scored(t), false, Score},
		"scored and unchanged": {scored(t, result(50)), false, Improve},
		"half improved":        {scored(t, result(50)), true, Score},
	} {
		c.state.Headless, c.state.Judges = true, nil
		step := NextStep(c.state, c.changed, prompt.CLI{Program: "hoyeon-cli", SID: "run-1"})
		if step.Act != c.want || !strings.HasSuffix(step.Text, "this loop is driven by a run. Go on with `hoyeon-cli rulph run --resume --sid run-1`.") {
			t.Errorf("%s: %+v", name, step)
		}
	}
}

func TestALoopThatWasNeverActiveIsNotCalledCancelled(t *testing.T) {
	cli := prompt.CLI{Program: "hoyeon-cli"}
	for status, want := range map[Status]string{
		Init:      "The loop is not active (status \"init\"). Start one with `hoyeon-cli rulph start --target FILE --rubric RUBRIC`.",
		"paused":  "The loop is not active (status \"paused\"). Start one with `hoyeon-cli rulph start --target FILE --rubric RUBRIC`.",
		Completed: "The loop is over: its status was set to completed. Run `hoyeon-cli rulph report` and show the user what it prints.",
		Cancelled: "The loop is over: CANCELLED, it was cancelled. Run `hoyeon-cli rulph report` and show the user what it prints.",
	} {
		s := New()
		s.Status = status
		if got := NextStep(s, false, cli).Text; got != want {
			t.Errorf("%s\n got %s\nwant %s", status, got, want)
		}
	}
}

func TestCommandsNameTheSessionWhereTheEnvironmentDoesNot(t *testing.T) {
	step := NextStep(scored(t), true, prompt.CLI{Program: prompt.Quote("/it's here/hoyeon-cli"), SID: "s-1"})
	if want := `'/it'\''s here/hoyeon-cli' rulph score --sid s-1`; !strings.Contains(step.Text, want) {
		t.Errorf("%q is not in %q", want, step.Text)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"rulph":{"round":0,"max_rounds":5,"score":0,"threshold":70,"status":"active"}}`))
	f.Add([]byte(`{"rulph":{"history":[{"round":0,"result":{"overall":1}}],"best":0}}`))
	f.Add([]byte(`{"rulph":{"pending":{"seats":{"a":null}}}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		s, err := Parse(doc)
		if err != nil {
			return
		}
		Decide(s, noon)
		NextStep(s, true, prompt.CLI{Program: "x"})
		Stop(s, "m", noon)
		s.SeatOf([]string{prompt.TicketPrefix + strings.Repeat("a", 20)})
		s.OnlySeat()
	})
}
