package lint

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// What the clients do with a skill they do not like is to leave it out without a word, and their validators let
// most of it pass. So the rules are here: those of agentskills.io, with the extra keys that Claude Code reads.

const maxSkillLines = 200

// skillKeys are the frontmatter keys of a skill: those of agentskills.io, then Claude Code's own.
var skillKeys = []string{
	"name", "description", "license", "compatibility", "metadata", "allowed-tools",
	"when_to_use", "version", "argument-hint", "arguments", "disallowed-tools", "model", "effort", "context", "agent", "background",
	"disable-model-invocation", "user-invocable", "paths", "hooks", "shell", "fallback",
}

// agentKeys are the frontmatter keys of a sub-agent of Claude Code.
var agentKeys = []string{
	"name", "description", "tools", "disallowedTools", "model", "color", "permissionMode", "skills", "hooks", "mcpServers",
	"maxTurns", "memory", "background", "isolation", "effort", "initialPrompt",
}

var (
	nameForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	saysWhen = regexp.MustCompile(`(?i)\b(use|used|using)\b.{0,40}\b(when|whenever|if|to|for|after|before)\b`)
	quoted   = regexp.MustCompile(`^(description|argument-hint|when_to_use): ("([^"\\]|\\.)*"|'([^']|'')*')$`)
	// Claude Code runs these before the model sees the text, with the user's own words already pasted in.
	runsShell = regexp.MustCompile("!`|(?m)^\\s*(```|~~~)!")
	// It replaces these, also inside code, by words of the call.
	positional = regexp.MustCompile(`\$[0-9]|\$ARGUMENTS\[`)
	link       = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	mention    = regexp.MustCompile("(?:^|[\\s(\"'`\\[]|\\}/)((?:references|scripts|assets)/[A-Za-z0-9._/-]*[A-Za-z0-9])")
)

// front splits a Markdown file into its frontmatter and its body.
func front(name string, data []byte) (fields map[string]yaml.Node, lines []string, body string, faults []string) {
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		faultf(&faults, "%s: starts with a byte order mark: the clients see no frontmatter behind it", name)
		return nil, nil, "", faults
	}
	rest, opened := bytes.CutPrefix(data, []byte("---\n"))
	head, after, closed := bytes.Cut(rest, []byte("\n---\n"))
	if !opened || !closed {
		faultf(&faults, "%s: no frontmatter between two lines ---", name)
		return nil, nil, "", faults
	}
	if err := yaml.Unmarshal(head, &fields); err != nil {
		faultf(&faults, "%s: the frontmatter is no mapping: %v", name, err)
		return nil, nil, "", faults
	}
	return fields, strings.Split(string(head), "\n"), string(after), nil
}

// common checks what skills and agents share.
func common(name, expected string, keys []string, fields map[string]yaml.Node, lines []string) (faults []string) {
	for key, value := range fields {
		if !slices.Contains(keys, key) {
			faultf(&faults, "%s: unknown key %s", name, key)
		}
		if key != "metadata" && key != "hooks" && key != "mcpServers" && value.Kind != yaml.ScalarNode {
			faultf(&faults, "%s: %s is no single value", name, key)
		}
	}
	if got := fields["name"]; got.Value != expected || !nameForm.MatchString(expected) || len(expected) > 64 {
		faultf(&faults, "%s: name is %q, want %q, lower case with single hyphens, at most 64", name, got.Value, expected)
	}
	described := fields["description"]
	switch n := utf8.RuneCountInString(described.Value); {
	case described.Kind != yaml.ScalarNode || n == 0:
		faultf(&faults, "%s: no description", name)
	case n > 1024:
		faultf(&faults, "%s: the description has %d characters, at most 1024", name, n)
	case strings.ContainsAny(described.Value, "<>"):
		faultf(&faults, "%s: the description has < or > in it", name)
	}
	for _, line := range lines {
		for _, key := range []string{"description", "argument-hint", "when_to_use"} {
			if strings.HasPrefix(line, key+":") && !quoted.MatchString(line) {
				faultf(&faults, "%s: put %s in quotes, on one line: a colon or bracket in it drops the whole file", name, key)
			}
		}
	}
	for _, key := range []string{"disable-model-invocation", "user-invocable", "background"} {
		if value, set := fields[key]; set && value.Value != "true" && value.Value != "false" {
			faultf(&faults, "%s: %s is %q, want true or false", name, key, value.Value)
		}
	}
	return faults
}

