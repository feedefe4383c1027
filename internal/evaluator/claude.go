package evaluator

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// judgeRole takes the place of a client's own system prompt, where it lets us: that one tells the model
// that it is a programmer with tools, over thousands of tokens.
const judgeRole = "You are a careful, independent judge. Do exactly what the message asks for, and answer with nothing but what it asks for."

// claude runs `claude -p`. --safe-mode keeps CLAUDE.md files, skills, plugins, hooks, servers and the
// person's own agents and styles out, and keeps the login, which --bare would not.
func (a *asking) claude(p place) (call, error) {
	settings, err := claudeSettings(a.Env)
	if err != nil {
		return call{}, err
	}
	args := []string{
		"-p", "--output-format", "json", "--safe-mode", "--setting-sources", "", "--strict-mcp-config",
		"--disable-slash-commands", "--no-session-persistence", "--no-chrome",
	}
	if settings != nil {
		path, err := p.write("settings.json", settings)
		if err != nil {
			return call{}, err
		}
		args = append(args, "--settings", path)
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
		"PWD="+p.dir, "TMPDIR="+p.temp,
		"CLAUDE_CODE_DISABLE_AUTO_MEMORY=1", "CLAUDE_CODE_DISABLE_CLAUDE_MDS=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_AUTOUPDATER=1",
	)
	return call{args: args, env: env, read: readClaude}, nil
}

// claudeOutput is the one object of `--output-format json`.
type claudeOutput struct {
	Type    string
	Subtype string // "success", or the name of an error
	IsError bool   `json:"is_error"` // set beside "success" too, where the server answered with an error
	Result  string
	Errors  []string
	USD     *float64 `json:"total_cost_usd"`
	// By model; the usage of the last answer alone, which the object has too, is zero for a run that went
	// over its budget.
	Models map[string]struct {
		Input   int64 `json:"inputTokens"`
		Created int64 `json:"cacheCreationInputTokens"`
		Read    int64 `json:"cacheReadInputTokens"`
		Output  int64 `json:"outputTokens"`
	} `json:"modelUsage"`
}

// readClaude takes the answer, and the usage of all models that the client asked.
func readClaude(o Outcome) answer {
	var out claudeOutput
	if json.Unmarshal(o.Stdout, &out) != nil || out.Type != "result" {
		return unread(o)
	}
	ans := answer{told: out.Models != nil}
	most := int64(-1)
	for _, name := range slices.Sorted(maps.Keys(out.Models)) {
		m := out.Models[name]
		ans.usage.Add(Usage{Input: m.Input + m.Created + m.Read, Cached: m.Read, Output: m.Output})
		if m.Output > most {
			most, ans.usage.Model = m.Output, name
		}
	}
	if out.USD != nil {
		ans.cost, ans.usage.USD = true, *out.USD
	}
	if out.IsError || out.Subtype != "success" {
		why := out.Result
		if why == "" {
			why = strings.Join(append([]string{out.Subtype}, out.Errors...), ": ")
		}
		ans.failure = serverMessage(why)
		return ans
	}
	ans.text = out.Result
	return ans
}
