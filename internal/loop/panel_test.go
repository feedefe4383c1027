package loop

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"rulph/internal/prompt"
	"rulph/internal/score"
	"rulph/internal/verdict"
)

// paneled is an open round of a sub-agent and two programs, of which codex is being asked.
func paneled(t *testing.T) State {
	t.Helper()
	s := judging(t)
	s.Judges = []string{"j1", "codex", "gemini"}
	s.Programs = map[string]string{"codex": "codex", "gemini": "gemini:model=m"}
	s.Pending.Seats = nil
	s, _, err := Sit(s, "codex", "rulph-cccccccccccccccccccc")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func answered(seat *Seat, calls int) Seat {
	return Seat{Ticket: seat.Ticket, State: score.Available, Verdict: &verdict.Verdict{}, Work: &Work{Program: "codex", Seconds: 1, Spent: Spent{Calls: calls, Tokens: 100, USD: 0.5}}}
}

func TestTheStepOfAPanelNamesWhoIsToBeAskedAndHow(t *testing.T) {
	s := paneled(t)
	step := NextStep(s, true, prompt.CLI{Program: "hoyeon-cli"})
	want := []string{"hoyeon-cli rulph evaluate --detach", "hoyeon-cli rulph prompt --judge j1", "hoyeon-cli rulph wait --timeout 100s", "hoyeon-cli rulph score"}
	if !slices.Equal(step.Commands, want) {
		t.Errorf("the commands are %q", step.Commands)
	}
	if !strings.Contains(step.Text, "which asks gemini. Then, in one message") {
		t.Errorf("the step is %q", step.Text)
	}

	s.Pending.Seats["gemini"] = &Seat{Ticket: "rulph-gggggggggggggggggggg"}
	if step = NextStep(s, true, prompt.CLI{Program: "h"}); strings.Contains(step.Text, "evaluate") || !strings.Contains(step.Text, "h rulph wait") {
		t.Errorf("while both are asked, the step is %q", step.Text)
	}
	if s = Rise(s, []string{"codex", "gemini"}); !reflect.DeepEqual(s.Asked(), []string(nil)) {
		t.Errorf("after they rose, %v are asked", s.Asked())
	}
	if step = NextStep(s, true, prompt.CLI{Program: "h"}); !strings.Contains(step.Text, "which asks codex, gemini.") {
		t.Errorf("when nobody is asked, the step is %q", step.Text)
	}
	// Where something ends what a command leaves behind, asking them that way again would never end.
	step = NextStep(Lost(s), true, prompt.CLI{Program: "h"})
	if !slices.Equal(step.Commands, []string{"h rulph evaluate", "h rulph prompt --judge j1", "h rulph score"}) || !strings.Contains(step.Text, "Run `h rulph evaluate`, which asks codex, gemini and waits for them;") {
		t.Errorf("when they were lost, the step is %+v", step)
	}
}

func TestAProgramIsNeverTakenForTheSubAgentThatLostItsTicket(t *testing.T) {
	s := paneled(t)
	if judge, ok := s.OnlySeat(); ok {
		t.Errorf("%s was taken for it", judge)
	}
	s, _, err := Sit(s, "j1", "rulph-jjjjjjjjjjjjjjjjjjjj")
	if judge, ok := s.OnlySeat(); err != nil || !ok || judge != "j1" {
		t.Errorf("%v: got %q, %v", err, judge, ok)
	}
}

func TestAnAnswerTakesItsSeatAndCountsItsPrice(t *testing.T) {
	s := paneled(t)
	got, err := Settle(s, "codex", answered(s.Pending.Seats["codex"], 2))
	if err != nil || got.Pending.Seats["codex"].State != score.Available || *got.Spent != (Spent{Calls: 2, Tokens: 100, USD: 0.5}) {
		t.Fatalf("%v: %+v, spent %+v", err, got.Pending.Seats["codex"], got.Spent)
	}
	if s.Pending.Seats["codex"].State != "" {
		t.Error("the state it was given has changed")
	}
	// What comes for a round that is over, or a second time, counts for nothing but its price.
	for name, late := range map[string]func(State) State{
		"a second answer": func(s State) State { return s },
		"another ticket": func(s State) State {
			s = Rise(s, nil)
			s.Pending.Seats["codex"] = &Seat{Ticket: "rulph-xxxxxxxxxxxxxxxxxxxx"}
			return s
		},
		"no round": func(s State) State { s.Pending = nil; return s },
	} {
		before := late(got)
		after, err := Settle(before, "codex", answered(s.Pending.Seats["codex"], 1))
		if !errors.Is(err, ErrLate) || after.Spent.Calls != 3 || !reflect.DeepEqual(after.Pending, before.Pending) {
			t.Errorf("%s: %v, spent %+v", name, err, after.Spent)
		}
	}
}

func TestARoundKeepsWhatItTook(t *testing.T) {
	s := paneled(t)
	s.Improvement = &Improvement{Work: Work{Program: "claude", Spent: Spent{Calls: 1, USD: 1}}, Dropped: []string{"x"}}
	s, err := Settle(s, "codex", answered(s.Pending.Seats["codex"], 2))
	if err != nil {
		t.Fatal(err)
	}
	void, err := Record(s, score.Result{Void: true}, noon)
	if err != nil || void.History[0].Improvement != nil || void.Improvement == nil {
		t.Errorf("%v: a void round took the improvement with it", err)
	}
	s, err = Record(s, result(50), noon)
	if err != nil || s.Improvement != nil || s.History[0].Work["codex"].Calls != 2 || s.History[0].Spent() != (Spent{Calls: 3, Tokens: 100, USD: 1.5}) {
		t.Errorf("%v: the round is %+v", err, s.History[0])
	}
}

func TestTheTimeOfABudgetCountsFromWhereItWasGiven(t *testing.T) {
	s := scored(t, result(50))
	s.Limits = &Limits{Seconds: 60}
	if at, ok := s.Deadline(); !ok || !at.Equal(noon.Add(time.Minute)) {
		t.Errorf("the deadline is %v, %v", at, ok)
	}
	s.Limits.From = noon.Add(time.Hour)
	if at, _ := s.Deadline(); !at.Equal(noon.Add(61 * time.Minute)) {
		t.Errorf("the deadline of a budget that was given later is %v", at)
	}
	if d := Decide(s, noon.Add(2*time.Minute)); d.Over {
		t.Errorf("it is over too soon: %+v", d)
	}
	if d := Decide(s, noon.Add(61*time.Minute)); d.Result != Budget {
		t.Errorf("got %+v", d)
	}
	s.Limits = nil
	if _, ok := s.Deadline(); ok {
		t.Error("there is a deadline without a limit")
	}
}

func TestDollarsAreShownToTheCentAndWhereItMattersFurther(t *testing.T) {
	for v, want := range map[float64]string{0: "0.00", 1: "1.00", 0.005: "0.005", 0.01234: "0.0123", 2.5: "2.50", 0.1: "0.10"} {
		if got := dollars(v); got != want {
			t.Errorf("%v is shown as %q, want %q", v, got, want)
		}
	}
}

// A budget that is spent ends a loop only after what was paid for is scored.
func TestABudgetWaitsForWhatWasAnswered(t *testing.T) {
	s := paneled(t)
	s.Limits = &Limits{Tokens: 100}
	s, err := Settle(s, "codex", answered(s.Pending.Seats["codex"], 1))
	if err != nil || Exhausted(s, noon) == "" {
		t.Fatalf("%v: the budget is not spent", err)
	}
	if d := Decide(s, noon); d.Over {
		t.Errorf("it is over: %+v", d)
	}
	if s, err = Record(s, result(50), noon); err != nil || Decide(s, noon).Result != Budget {
		t.Errorf("%v: when it is scored: %+v", err, Decide(s, noon))
	}
}

func TestAnAgentsTicketOpensNoSeatOfAProgram(t *testing.T) {
	s := paneled(t)
	if judge, ok := s.SeatOf([]string{"rulph-cccccccccccccccccccc"}); ok {
		t.Errorf("%s was opened", judge)
	}
	if s.Seated() != 0 {
		t.Errorf("%d sub-agents are seated", s.Seated())
	}
	s, _, err := Sit(s, "j1", "rulph-jjjjjjjjjjjjjjjjjjjj")
	if judge, ok := s.SeatOf([]string{"rulph-jjjjjjjjjjjjjjjjjjjj"}); err != nil || !ok || judge != "j1" || s.Seated() != 1 {
		t.Errorf("%v: %q, %v, %d seated", err, judge, ok, s.Seated())
	}
}

func TestWhatWasTookAddsUpToWhatWasSpent(t *testing.T) {
	s := Charge(State{}, "judge a", Spent{Calls: 1, Tokens: 10, USD: 1})
	one := s
	s = Charge(Charge(s, "improver b", Spent{Calls: 2, Silent: 2}), "judge a", Spent{Calls: 1, Tokens: 5, Unpriced: 5})
	if *s.Spent != (Spent{Calls: 4, Tokens: 15, USD: 1, Unpriced: 5, Silent: 2}) || s.Took["judge a"] != (Spent{Calls: 2, Tokens: 15, USD: 1, Unpriced: 5}) || s.Took["improver b"] != (Spent{Calls: 2, Silent: 2}) {
		t.Errorf("spent %+v, took %+v", s.Spent, s.Took)
	}
	if one.Took["judge a"].Calls != 1 {
		t.Error("the state it was given has changed")
	}
}

func TestTheKeptVersionJudgedOnceMoreWorkedOnNothing(t *testing.T) {
	s := scored(t, result(50, 40))
	s, err := Open(s, "A", true, noon)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = Record(s, result(50, 40), noon); err != nil || s.History[1].Improved != "" {
		t.Errorf("%v: it says that %q was worked on", err, s.History[1].Improved)
	}
	s = record(t, s, "B", result(50, 45))
	if s.History[2].Improved != "b" {
		t.Errorf("of another version it says that %q was worked on", s.History[2].Improved)
	}
}

func TestTheEndNamesTheKeptScoreAndAHigherOne(t *testing.T) {
	s := scored(t, result(60))
	s.Calibration = &score.Calibration{Band: 10}
	for i, v := range []float64{68, 60, 60, 60, 60} {
		s = record(t, s, string(rune('B'+i)), result(v))
	}
	if d := Decide(s, noon); d.Result != CircuitBreaker || !strings.Contains(d.Reason, "the kept score is 60.0 (the highest was 68.0, within the noise) of 90") {
		t.Errorf("got %+v", d)
	}
}
