package hook

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/tidwall/gjson"

	"rulph/internal/artifact"
	"rulph/internal/loop"
	"rulph/internal/prompt"
	"rulph/internal/session"
)

// output has only keys that both clients accept; Codex refuses an answer with any other.
type output struct {
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"`
	System   string `json:"systemMessage,omitempty"`
}

func (o output) bytes() []byte {
	b, err := json.Marshal(o)
	if err != nil {
		return nil
	}
	return append(b, '\n')
}

// stop lets the session end its turn, or blocks with the next step.
func (h handler) stop() []byte {
	if h.event.agentID != "" || h.pending("background_tasks") || h.pending("session_crons") {
		return nil // the client wakes the model by itself when they end
	}
	// The state is parsed once, under the lock: what Locate looks at is only its status.
	store, _, ok := session.Locate(h.env.Getenv, h.event.cwd, h.event.sid, maybeActive)
	if !ok {
		return nil
	}
	var s loop.State
	var d loop.Decision
	err := store.Transform(h.event.sid, func(doc []byte) ([]byte, error) {
		var err error
		if s, err = loop.Parse(doc); err != nil || !s.Live() || s.Waiting {
			return nil, err // cancelled or cleared meanwhile: never written again
		}
		sign := ""
		if s.Target != nil {
			sign = artifact.Signature(s.Target.Files)
		}
		if s, d = loop.Stop(s, loop.Mark(doc, sign), h.env.Now().UTC()); d.Over {
			return loop.Finish(s, d, h.env.Now().UTC()).Write(doc)
		}
		return s.WriteCounters(doc)
	})
	if err != nil {
		h.log("session %s: %v", h.event.sid, err)
		return nil // a block that cannot be counted could be repeated for ever
	}
	switch {
	case !s.Live() || s.Waiting:
		return nil
	case d.Over:
		return h.over(store, d)
	}
	changed := s.Target != nil && artifact.Signature(s.Target.Files) != s.Target.Sign
	return output{Decision: "block", Reason: loop.NextStep(s, changed, h.cli()).Text}.bytes()
}

// maybeActive says that a state holds a loop which is not known to be over: no status means active.
func maybeActive(doc []byte) bool {
	status := gjson.GetBytes(doc, loop.Key+".status")
	return gjson.GetBytes(doc, loop.Key).IsObject() && (!status.Exists() || status.Str == string(loop.Active))
}

func (h handler) pending(list string) bool {
	v := h.event.get(list)
	return v.IsArray() && v.Get("#").Int() > 0
}

// over closes a loop that has ended: the report first, then the status. A report that cannot be
// written does not keep the session from stopping.
func (h handler) over(store session.Store, d loop.Decision) []byte {
	cli := filepath.Join(filepath.Dir(h.env.Executable), "hoyeon-cli")
	if err := h.env.Report(cli, store.Home, h.event.sid, h.event.cwd); err != nil {
		h.log("report: %v", err)
	}
	report := ""
	err := store.Transform(h.event.sid, func(doc []byte) ([]byte, error) {
		s, err := loop.Parse(doc)
		if err != nil {
			return nil, err
		}
		report = s.Report
		if s.Status != loop.Active {
			return nil, nil // the report closed it
		}
		return loop.Complete(s, "").Write(doc)
	})
	if err != nil {
		h.log("stop: %v", err)
	}
	message := fmt.Sprintf("rulph: the loop ended %s: %s.", d.Result, d.Reason)
	if report != "" {
		message += " Report: " + filepath.Join(report, "report.md")
	} else {
		message += " There is no report; '" + h.cli().Rulph("report") + "' writes it."
	}
	return output{System: message}.bytes()
}

// subagentStop takes in the verdict of a judge that ran as a sub-agent, and the answers of a trial. A malformed one is sent back
// once, with what is wrong; everybody else's sub-agents are left alone.
func (h handler) subagentStop() []byte {
	message := h.event.get("last_assistant_message")
	// Without a type it is no sub-agent: Claude Code ends a compaction with this event too, and its
	// summary may quote a verdict.
	if message.Type != gjson.String || h.event.get("agent_type").Str == "" {
		return nil
	}
	tickets := prompt.Tickets(message.Str)
	if out, ours := h.trialAnswer(message.Str, tickets); ours {
		return out
	}
	store, _, s, ok := h.find()
	if !ok || s.Pending == nil {
		return nil
	}
	judge, ours := s.SeatOf(tickets)
	if !ours {
		if len(tickets) > 0 || !h.ourJudge() {
			return nil
		}
		if judge, ours = s.OnlySeat(); !ours {
			return h.askForTicket(s)
		}
	}
	intake, reason, ticket := prompt.Intake(""), "", ""
	err := store.Transform(h.event.sid, func(doc []byte) ([]byte, error) {
		s, err := loop.Parse(doc)
		if err != nil || !s.Live() {
			return nil, err
		}
		if s, intake, reason, err = loop.Take(s, judge, []byte(message.Str)); err != nil {
			return nil, err
		}
		ticket = s.Pending.Seats[judge].Ticket
		s.ProgressAt = h.env.Now().UTC()
		return s.Write(doc)
	})
	if err != nil {
		h.log("verdict of %s: %v", judge, err)
		return nil
	}
	if intake != prompt.Mend {
		return nil
	}
	return output{Decision: "block", Reason: fmt.Sprintf("This answer cannot be used: %s. Answer once more with nothing but the JSON object in the form of the prompt, with \"ticket\": %q.", reason, ticket)}.bytes()
}

// ourJudge says that the sub-agent is the plugin's own judge, which only Claude Code tells.
func (h handler) ourJudge() bool {
	return h.event.get("agent_type").Str == "rulph:judge"
}

// askForTicket sends a judge back that answered without its ticket while several are out, once.
func (h handler) askForTicket(s loop.State) []byte {
	if s.Seated() == 0 || h.event.get("stop_hook_active").Bool() {
		return nil
	}
	return output{Decision: "block", Reason: "This answer cannot be used: it does not repeat the ticket of the prompt. Answer once more with nothing but the JSON object in the form of the prompt, with its \"ticket\"."}.bytes()
}
