//go:build unix

package scripted

import (
	"encoding/json"
	"strings"
)

// The namespaces of Codex's tools for sub-agents: what a model gets that the client does not know, and
// what the client's own models get. The second has no close_agent.
const (
	codexAgents   = "multi_agent_v1"
	codexAgentsV2 = "collaboration"
)

// spawned is one sub-agent of the script's last reply.
type spawned struct {
	id     string // agent id or task path; "" when it did not start, and text is the client's reason
	text   string // its final message
	ended  bool
	closed bool
}

// housekeeping makes the calls with which a Codex model waits for the sub-agents it started and closes
// them: spawn_agent returns at once, and an agent that nobody closes counts against the client's limit.
// busy is true while the script has to wait for its turn; reply is then the answer.
func (c *conversation) housekeeping(t *Turn) (reply Reply, busy bool) {
	if t.Client != Codex || t.Side {
		return Reply{}, false
	}
	if len(c.agents) == 0 {
		c.agents = spawnedBy(t)
	}
	for _, m := range t.History {
		c.end(m)
	}
	var open []string
	var closing []Call
	for _, a := range c.agents {
		if !a.ended {
			open = append(open, a.id)
		}
		if !a.closed && !t.Offers(codexAgentsV2+".wait_agent") {
			closing = append(closing, Use(codexAgents+".close_agent", map[string]any{"target": a.id}))
		}
		t.ended = append(t.ended, a.text)
	}
	switch {
	case len(open) > 0 && t.Offers(codexAgentsV2+".wait_agent"):
		return Do(Use(codexAgentsV2+".wait_agent", map[string]any{"timeout_ms": 60000})), true
	case len(open) > 0:
		return Do(Use(codexAgents+".wait_agent", map[string]any{"targets": open, "timeout_ms": 60000})), true
	case len(closing) > 0:
		for i := range c.agents {
			c.agents[i].closed = true
		}
		return Do(closing...), true
	}
	c.agents = nil
	return Reply{}, false
}

func spawnedBy(t *Turn) []spawned {
	var agents []spawned
	for _, m := range t.Results() {
		if m.Tool != codexAgents+".spawn_agent" && m.Tool != codexAgentsV2+".spawn_agent" {
			continue
		}
		var out struct {
			Agent string `json:"agent_id"`
			Task  string `json:"task_name"`
		}
		if json.Unmarshal([]byte(m.Text), &out) != nil || out.Agent+out.Task == "" {
			agents = append(agents, spawned{text: m.Text, ended: true, closed: true})
			continue
		}
		agents = append(agents, spawned{id: out.Agent + out.Task})
	}
	return agents
}

// end takes a sub-agent's end from a notification or from what wait_agent returned, whichever comes
// first.
func (c *conversation) end(m Message) {
	status := map[string]json.RawMessage{}
	switch {
	case m.Kind == User && strings.HasPrefix(m.Text, "<subagent_notification>"):
		var note struct {
			Agent  string `json:"agent_path"`
			Status json.RawMessage
		}
		text := strings.TrimPrefix(m.Text, "<subagent_notification>")
		text, _, _ = strings.Cut(text, "</subagent_notification>")
		if json.Unmarshal([]byte(text), &note) != nil {
			return
		}
		status[note.Agent] = note.Status
	case m.Kind == Result && m.Tool == codexAgents+".wait_agent":
		var out struct{ Status map[string]json.RawMessage }
		if json.Unmarshal([]byte(m.Text), &out) != nil {
			return
		}
		status = out.Status
	}
	for i, a := range c.agents {
		raw, ok := status[a.id]
		if !ok || a.ended {
			continue
		}
		// {"completed": TEXT}; an agent that failed has another key or a bare word.
		var done struct{ Completed *string }
		c.agents[i].ended, c.agents[i].text = true, string(raw)
		if json.Unmarshal(raw, &done) == nil && done.Completed != nil {
			c.agents[i].text = *done.Completed
		}
	}
}
