//go:build unix

// Package scripted is the model in the tests that drive real clients: a server on loopback that speaks
// the wire protocols of Claude Code, Codex and Gemini CLI and answers with what a Go function says.
// It knows how each client spells a conversation and a tool call, and hides it from the script. It
// refuses to think: a request for which the script has no reply fails the test.
package scripted

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"sync"
	"testing"
	"time"
)

// A Script is the model: it gets one request and says what the model answers. Sub-agents run side by
// side, so a script must be safe for concurrent calls; one without variables of its own always is.
// It runs on the server's goroutines: report with t.Errorf, never with t.Fatal.
type Script func(Turn) Reply

// Server answers clients on 127.0.0.1 and remembers every request.
type Server struct {
	URL string // "http://127.0.0.1:PORT", without a final slash

	t      testing.TB
	script Script
	side   Script

	mu    sync.Mutex
	turns []Turn
	convs map[string]*conversation
	odd   []string // requests that no protocol claims
}

// conversation is what the server remembers between the requests of one main or sub-agent.
type conversation struct {
	steps  int       // replies the script gave
	asked  []string  // ids of the calls in the last of them
	agents []spawned // Codex: the sub-agents that reply started, until all are closed
}

// New starts a server that lives as long as the test. When the test fails, the last requests are logged.
func New(t testing.TB, script Script) *Server {
	t.Helper()
	s := &Server{t: t, script: script, side: harmless, convs: map[string]*conversation{}}
	srv := httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = srv.URL
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
		if t.Failed() {
			t.Log(s.Transcript(12))
		}
	})
	return s
}

// Play replaces the script, for one that needs to know the client's folders. Call it before the first
// client starts.
func (s *Server) Play(script Script) { s.script = script }

// OnSide replaces the answer to a client's own side calls (titles, summaries, topic checks), which
// never reach the script. Call it before the first client starts.
func (s *Server) OnSide(side Script) { s.side = side }

// harmless answers a side call. Gemini's asks which of its models should get the prompt, and would ask
// again and again for two minutes if the answer were not its JSON.
func harmless(turn Turn) Reply {
	if turn.Client == Gemini {
		return Say(`{"reasoning": "scripted", "model_choice": "flash", "complexity_reasoning": "scripted", "complexity_score": 10}`)
	}
	return Say("<summary>The conversation so far.</summary>")
}

// Requests returns every request for a model's answer so far, in the order of arrival.
func (s *Server) Requests() []Turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Turn(nil), s.turns...)
}

// Main returns the requests of main conversations that the script answered, so that the one at index i
// is step i of a single session, whatever the client.
func (s *Server) Main() []Turn {
	return s.only(func(t Turn) bool { return !t.Side && !t.housekeeping && t.Agent == "" })
}

// Agents returns the requests of sub-agents that the script answered.
func (s *Server) Agents() []Turn {
	return s.only(func(t Turn) bool { return !t.Side && !t.housekeeping && t.Agent != "" })
}

func (s *Server) only(want func(Turn) bool) []Turn {
	var out []Turn
	for _, t := range s.Requests() {
		if want(t) {
			out = append(out, t)
		}
	}
	return out
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	for _, p := range []protocol{anthropic{}, responses{}, gemini{}} {
		if p.serve(s, w, r, body) {
			return
		}
	}
	s.mu.Lock()
	s.odd = append(s.odd, fmt.Sprintf("%s %s", r.Method, r.URL))
	s.mu.Unlock()
	http.Error(w, `{"error":{"type":"not_found_error","message":"no such endpoint in the scripted model"}}`, http.StatusNotFound)
}

// protocol is one client's wire format. serve answers r and returns true when the request is its own.
type protocol interface {
	serve(s *Server, w http.ResponseWriter, r *http.Request, body []byte) bool
}

// answer completes turn, asks the script and records both. It never blocks other conversations.
func (s *Server) answer(turn Turn) Reply {
	turn.At = time.Now()
	s.mu.Lock()
	c := s.convs[turn.conversation()]
	if c == nil {
		c = &conversation{}
		s.convs[turn.conversation()] = c
	}
	turn.Step, turn.asked = c.steps, c.asked
	own, busy := c.housekeeping(&turn)
	turn.housekeeping = busy
	if !turn.Side && !busy {
		c.steps++
	}
	turn.N = len(s.turns) + 1
	s.turns = append(s.turns, turn)
	s.mu.Unlock()

	reply := own
	switch {
	case turn.Side:
		reply = s.ask(s.side, turn)
	case !busy:
		reply = s.ask(s.script, turn)
		if reply.empty() {
			s.t.Errorf("scripted model: no reply for request %d: %s", turn.N, turn.String())
			reply = Say("The script has no reply for this request.")
		}
	}
	if reply.Usage == (Usage{}) {
		reply.Usage = Usage{Input: 100, Output: 10}
	}
	reply.spell(turn)
	s.mu.Lock()
	if !turn.Side && !busy {
		c.asked = nil
		for _, tool := range reply.tools {
			c.asked = append(c.asked, tool.id)
		}
	}
	s.turns[turn.N-1].Reply = reply
	s.mu.Unlock()
	return reply
}

func (s *Server) ask(script Script, turn Turn) (reply Reply) {
	defer func() {
		if p := recover(); p != nil {
			s.t.Errorf("scripted model: the script panicked on request %d: %v\n%s", turn.N, p, debug.Stack())
			reply = Say("The script panicked.")
		}
	}()
	reply = script(turn)
	reply.spell(turn) // an input that is not JSON panics here, where the test learns of it
	return reply
}
