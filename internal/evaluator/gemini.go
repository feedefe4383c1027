package evaluator

import (
	"encoding/json"
	"strings"
)

// geminiOrder is the argument of -p, which gemini appends to what it reads from its standard input.
const geminiOrder = "Do what the text above asks for."

// gemini runs `gemini -p`.
func (a *asking) gemini(p place) (call, error) {
	mode := "plan"
	if a.improve {
		mode = "auto_edit"
	}
	args := []string{
		"-p", geminiOrder, "-o", "json", "--skip-trust", "--approval-mode", mode,
		"-e", "none", "--allowed-mcp-server-names", "none-at-all",
	}
	if a.Model != "" {
		args = append(args, "-m", a.Model)
	}
	env := clientEnv(a.Env, a.Family(), nil, "PWD="+p.dir)
	return call{args: args, env: env, read: readGemini}, nil
}

// readGemini reads the one object of `-o json`.
func readGemini(o Outcome) answer {
	var out struct {
		Response string
		Error    *struct{ Type, Message string }
		Stats    struct {
			Models map[string]struct {
				Tokens struct{ Input, Prompt, Candidates, Cached, Thoughts, Total int64 }
			}
		}
	}
	if json.Unmarshal(o.Stdout, &out) != nil {
		return answer{failure: "it did not print a result: " + firstWords(o)}
	}
	var ans answer
	for model, m := range out.Stats.Models {
		ans.told = true
		ans.usage.Add(Usage{Input: m.Tokens.Prompt, Cached: m.Tokens.Cached, Output: m.Tokens.Candidates + m.Tokens.Thoughts, Model: model})
	}
	if out.Error != nil {
		ans.failure = strings.TrimSpace(out.Error.Message)
		return ans
	}
	ans.text = out.Response
	return ans
}
