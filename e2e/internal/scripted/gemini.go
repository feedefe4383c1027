//go:build unix

package scripted

import (
	"encoding/json"
	"net/http"
	"strings"
)

// gemini is generateContent of the Gemini API, as far as a prompt and its tool calls go.
type gemini struct{}

func (p gemini) serve(s *Server, w http.ResponseWriter, r *http.Request, body []byte) bool {
	_, call, ok := strings.Cut(r.URL.Path, "/models/")
	model, verb, ok2 := strings.Cut(call, ":")
	if !ok || !ok2 || r.Method != http.MethodPost {
		return false
	}
	switch verb {
	case "countTokens":
		writeJSON(w, map[string]any{"totalTokens": len(body) / 4})
	case "generateContent", "streamGenerateContent":
		p.generate(s, w, r, model, verb == "streamGenerateContent", body)
	default:
		return false
	}
	return true
}

type geminiContent struct {
	Role  string
	Parts []struct {
		Text         string
		Thought      bool
		FunctionCall *struct {
			ID, Name string
			Args     json.RawMessage
		}
		FunctionResponse *struct {
			ID, Name string
			Response json.RawMessage
		}
	}
}

type geminiRequest struct {
	SystemInstruction geminiContent
	Contents          []geminiContent
	Tools             []struct{ FunctionDeclarations []struct{ Name string } }
	GenerationConfig  struct{ ResponseMimeType string }
}

func (p gemini) generate(s *Server, w http.ResponseWriter, r *http.Request, model string, stream bool, body []byte) {
	var req geminiRequest
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	t := Turn{Client: Gemini, Model: model, Header: r.Header, Body: body}
	for _, part := range req.SystemInstruction.Parts {
		t.System += part.Text
	}
	for _, set := range req.Tools {
		for _, f := range set.FunctionDeclarations {
			t.Tools = append(t.Tools, f.Name)
		}
	}
	for _, c := range req.Contents {
		kind := User
		if c.Role == "model" {
			kind = Said
		}
		for _, part := range c.Parts {
			switch {
			case part.FunctionCall != nil:
				t.History = append(t.History, Message{Kind: Called, Tool: part.FunctionCall.Name, ID: part.FunctionCall.ID, Text: string(part.FunctionCall.Args)})
			case part.FunctionResponse != nil:
				t.History = append(t.History, Message{Kind: Result, Tool: part.FunctionResponse.Name, ID: part.FunctionResponse.ID, Text: string(part.FunctionResponse.Response)})
			case part.Text != "" && !part.Thought:
				t.History = append(t.History, Message{Kind: kind, Text: part.Text})
			}
		}
	}
	// The router and the loop checker have no tools and want JSON; a person's prompt may have no tools either.
	t.Side = len(t.Tools) == 0 && req.GenerationConfig.ResponseMimeType == "application/json"
	reply := s.answer(t)
	if !pause(r, reply.Delay) {
		return
	}
	if reply.Status != 0 {
		w.WriteHeader(reply.Status)
		writeJSON(w, map[string]any{"error": map[string]any{"code": reply.Status, "message": "scripted failure"}})
		return
	}
	var parts []any
	if reply.Text != "" {
		parts = append(parts, map[string]any{"text": reply.Text})
	}
	for _, c := range reply.tools {
		parts = append(parts, map[string]any{"functionCall": map[string]any{"id": c.id, "name": c.name, "args": c.input}})
	}
	out := map[string]any{
		"candidates":    []any{map[string]any{"content": map[string]any{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": map[string]any{"promptTokenCount": reply.Usage.Input, "candidatesTokenCount": reply.Usage.Output, "totalTokenCount": reply.Usage.Input + reply.Usage.Output},
		"modelVersion":  model,
	}
	if stream {
		newEvents(w).data(out)
		return
	}
	writeJSON(w, out)
}
