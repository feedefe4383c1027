package evaluator

import (
	"encoding/json"
	"strconv"
	"strings"
)

// judgeRole takes the place of a client's own system prompt, where it lets us: that one tells the model
// that it is a programmer with tools, over thousands of tokens.
const judgeRole = "You are a careful, independent judge. Do exactly what the message asks for, and answer with nothing but what it asks for."

// claude runs `claude -p`. --safe-mode keeps CLAUDE.md files, skills, plugins, hooks, servers and the
// person's own agents and styles out, and keeps the login, which --bare would not.
func (a *asking) claude(p place) (call, error) {
	args := []string{
		"-p", "--output-format", "json", "--safe-mode", "--setting-sources", "", "--strict-mcp-config",
		"--disable-slash-commands", "--no-session-persistence", "--no-chrome",
	}
	if a.improve {
		args = append(args, "--tools", "Read,Edit,Write,Glob,Grep", "--permission-mode", "acceptEdits")
	} else {
		args = append(args, "--tools", "", "--system-prompt", judgeRole)
	}
	if a.Model != "" {
		args = append(args, "--model", a.Model)
	}
	if a.Effort != "" {
		args = append(args, "--effort", a.Effort)
	}
	if a.req.MaxUSD > 0 {
		args = append(args, "--max-budget-usd", strconv.FormatFloat(a.req.MaxUSD, 'f', -1, 64))
	}
	env := clientEnv(a.Env, a.Family(), nil,
		"PWD="+p.dir,
		"CLAUDE_CODE_DISABLE_AUTO_MEMORY=1", "CLAUDE_CODE_DISABLE_CLAUDE_MDS=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_AUTOUPDATER=1",
	)
	return call{args: args, env: env, read: readClaude}, nil
}

// readClaude reads the one object of `--output-format json`.
func readClaude(o Outcome) answer {
	var out struct {
		Type    string
		Subtype string
		IsError bool `json:"is_error"`
		Result  string
		Errors  []string
		USD     *float64 `json:"total_cost_usd"`
		Usage   *struct {
			Input   int64 `json:"input_tokens"`
			Created int64 `json:"cache_creation_input_tokens"`
			Read    int64 `json:"cache_read_input_tokens"`
			Output  int64 `json:"output_tokens"`
		}
		Models map[string]json.RawMessage `json:"modelUsage"`
	}
	if json.Unmarshal(o.Stdout, &out) != nil || out.Type != "result" {
		return unread(o)
	}
	var ans answer
	if u := out.Usage; u != nil {
		ans.told = true
		ans.usage = Usage{Input: u.Input + u.Created + u.Read, Cached: u.Read, Output: u.Output}
	}
	if out.USD != nil {
		ans.cost, ans.usage.USD = true, *out.USD
	}
	if out.IsError {
		ans.failure = strings.TrimSpace(out.Result)
		if ans.failure == "" {
			ans.failure = strings.TrimSpace(out.Subtype + " " + strings.Join(out.Errors, " "))
		}
		return ans
	}
	ans.text = out.Result
	return ans
}
