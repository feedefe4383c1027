//go:build unix

package scripted

import (
	"fmt"
	"strings"
)

// String is the turn in one line: who asked, and the newest message.
func (t Turn) String() string {
	who := string(t.Client)
	switch {
	case t.Side:
		who += " side call"
	case t.Agent != "":
		who += " sub-agent " + t.Agent
	default:
		who += " main"
	}
	last := "nothing"
	for _, m := range t.History {
		if m.Kind == System || m.Kind == User && note(m.Text) {
			continue
		}
		last = string(m.Kind)
		if m.Tool != "" {
			last += " " + m.Tool
		}
		last += " " + clip(m.Text, 600)
	}
	return fmt.Sprintf("%s, step %d, model %s: %s", who, t.Step, t.Model, last)
}

// Transcript is the last n requests with their answers, for a person who reads a failed test.
func (s *Server) Transcript(n int) string {
	turns := s.Requests()
	var b strings.Builder
	fmt.Fprintf(&b, "scripted model: %d requests", len(turns))
	if len(turns) > n {
		fmt.Fprintf(&b, ", the last %d:", n)
		turns = turns[len(turns)-n:]
	}
	b.WriteByte('\n')
	for _, t := range turns {
		fmt.Fprintf(&b, "%3d  %s\n     -> %s\n", t.N, t.String(), t.Reply.String())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.odd {
		fmt.Fprintf(&b, "     no such endpoint: %s\n", o)
	}
	return b.String()
}
