//go:build unix

package scripted

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
)

// anthropic is the Messages API as Claude Code uses it.
type anthropic struct{}

func (a anthropic) serve(s *Server, w http.ResponseWriter, r *http.Request, body []byte) bool {
	switch {
	case r.Method == http.MethodHead && r.URL.Path == "/":
		w.WriteHeader(http.StatusOK) // the client warms its connection up
	case r.URL.Path == "/v1/messages/count_tokens":
		writeJSON(w, map[string]any{"input_tokens": len(body) / 4})
	case r.Method == http.MethodGet && r.URL.Path == "/v1/models" && r.Header.Get("Anthropic-Version") != "":
		writeJSON(w, map[string]any{"data": []any{}, "has_more": false})
	case r.URL.Path == "/v1/messages":
		a.message(s, w, r, body)
	default:
		return false
	}
	return true
}

type anthropicRequest struct {
	Model    string
	Stream   bool
	System   json.RawMessage
	Tools    []struct{ Name string }
	Messages []struct {
		Role    string
		Content json.RawMessage
	}
}

type anthropicBlock struct {
	Type      string
	Text      string
	ID        string
	Name      string
	Input     json.RawMessage
	ToolUseID string `json:"tool_use_id"`
	IsError   bool   `json:"is_error"`
	Content   json.RawMessage
}

func (a anthropic) message(s *Server, w http.ResponseWriter, r *http.Request, body []byte) {
	var req anthropicRequest
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	t := Turn{
		Client: Claude, Model: req.Model, Header: r.Header, Body: body,
		Session: r.Header.Get("X-Claude-Code-Session-Id"), Agent: r.Header.Get("X-Claude-Code-Agent-Id"),
		System: text(req.System), History: a.history(req),
	}
	for _, tool := range req.Tools {
		t.Tools = append(t.Tools, tool.Name)
	}
	t.Side = a.side(req, t)
	reply := s.answer(t)
	if !pause(r, reply.Delay) {
		return
	}
	if reply.Status != 0 {
		w.Header().Set("X-Should-Retry", "false")
		w.WriteHeader(reply.Status)
		writeJSON(w, map[string]any{"type": "error", "error": map[string]any{"type": "api_error", "message": "scripted failure"}})
		return
	}
	if !req.Stream {
		writeJSON(w, a.whole(req.Model, reply))
		return
	}
	a.stream(w, req.Model, reply)
}

// side tells the client's own calls from the conversation: they ask a small model without tools, or ask
// for the summary that a compaction leaves.
func (anthropic) side(req anthropicRequest, t Turn) bool {
	if t.Agent != "" {
		return false
	}
	small := strings.Contains(req.Model, "haiku") && len(req.Tools) == 0
	return small || strings.Contains(t.LastUser(), "Your task is to create a detailed summary of the conversation so far")
}

func (anthropic) history(req anthropicRequest) []Message {
	var out []Message
	names := map[string]string{}
	for _, m := range req.Messages {
		kind := map[string]Kind{"user": User, "assistant": Said}[m.Role]
		if kind == "" {
			kind = System
		}
		var blocks []anthropicBlock
		if json.Unmarshal(m.Content, &blocks) != nil {
			out = append(out, Message{Kind: kind, Text: text(m.Content)})
			continue
		}
		for _, b := range blocks {
			switch b.Type {
			case "text":
				out = append(out, Message{Kind: kind, Text: b.Text})
			case "tool_use":
				names[b.ID] = b.Name
				out = append(out, Message{Kind: Called, Tool: b.Name, ID: b.ID, Text: string(b.Input)})
			case "tool_result":
				out = append(out, Message{Kind: Result, Tool: names[b.ToolUseID], ID: b.ToolUseID, Text: text(b.Content), Error: b.IsError})
			}
		}
	}
	return out
}

func (anthropic) content(reply Reply) []map[string]any {
	var blocks []map[string]any
	if reply.Text != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": reply.Text})
	}
	for _, c := range reply.tools {
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": c.id, "name": c.name, "input": c.input})
	}
	return blocks
}

// messages numbers the answers. Claude Code joins messages of one id into one, and so would lose the
// order of the conversation.
var messages atomic.Int64

func (a anthropic) whole(model string, reply Reply) map[string]any {
	stop := "end_turn"
	if len(reply.tools) > 0 {
		stop = "tool_use"
	}
	return map[string]any{
		"id": "msg_" + strconv.FormatInt(messages.Add(1), 10), "type": "message", "role": "assistant", "model": model,
		"content": a.content(reply), "stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": reply.Usage.Input, "output_tokens": reply.Usage.Output},
	}
}

func (a anthropic) stream(w http.ResponseWriter, model string, reply Reply) {
	out := newEvents(w)
	start := a.whole(model, reply)
	stop := start["stop_reason"]
	start["content"], start["stop_reason"] = []any{}, nil
	out.send("message_start", map[string]any{"message": start})
	for i, b := range a.content(reply) {
		delta := map[string]any{"type": "text_delta", "text": b["text"]}
		open := map[string]any{"type": "text", "text": ""}
		if b["type"] == "tool_use" {
			delta = map[string]any{"type": "input_json_delta", "partial_json": compact(b["input"])}
			open = map[string]any{"type": "tool_use", "id": b["id"], "name": b["name"], "input": map[string]any{}}
		}
		out.send("content_block_start", map[string]any{"index": i, "content_block": open})
		out.send("content_block_delta", map[string]any{"index": i, "delta": delta})
		out.send("content_block_stop", map[string]any{"index": i})
	}
	out.send("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil},
		"usage": map[string]any{"output_tokens": reply.Usage.Output},
	})
	out.send("message_stop", map[string]any{})
}
