package evaluator

import (
	"bytes"
	"encoding/json"
	"os"
	"strconv"
)

// codex runs `codex exec`.
func (a *asking) codex(p place) (call, error) {
	last := p.file("last-message")
	sandbox := "read-only"
	if a.improve {
		sandbox = "workspace-write"
	}
	args := []string{
		"exec", "--json", "--ephemeral", "--skip-git-repo-check", "--ignore-rules", "--color", "never",
		"-s", sandbox, "-C", p.dir, "-o", last, "--ignore-user-config",
		"-c", "project_doc_max_bytes=0",
	}
	if a.Model != "" {
		args = append(args, "-m", a.Model)
	}
	if a.Effort != "" {
		args = append(args, "-c", "model_reasoning_effort="+strconv.Quote(a.Effort))
	}
	args = append(args, "-")
	env := clientEnv(a.Env, a.Family(), nil, "PWD="+p.dir)
	return call{args: args, env: env, read: func(o Outcome) answer { return readCodex(o, last) }}, nil
}

// readCodex reads the events of `codex exec --json`; last is the file that -o names.
func readCodex(o Outcome, last string) answer {
	ans := readCodexEvents(o.Stdout)
	if text, err := os.ReadFile(last); err == nil && len(bytes.TrimSpace(text)) > 0 && len(text) <= keepReply {
		ans.text = string(text)
	}
	return ans
}

func readCodexEvents(events []byte) answer {
	var ans answer
	for line := range bytes.Lines(events) {
		var e struct {
			Type    string
			Message string
			Error   struct{ Message string }
			Item    struct{ Type, Text string }
			Usage   *struct {
				Input  int64 `json:"input_tokens"`
				Cached int64 `json:"cached_input_tokens"`
				Output int64 `json:"output_tokens"`
			}
		}
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		switch e.Type {
		case "item.completed":
			if e.Item.Type == "agent_message" {
				ans.text = e.Item.Text
			}
		case "turn.completed":
			if u := e.Usage; u != nil {
				ans.told = true
				ans.usage = Usage{Input: u.Input, Cached: u.Cached, Output: u.Output}
			}
		case "turn.failed":
			ans.failure = e.Error.Message
		}
	}
	return ans
}
