package loop

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rulph/internal/prompt"
	"rulph/internal/score"
	"rulph/internal/verdict"
)

// ErrUnchanged says that the artifact is the version that was scored already.
var ErrUnchanged = errors.New("the artifact has not changed since it was scored")

// ErrUnknownJudge says that a judge is not one of the loop's.
var ErrUnknownJudge = errors.New("not a judge of this loop")

// Open begins the next round for the artifact with this hash, or finds the one that is open already.
// A round that was opened for another version of the artifact is opened anew: its verdicts and
// tickets are gone, since they speak of a text that is no longer there. An artifact that has not
// changed since it was scored is ErrUnchanged, unless again is set.
func Open(s State, hash string, again bool, now time.Time) (State, error) {
	if s.Pending != nil && s.Pending.Artifact == hash {
		return s, nil
	}
	number := 0
	if last, ok := s.Last(); ok {
		number = last.Number + 1
		if s.Target != nil && hash == s.Target.Hash && s.Void == 0 && !again {
			return s, ErrUnchanged
		}
	}
	s.Pending = &Pending{Round: number, Artifact: hash, OpenedAt: now}
	s.ProgressAt = now
	return s, nil
}

// Sit gives a judge its seat in the open round, and the ticket that goes with it. A judge that has a
// seat keeps its ticket, so asking twice is safe.
func Sit(s State, judge, ticket string) (State, *Seat, error) {
	if !slices.Contains(s.Judges, judge) {
		return s, nil, fmt.Errorf("%q is %w; its judges are %s", judge, ErrUnknownJudge, strings.Join(s.Judges, ", "))
	}
	p := *s.Pending
	seats := make(map[string]*Seat, len(p.Seats)+1)
	for name, seat := range p.Seats {
		seats[name] = seat
	}
	if seats[judge] == nil {
		seats[judge] = &Seat{Ticket: ticket}
	}
	p.Seats, s.Pending = seats, &p
	return s, seats[judge], nil
}

// Unanswered lists the judges that have not answered in the open round, in their order.
func (s State) Unanswered() []string {
	var names []string
	for _, j := range s.Judges {
		if s.Pending == nil || s.Pending.Seats[j] == nil || s.Pending.Seats[j].State == "" {
			names = append(names, j)
		}
	}
	return names
}

// ProgramNames lists the judges that are programs, in their order.
func (s State) ProgramNames() []string {
	var names []string
	for _, j := range s.Judges {
		if s.Programs[j] != "" {
			names = append(names, j)
		}
	}
	return names
}

// Asked lists the programs that have a seat in the open round and have not answered: they are being asked,
// unless whoever asked them is gone.
func (s State) Asked() []string {
	var names []string
	for _, j := range s.ProgramNames() {
		if s.Pending != nil && s.Pending.Seats[j] != nil && s.Pending.Seats[j].State == "" {
			names = append(names, j)
		}
	}
	return names
}

// SeatOf finds the judge that holds one of the tickets and has not answered yet.
func (s State) SeatOf(tickets []string) (judge string, ok bool) {
	if s.Pending == nil {
		return "", false
	}
	for _, t := range tickets {
		for name, seat := range s.Pending.Seats {
			if seat.Ticket == t && seat.State == "" && s.Programs[name] == "" { // nobody answers for a program
				return name, true
			}
		}
	}
	return "", false
}

// Seated counts the sub-agents that have their prompts and have not answered.
func (s State) Seated() (n int) {
	if s.Pending == nil {
		return 0
	}
	for name, seat := range s.Pending.Seats {
		if seat.State == "" && s.Programs[name] == "" {
			n++
		}
	}
	return n
}

// Answered says that somebody has answered in the open round, so that there is something to score.
func (s State) Answered() bool {
	if s.Pending == nil {
		return false
	}
	for _, seat := range s.Pending.Seats {
		if seat.State == score.Available {
			return true
		}
	}
	return false
}

// OnlySeat is the sub-agent that has its prompt and has not answered, where there is exactly one.
func (s State) OnlySeat() (judge string, ok bool) {
	if s.Pending == nil {
		return "", false
	}
	for name, seat := range s.Pending.Seats {
		if seat.State != "" || s.Programs[name] != "" {
			continue
		}
		if ok {
			return "", false
		}
		judge, ok = name, true
	}
	return judge, ok
}

