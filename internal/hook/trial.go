package hook

import (
	"fmt"

	"github.com/tidwall/gjson"

	"rulph/internal/prompt"
	"rulph/internal/session"
	"rulph/internal/trial"
)

// findTrial is the session's trial of a skill in the first home that holds one that still goes on.
func (h handler) findTrial() (store session.Store, s trial.State, ok bool) {
	store, _, ok = session.Locate(h.env.Getenv, h.event.cwd, h.event.sid, func(doc []byte) bool {
		if !gjson.GetBytes(doc, trial.Key).Exists() {
			return false
		}
		parsed, err := trial.Parse(doc)
		if err != nil {
			h.log("session %s: %v", h.event.sid, err)
			return false
		}
		s = parsed
		return s.Live()
	})
	return store, s, ok
}

// trialAnswer takes in what a sub-agent of a trial answered. False: the answer is not one of a trial.
func (h handler) trialAnswer(message string, tickets []string) (out []byte, ours bool) {
	if len(tickets) == 0 {
		return nil, false
	}
	store, s, ok := h.findTrial()
	if !ok {
		return nil, false
	}
	part, ok := s.PartOf(tickets)
	if !ok {
		return nil, false
	}
	ticket := s.Seats[part].Ticket
	used := usage(h.event.get("agent_transcript_path").Str, ticket)
	var got trial.Answered
	err := store.Transform(h.event.sid, func(doc []byte) ([]byte, error) {
		s, err := trial.Parse(doc)
		if err != nil || !s.Live() {
			return nil, err
		}
		if s, got, err = trial.Take(s, part, []byte(message), used, nil); err != nil {
			return nil, err
		}
		if err := got.Keep(store.Dir(h.event.sid)); err != nil {
			return nil, err
		}
		return s.Write(doc)
	})
	if err != nil {
		h.log("answer of %s: %v", part, err)
		return nil, true
	}
	if got.Intake != prompt.Mend {
		return nil, true
	}
	return output{Decision: "block", Reason: fmt.Sprintf("This answer cannot be used: %s. Answer once more, the whole of it, in the form of the prompt, with \"ticket\": %q.", got.Reason, ticket)}.bytes(), true
}
