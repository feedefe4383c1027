package evaluator

import (
	"bytes"
	"encoding/json"
	"os"
)

// codex runs `codex exec` in a CODEX_HOME of ours, see codexHome.private. With a login in the keyring it
// has to be the person's own: then --ignore-user-config keeps their settings out, but not AGENTS.md.
func (a *asking) codex(p place) (call, error) {
	h, err := readCodexHome(a.Env)
	if err != nil {
		return call{}, err
	}
	last := p.file("last-message")
	sandbox := "read-only"
	if a.improve {
		sandbox = "workspace-write"
	}
	args := []string{
		"exec", "--json", "--ephemeral", "--skip-git-repo-check", "--ignore-rules", "--color", "never",
		"-s", sandbox, "-C", p.dir, "-o", last,
	}
	set := []string{"PWD=" + p.dir, "TMPDIR=" + p.temp}
	settings := codexSettings(a.improve)
	if h.inKeyring() {
		options, err := h.options(settings)
		if err != nil {
			return call{}, err
		}
		args = append(append(args, "--ignore-user-config"), options...)
	} else {
		home, err := h.private(p, settings)
		if err != nil {
			return call{}, err
		}
		set = append(append(set, h.vars...), "CODEX_HOME="+home)
	}
	if a.Model != "" {
		args = append(args, "-m", a.Model)
	}
	if a.Effort != "" {
		args = append(args, "-c", "model_reasoning_effort="+quoteTOML(a.Effort))
	}
	env := clientEnv(a.Env, a.Family(), h.keys, set...)
	return call{args: append(args, "-"), env: env, read: func(o Outcome) answer { return readCodex(o, last) }}, nil
}

// codexSettings switch off what a judge or an improver has no use for. A judge gets no shell either; an
// improver's has no network and may write its working folder and a temporary folder of ours alone.
func codexSettings(improve bool) map[string]any {
	features := map[string]any{}
	for _, name := range []string{
		"apps", "plugins", "remote_plugin", "hooks", "memories", "skill_search", "skill_mcp_dependency_install", "tool_suggest",
		"goals", "browser_use", "browser_use_external", "browser_use_full_cdp_access", "in_app_browser", "computer_use",
		"image_generation", "view_image", "sleep_tool", "workspace_dependencies", "shell_snapshot", "daemon_auto_start", "unbounded_connection_retries",
	} {
		features[name] = false
	}
	if !improve {
		features["shell_tool"], features["unified_exec"] = false, false
	}
	return map[string]any{
		"features":                    features,
		"web_search":                  "disabled",
		"project_doc_max_bytes":       int64(0),
		"check_for_update_on_startup": false,
		"analytics":                   map[string]any{"enabled": false},
		"agents":                      map[string]any{"enabled": false},
		"history":                     map[string]any{"persistence": "none"},
		"skills":                      map[string]any{"include_instructions": false, "bundled": map[string]any{"enabled": false}},
		"sandbox_workspace_write": map[string]any{
			"network_access": false, "exclude_slash_tmp": true, "exclude_tmpdir_env_var": false,
		},
	}
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
			Type  string
			Error struct{ Message string }
			Item  struct{ Type, Text string }
			Usage *struct {
				Input  int64 `json:"input_tokens"`
				Cached int64 `json:"cached_input_tokens"`
				Output int64 `json:"output_tokens"`
			}
		}
		if json.Unmarshal(line, &e) != nil {
			continue // the first line may have been cut
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
			ans.failure = serverMessage(e.Error.Message)
		}
	}
	return ans
}