// Take puts the answer of a judge into the open round. A first malformed answer is prompt.Mend, with what is
// wrong; a second one makes the judge DEGRADED for the round.
func Take(s State, judge string, answer []byte) (State, prompt.Intake, string, error) {
	if s.Pending == nil || s.Rubric == nil {
		return s, "", "", errors.New("no round is being judged")
	}
	old := s.Pending.Seats[judge]
	switch {
	case old == nil:
		return s, "", "", fmt.Errorf("%q has no seat in round %d; its prompt was never asked for", judge, s.Pending.Round)
	case old.State != "":
		return s, "", "", fmt.Errorf("%q has answered in round %d already (%s)", judge, s.Pending.Round, old.State)
	}
	seat := *old
	v, reason := Read(answer, s.Form(judge), seat.Ticket)
	intake := prompt.Taken
	switch {
	case reason == "":
		seat.State, seat.Verdict = score.Available, &v
	case seat.Malformed == 0:
		seat.Malformed, intake = 1, prompt.Mend
	default:
		seat.Malformed++
		seat.State, seat.Reason, intake = score.Degraded, "malformed twice: "+reason, prompt.Degraded
	}
	s, _, sitErr := Sit(s, judge, seat.Ticket)
	if sitErr != nil {
		return s, "", "", sitErr
	}
	s.Pending.Seats[judge] = &seat
	return s, intake, reason, nil
}

// Read is the verdict in an answer to a prompt with this form and ticket, or what is wrong with it, in
// words for whoever gave it.
func Read(answer []byte, form verdict.Form, ticket string) (v verdict.Verdict, wrong string) {
	v, err := verdict.Parse(answer, form)
	malformed, ok := errors.AsType[*verdict.Malformed](err)
	switch {
	case ok:
		return v, malformed.Reason
	case err != nil:
		return v, err.Error()
	case v.Ticket != "" && v.Ticket != ticket:
		return v, fmt.Sprintf("the ticket is %q; this prompt's ticket is %q", v.Ticket, ticket)
	}
	return v, ""
}

// ErrLate says that a seat is not there any more, or is taken: the round it was of is over.
var ErrLate = errors.New("the round is not open any more")

// Settle puts in what asking a judge that is a program came to: a verdict, or the reason why it has none.
// Its price counts even where the verdict comes too late.
func Settle(s State, judge string, came Seat) (State, error) {
	if came.Work != nil {
		s = Charge(s, "judge "+judge, came.Work.Spent)
	}
	if s.Pending == nil || s.Pending.Seats[judge] == nil || s.Pending.Seats[judge].Ticket != came.Ticket || s.Pending.Seats[judge].State != "" {
		return s, ErrLate
	}
	s, _, err := Sit(s, judge, came.Ticket) // seats of its own
	if err != nil {
		return s, err
	}
	s.Pending.Seats[judge] = &came
	return s, nil
}

// Rise takes the seats of these judges away again, where they have not answered: nobody asks them now.
func Rise(s State, judges []string) State {
	if s.Pending == nil {
		return s
	}
	p := *s.Pending
	p.Seats = make(map[string]*Seat, len(s.Pending.Seats))
	for name, seat := range s.Pending.Seats {
		if seat.State != "" || !slices.Contains(judges, name) {
			p.Seats[name] = seat
		}
	}
	s.Pending = &p
	return s
}

// Lost notes that whoever asked the programs is gone before they had answered: they are asked again, by a
// command that waits for them, since something here ends what a command leaves behind.
func Lost(s State) State {
	s.Attached = true
	return Rise(s, s.ProgramNames())
}

// Charge adds what a program has spent in its role, "judge codex" for instance.
func Charge(s State, role string, spent Spent) State {
	total := spent
	if s.Spent != nil {
		total = s.Spent.Add(spent)
	}
	took := maps.Clone(s.Took)
	if took == nil {
		took = map[string]Spent{}
	}
	took[role] = took[role].Add(spent)
	s.Spent, s.Took = &total, took
	return s
}

// Form is what this judge is asked in the open round. Its order is its own, and the same each time.
func (s State) Form(judge string) verdict.Form {
	round := 0
	if s.Pending != nil {
		round = s.Pending.Round
	}
	return s.Rubric.Body.Form(fmt.Sprintf("%s/%s/%d", s.StartedAt.UTC().Format(time.RFC3339Nano), judge, round))
}

// Judge is the seat's part in a scoring.
func (seat Seat) Judge(name string) score.Judge {
	j := score.Judge{Name: name, State: seat.State, Reason: seat.Reason}
	if seat.Verdict != nil {
		j.Verdict = *seat.Verdict
	}
	return j
}

// Answers lists the judges of the open round for scoring. One that has not answered is DEGRADED.
func (s State) Answers() []score.Judge {
	var out []score.Judge
	for _, name := range s.Judges {
		j := score.Judge{Name: name, State: score.Degraded, Reason: "no verdict"}
		if s.Pending != nil {
			if seat := s.Pending.Seats[name]; seat != nil && seat.State != "" {
				j = seat.Judge(name)
			}
		}
		out = append(out, j)
	}
	return out
}
