//go:build unix

package scripted

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// text is what a content field says: a string, or the texts of its blocks joined by line breaks.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var blocks []struct {
		Text      string
		Encrypted string `json:"encrypted_content"` // a scripted model does not encrypt: the text itself
	}
	if json.Unmarshal(raw, &blocks) != nil {
		return string(raw)
	}
	var parts []string
	for _, b := range blocks {
		if t := b.Text + b.Encrypted; t != "" {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, "\n")
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintln(w, compact(v))
}

// pause waits d; false means that the client went away meanwhile.
func pause(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	select {
	case <-time.After(d):
		return true
	case <-r.Context().Done():
		return false
	}
}

// events writes server-sent events whose data names their type, as both APIs do.
type events struct {
	w http.ResponseWriter
	n int
}

func newEvents(w http.ResponseWriter) *events {
	w.Header().Set("Content-Type", "text/event-stream")
	return &events{w: w}
}

func (e *events) send(kind string, data map[string]any) {
	data["type"] = kind
	fmt.Fprintf(e.w, "event: %s\ndata: %s\n\n", kind, compact(data))
}

// data writes an event without a type.
func (e *events) data(v any) {
	fmt.Fprintf(e.w, "data: %s\n\n", compact(v))
}
