package trial

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"rulph/internal/prompt"
	"rulph/internal/rubric"
)

var (
	noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	cli  = prompt.CLI{Program: "hoyeon-cli"}
)

// begun is a trial at the input, by a rubric of one criterion that a judge gives marks.
func begun() State {
	r := rubric.New()
	r.Criteria = []rubric.Criterion{{ID: "whole", Name: "Whole", Weight: 100, Points: []rubric.Level{{At: 0, Text: "no"}, {At: 1, Text: "half"}, {At: 2, Text: "yes"}}}}
	return Begin(State{Lang: "en", StartedAt: noon, Skill: Subject{Name: "notes", Ref: "demo:notes"}, Rubric: Locked{Hash: "sha256:r", Body: r},
		History: History{Segment: 1, Mode: "qualite"}}, "")
}

func seated(t *testing.T, s State, part string) (State, *Seat) {
	t.Helper()
	s, seat, err := Sit(s, part, prompt.NewTicket(), func(string) string { return "WORD" })
	if err != nil {
		t.Fatal(err)
	}
	return s, seat
}

// answered is a trial in which a part was asked and has answered this; %s is the ticket.
func answered(t *testing.T, s State, part, text string) (State, Answered) {
	t.Helper()
	s, seat := seated(t, s, part)
	s, got, err := Take(s, part, []byte(strings.ReplaceAll(text, "%s", seat.Ticket)), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, got
}

const (
	run  = "[WORD BEGIN OUTPUT]\nthe output\n[WORD END OUTPUT]\n```json\n{\"ticket\":\"%s\",\"tool_calls\":2,\"withheld_calls\":1,\"questions\":1,\"references\":[\"references/a.md\",\"../secret\",\"/etc/passwd\"],\"steps_completed\":\"2/3\",\"input_summary\":\"an\\ninput\",\"weak\":[{\"criterion\":\"whole\",\"missing\":\"the rest\"},{\"criterion\":\"x\",\"missing\":\" \"}]}\n```"
	diff = `{"ticket":"%s","section":"Steps","old":"a {b}","new":"c","rationale":"why"}`
	card = `{"ticket":"%s","piste_efficience":"less","levels":{"whole":2}}`
)

// scored is a trial that waits for a decision.
func scored(t *testing.T) State {
	t.Helper()
	s, err := Give(begun(), Given{File: "/in", Hash: "sha256:i"})
	if err != nil {
		t.Fatal(err)
	}
	s, _ = answered(t, s, PartOriginal, run)
	s, _ = answered(t, s, PartChange, diff)
	s = Staged(s, "/copy/SKILL.md")
	s, _ = answered(t, s, PartVariant, run)
	s = Deal(s, Variant)
	s, _ = answered(t, s, PartScore1, card)
	s, _ = answered(t, s, PartScore2, card)
	return s
}

func TestATrialGoesFromTheInputToTheDecision(t *testing.T) {
	s := scored(t)
	if s.Phase != Decision || s.Sides[PartScore1] != Variant || s.Sides[PartScore2] != Original || s.Cards[PartScore2].Idea != "less" || s.Change.Line() != "Steps: why" {
		t.Errorf("%+v", s)
	}
	want := DryRun{File: "skill-score/20260102-120000.000/original-1.md", Calls: 3, Questions: 1, Steps: "2/3", Estimated: true,
		References: []string{"references/a.md"}, Summary: "an input", Weak: []Weak{{"whole", "the rest"}}, withheld: 1}
	if !reflect.DeepEqual(*s.Original, want) {
		t.Errorf("got %+v", *s.Original)
	}
	doc, err := s.Write([]byte(`{"other":1}`))
	if err != nil || !strings.HasPrefix(string(doc), `{"other":1,`) {
		t.Fatalf("%s %v", doc, err)
	}
	back, err := Parse(doc)
	if err != nil || back.Phase != Decision || back.Change.Old != "a {b}" || back.Cards[PartScore1].Verdict.Levels["whole"] != 2 {
		t.Errorf("%+v %v", back, err)
	}
}

func TestWhatTheClientCountedReplacesWhatARunnerClaims(t *testing.T) {
	s, err := Give(begun(), Given{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text      string
		usage     Usage
		calls     int
		estimated bool
	}{
		{run, Usage{Calls: 5, Questions: 1, Tokens: 9}, 6, true}, // one call was left out
		{strings.Replace(run, `"withheld_calls":1`, `"withheld_calls":0`, 1), Usage{Calls: 5, Questions: 1, Tokens: 9}, 5, false},
		{strings.Replace(run, `"withheld_calls":1`, `"withheld_calls":0`, 1), Usage{Calls: 5, Tokens: 9}, 5, true}, // a question that nobody was asked
	} {
		s, seat := seated(t, s, PartOriginal)
		s, _, err := Take(s, PartOriginal, []byte(strings.ReplaceAll(c.text, "%s", seat.Ticket)), &c.usage, nil)
		if err != nil || s.Original.Calls != c.calls || s.Original.Estimated != c.estimated || s.Original.Tokens != 9 {
			t.Errorf("%+v %v", s.Original, err)
		}
	}
}

func TestAnswersThatCannotBeUsedSayWhatIsWrong(t *testing.T) {
	in, err := Give(begun(), Given{})
	if err != nil {
		t.Fatal(err)
	}
	asked, _ := answered(t, in, PartOriginal, run)
	for _, c := range []struct {
		s          State
		part, text string
		want       string
	}{
		{in, PartOriginal, "done", "no line [WORD BEGIN OUTPUT]"},
		{in, PartOriginal, "[WORD BEGIN OUTPUT]\nx", "no line [WORD END OUTPUT]"},
		{in, PartOriginal, "[WORD BEGIN OUTPUT]\n \n[WORD END OUTPUT]", "the output is empty"},
		{in, PartOriginal, "[WORD BEGIN OUTPUT]\nx\n[WORD END OUTPUT]", "no JSON object"},
		{in, PartOriginal, strings.Replace(run, "2/3", "4/3", 1), "done/all"},
		{in, PartOriginal, strings.Replace(run, `"tool_calls":2`, `"tool_calls":-2`, 1), "whole numbers from 0"},
		{in, PartOriginal, strings.Replace(run, "%s", "rulph-aaaaaaaaaaaaaaaaaaaa", 1), "this prompt's ticket is"},
		{asked, PartChange, "---\nname: notes\n---\n# notes\n", "this is a whole file"},
		{asked, PartChange, "```markdown\n---\nname: notes\n---\n```", "this is a whole file"},
		{asked, PartChange, "No change is needed.", "no JSON object"},
		{asked, PartChange, `{"old":"","new":"x","rationale":"r"}`, "\"old\" is empty"},
		{asked, PartChange, `{"old":1,"new":"x","rationale":"r"}`, "the JSON object"},
		{asked, PartChange, `{"old":"a","new":"x"}`, "\"rationale\""},
	} {
		s, got := answered(t, c.s, c.part, c.text)
		if got.Intake != prompt.Mend || !strings.Contains(got.Reason, c.want) || s.Phase != c.s.Phase || s.Seats[c.part].Answered {
			t.Errorf("%q: %+v", c.text, got)
		}
	}
}

func TestAfterTwoBadAnswersAPartIsAskedAnew(t *testing.T) {
	s, err := Give(begun(), Given{})
	if err != nil {
		t.Fatal(err)
	}
	s, _ = answered(t, s, PartOriginal, "x")
	first := s.Seats[PartOriginal].Ticket
	s, got := answered(t, s, PartOriginal, "x")
	if got.Intake != prompt.Degraded || s.Phase != Original || s.Seats[PartOriginal] != nil || !strings.Contains(NextStep(s, "/s", cli).Text, "Last time: two answers of original could not be used") {
		t.Errorf("%+v", s)
	}
	if s, _ = seated(t, s, PartOriginal); s.Seats[PartOriginal].Ticket == first {
		t.Error("the new seat has the old ticket")
	}
}

func TestATicketIsGoodForItsOwnStepAlone(t *testing.T) {
	s, err := Give(begun(), Given{})
	if err != nil {
		t.Fatal(err)
	}
	s, seat := seated(t, s, PartOriginal)
	if part, ok := s.PartOf([]string{"rulph-x", seat.Ticket}); !ok || part != PartOriginal {
		t.Error(part, ok)
	}
	s, _ = answered(t, s, PartOriginal, run)
	if part, ok := s.PartOf([]string{seat.Ticket}); ok {
		t.Errorf("%s is answered", part)
	}
	if _, _, err := Take(s, PartOriginal, []byte(run), nil, nil); err == nil {
		t.Error("answered twice")
	}
	for _, part := range []string{PartOriginal, PartVariant, PartScore1, "x"} {
		if _, _, err := Sit(s, part, "t", func(string) string { return "" }); err == nil {
			t.Errorf("%s got a seat in the phase %s", part, s.Phase)
		}
	}
}

func TestDecisionsAreTakenOnceAndOnlyWhenEverythingIsIn(t *testing.T) {
	if _, err := Decide(begun(), Ignore, "r"); err == nil {
		t.Error("decided before anything was run")
	}
	s := scored(t)
	if _, err := Decide(s, "maybe", ""); err == nil {
		t.Error("maybe is no decision")
	}
	done, err := Decide(s, Apply, "")
	if err != nil || done.Live() {
		t.Errorf("%+v %v", done, err)
	}
	if _, err := Decide(done, Apply, ""); err == nil {
		t.Error("applied twice")
	}
}

func TestARelaunchKeepsTheOriginalRunAndNothingElse(t *testing.T) {
	s, err := Decide(scored(t), Relaunch, "no")
	if err != nil || s.Phase != Change || s.Original == nil || s.Variant != nil || s.Change != nil || s.Sides != nil || s.Cards != nil || len(s.Seats) != 1 || s.Round != 1 {
		t.Errorf("%+v %v", s, err)
	}
	if !reflect.DeepEqual(s.Rejected, []Rejected{{"Steps: why", "no"}}) {
		t.Errorf("%+v", s.Rejected)
	}
	s, _ = answered(t, s, PartChange, diff)
	if s, _ = answered(t, Staged(s, "/b"), PartVariant, run); s.Variant.File != "skill-score/20260102-120000.000/variant-2.md" {
		t.Errorf("%+v", s.Variant)
	}
}

func TestEveryPhaseSaysItsNextStep(t *testing.T) {
	s := begun()
	gate := s
	gate.Phase, gate.GateFor = Gate, Stagnation
	input, err := Give(s, Given{})
	if err != nil {
		t.Fatal(err)
	}
	over, err := Decide(scored(t), Ignore, "r")
	if err != nil {
		t.Fatal(err)
	}
	for want, s := range map[string]State{
		"`hoyeon-cli skill-score gate B`": gate,
		"to the file /s/skill-score/20260102-120000.000/input.txt and run `hoyeon-cli skill-score input --file /s/skill-score/20260102-120000.000/input.txt`":      s,
		"  Run `hoyeon-cli skill-score prompt --part original` and answer exactly as its output says.\nWhen all have answered, run `hoyeon-cli skill-score next`.": input,
		"run `hoyeon-cli skill-score table` and show":                       scored(t),
		"Another one begins with `hoyeon-cli skill-score start demo:notes`": over,
	} {
		if got := NextStep(s, "/s", cli); !strings.Contains(got.Text, want) || got.Phase != s.Phase || len(got.Commands) == 0 {
			t.Errorf("%s: %s", s.Phase, got.Text)
		}
	}
}

func TestATableThatIsShownIsNotAskedForAgain(t *testing.T) {
	step := Shown(NextStep(scored(t), "/s", cli))
	if !strings.Contains(step.Text, "show the user this table as it is. Ask: apply, ignore (and why), or relaunch.") || strings.Contains(step.Text, "score table") || len(step.Commands) != 3 {
		t.Errorf("%+v", step)
	}
}

func TestAStateThatIsNoneIsRefused(t *testing.T) {
	for doc, want := range map[string]string{`{}`: ErrNone.Error(), `{"skill_score":{"schema":2,"phase":"gate"}}`: ErrNewer.Error(),
		`{"skill_score":{"phase":"party"}}`: "which is none", `{"skill_score":{"phase":7}}`: "skill_score"} {
		if _, err := Parse([]byte(doc)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", doc, err)
		}
	}
}

func TestTheLastObjectWithTheMembersIsFound(t *testing.T) {
	for text, want := range map[string]string{
		`x {"a":1} y {"a":2,"b":{"a":3}} {"c":1}`: `{"a":2,"b":{"a":3}}`,
		`{{{"a":1}`: `{"a":1}`, `{"a":`: "", `{"b":"{\"a\":1}"}`: "",
	} {
		if got := string(lastObject(text, "a")); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func FuzzAnswersAreTakenOrRefused(f *testing.F) {
	for _, seed := range []string{run, diff, card, "---\nname: x\n---\n", "{{{{", `{"old":{},"new":[]}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in, err := Give(begun(), Given{})
		if err != nil {
			t.Fatal(err)
		}
		change := in
		change.Phase = Change
		scores := Deal(in, Original)
		scores.Phase = Scores
		for part, s := range map[string]State{PartOriginal: in, PartChange: change, PartScore1: scores} {
			s, seat, err := Sit(s, part, "rulph-aaaaaaaaaaaaaaaaaaaa", func(string) string { return "WORD" })
			if err != nil {
				t.Fatal(err)
			}
			s, got, err := Take(s, part, []byte(text), nil, nil)
			if err != nil || (got.Intake == prompt.Taken) != (got.Reason == "") || seat.Answered {
				t.Fatalf("%+v %v", got, err)
			}
			if doc, err := s.Write(nil); err != nil || !json.Valid(doc) {
				t.Fatalf("%s %v", doc, err)
			}
		}
	})
}

func ExampleNextStep() {
	s := begun()
	s.Phase, s.GateFor = Gate, NewRubric
	fmt.Println(NextStep(s, "/s", cli).Text)
	// Output: skill-score notes: show the user the message above and ask: A or C. Then run `hoyeon-cli skill-score gate A` or `hoyeon-cli skill-score gate C`.
}
