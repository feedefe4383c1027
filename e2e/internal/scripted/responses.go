//go:build unix

package scripted

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// responses is the OpenAI Responses API as Codex uses it.
type responses struct{}

func (p responses) serve(s *Server, w http.ResponseWriter, r *http.Request, body []byte) bool {
	switch {
	case r.Method == http.MethodGet && r.URL.Path == "/v1/models":
		writeJSON(w, map[string]any{"object": "list", "data": []any{}, "models": []any{}})
	case r.Method == http.MethodPost && r.URL.Path == "/v1/responses":
		p.respond(s, w, r, body)
	default:
		return false
	}
	return true
}

type responsesRequest struct {
	Model        string
	Instructions string
	Input        []struct {
		Type      string
		Role      string
		Author    string // of a message between agents
		Content   json.RawMessage
		Name      string
		Namespace string
		Arguments string
		Input     string // of a custom tool: the program text
		CallID    string `json:"call_id"`
		Output    json.RawMessage
		Tools     []responsesTool
	}
	Tools []responsesTool
}

type responsesTool struct {
	Type, Name string
	Tools      []responsesTool
}

func (t responsesTool) names() []string {
	if t.Type != "namespace" {
		return []string{t.Name}
	}
	var out []string
	for _, inner := range t.Tools {
		out = append(out, t.Name+"."+inner.Name)
	}
	return out
}

func (p responses) respond(s *Server, w http.ResponseWriter, r *http.Request, body []byte) {
	var req responsesRequest
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	t := Turn{
		Client: Codex, Model: req.Model, Header: r.Header, Body: body,
		Session: r.Header.Get("Session-Id"), System: req.Instructions,
	}
	if r.Header.Get("X-Codex-Parent-Thread-Id") != "" {
		t.Agent = r.Header.Get("Thread-Id")
	}
	for _, tool := range req.Tools {
		t.Tools = append(t.Tools, tool.names()...)
	}
	p.history(req, &t)
	t.Side = p.side(r)
	reply := s.answer(t)
	if !pause(r, reply.Delay) {
		return
	}
	if reply.Status != 0 {
		w.WriteHeader(reply.Status)
		writeJSON(w, map[string]any{"error": map[string]any{"type": "server_error", "message": "scripted failure"}})
		return
	}
	p.stream(w, t.N, reply)
}

// side tells the client's own calls (compaction, a title for the thread) from the turns of a person's
// or a sub-agent's conversation.
func (responses) side(r *http.Request) bool {
	var meta struct {
		Kind   string `json:"request_kind"`
		Source string `json:"thread_source"`
	}
	if json.Unmarshal([]byte(r.Header.Get("X-Codex-Turn-Metadata")), &meta) != nil {
		return false
	}
	return meta.Kind != "turn" || meta.Source != "user" && meta.Source != "subagent"
}

func (responses) history(req responsesRequest, t *Turn) {
	names := map[string]string{}
	for _, in := range req.Input {
		switch in.Type {
		case "additional_tools": // where the models that Codex knows get theirs
			for _, tool := range in.Tools {
				t.Tools = append(t.Tools, tool.names()...)
			}
		case "message":
			kind := map[string]Kind{"user": User, "assistant": Said}[in.Role]
			if kind == "" {
				kind = System
			}
			var blocks []struct{ Text string }
			if json.Unmarshal(in.Content, &blocks) != nil {
				t.History = append(t.History, Message{Kind: kind, Text: text(in.Content)})
			}
			for _, b := range blocks {
				t.History = append(t.History, Message{Kind: kind, Text: b.Text})
			}
		case "agent_message":
			t.History = append(t.History, Message{Kind: User, Text: mail(in.Author, text(in.Content))})
		case "function_call", "custom_tool_call":
			name := tool{namespace: in.Namespace, name: in.Name}.fullName()
			names[in.CallID] = name
			t.History = append(t.History, Message{Kind: Called, Tool: name, ID: in.CallID, Text: in.Arguments + in.Input})
		case "function_call_output", "custom_tool_call_output":
			t.History = append(t.History, Message{Kind: Result, Tool: names[in.CallID], ID: in.CallID, Text: text(in.Output)})
		}
	}
}

// mail is a message between agents as the client's older tools put it: the task as a plain user text,
// and the final answer as a notification.
func mail(author, text string) string {
	head, payload, ok := strings.Cut(text, "\nPayload:\n")
	payload = strings.TrimPrefix(payload, "\n") // an encrypted payload is a block of its own
	if ok && strings.HasPrefix(head, "Message Type: FINAL_ANSWER") {
		note := map[string]any{"agent_path": author, "status": map[string]any{"completed": payload}}
		return "<subagent_notification>\n" + compact(note) + "\n</subagent_notification>"
	}
	if ok {
		return payload
	}
	return text
}

func (responses) stream(w http.ResponseWriter, n int, reply Reply) {
	out := newEvents(w)
	id := fmt.Sprintf("resp_%d", n)
	out.send("response.created", map[string]any{"response": map[string]any{"id": id}})
	var items []map[string]any
	if reply.Text != "" {
		items = append(items, map[string]any{
			"type": "message", "role": "assistant", "id": "msg_" + id,
			"content": []any{map[string]any{"type": "output_text", "text": reply.Text}},
		})
	}
	for _, c := range reply.tools {
		item := map[string]any{"type": "function_call", "id": "fc_" + c.id, "call_id": c.id, "name": c.name, "arguments": c.args()}
		if c.source != "" {
			item = map[string]any{"type": "custom_tool_call", "id": "ctc_" + c.id, "call_id": c.id, "name": c.name, "input": c.source}
		}
		if c.namespace != "" {
			item["namespace"] = c.namespace
		}
		items = append(items, item)
	}
	for i, item := range items {
		out.send("response.output_item.added", map[string]any{"output_index": i, "item": item})
		out.send("response.output_item.done", map[string]any{"output_index": i, "item": item})
	}
	out.send("response.completed", map[string]any{"response": map[string]any{
		"id": id, "usage": map[string]any{
			"input_tokens": reply.Usage.Input, "input_tokens_details": nil,
			"output_tokens": reply.Usage.Output, "output_tokens_details": nil,
			"total_tokens": reply.Usage.Input + reply.Usage.Output,
		},
	}})
}
