package rulph

import (
	"errors"
	"fmt"

	"rulph/internal/loop"
	"rulph/internal/prompt"
	"rulph/internal/ui"
)

// Submission is what became of a verdict that was handed in.
type Submission struct {
	Session string        `json:"session"`
	Judge   string        `json:"judge"`
	Round   int           `json:"round"`
	Intake  prompt.Intake `json:"intake"` // taken, mend or degraded
	Reason  string        `json:"reason,omitempty"`
	Next    loop.Step     `json:"next"`
}

// Submit takes in the answer of a judge that ran inside the session, as the SubagentStop hook does by
// itself. judge may be empty: then the ticket in the answer says whose it is.
func (e Engine) Submit(judge string, answer []byte) (Submission, error) {
	s, err := e.live()
	if err != nil {
		return Submission{}, err
	}
	tickets := prompt.Tickets(string(answer))
	if judge == "" || len(tickets) > 0 {
		owner, err := e.whose(s, tickets)
		switch {
		case err != nil:
			return Submission{}, err
		case judge == "":
			judge = owner
		case judge != owner:
			return Submission{}, ui.Fail(ui.BadInput, fmt.Errorf("the ticket in the answer is that of %s, not of %s", owner, judge), "leave --judge out: the ticket says whose it is")
		}
	}
	if s.Programs[judge] != "" {
		return Submission{}, e.isProgram(judge)
	}
	out := Submission{Session: e.SID, Judge: judge}
	s, err = e.update(func(s loop.State) (loop.State, error) {
		if s.Pending != nil && s.Pending.Seats[judge] == nil && len(tickets) == 0 {
			// A judge that answered from another source than `rulph prompt` still gets its seat.
			if s, _, err = loop.Sit(s, judge, prompt.NewTicket()); err != nil {
				return s, ui.Fail(ui.BadInput, err)
			}
		}
		s, out.Intake, out.Reason, err = loop.Take(s, judge, answer)
		if err != nil {
			return s, ui.Fail(ui.BadInput, err, loop.NextStep(s, true, e.CLI).Text)
		}
		out.Round = s.Pending.Round
		s.Waiting, s.ProgressAt = false, e.Now().UTC()
		return s, nil
	})
	if err != nil {
		return out, err
	}
	out.Next = loop.NextStep(s, true, e.CLI)
	return out, nil
}

func (e Engine) whose(s loop.State, tickets []string) (string, error) {
	if judge, ok := s.SeatOf(tickets); ok {
		return judge, nil
	}
	if len(tickets) == 0 {
		return "", ui.Fail(ui.BadInput, errors.New("the answer has no ticket, so nothing says whose it is"), "give --judge NAME")
	}
	return "", ui.Fail(ui.BadInput, fmt.Errorf("the ticket %s is not open: it is of an earlier round, of another session, or answered already", tickets[0]), loop.NextStep(s, true, e.CLI).Text)
}