// skill checks one skill's folder.
func skill(dir string) (faults []string) {
	name := filepath.Base(dir) + "/SKILL.md"
	data, err := os.ReadFile(filepath.Join(dir, "SKILL.md"))
	if err != nil {
		faultf(&faults, "%s: %v", name, err)
		return faults
	}
	fields, lines, body, faults := front(name, data)
	if len(faults) > 0 {
		return faults
	}
	faults = common(name, filepath.Base(dir), skillKeys, fields, lines)
	if described := fields["description"]; described.Value != "" && !saysWhen.MatchString(described.Value) {
		faultf(&faults, "%s: the description does not say when to use the skill", name)
	}
	if metadata, set := fields["metadata"]; set {
		var texts map[string]string
		if metadata.Kind != yaml.MappingNode || metadata.Decode(&texts) != nil {
			faultf(&faults, "%s: metadata is no mapping of texts: Codex leaves such a skill out", name)
		}
	}
	if n := bytes.Count(data, []byte("\n")); n >= maxSkillLines {
		faultf(&faults, "%s: %d lines; under %d, details belong into references/", name, n, maxSkillLines)
	}
	if strings.TrimSpace(body) == "" {
		faultf(&faults, "%s: nothing below the frontmatter", name)
	}
	faults = append(faults, harmless(name, body)...)
	return append(faults, references(dir, body)...)
}

// harmless checks the text that reaches the model.
func harmless(name, body string) (faults []string) {
	if found := runsShell.FindString(body); found != "" {
		faultf(&faults, "%s: %q runs a command before anybody was asked", name, strings.TrimSpace(found))
	}
	if found := positional.FindString(body); found != "" {
		faultf(&faults, "%s: %s is replaced by a word of the call", name, found)
	}
	return faults
}

