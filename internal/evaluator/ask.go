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
	Ended   EventKind = "ended"   // Reason is the fault, or why it was cancelled, if there is one
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
	Fault    string // "" when Text was accepted; else one clause that says why not, its subject left out: "gave no answer"
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
		refused, err := a.once(ctx, prompt)
		a.reply.Duration = time.Since(a.start)
		if err != nil {
			a.note(Ended, err.Error())
			return a.reply, err
		}
		if refused == nil || improve || a.reply.Attempts == 2 {
			a.note(Ended, a.reply.Fault)
			return a.reply, nil
		}
		if req.MaxUSD > 0 {
			if a.req.MaxUSD = req.MaxUSD - a.reply.Usage.USD; a.req.MaxUSD <= 0 {
				a.reply.Fault += ", and nothing is left of the budget to ask again"
				a.note(Ended, a.reply.Fault)
				return a.reply, nil
			}
		}
		a.note(Retried, a.reply.Fault)
		prompt = retryPrompt(req.Prompt, a.reply.Text, refused.Error())
	}
}

func (a *asking) note(kind EventKind, reason string) {
	if a.req.Note != nil {
		a.req.Note(Event{Kind: kind, Usage: a.reply.Usage, Elapsed: time.Since(a.start), Reason: reason})
	}
}

// once makes one call and sets what it came to in a.reply. refused is what the program could do better if
// it were asked again; err is the cause of a cancelled ctx.
func (a *asking) once(ctx context.Context, prompt string) (refused, err error) {
	a.reply.Text, a.reply.Fault, a.reply.Stderr = "", "", nil
	place, err := newPlace(a.Env, a.req.Dir, a.improve)
	if err != nil {
		a.reply.Fault = err.Error()
		return nil, nil
	}
	defer place.remove()
	c, err := a.call(place)
	if err != nil {
		a.reply.Fault = err.Error()
		return nil, nil
	}
	cmd := exec.Command(a.Path, c.args...)
	cmd.Dir, cmd.Env, cmd.Stdin = place.dir, c.env, strings.NewReader(prompt)
	out, err := supervise(ctx, cmd, orDefault(a.req.Timeout, DefaultAskTimeout), keepReply, keepErrors)
	a.reply.Stderr = out.Stderr
	switch {
	case err != nil && ctx.Err() != nil:
		if cmd.Process != nil {
			a.count(answer{})
		}
		return nil, err
	case err != nil:
		a.reply.Fault = fmt.Sprintf("could not be run: %v", err)
		return nil, nil
	}
	ans := c.read(out)
	a.count(ans)
	a.reply.Text = strings.TrimSpace(ans.text)
	a.reply.Fault, refused = a.verdict(out, ans)
	return refused, nil
}

// count adds the usage of a call.
func (a *asking) count(ans answer) {
	u := ans.usage
	u.Calls = 1
	if !ans.told || !u.credible() {
		u, ans.cost = Usage{Calls: 1, Silent: 1, Model: u.Model}, false
	}
	a.reply.Usage.Add(u.priced(a.Price, ans.cost))
}

// verdict says what is wrong with a call, and what of it the program could mend.
func (a *asking) verdict(out Outcome, ans answer) (fault string, refused error) {
	err := a.accept()
	switch {
	case out.TimedOut:
		return withLast(fmt.Sprintf("did not end within its time limit (stopped after %s)", out.Duration.Round(100*time.Millisecond)), out), nil
	case out.StdoutDropped > 0 && a.Kind != Codex: // which prints events, the answer and the usage last
		return fmt.Sprintf("wrote %d bytes, more than the %d MiB that are read", out.StdoutDropped+int64(len(out.Stdout)), keepReply>>20), nil
	case ans.failure != "":
		return "failed: " + ans.failure, nil
	case out.Code != 0 && (a.improve || a.reply.Text == ""):
		return strings.TrimPrefix(Fault(out), "it "), nil
	case err == nil:
		return "", nil
	case out.Code == 0 && a.reply.Text != "":
		return err.Error(), err // what a client murmurs beside an answer explains nothing of it
	}
	return withLast(err.Error(), out), err
}

// withLast adds what the program last said on its standard error.
func withLast(fault string, out Outcome) string {
	if said := lastWords(out.Stderr); said != "" {
		fault += ": " + said
	}
	return fault
}

func (a *asking) accept() error {
	switch {
	case a.reply.Text == "" && !a.improve:
		return errors.New("gave no answer")
	case a.req.Accept == nil:
		return nil
	}
	return a.req.Accept(a.reply.Text)
}
