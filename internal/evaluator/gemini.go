package evaluator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// geminiOrder is the argument of -p, which gemini appends to what it reads from its standard input.
const geminiOrder = "Do what the text above asks for."

// nobody is a name that no server, extension, tool or file has.
const nobody = "hoyeon-none"

// gemini runs `gemini -p` in a home of ours, see geminiHome. --skip-trust is needed for anything but
// reading, and lets the working folder configure the client; an empty one does not, and an improver's must
// not.
func (a *asking) gemini(p place) (call, error) {
	if own := filepath.Join(p.dir, ".gemini"); readable(own) {
		return call{}, fmt.Errorf("cannot work beside %s, which would configure it; leave that folder out of the copy", own)
	}
	home, err := geminiHome(a.Env, p, geminiSettings(a.improve, a.Effort))
	if err != nil {
		return call{}, err
	}
	mode, system := "auto_edit", "0" // "0" is the client's own system prompt
	if !a.improve {
		mode = "plan"
		if system, err = p.write("system.md", []byte(judgeRole+"\n")); err != nil {
			return call{}, err
		}
	}
	args := []string{
		"-p", geminiOrder, "-o", "json", "--skip-trust", "--approval-mode", mode,
		"-e", nobody, "--allowed-mcp-server-names", nobody,
	}
	if a.Model != "" {
		args = append(args, "-m", a.Model)
	}
	env := clientEnv(a.Env, a.Family(), nil,
		"PWD="+p.dir, "TMPDIR="+p.temp, "GEMINI_CLI_HOME="+home, "GEMINI_SYSTEM_MD="+system, "GEMINI_SANDBOX=false", "GEMINI_TELEMETRY_ENABLED=false",
	)
	return call{args: args, env: env, read: readGemini}, nil
}

// geminiTools are the tools of an improver: none of them runs a command or reaches the network.
var geminiTools = []string{"read_file", "read_many_files", "list_directory", "glob", "grep_search", "replace", "write_file"}

// geminiSettings switch off what a judge or an improver has no use for.
func geminiSettings(improve bool, effort string) map[string]any {
	tools := []string{nobody}
	if improve {
		tools = geminiTools
	}
	s := map[string]any{
		"general": map[string]any{
			"enableAutoUpdate": false, "enableAutoUpdateNotification": false, "topicUpdateNarration": false,
			"plan": map[string]any{"enabled": true, "modelRouting": false}, "checkpointing": map[string]any{"enabled": false},
		},
		"context": map[string]any{
			"includeDirectoryTree": false, "includeDirectories": []string{}, "memoryBoundaryMarkers": []string{},
			"loadMemoryFromIncludeDirectories": false,
		},
		"tools":        map[string]any{"core": tools, "sandbox": false, "discoveryCommand": "", "callCommand": ""},
		"mcp":          map[string]any{"serverCommand": "", "allowed": []string{nobody}},
		"hooksConfig":  map[string]any{"enabled": false},
		"skills":       map[string]any{"enabled": false},
		"ide":          map[string]any{"enabled": false},
		"telemetry":    map[string]any{"enabled": false},
		"advanced":     map[string]any{"ignoreLocalEnv": true},
		"experimental": map[string]any{"enableAgents": false, "autoMemory": false, "extensionReloading": false},
	}
	if effort != "" {
		s["modelConfigs"] = map[string]any{"customOverrides": []any{map[string]any{
			"match":       map[string]any{"overrideScope": "core"},
			"modelConfig": map[string]any{"generateContentConfig": map[string]any{"thinkingConfig": map[string]any{"thinkingLevel": strings.ToUpper(effort)}}},
		}}}
	}
	return s
}

// geminiOutput is the one object of `-o json`.
type geminiOutput struct {
	Response string
	Error    *struct{ Type, Message string }
	Stats    *struct {
		Models map[string]struct {
			Tokens struct{ Prompt, Candidates, Cached, Thoughts, Tool int64 }
			Roles  map[string]json.RawMessage
		}
	}
}

// readGemini reads the object from standard output or, of a run that failed, from the end of standard
// error. The usage is that of all models: gemini asks a small one which of the large ones is to have the
// prompt.
func readGemini(o Outcome) answer {
	var out geminiOutput
	if len(bytes.TrimSpace(o.Stdout)) == 0 {
		if at := bytes.LastIndex(o.Stderr, []byte("\n{\n")); at < 0 || json.Unmarshal(o.Stderr[at:], &out) != nil || out.Error == nil {
			return answer{}
		}
	} else if json.Unmarshal(o.Stdout, &out) != nil || out.Stats == nil && out.Error == nil {
		return unread(o)
	}
	var ans answer
	if out.Stats != nil {
		for _, name := range slices.Sorted(maps.Keys(out.Stats.Models)) {
			m := out.Stats.Models[name]
			ans.told = true
			u := Usage{Input: m.Tokens.Prompt + m.Tokens.Tool, Cached: m.Tokens.Cached, Output: m.Tokens.Candidates + m.Tokens.Thoughts}
			if _, main := m.Roles["main"]; main || len(out.Stats.Models) == 1 {
				u.Model = name
			}
			ans.usage.Add(u)
		}
	}
	if e := out.Error; e != nil {
		ans.failure = serverMessage(e.Message)
		return ans
	}
	ans.text = out.Response
	return ans
}