// references checks what a skill points to: it is there, and one step away.
func references(dir, body string) (faults []string) {
	name := filepath.Base(dir)
	seen := map[string]bool{}
	for _, target := range targets(body) {
		if strings.HasPrefix(target, "../") {
			faultf(&faults, "%s: %s leaves the skill's folder", name, target)
		} else if path := filepath.Join(dir, filepath.FromSlash(target)); !isFile(path) && !isDir(path) {
			faultf(&faults, "%s: %s is not there", name, target)
		}
		seen[target] = true
	}
	for _, entry := range list(filepath.Join(dir, "references")) {
		path := "references/" + entry.Name()
		if entry.IsDir() {
			faultf(&faults, "%s: %s is a folder: references are one level deep", name, path)
			continue
		}
		if !seen[path] {
			faultf(&faults, "%s: nothing leads to %s", name, path)
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		if err != nil {
			faultf(&faults, "%s: %v", name, err)
			continue
		}
		faults = append(faults, harmless(name+"/"+path, string(data))...)
		for _, target := range targets(string(data)) {
			if local := filepath.Join(dir, "references", filepath.FromSlash(target)); strings.HasSuffix(target, ".md") && (isFile(local) || strings.HasPrefix(target, "references/")) {
				faultf(&faults, "%s: %s leads on to %s: references are one level deep", name, path, target)
			}
		}
	}
	return faults
}

// targets are the files a text leads to: its relative links, and the paths it names.
func targets(text string) (found []string) {
	for _, match := range link.FindAllStringSubmatch(text, -1) {
		target, _, _ := strings.Cut(match[1], "#")
		if target != "" && !strings.Contains(target, ":") && !strings.HasPrefix(target, "/") {
			found = append(found, strings.TrimPrefix(target, "./"))
		}
	}
	for _, match := range mention.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// agent checks one sub-agent's file.
func agent(path string) (faults []string) {
	name := filepath.Base(path)
	data, err := os.ReadFile(path)
	if err != nil {
		faultf(&faults, "%v", err)
		return faults
	}
	fields, lines, body, faults := front(name, data)
	if len(faults) > 0 {
		return faults
	}
	faults = common(name, strings.TrimSuffix(name, ".md"), agentKeys, fields, lines)
	if tools := fields["tools"]; tools.Value == "" {
		faultf(&faults, "%s: no tools: without that key it would get all of them", name)
	}
	if strings.TrimSpace(body) == "" {
		faultf(&faults, "%s: nothing below the frontmatter", name)
	}
	return append(faults, harmless(name, body)...)
}

func TestTheSkillsKeepTheRules(t *testing.T) {
	dirs := list(filepath.Join(root(t), "skills"))
	if len(dirs) == 0 {
		t.Fatal("there is no skill")
	}
	for _, dir := range dirs {
		clean(t, skill(filepath.Join(root(t), "skills", dir.Name())))
	}
}

func TestTheAgentsKeepTheRules(t *testing.T) {
	found := list(filepath.Join(root(t), "agents"))
	if len(found) == 0 {
		t.Fatal("there is no agent")
	}
	for _, entry := range found {
		clean(t, agent(filepath.Join(root(t), "agents", entry.Name())))
	}
}

const goodSkill = `---
name: demo
description: "Counts words. Use when a text may be too long: it says by how much."
argument-hint: "[file] [--max N]"
allowed-tools: "Read, Bash(wc:*)"
metadata:
  audience: writers
---

# demo

Read [the rules](references/rules.md#first) and run scripts/count. Costs $ARGUMENTS or US$ 5; see https://example.org/references/x.md.
Wait! It is done.
`

func TestTheRulesForSkillsCanFail(t *testing.T) {
	good := map[string]string{"demo/SKILL.md": goodSkill, "demo/references/rules.md": "# Rules\n\nSee [home](https://example.org/a.md).\n", "demo/scripts/count": "#!/bin/sh\n"}
	check := func(texts map[string]string) []string { return skill(filepath.Join(lay(t, texts), "demo")) }
	caught(t, "a good skill", check(good), "")
	for what, test := range map[string]struct{ old, new, want string }{
		"no frontmatter":           {"---\nname", "name", "no frontmatter"},
		"a byte order mark":        {"---\nname", "\ufeff---\nname", "byte order mark"},
		"Windows line ends":        {"---\nname", "---\r\nname", "no frontmatter"},
		"a frontmatter left open":  {"\n---\n\n# demo", "\n\n# demo", "no frontmatter"},
		"YAML that does not parse": {"name: demo", "name: demo\n\tx: 1", "no mapping"},
		"a key twice":              {"name: demo", "name: demo\nname: demo", "no mapping"},
		"another name":             {"name: demo", "name: other", `name is "other", want "demo"`},
		"no name":                  {"name: demo\n", "", `name is "", want "demo"`},
		"an unquoted description":  {`"Counts words. Use when a text may be too long: it says by how much."`, "Counts words. Use when a text is long.", "put description in quotes"},
		"a folded description":     {`"Counts words. Use when a text may be too long: it says by how much."`, ">\n  Counts words. Use when a text is long.", "put description in quotes"},
		"an unquoted hint":         {`"[file] [--max N]"`, "file", "put argument-hint in quotes"},
		"a description of nothing": {"Counts words. Use when a text may be too long: it says by how much.", "", "no description"},
		"a long description":       {"Counts words.", strings.Repeat("word ", 220), "at most 1024"},
		"a tag in the description": {"Counts words.", "Counts <b>words</b>.", "< or >"},
		"a description of what":    {"Use when a text may be too long: it says by how much.", "Then it shortens them.", "does not say when"},
		"a misspelt key":           {"allowed-tools", "allowed_tools", "unknown key allowed_tools"},
		"the key of an agent":      {"allowed-tools", "tools", "unknown key tools"},
		"a list of tools":          {`"Read, Bash(wc:*)"`, "[Read]", "allowed-tools is no single value"},
		"a boolean that is none":   {"name: demo", "name: demo\ndisable-model-invocation: maybe", "want true or false"},
		"metadata that is a text":  {"metadata:\n  audience: writers", "metadata: writers", "Codex leaves such a skill out"},
		"metadata of more":         {"audience: writers", "audience: [writers]", "Codex leaves such a skill out"},
		"an empty body":            {goodSkill[strings.Index(goodSkill, "\n# demo"):], "", "nothing below the frontmatter"},
		"too many lines":           {"Wait!", strings.Repeat("\n", maxSkillLines) + "Wait!", "under 200"},
		"an inline command":        {"Wait!", "Wait !`date`", "runs a command"},
		"a block of commands":      {"Wait!", "```!\ndate\n```\nWait", "runs a command"},
		"a word of the call":       {"US$ 5", "US$5", "$5 is replaced"},
		"an indexed word":          {"$ARGUMENTS or", "$ARGUMENTS[0] or", "$ARGUMENTS[ is replaced"},
		"a link to nothing":        {"run scripts/count", "run [it](scripts/counter)", "scripts/counter is not there"},
		"a mention of nothing":     {"run scripts/count", "run scripts/counter", "scripts/counter is not there"},
		"a link out of the folder": {"run scripts/count", "run [it](../other/SKILL.md)", "../other/SKILL.md leaves"},
		"a reference nobody uses":  {"[the rules](references/rules.md#first)", "the rules", "nothing leads to references/rules.md"},
	} {
		if !strings.Contains(goodSkill, test.old) {
			t.Fatalf("%s: the good skill has no %q", what, test.old)
		}
		faults := check(with(good, map[string]string{"demo/SKILL.md": strings.Replace(goodSkill, test.old, test.new, 1)}))
		if what == "an empty body" { // then nothing leads to the reference either
			faults = slices.DeleteFunc(faults, func(f string) bool { return strings.Contains(f, "nothing leads to") })
		}
		caught(t, what, faults, test.want)
	}
	caught(t, "no SKILL.md", check(with(good, map[string]string{"demo/SKILL.md": ""})), "demo/SKILL.md: ")
	caught(t, "a deeper reference", check(with(good, map[string]string{"demo/references/more/x.md": "x"})), "references/more is a folder")
	caught(t, "a reference that leads on", check(with(good, map[string]string{"demo/references/rules.md": "see [more](more.md)\n", "demo/references/more.md": "x", "demo/SKILL.md": goodSkill + "references/more.md\n"})), "references/rules.md leads on to more.md")
	caught(t, "a reference with a command", check(with(good, map[string]string{"demo/references/rules.md": "```!\nx\n```\n"})), "demo/references/rules.md: ")
	bad := strings.Replace(goodSkill, "name: demo", "name: My_Demo", 1)
	caught(t, "a name with capitals", skill(filepath.Join(lay(t, map[string]string{"My_Demo/SKILL.md": bad, "My_Demo/references/rules.md": "x", "My_Demo/scripts/count": "x"}), "My_Demo")), "lower case")
}

func TestTheRulesForAgentsCanFail(t *testing.T) {
	const good = "---\nname: judge\ndescription: \"Judges one artifact.\"\ntools: \"Bash\"\n---\n\nYou judge.\n"
	check := func(text string) []string {
		return agent(filepath.Join(lay(t, map[string]string{"judge.md": text}), "judge.md"))
	}
	caught(t, "a good agent", check(good), "")
	for what, test := range map[string]struct{ old, new, want string }{
		"the key of a skill":      {"tools: \"Bash\"", "tools: \"Bash\"\nallowed-tools: \"Bash\"", "unknown key allowed-tools"},
		"no tools":                {"tools: \"Bash\"\n", "", "no tools"},
		"another name":            {"name: judge", "name: judges", `want "judge"`},
		"an unquoted description": {"\"Judges one artifact.\"", "Judges one artifact.", "put description in quotes"},
		"no description":          {"description: \"Judges one artifact.\"\n", "", "no description"},
		"no body":                 {"\nYou judge.\n", "", "nothing below"},
		"a command":               {"You judge.", "You judge !`date`.", "runs a command"},
		"no frontmatter":          {"---\nname", "name", "no frontmatter"},
	} {
		caught(t, what, check(strings.Replace(good, test.old, test.new, 1)), test.want)
	}
}
