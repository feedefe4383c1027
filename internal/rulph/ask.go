package rulph

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"rulph/internal/artifact"
	"rulph/internal/evaluator"
	"rulph/internal/loop"
	"rulph/internal/rubric"
	"rulph/internal/score"
	"rulph/internal/verdict"
)

// JudgeEvent is what happened to a program that was asked.
type JudgeEvent struct {
	Name string
	evaluator.Event
}

// chair is one judge that is a program, and what it is asked.
type chair struct {
	judge, program string
	form           verdict.Form
	ticket         string
}

// question is what all chairs are asked about.
type question struct {
	artifact artifact.Artifact
	rubric   rubric.Rubric
	timeout  time.Duration
	usd      float64 // what all may spend together at most; 0: no limit
}

// ask has all chairs answer side by side, each in its own time: done is called as each ends, for one at a
// time. It returns when all have ended. The error is that of a cancelled ctx; done is called for those that
// were cut short only when they cost something already, and then with a seat that has no state.
func (e Engine) ask(ctx context.Context, chairs []chair, q question, done func(chair, loop.Seat)) error {
	var all sync.WaitGroup
	var mu sync.Mutex
	if n := limitable(chairs); n > 1 {
		q.usd /= float64(n)
	}
	for _, c := range chairs {
		all.Go(func() {
			seat, err := e.askOne(ctx, c, q)
			mu.Lock()
			defer mu.Unlock()
			if err == nil || seat.Work != nil {
				done(c, seat)
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// limitable counts the programs that can be told a limit in dollars.
func limitable(chairs []chair) (n int) {
	for _, c := range chairs {
		if s, err := evaluator.ParseJudge(c.program); err == nil && s.Kind == evaluator.Claude {
			n++
		}
	}
	return n
}

func (e Engine) askOne(ctx context.Context, c chair, q question) (loop.Seat, error) {
	seat := loop.Seat{Ticket: c.ticket}
	found, err := e.find(c.program)
	if err != nil {
		seat.State, seat.Reason = score.Skipped, skipped(err)
		e.judging(c.judge, evaluator.Event{Kind: evaluator.Ended, Reason: string(score.Skipped) + ", " + seat.Reason})
		return seat, nil
	}
	var v verdict.Verdict
	reply, err := found.Judge(ctx, evaluator.Request{
		Prompt:  promptText(c.form, q.artifact, c.judge, c.ticket, q.rubric.Evidence),
		Timeout: q.timeout, MaxUSD: q.usd,
		Accept: func(text string) error {
			got, wrong := loop.Read([]byte(text), c.form, c.ticket)
			if wrong != "" {
				return errors.New(wrong)
			}
			v = got
			return nil
		},
		Note: func(ev evaluator.Event) { e.judging(c.judge, ev) },
	})
	if reply.Usage.Calls > 0 {
		seat.Work = work(found.Spec, reply)
	}
	seat.Malformed = max(0, reply.Attempts-1)
	switch {
	case err != nil:
		return seat, err
	case reply.Fault != "":
		seat.State, seat.Reason = score.Degraded, reply.Fault
	default:
		seat.State, seat.Verdict = score.Available, &v
	}
	return seat, nil
}

// find looks up a judge that is a program, as the state names it.
func (e Engine) find(text string) (evaluator.Program, error) {
	spec, err := evaluator.ParseJudge(text)
	if err != nil {
		return evaluator.Program{}, err
	}
	return evaluator.Find(spec, e.Environ, e.Dir)
}

func (e Engine) judging(name string, ev evaluator.Event) {
	if e.Watch != nil {
		e.Watch(JudgeEvent{name, ev})
	}
}

// skipped is why a program was not asked, with the way out.
func skipped(err error) string {
	var u *evaluator.Unusable
	if errors.As(err, &u) && u.Hint != "" {
		return fmt.Sprintf("%s; %s", u.Reason, u.Hint)
	}
	return err.Error()
}

func work(s evaluator.Spec, r evaluator.Reply) *loop.Work {
	u := r.Usage
	return &loop.Work{Program: s.String(), Model: u.Model, Seconds: r.Duration.Seconds(),
		Spent: loop.Spent{Calls: u.Calls, Tokens: u.Tokens(), USD: u.USD, Unpriced: u.Unpriced, Silent: u.Silent}}
}
