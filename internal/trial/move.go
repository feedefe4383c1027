package trial

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rulph/internal/prompt"
	"rulph/internal/verdict"
)

// StagnantRuns is how many runs in a row without an applied change close the gate.
const StagnantRuns = 5

// Begin is a new trial: at the gate where the history or a changed rubric asks for it, else at the input.
// scoredWith is the hash of the rubric that the segment's records have; "" where they have none.
func Begin(s State, scoredWith string) State {
	s.Schema, s.Phase = Schema, Input
	switch {
	case scoredWith != "" && scoredWith != s.Rubric.Hash:
		s.Phase, s.GateFor = Gate, NewRubric
	case s.History.Stagnant >= StagnantRuns:
		s.Phase, s.GateFor = Gate, Stagnation
	}
	return s
}

// Answer is the person's answer at the gate. segment is the one that A opened.
func Answer(s State, letter string, segment int, context []byte) (State, error) {
	if s.Phase != Gate {
		return s, errors.New("there is no gate to answer: the run is at the phase " + string(s.Phase))
	}
	switch {
	case letter == "A":
		s.History = History{Segment: segment, Mode: "qualite", Context: json.RawMessage(context)}
		s.Phase = Input
	case letter == "B" && s.GateFor == NewRubric:
		return s, errors.New("the rubric has changed, so the runs so far cannot be compared with what follows: A or C")
	case letter == "B":
		s.Phase = Input
	case letter == "C":
		s.Phase, s.Decision = Done, "stopped"
	default:
		return s, fmt.Errorf("the answers are A, B and C, not %q", letter)
	}
	return s, nil
}

// Give takes the input.
func Give(s State, in Given) (State, error) {
	if s.Phase != Input {
		return s, errors.New("no input is asked for: the run is at the phase " + string(s.Phase))
	}
	s.Input, s.Phase = &in, Original
	return s, nil
}

// Sit gives a part its seat, with the ticket and the word that its prompt carries. A part that has a seat keeps
// it, so asking twice is safe.
func Sit(s State, part, ticket string, word func(ticket string) string) (State, *Seat, error) {
	if !slices.Contains(s.Open(), part) {
		if seat := s.Seats[part]; seat != nil && seat.Answered {
			return s, nil, fmt.Errorf("%s has answered already", part)
		}
		return s, nil, fmt.Errorf("%q is not asked for now: the run is at the phase %s", part, s.Phase)
	}
	seats := make(map[string]*Seat, len(s.Seats)+1)
	for p, seat := range s.Seats {
		seats[p] = seat
	}
	if seats[part] == nil {
		seats[part] = &Seat{Ticket: ticket, Word: word(ticket)}
	}
	s.Seats = seats
	return s, seats[part], nil
}

// PartOf finds the part that holds one of the tickets and has not answered yet.
func (s State) PartOf(tickets []string) (part string, ok bool) {
	for _, t := range tickets {
		for p, seat := range s.Seats {
			if seat != nil && seat.Ticket == t && !seat.Answered && slices.Contains(s.Open(), p) {
				return p, true
			}
		}
	}
	return "", false
}

// Form is what the scorer of this part is asked, in an order of its own.
func (s State) Form(part string) verdict.Form {
	seed := part
	if seat := s.Seats[part]; seat != nil {
		seed = seat.Ticket
	}
	return s.Rubric.Body.Form(seed)
}

// Answered is what became of an answer.
type Answered struct {
	Part   string        `json:"part"`
	Intake prompt.Intake `json:"intake"`
	Reason string        `json:"reason,omitempty"`
	Output string        `json:"-"` // of a dry run that was taken in
	File   string        `json:"file,omitempty"`
}

// Take puts the answer of a part into the trial. A first answer that cannot be used is prompt.Mend; after a second
// one the part is asked anew. usage is what the client reports of the sub-agent, nil where it reports nothing.
// can, where it is given, refuses a change that cannot be made. The output of a dry run has to be kept under File
// before the state is written.
func Take(s State, part string, answer []byte, usage *Usage, can func(Diff) error) (State, Answered, error) {
	got := Answered{Part: part, Intake: prompt.Taken}
	seat := s.Seats[part]
	if seat == nil || seat.Answered || !slices.Contains(s.Open(), part) {
		return s, got, fmt.Errorf("no answer of %s is waited for: the run is at the phase %s", part, s.Phase)
	}
	next, ticket := s, ""
	text := strings.ToValidUTF8(string(answer), "\uFFFD")
	switch {
	case len(answer) > maxAnswer:
		got.Reason = fmt.Sprintf("the answer has more than %d MiB", maxAnswer>>20)
	case part == PartOriginal || part == PartVariant:
		var d DryRun
		got.Output, d, ticket, got.Reason = parseDryRun(text, seat.Word)
		if usage != nil {
			d = d.counted(*usage)
		}
		d.File = fmt.Sprintf("%s/%s-%d.md", s.Folder(), part, s.Round+1)
		got.File = d.File
		if part == PartOriginal {
			next.Original, next.Phase = &d, Change
		} else {
			next.Variant, next.Phase = &d, Scores
		}
	case part == PartChange:
		var d Diff
		d, ticket, got.Reason = parseDiff(text)
		if got.Reason == "" && can != nil {
			if err := can(d); err != nil {
				got.Reason = err.Error()
			}
		}
		next.Change = &d
	default:
		v, err := verdict.Parse([]byte(text), s.Form(part))
		if malformed, ok := errors.AsType[*verdict.Malformed](err); ok {
			got.Reason = malformed.Reason
		} else if err != nil {
			got.Reason = err.Error()
		}
		ticket = v.Ticket
		next = next.withCard(part, &Card{Verdict: v, Idea: parseIdea(text)})
	}
	if got.Reason == "" && ticket != "" && ticket != seat.Ticket {
		got.Reason = fmt.Sprintf("the ticket is %q; this prompt's ticket is %q", ticket, seat.Ticket)
	}
	if got.Reason != "" {
		got.Output, got.File = "", ""
		return malformed(s, part, got)
	}
	next.Note = ""
	next = next.withSeat(part, &Seat{Ticket: seat.Ticket, Word: seat.Word, Malformed: seat.Malformed, Answered: true})
	if next.Phase == Scores && len(next.Open()) == 0 {
		next.Phase = Decision
	}
	return next, got, nil
}

