package skilllint

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// specKeys are the frontmatter keys of agentskills.io; every other one is an error to its validator. extraKeys are those
// that Claude Code reads besides, and Codex passes over.
var (
	specKeys  = []string{"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
	extraKeys = []string{
		"when_to_use", "version", "argument-hint", "arguments", "disallowed-tools", "model", "effort", "context", "agent", "background",
		"disable-model-invocation", "user-invocable", "paths", "hooks", "shell", "fallback",
	}
	agentKeys = []string{
		"name", "description", "tools", "disallowedTools", "model", "color", "permissionMode", "skills", "hooks", "mcpServers",
		"maxTurns", "memory", "background", "isolation", "effort", "initialPrompt",
	}
)

// events are the hook events of Claude Code 2.1.
var events = strings.Fields(`PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion SessionStart
	SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated
	TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged MessageDisplay`)

var (
	nameForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	saysWhen = regexp.MustCompile(`(?i)\b(use|used|using|invoke)\b.{0,40}\b(when|whenever|if|to|for|after|before)\b`)
)

// The limits of agentskills.io.
const (
	longestName        = 64
	longestDescription = 1024
	longestCompat      = 500
)

// keysOf checks the keys that skills and agents share: known, single values, and what name and description say.
func (t *text) keysOf(f *front, expected string, known []string) {
	for _, key := range f.order {
		at, value := f.places[key], f.keys[key]
		if !slices.Contains(known, key) {
			t.in(at.Line, at.Column, Wrong, "unknown-key", "unknown key %s%s", key, suggestion(key, known))
			continue
		}
		many := slices.Contains([]string{"metadata", "hooks", "mcpServers"}, key)
		list := slices.Contains([]string{"arguments", "paths", "disallowed-tools", "skills", "tools", "disallowedTools"}, key)
		if value.Kind != yaml.ScalarNode && !many && !(list && value.Kind == yaml.SequenceNode) {
			t.in(value.Line, value.Column, Wrong, "single-value", "%s is no single value: write it as one text", key)
		}
	}
	t.name(f, expected)
	t.description(f)
	for _, key := range []string{"disable-model-invocation", "user-invocable", "background"} {
		if value, set := f.keys[key]; set && value.Value != "true" && value.Value != "false" {
			t.in(value.Line, value.Column, Wrong, "boolean", "%s is %q, want true or false", key, value.Value)
		}
	}
	t.quotes(f)
	t.hooks(f)
}

func (t *text) name(f *front, expected string) {
	value, set := f.keys["name"]
	switch {
	case !set || value.Value == "" && value.Kind == yaml.ScalarNode:
		t.in(1, 1, Wrong, "name-missing", "no name; it is %s, as the folder or the file is called", expected)
	case value.Kind != yaml.ScalarNode:
	case value.Value != expected:
		t.in(value.Line, value.Column, Wrong, "name-folder", "name is %q, want %q, as the folder or the file is called", value.Value, expected)
	case utf8.RuneCountInString(value.Value) > longestName:
		t.in(value.Line, value.Column, Wrong, "name-length", "the name has %d characters, at most %d: Codex leaves such a skill out", utf8.RuneCountInString(value.Value), longestName)
	case !nameForm.MatchString(value.Value):
		t.in(value.Line, value.Column, Wrong, "name-form", "the name %q is not lower case letters and digits with single hyphens between", value.Value)
	}
}

func (t *text) description(f *front) {
	value, set := f.keys["description"]
	switch n := utf8.RuneCountInString(value.Value); {
	case !set:
		t.in(1, 1, Wrong, "description-missing", "no description: Codex leaves such a skill out, and no model knows when to use it")
	case value.Kind != yaml.ScalarNode:
	case strings.TrimSpace(value.Value) == "" || value.Tag == "!!null":
		t.in(value.Line, value.Column, Wrong, "description-missing", "no description: Codex leaves such a skill out, and no model knows when to use it")
	case value.Tag != "!!str":
		t.in(value.Line, value.Column, Wrong, "description-text", "the description is no text: put it in quotes")
	case n > longestDescription:
		t.in(value.Line, value.Column, Wrong, "description-length", "the description has %d characters, at most %d", n, longestDescription)
	case strings.ContainsAny(value.Value, "<>"):
		t.in(value.Line, value.Column, Wrong, "description-tags", "the description has < or > in it, which validators refuse: it could pass for a tag of the prompt")
	}
}

// quotes checks the values that people write: a bare one breaks at the first colon or bracket that is added to it.
func (t *text) quotes(f *front) {
	for _, key := range []string{"description", "argument-hint", "when_to_use"} {
		value, set := f.keys[key]
		if !set || value.Kind != yaml.ScalarNode || value.Value == "" || value.Tag != "!!str" {
			continue
		}
		at := f.places[key]
		line := f.lines[min(at.Line-2, len(f.lines)-1)]
		switch {
		case value.LineComment != "" || value.Style == 0 && strings.Contains(line, " #"):
			t.in(at.Line, at.Column, Wrong, "value-cut", "%s ends at the #, the rest is a comment: put it in quotes", key)
		case value.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 || value.Line != at.Line || !strings.HasSuffix(strings.TrimRight(line, " "), `"`) && !strings.HasSuffix(strings.TrimRight(line, " "), "'"):
			t.in(at.Line, at.Column, Doubtful, "quotes", "put %s in quotes, on one line: a colon or a bracket in it drops the whole file", key)
		}
	}
}

// hooks checks the names of events: one that Claude Code does not know is passed over without a word here, and keeps a
// whole plugin from loading elsewhere.
func (t *text) hooks(f *front) {
	value, set := f.keys["hooks"]
	if !set || value.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(value.Content); i += 2 {
		if key := value.Content[i]; !slices.Contains(events, key.Value) {
			t.in(key.Line+1, key.Column, Wrong, "hook-event", "%s is no event of Claude Code%s", key.Value, suggestion(key.Value, events))
		}
	}
}

// suggestion names the known key that is meant.
func suggestion(key string, known []string) string {
	fold := func(s string) string { return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(s)) }
	for _, k := range known {
		if a, b := fold(key), fold(k); a == b || len(a) > 3 && len(b) > 3 && (near(a, b) || near(b, a)) {
			return "; the nearest known key is " + k
		}
	}
	switch key {
	case "tools":
		return "; a skill's tools are allowed-tools"
	case "allowed-tools":
		return "; an agent's tools are tools"
	}
	return ""
}

// near reports whether a becomes b when one letter is taken out, replaced, or moved by one.
func near(a, b string) bool {
	for i := range len(a) {
		if a[:i]+a[i+1:] == b || len(a) == len(b) && a[:i] == b[:i] && a[i+1:] == b[i+1:] {
			return true
		}
		if i+1 < len(a) && a[:i]+a[i+1:i+2]+a[i:i+1]+a[i+2:] == b {
			return true
		}
	}
	return false
}
