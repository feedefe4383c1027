package evaluator

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// DefaultAskTimeout is the time limit of one call of a judge or an improver.
const DefaultAskTimeout = 10 * time.Minute

// What is kept of a call's output, in bytes, its last ones. A longer answer is a fault.
const (
	keepReply  = 4 << 20
	keepErrors = 64 << 10
)

// Request is what a judge or an improver is to do.
type Request struct {
	Prompt  string        // the whole task; it reaches the program on its standard input alone
	Timeout time.Duration // of each call; 0: DefaultAskTimeout
	// Accept says why an answer is none; nil takes any that is not empty. A judge is told its error in
	// the one retry.
	Accept func(text string) error
	// Dir is the working folder, absolute. An improver needs one; a judge without one gets an empty
	// folder that lies in no project and is removed afterwards.
	Dir    string
	MaxUSD float64 // the most that a call may cost, where the client can be told (claude); 0: no limit
	Note   func(Event)
}

// EventKind is what has happened.
type EventKind string

// The events of a call, in their order.
const (
	Started EventKind = "started"
	Retried EventKind = "retried" // a judge is asked a second time; Reason is what was wrong with its answer
	Ended   EventKind = "ended"   // Reason is the fault, if there is one
)

// Event tells of a call that goes on.
type Event struct {
	Kind    EventKind
	Usage   Usage         // so far
	Elapsed time.Duration // since Started
	Reason  string
}

// Reply is what a call came to.
type Reply struct {
	Text     string // the last answer, accepted or not, without white space around it
	Usage    Usage
	Attempts int
	Duration time.Duration
	Fault    string // "" when Text was accepted; else one clause that says why not, without a subject
	Stderr   []byte // the tail of the last call's
}

// Judge asks for an answer. The client has no tools, or those that read alone, and nothing of the
// person's own settings but the login.
//
// An answer that is not acceptable, an empty one with exit status 0 included, gets one retry that
// carries the whole task again, the answer, and what was wrong with it. A call that hung, could not be
// started or has told of a failure of its own is not repeated. An acceptable answer counts whatever the
// exit status. The only error is the cause of a cancelled ctx.
func (p Program) Judge(ctx context.Context, req Request) (Reply, error) {
	return p.ask(ctx, req, false)
}

// Improve lets the program change files below req.Dir. There is no retry, since a half of the work may
// be done, and the text is only its last words, which may be empty. The only error is the cause of a
// cancelled ctx. See the package's documentation of each client for what it can touch.
func (p Program) Improve(ctx context.Context, req Request) (Reply, error) {
	return p.ask(ctx, req, true)
}

// asking is one Judge or Improve on its way.
type asking struct {
	Program
	req     Request
	improve bool
	start   time.Time
	reply   Reply
}

func (p Program) ask(ctx context.Context, req Request, improve bool) (Reply, error) {
	a := &asking{Program: p, req: req, improve: improve, start: time.Now()}
	a.note(Started, "")
	prompt := req.Prompt
	for {
		a.reply.Attempts++
		again, err := a.once(ctx, prompt)
		a.reply.Duration = time.Since(a.start)
		if err != nil {
			return a.reply, err
		}
		if a.reply.Fault == "" || !again || improve || a.reply.Attempts == 2 {
			a.note(Ended, a.reply.Fault)
			return a.reply, nil
		}
		a.note(Retried, a.reply.Fault)
		prompt = retryPrompt(req.Prompt, a.reply.Text, a.reply.Fault)
	}
}

func (a *asking) note(kind EventKind, reason string) {
	if a.req.Note != nil {
		a.req.Note(Event{Kind: kind, Usage: a.reply.Usage, Elapsed: time.Since(a.start), Reason: reason})
	}
}

// once makes one call and sets what it came to in a.reply. again says that another may do better; the
// error is the cause of a cancelled ctx.
func (a *asking) once(ctx context.Context, prompt string) (again bool, err error) {
	a.reply.Text, a.reply.Fault, a.reply.Stderr = "", "", nil
	place, err := newPlace(a.Env, a.req.Dir, a.improve)
	if err != nil {
		a.reply.Fault = err.Error()
		return false, nil
	}
	defer place.remove()
	c, err := a.call(place)
	if err != nil {
		a.reply.Fault = err.Error()
		return false, nil
	}
	cmd := exec.Command(a.Path, c.args...)
	cmd.Dir, cmd.Env, cmd.Stdin = place.dir, c.env, strings.NewReader(prompt)
	out, err := supervise(ctx, cmd, orDefault(a.req.Timeout, DefaultAskTimeout), keepReply, keepErrors)
	a.reply.Stderr = out.Stderr
	if ctx.Err() != nil && err != nil {
		a.count(answer{})
		return false, err
	}
	if err != nil {
		a.reply.Fault = fmt.Sprintf("could not be run: %v", err)
		return false, nil
	}
	ans := c.read(out)
	a.count(ans)
	a.reply.Text = strings.TrimSpace(ans.text)
	a.reply.Fault, again = a.judge(out, ans)
	return again, nil
}

// count adds the usage of a call.
func (a *asking) count(ans answer) {
	u := ans.usage
	u.Calls = 1
	if !ans.told {
		u = Usage{Calls: 1, Silent: 1, Model: u.Model}
	}
	a.reply.Usage.Add(u.priced(a.Price, ans.cost))
}

// judge says what is wrong with a call, and whether to ask again.
func (a *asking) judge(out Outcome, ans answer) (fault string, again bool) {
	switch {
	case out.TimedOut, a.improve && out.Code != 0:
		return Fault(out)[len("it "):], false
	case ans.failure != "":
		return "failed: " + ans.failure, false
	case out.StdoutDropped > 0:
		return fmt.Sprintf("wrote %d MiB, of which %d are read", (out.StdoutDropped+keepReply)>>20, keepReply>>20), false
	}
	err := a.accept()
	switch {
	case err == nil:
		return "", false
	case a.reply.Text == "" && out.Code != 0:
		return Fault(out)[len("it "):], false
	case out.Code != 0:
		return fmt.Sprintf("%v (and it %s)", err, Fault(out)[len("it "):]), true
	}
	if said := lastLine(out.Stderr); said != "" {
		return fmt.Sprintf("%v (standard error ends: %s)", err, said), true
	}
	return err.Error(), true
}

func (a *asking) accept() error {
	switch {
	case a.req.Accept != nil && (a.reply.Text != "" || a.improve):
		return a.req.Accept(a.reply.Text)
	case a.reply.Text == "" && !a.improve:
		return errors.New("gave no answer")
	}
	return nil
}
