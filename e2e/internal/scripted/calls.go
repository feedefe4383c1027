//go:build unix

package scripted

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Use calls a tool by name, in whatever way the client defines it.
func Use(name string, input any) Call {
	return func(Turn) []tool {
		namespace, short, found := strings.Cut(name, ".")
		if !found {
			namespace, short = "", name
		}
		return []tool{{namespace: namespace, name: short, input: input}}
	}
}

// Shell runs a command in the foreground, as the client's own shell tool does it: with its
// permissions, its sandbox and its environment. The limit is 30 seconds.
func Shell(command string) Call { return shell(command, 30*time.Second) }

// LongShell is Shell with a limit of two minutes, the one that Claude Code sets by itself. Codex hands
// control back after 30 seconds all the same.
func LongShell(command string) Call { return shell(command, 2*time.Minute) }

func shell(command string, limit time.Duration) Call {
	return func(t Turn) []tool {
		switch t.Client {
		case Codex:
			input := map[string]any{"cmd": command, "yield_time_ms": 30000}
			if !t.Offers("exec_command") && t.Offers("functions.exec") { // code mode: tools are called from JavaScript
				return []tool{{namespace: "functions", name: "exec", source: fmt.Sprintf("const r = await tools.exec_command(%s);\ntext(r);", compact(input))}}
			}
			return []tool{{name: "exec_command", input: input}}
		case Gemini:
			return []tool{{name: "run_shell_command", input: map[string]any{"command": command}}}
		}
		return []tool{{name: "Bash", input: map[string]any{"command": command, "description": "Run a command", "timeout": limit.Milliseconds()}}}
	}
}

// Read reads a file. Claude Code wants that before it edits or overwrites one.
func Read(path string) Call {
	return func(t Turn) []tool {
		switch t.Client {
		case Codex:
			return Shell("cat " + quote(path))(t)
		case Gemini:
			return []tool{{name: "read_file", input: map[string]any{"file_path": path}}}
		}
		return []tool{{name: "Read", input: map[string]any{"file_path": path}}}
	}
}

// Write writes a whole file. path is absolute.
func Write(path, content string) Call {
	return func(t Turn) []tool {
		switch t.Client {
		case Codex:
			return Shell(fmt.Sprintf("printf %%s %s > %s", quote(content), quote(path)))(t)
		case Gemini:
			return []tool{{name: "write_file", input: map[string]any{"file_path": path, "content": content}}}
		}
		return []tool{{name: "Write", input: map[string]any{"file_path": path, "content": content}}}
	}
}

// Edit replaces the lines old, which occur once in the file, by the lines new. Codex does it with its
// apply_patch command. path is absolute.
func Edit(path, old, new string) Call {
	return func(t Turn) []tool {
		switch t.Client {
		case Codex:
			var p strings.Builder
			fmt.Fprintf(&p, "apply_patch <<'END_OF_PATCH'\n*** Begin Patch\n*** Update File: %s\n@@\n", path)
			for line := range strings.Lines(strings.TrimSuffix(old, "\n") + "\n") {
				p.WriteString("-" + line)
			}
			for line := range strings.Lines(strings.TrimSuffix(new, "\n") + "\n") {
				p.WriteString("+" + line)
			}
			p.WriteString("*** End Patch\nEND_OF_PATCH\n")
			return Shell(p.String())(t)
		case Gemini:
			return []tool{{name: "replace", input: map[string]any{"file_path": path, "instruction": "Replace the lines.", "old_string": old, "new_string": new}}}
		}
		return []tool{{name: "Edit", input: map[string]any{"file_path": path, "old_string": old, "new_string": new}}}
	}
}

// Skill loads a skill: Claude Code with its Skill tool by name ("plugin:skill"), Codex by reading the
// file, as its models are told to.
func Skill(name, args, file string) Call {
	return func(t Turn) []tool {
		if t.Client == Codex {
			return Read(file)(t)
		}
		return []tool{{name: "Skill", input: map[string]any{"skill": name, "args": args}}}
	}
}

// Agent is a sub-agent to start.
type Agent struct {
	Type   string // Claude Code: "general-purpose", "plugin:agent"; Codex ignores it (there is one kind)
	Prompt string
}

// Spawn starts sub-agents side by side. The script gets its next turn when all have ended, with their
// final texts in Turn.AgentResults: Claude Code waits by itself, and for Codex the server makes the
// wait_agent and close_agent calls that a model would make.
func Spawn(agents ...Agent) Call {
	return func(t Turn) []tool { return spawn(t, agents, false) }
}

// SpawnBackground starts sub-agents and does not wait. Claude Code alone has this: its turn goes on,
// and it wakes the main conversation as each one ends.
func SpawnBackground(agents ...Agent) Call {
	return func(t Turn) []tool { return spawn(t, agents, true) }
}

func spawn(t Turn, agents []Agent, background bool) []tool {
	var out []tool
	for i, a := range agents {
		switch {
		case t.Client == Codex && t.Offers(codexAgentsV2+".spawn_agent"):
			name := fmt.Sprintf("task_%d_%d", t.N, i+1) // unique in the session
			out = append(out, tool{namespace: codexAgentsV2, name: "spawn_agent", input: map[string]any{"task_name": name, "message": a.Prompt, "fork_turns": "none"}})
			continue
		case t.Client == Codex:
			out = append(out, tool{namespace: codexAgents, name: "spawn_agent", input: map[string]any{"message": a.Prompt}})
			continue
		}
		in := map[string]any{"subagent_type": a.Type, "prompt": a.Prompt, "description": fmt.Sprintf("Agent %d", i+1)}
		if background {
			in["run_in_background"] = true
		}
		out = append(out, tool{name: "Agent", input: in})
	}
	return out
}

// Question is one question to the person at the terminal.
type Question struct {
	Header  string // at most 12 characters
	Text    string
	Options []string // two to four (Codex: two or three)
	Multi   bool     // several may be chosen; Claude Code alone
}

// Ask puts questions to the person: AskUserQuestion in an interactive Claude Code, request_user_input
// in Codex, which has it in Plan mode alone.
func Ask(questions ...Question) Call {
	return func(t Turn) []tool {
		var list []map[string]any
		for i, q := range questions {
			var options []map[string]any
			for _, o := range q.Options {
				options = append(options, map[string]any{"label": o, "description": o})
			}
			m := map[string]any{"question": q.Text, "header": q.Header, "options": options}
			if t.Client == Codex {
				m["id"] = fmt.Sprintf("q%d", i+1)
			} else {
				m["multiSelect"] = q.Multi
			}
			list = append(list, m)
		}
		name := "AskUserQuestion"
		if t.Client == Codex {
			name = "request_user_input"
		}
		return []tool{{name: name, input: map[string]any{"questions": list}}}
	}
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// compact is v as JSON; v comes from a decoded request, so it always has one.
func compact(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
