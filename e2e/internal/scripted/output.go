//go:build unix

package scripted

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Output is what the newest tool result says, without the client's frame (see Message.Output); ""
// when there is none.
func (t Turn) Output() string {
	for i := len(t.History) - 1; i >= 0; i-- {
		if m := t.History[i]; m.Kind == Result {
			return m.Output()
		}
	}
	return ""
}

// Output is what a command printed, without the frame that a client puts around it; of other tools it
// is the whole text.
func (m Message) Output() string {
	out, _ := m.unframe()
	return out
}

// Exit is the exit status of a command: -1 when the client did not run it (permission, sandbox).
func (m Message) Exit() int {
	_, code := m.unframe()
	return code
}

var codexExit = regexp.MustCompile(`(?m)^Process exited with code (\d+)$`)

func (m Message) unframe() (out string, code int) {
	head, body, framed := strings.Cut(m.Text, "Output:\n")
	switch {
	case framed && strings.HasPrefix(head, "Script completed"): // Codex's code mode
		var r struct {
			Output string
			Exit   int `json:"exit_code"`
		}
		if json.Unmarshal([]byte(body), &r) == nil {
			return r.Output, r.Exit
		}
		return body, 0
	case framed && (strings.HasPrefix(head, "Chunk ID:") || strings.HasPrefix(head, "Wall time:")): // Codex
		if hit := codexExit.FindStringSubmatch(head); hit != nil {
			code, _ = strconv.Atoi(hit[1])
		}
		return body, code
	case m.Error: // Claude Code
		first, rest, _ := strings.Cut(m.Text, "\n")
		if n, err := fmt.Sscanf(first, "Exit code %d", &code); n == 1 && err == nil {
			return rest, code
		}
		return m.Text, -1
	}
	return m.Text, 0
}