// malformed counts an answer that cannot be used. After the second the seat is free again; of proposals no third
// one is asked for: a person decides.
func malformed(s State, part string, got Answered) (State, Answered, error) {
	seat := *s.Seats[part]
	seat.Malformed++
	if got.Intake = prompt.Mend; seat.Malformed == 1 {
		return s.withSeat(part, &seat), got, nil
	}
	got.Intake = prompt.Degraded
	s.Note = fmt.Sprintf("two answers of %s could not be used: %s", part, got.Reason)
	s = s.withSeat(part, nil)
	if part == PartChange {
		s = s.GiveUp(got.Reason)
	}
	return s, got, nil
}

// Staged notes that the proposed change was made on a copy, whose SKILL.md is file.
func Staged(s State, file string) State {
	s.Staged, s.Phase, s.Note = file, Variant, ""
	return s
}

// Refuse notes that the proposed change cannot be made. The proposer is asked once more; then a person decides.
func Refuse(s State, reason string) State {
	s = s.withSeat(PartChange, nil)
	s.Change = nil
	s.Refusals = append(slices.Clone(s.Refusals), reason)
	s.Note = "the change could not be made: " + reason
	if len(s.Refusals) > 1 {
		return s.GiveUp(reason)
	}
	return s
}

// GiveUp leaves this round without a change: the original alone is scored.
func (s State) GiveUp(reason string) State {
	s.Change, s.Phase = nil, Scores
	s.Failed = "no change could be made: " + reason
	if s.Note = s.Failed; len(s.Open()) == 0 {
		s.Phase = Decision
	}
	return s
}

// Deal says which output each scorer reads. first is drawn by lot.
func Deal(s State, first Phase) State {
	if s.Sides != nil {
		return s
	}
	if s.Variant == nil {
		s.Sides = map[string]Phase{PartScore1: Original}
		return s
	}
	second := Variant
	if first == Variant {
		second = Original
	}
	s.Sides = map[string]Phase{PartScore1: first, PartScore2: second}
	return s
}

// The decisions.
const (
	Apply    = "apply"
	Ignore   = "ignore"
	Relaunch = "relaunch"
)

// Decide notes the person's decision. After a relaunch the next change is proposed from the original again.
func Decide(s State, decision, reason string) (State, error) {
	if s.Phase != Decision {
		return s, errors.New("nothing is to be decided yet: the run is at the phase " + string(s.Phase))
	}
	switch decision {
	case Apply:
		if s.Change == nil || s.Variant == nil {
			return s, errors.New("there is no change to apply")
		}
	case Ignore, Relaunch:
	default:
		return s, fmt.Errorf("the decisions are apply, ignore and relaunch, not %q", decision)
	}
	s.Decision, s.Reason = decision, reason
	if decision != Relaunch {
		s.Phase = Done
		return s, nil
	}
	if s.Change != nil {
		s.Rejected = append(slices.Clone(s.Rejected), Rejected{Change: s.Change.Line(), Reason: reason})
	}
	s.Round++
	s.Phase, s.Decision, s.Reason, s.Note = Change, "", "", ""
	s.Change, s.Variant, s.Staged, s.Refusals, s.Failed, s.Sides, s.Cards = nil, nil, "", nil, "", nil, nil
	for _, p := range []string{PartChange, PartVariant, PartScore1, PartScore2} {
		s = s.withSeat(p, nil)
	}
	return s, nil
}

// Line is the change in one line, as the log has it.
func (d Diff) Line() string {
	if d.Section == "" {
		return d.Rationale
	}
	return d.Section + ": " + d.Rationale
}

func (s State) withSeat(part string, seat *Seat) State {
	seats := make(map[string]*Seat, len(s.Seats)+1)
	for p, old := range s.Seats {
		seats[p] = old
	}
	if seats[part] = seat; seat == nil {
		delete(seats, part)
	}
	s.Seats = seats
	return s
}

func (s State) withCard(part string, card *Card) State {
	cards := map[string]*Card{part: card}
	for p, old := range s.Cards {
		if p != part {
			cards[p] = old
		}
	}
	s.Cards = cards
	return s
}
