//go:build unix

package scripted

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// Client is the program that sent a request.
type Client string

// The clients that the server understands.
const (
	Claude Client = "claude"
	Codex  Client = "codex"
	Gemini Client = "gemini"
)

// Turn is one request for a model's answer, in the same form for every client.
type Turn struct {
	N       int       // 1 is the server's first request
	At      time.Time // of arrival
	Client  Client
	Session string // the client's root session; "" for Gemini
	Agent   string // the sub-agent's id; "" is the main conversation
	Side    bool   // the client's own call (title, summary); it never reaches the script
	Step    int    // replies that the script gave in this conversation before; 0 is its first turn
	Model   string
	System  string   // the system (or developer) text
	Tools   []string // names of the tools on offer; a namespaced one is "namespace.name"
	History []Message
	Header  http.Header
	Body    json.RawMessage
	Reply   Reply // what was answered; set in Server.Requests

	asked        []string // ids of the calls in the script's last reply
	ended        []string // Codex: final texts of the sub-agents that reply started
	housekeeping bool     // the server answered by itself, see conversation.housekeeping
}

// Kind says what a message is.
type Kind string

// The kinds of message.
const (
	User   Kind = "user"   // a text sent as the user: prompts, reminders, hook feedback
	System Kind = "system" // a text sent as the system or developer within the conversation
	Said   Kind = "said"   // a text of the model
	Called Kind = "called" // a tool call of the model
	Result Kind = "result" // what a tool returned
)

// Message is one part of the conversation that a request carries.
type Message struct {
	Kind  Kind
	Text  string // for Called: the input, as JSON
	Tool  string // Called and Result: the tool's name, as in Turn.Tools
	ID    string // Called and Result: the call's id
	Error bool   // Result: the client marked it as a failure
}

// clientNotes open texts that a client adds in the user's name. They are not what a person said.
var clientNotes = []string{
	"<system-reminder>", skillHead, // Claude Code
	"<environment_context>", "<subagent_notification>", "<skill>", "# AGENTS.md instructions", // Codex
	"<session_context>", // Gemini
}

const skillHead = "Base directory for this skill: "

// LastUser is the newest user text: a prompt or a hook's feedback. Notes that the client adds in the
// user's name (reminders, the environment, sub-agent notifications) do not count.
func (t Turn) LastUser() string {
	for i := len(t.History) - 1; i >= 0; i-- {
		if m := t.History[i]; m.Kind == User && !note(m.Text) {
			return m.Text
		}
	}
	return ""
}

func note(text string) bool {
	text = strings.TrimSpace(text)
	for _, n := range clientNotes {
		if strings.HasPrefix(text, n) {
			return true
		}
	}
	return false
}

// Fresh is what came in since the model last spoke.
func (t Turn) Fresh() []Message {
	for i := len(t.History) - 1; i >= 0; i-- {
		if k := t.History[i].Kind; k == Said || k == Called {
			return t.History[i+1:]
		}
	}
	return t.History
}

// Results is what the tools called in the script's last reply returned, in the order of the calls.
func (t Turn) Results() []Message {
	var out []Message
	for _, id := range t.asked {
		for _, m := range t.History {
			if m.Kind == Result && m.ID == id {
				out = append(out, m)
			}
		}
	}
	return out
}

// SkillText is the newest skill that the client put into the conversation: the body of SKILL.md, with
// its variables replaced where the client does that; "" when there is none. Codex does it for "$name"
// in a prompt, Claude Code for "/name" and its Skill tool.
func (t Turn) SkillText() string {
	for i := len(t.History) - 1; i >= 0; i-- {
		if m := t.History[i]; m.Kind == User && (strings.HasPrefix(m.Text, skillHead) || strings.HasPrefix(m.Text, "<skill>")) {
			return m.Text
		}
	}
	return ""
}

// Feedback is the reason with which a Stop or SubagentStop hook kept the model going, when that is
// what this request brings; ok is false when it is not.
func (t Turn) Feedback() (reason string, ok bool) {
	for _, m := range t.Fresh() {
		if m.Kind != User {
			continue
		}
		text := strings.TrimSpace(m.Text)
		for _, head := range []string{"Stop hook feedback:\n", "SubagentStop hook feedback:\n"} {
			if after, found := strings.CutPrefix(text, head); found {
				return after, true
			}
		}
		if rest, found := strings.CutPrefix(text, "<hook_prompt"); found {
			_, rest, _ = strings.Cut(rest, ">")
			return unescape(strings.TrimSuffix(rest, "</hook_prompt>")), true
		}
	}
	return "", false
}

// AgentResults is the final text of each sub-agent that the last reply started (see Spawn), in the
// order in which they were started.
func (t Turn) AgentResults() []string {
	if t.Client == Codex {
		return t.ended
	}
	var out []string
	for _, m := range t.Results() {
		if m.Tool == "Agent" {
			text, _, _ := strings.Cut(m.Text, "\nagentId: ") // a note on how to go on with it follows
			out = append(out, text)
		}
	}
	return out
}

// Has tells whether the conversation holds text anywhere, results and the client's notes included.
func (t Turn) Has(text string) bool {
	if strings.Contains(t.System, text) {
		return true
	}
	for _, m := range t.History {
		if strings.Contains(m.Text, text) {
			return true
		}
	}
	return false
}

// Offers tells whether the client offers a tool of that name.
func (t Turn) Offers(tool string) bool {
	for _, name := range t.Tools {
		if name == tool {
			return true
		}
	}
	return false
}

func (t Turn) conversation() string {
	return string(t.Client) + "/" + t.Session + "/" + t.Agent
}

func unescape(s string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&").Replace(s)
}
