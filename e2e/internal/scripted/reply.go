//go:build unix

package scripted

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Reply is what the model answers: a text, tool calls, or both. Without calls the model's turn is over.
type Reply struct {
	Text   string
	Calls  []Call
	Usage  Usage         // zero: 100 tokens in, 10 out
	Status int           // not zero: an HTTP error with this status instead of an answer
	Delay  time.Duration // before the answer

	tools []tool // Calls as the client spells them
}

// Usage counts tokens.
type Usage struct{ Input, Output int }

// A Call asks a client for one thing; some clients need more than one tool call for it.
type Call func(Turn) []tool

// tool is one tool call on the wire.
type tool struct {
	namespace, name string
	input           any    // marshals to a JSON object
	source          string // instead of input: the program text of a tool without a schema
	id              string
}

// args is the input as the wire has it.
func (t tool) args() string {
	if t.source != "" {
		return t.source
	}
	b, err := json.Marshal(t.input)
	if err != nil {
		panic(fmt.Sprintf("scripted: the input of %s is not JSON: %v", t.name, err))
	}
	return string(b)
}

// Say ends the model's turn with text.
func Say(text string) Reply { return Reply{Text: text} }

// Sayf is Say with a format.
func Sayf(format string, args ...any) Reply { return Say(fmt.Sprintf(format, args...)) }

// Do makes tool calls in one message; the client runs them and asks again with their results.
func Do(calls ...Call) Reply { return Reply{Calls: calls} }

// Fail answers with an HTTP error, for instance 529 (overloaded).
func Fail(status int) Reply { return Reply{Status: status} }

func (r Reply) empty() bool { return r.Text == "" && len(r.Calls) == 0 && r.Status == 0 }

// spell turns the calls into tool calls of turn's client.
func (r *Reply) spell(turn Turn) {
	r.tools = nil
	for _, call := range r.Calls {
		r.tools = append(r.tools, call(turn)...)
	}
	for i := range r.tools {
		r.tools[i].id = fmt.Sprintf("call_%d_%d", turn.N, i)
		_ = r.tools[i].args()
	}
}

// Steps is a script that gives replies in order, one a turn of the conversation it is asked in. Each
// sub-agent starts at the first. After the last it has no reply, which fails the test.
func Steps(replies ...Reply) Script {
	return func(t Turn) Reply {
		if t.Step < len(replies) {
			return replies[t.Step]
		}
		return Reply{}
	}
}

// Cast is a script with one part for the main conversation and one for every sub-agent.
func Cast(main, agent Script) Script {
	return func(t Turn) Reply {
		if t.Agent != "" {
			return agent(t)
		}
		return main(t)
	}
}

func (r Reply) String() string {
	var parts []string
	if r.Status != 0 {
		parts = append(parts, fmt.Sprintf("HTTP %d", r.Status))
	}
	if r.Text != "" {
		parts = append(parts, "says "+clip(r.Text, 300))
	}
	for _, t := range r.tools {
		parts = append(parts, fmt.Sprintf("calls %s %s", t.fullName(), clip(t.args(), 300)))
	}
	return strings.Join(parts, "; ")
}

func (t tool) fullName() string {
	if t.namespace != "" {
		return t.namespace + "." + t.name
	}
	return t.name
}

func clip(s string, n int) string {
	if len(s) > n {
		return fmt.Sprintf("%.*q... (%d bytes)", n, s, len(s))
	}
	return fmt.Sprintf("%q", s)
}
