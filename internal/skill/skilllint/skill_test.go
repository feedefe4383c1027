package skilllint

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"rulph/internal/skill"
)

const good = `---
name: demo
description: "Counts words. Use when a text may be too long: it says by how much."
argument-hint: "[file] [--max N]"
allowed-tools: "Read, Bash(wc:*)"
license: MIT
metadata:
  audience: writers
---

# demo

Read [the rules](references/rules.md#first) and run scripts/count. Costs $ARGUMENTS or US$ 5; see https://example.org/references/x.md.
Wait! It is done.
`

var goodFolder = map[string]string{"SKILL.md": good, "references/rules.md": "# Rules\n\nSee [home](https://example.org/a.md).\n", "scripts/count": "#!/bin/sh\n"}

// lay writes a skill's folder; a text of "" leaves the file out.
func lay(t *testing.T, name string, texts map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, text := range texts {
		if text == "" {
			continue
		}
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o644)
		if strings.HasPrefix(text, "#!/bin/sh") {
			mode = 0o755
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func with(changes map[string]string) map[string]string {
	texts := maps.Clone(goodFolder)
	maps.Copy(texts, changes)
	return texts
}

// caught checks that exactly one finding came, of the rule, at the line; rule "" means none.
func caught(t *testing.T, what string, all []Finding, severity Severity, rule string, line int, words string) {
	t.Helper()
	if rule == "" {
		if len(all) > 0 {
			t.Errorf("%s: found %+v, want nothing", what, all)
		}
		return
	}
	if len(all) != 1 || all[0].Severity != severity || all[0].Rule != rule || all[0].Line != line || !strings.Contains(all[0].Message, words) {
		t.Errorf("%s: found %+v, want one %s %s in line %d with %q", what, all, severity, rule, line, words)
	}
}

func check(t *testing.T, texts map[string]string, o Options) []Finding {
	t.Helper()
	all, err := Skill(lay(t, "demo", texts), o)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestAGoodSkillHasNoFindings(t *testing.T) {
	caught(t, "the good skill", check(t, goodFolder, Options{}), "", "", 0, "")
}

func TestEachRuleOfAFileFindsItsMistakeAtItsPlace(t *testing.T) {
	const described = `"Counts words. Use when a text may be too long: it says by how much."`
	for what, test := range map[string]struct {
		old, new string
		severity Severity
		rule     string
		line     int
		words    string
	}{
		"no frontmatter":            {"---\nname", "name", Wrong, "no-frontmatter", 1, "first line"},
		"a line before it":          {"---\nname", "\n---\nname", Wrong, "no-frontmatter", 1, "first line"},
		"a byte order mark":         {"---\nname", "\ufeff---\nname", Wrong, "byte-order-mark", 1, "save the file without"},
		"one Windows line end":      {"# demo\n", "# demo\r\n", Doubtful, "line-ends", 11, "Windows"},
		"a frontmatter left open":   {"\n---\n\n# demo", "\n\n# demo", Wrong, "no-frontmatter", 1, "not closed"},
		"a tab":                     {"name: demo", "name: demo\n\tx: 1", Wrong, "yaml", 3, "no tabs"},
		"an unquoted colon":         {described, "Use when: x", Wrong, "yaml", 3, "in quotes"},
		"an unquoted bracket":       {`"[file] [--max N]"`, "[file] [--max N]", Wrong, "yaml", 4, "in quotes"},
		"quotes within":             {described, `"Use" and "when"`, Wrong, "yaml", 3, "in quotes"},
		"a list for a mapping":      {good[4:strings.Index(good, "\n---\n\n")], "- name", Wrong, "yaml", 2, "no list of keys"},
		"nothing in it":             {good[4:strings.Index(good, "\n---\n\n")], "# x", Wrong, "yaml", 2, "no list of keys"},
		"a key twice":               {"license: MIT", "license: MIT\nlicense: X", Wrong, "key-twice", 7, "no two clients"},
		"another name":              {"name: demo", "name: other", Wrong, "name-folder", 2, `is "other", want "demo"`},
		"no name":                   {"name: demo\n", "", Wrong, "name-missing", 1, "it is demo"},
		"an empty name":             {"name: demo\n", "name:\n", Wrong, "name-missing", 1, "it is demo"},
		"a name that is a list":     {"name: demo\n", "name: [demo]\n", Wrong, "single-value", 2, "name is no single value"},
		"an unquoted description":   {described, "Counts words. Use when a text is long.", Doubtful, "quotes", 3, "put description in quotes"},
		"a folded description":      {described, ">\n  Counts words. Use when a text is long.", Doubtful, "quotes", 3, "put description in quotes"},
		"a description in two":      {described, "\"Counts words.\n  Use when a text is long.\"", Doubtful, "quotes", 3, "put description in quotes"},
		"an unquoted hint":          {`"[file] [--max N]"`, "file", Doubtful, "quotes", 4, "put argument-hint in quotes"},
		"a description cut off":     {described, "Counts words. Use when a text is long #1", Wrong, "value-cut", 3, "ends at the #"},
		"an empty description":      {described, `""`, Wrong, "description-missing", 3, "Codex"},
		"a description of null":     {described, "~", Wrong, "description-missing", 3, "Codex"},
		"no description":            {"description: " + described + "\n", "", Wrong, "description-missing", 1, "Codex"},
		"a description of a number": {described, "12", Wrong, "description-text", 3, "in quotes"},
		"a long description":        {"Counts words.", strings.Repeat("word ", 220), Wrong, "description-length", 3, "1154 characters, at most 1024"},
		"a tag in the description":  {"Counts words.", "Counts <b>words</b>.", Wrong, "description-tags", 3, "< or >"},
		"a description of what":     {"Use when a text may be too long: it says by how much.", "Then it shortens them.", Doubtful, "description-when", 3, "does not say when"},
		"a misspelt key":            {"allowed-tools", "allowed_tools", Wrong, "unknown-key", 5, "unknown key allowed_tools; the nearest known key is allowed-tools"},
		"a letter too few":          {"license", "licens", Wrong, "unknown-key", 6, "the nearest known key is license"},
		"the key of an agent":       {"allowed-tools", "tools", Wrong, "unknown-key", 5, "a skill's tools are allowed-tools"},
		"a list of tools":           {`"Read, Bash(wc:*)"`, "[Read]", Wrong, "single-value", 5, "allowed-tools is no single value"},
		"a boolean that is none":    {"name: demo", "name: demo\nuser-invocable: maybe", Wrong, "boolean", 3, "want true or false"},
		"a context that is none":    {"name: demo", "name: demo\ncontext: frok", Wrong, "context", 3, `is "frok", want fork`},
		"a shell that is none":      {"name: demo", "name: demo\nshell: zsh", Wrong, "shell", 3, "want bash or powershell"},
		"an event that is none":     {"name: demo", "name: demo\nhooks:\n  Stopp: []", Wrong, "hook-event", 4, "Stopp is no event of Claude Code; the nearest known key is Stop"},
		"no compatibility":          {"name: demo", "name: demo\ncompatibility: \"\"", Wrong, "compatibility", 3, "1 to 500"},
		"metadata that is a text":   {"metadata:\n  audience: writers", "metadata: writers", Wrong, "metadata", 7, "Codex leaves such a skill out"},
		"metadata of more":          {"audience: writers", "audience: [writers]", Wrong, "metadata", 8, "Codex leaves such a skill out"},
		"too many lines":            {"Wait!", strings.Repeat("\n", mostLines) + "Wait!", Doubtful, "lines", mostLines, "agentskills.io asks for fewer than 500"},
		"too many words":            {"Wait!", strings.Repeat("word ", 4100) + "Wait!", Doubtful, "tokens", 1, "fewer than 5000"},
		"an inline command":         {"Wait!", "Wait !`date`", Doubtful, "inline-command", 14, "runs a command"},
		"a block of commands":       {"Wait!", "```!\ndate\n```\nWait", Doubtful, "inline-command", 14, "runs a command"},
		"a word of the call":        {"US$ 5", "US$5", Doubtful, "positional", 13, "$5 is replaced"},
		"an indexed word":           {"$ARGUMENTS or", "$ARGUMENTS[0] or", Doubtful, "positional", 13, "$ARGUMENTS[ is replaced"},
		"a link to nothing":         {"run scripts/count", "run [it](scripts/counter)", Wrong, "link-missing", 13, "scripts/counter is not there"},
		"a mention of nothing":      {"run scripts/count", "run scripts/counter", Doubtful, "path-missing", 13, "scripts/counter is not there"},
		"a link out of the folder":  {"run scripts/count", "run [it](../other/SKILL.md)", Wrong, "link-outside", 13, "../other/SKILL.md leaves"},
		"a link out, hidden":        {"run scripts/count", "run [it](references/../../x)", Wrong, "link-outside", 13, "leaves"},
		"a reference nobody uses":   {"[the rules](references/rules.md#first)", "the rules", Doubtful, "reference-unused", 1, "nothing leads to references/rules.md"},
		"bytes that are no text":    {"Wait!", "Wait\xff!", Wrong, "not-text", 14, "UTF-8"},
		"a NUL":                     {"Wait!", "Wait\x00!", Wrong, "not-text", 14, "UTF-8"},
		"a large file":              {"Wait!", strings.Repeat("x", fileSize), Wrong, "file-size", 1, "Claude Code reads"},
		"a twin for Codex":          {"name: demo", "name: demo\ndisable-model-invocation: true", Doubtful, "codex-twin", 3, "agents/openai.yaml"},
		"a link in code":            {"Wait!", "```\n[a](b)\n```\nWait!", "", "", 0, ""},
		"a flow of tools":           {"name: demo", "name: demo\npaths: [a, b]", "", "", 0, ""},
	} {
		if !strings.Contains(good, test.old) {
			t.Fatalf("%s: the good skill has no %q", what, test.old)
		}
		all := check(t, with(map[string]string{"SKILL.md": strings.Replace(good, test.old, test.new, 1)}), Options{})
		kept := all[:0]
		for _, f := range all { // one that goes with it
			if what == "a large file" && f.Rule == "tokens" {
				continue
			}
			kept = append(kept, f)
		}
		caught(t, what, kept, test.severity, test.rule, test.line, test.words)
	}
}

func TestEachRuleOfAFolderFindsItsMistake(t *testing.T) {
	const twin = "policy:\n  allow_implicit_invocation: false\n"
	manual := strings.Replace(good, "name: demo", "name: demo\ndisable-model-invocation: true", 1)
	for what, test := range map[string]struct {
		texts    map[string]string
		severity Severity
		rule     string
		line     int
		words    string
	}{
		"no SKILL.md":        {map[string]string{"SKILL.md": ""}, Wrong, "no-file", 1, "no SKILL.md"},
		"a small skill.md":   {map[string]string{"SKILL.md": "", "skill.md": good}, Doubtful, "file-name", 1, "call the file SKILL.md"},
		"an empty file":      {map[string]string{"SKILL.md": "\n"}, Wrong, "no-frontmatter", 1, "first line"},
		"a deeper reference": {map[string]string{"references/more/x.md": "x"}, Doubtful, "reference-deep", 1, "references/more is a folder"},
		"a reference that leads on": {map[string]string{"references/rules.md": "see [more](more.md)\n", "references/more.md": "x", "SKILL.md": good + "references/more.md\n"},
			Doubtful, "reference-deep", 1, "leads on to more.md"},
		"a reference with a command": {map[string]string{"references/rules.md": "x\n\n```!\nx\n```\n"}, Doubtful, "inline-command", 3, "runs a command"},
		"a Windows script":           {map[string]string{"scripts/count": "#!/bin/sh\r\nx\r\n"}, Wrong, "script-line-ends", 1, "no system finds"},
		"no YAML for Codex":          {map[string]string{"agents/openai.yaml": "a: b: c"}, Wrong, "codex-yaml", 1, "mapping values"},
		"settings of another shape":  {map[string]string{"agents/openai.yaml": "policy: [1]"}, Wrong, "codex-yaml", 1, "cannot unmarshal"},
		"a short description":        {map[string]string{"agents/openai.yaml": "interface:\n  short_description: Counts\n"}, Doubtful, "codex-short", 2, "25 to 64"},
		"a prompt for another":       {map[string]string{"agents/openai.yaml": "interface:\n  default_prompt: Use $other\n"}, Doubtful, "codex-prompt", 2, "$demo"},
		"a twin of nothing":          {map[string]string{"agents/openai.yaml": twin}, Doubtful, "codex-twin", 1, "do not say the same"},
		"a twin that differs":        {map[string]string{"SKILL.md": manual, "agents/openai.yaml": "interface: {}\n"}, Doubtful, "codex-twin", 1, "do not say the same"},
		"a twin":                     {map[string]string{"SKILL.md": manual, "agents/openai.yaml": twin}, "", "", 0, ""},
	} {
		caught(t, what, check(t, with(test.texts), Options{}), test.severity, test.rule, test.line, test.words)
	}
	dir := lay(t, "demo", goodFolder)
	if err := os.Chmod(filepath.Join(dir, "scripts", "count"), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := Skill(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		caught(t, "a script that cannot be started", all, Doubtful, "script-mode", 1, "not executable")
	}
	if _, err := Skill(filepath.Join(dir, "none"), Options{}); err == nil {
		t.Error("a folder that is not there was read")
	}
}

func TestNamesThatNoClientOrNotEveryOneTakes(t *testing.T) {
	for name, rule := range map[string]string{
		"My_Demo": "name-form", "demo--x": "name-form", "-demo": "name-form", "demo-": "name-form", "démo": "name-form", "my demo": "name-form",
		strings.Repeat("a", 65): "name-length", strings.Repeat("a", 64): "", "a1-b2": "", "2": "name-folder",
	} {
		text := strings.Replace(good, "name: demo", "name: "+name, 1)
		if name == "2" { // YAML reads a number
			text, rule = strings.Replace(good, "name: demo", "name: '2'", 1), ""
		}
		caught(t, name, Text(name, []byte(text), Options{}), Wrong, rule, 2, "")
	}
}

func TestAHouseMayAskForMore(t *testing.T) {
	long := strings.Replace(good, "Wait!", strings.Repeat("\n", 200)+"Wait!", 1)
	caught(t, "long", check(t, with(map[string]string{"SKILL.md": long}), Options{}), "", "", 0, "")
	caught(t, "long here", check(t, with(map[string]string{"SKILL.md": long}), Options{MaxLines: 200}), Doubtful, "lines", 200, "this house asks for fewer than 200")
	caught(t, "an extra key", check(t, goodFolder, Options{Spec: true}), Wrong, "unknown-key", 4, "unknown key argument-hint")
}

func TestAnAgentIsHeldToItsOwnKeys(t *testing.T) {
	const agent = "---\nname: judge\ndescription: \"Judges one artifact.\"\ntools: \"Bash\"\n---\n\nYou judge.\n"
	for what, test := range map[string]struct {
		old, new string
		rule     string
		line     int
		words    string
	}{
		"a good agent":            {"x", "x", "", 0, ""},
		"the key of a skill":      {"tools: \"Bash\"", "tools: \"Bash\"\nallowed-tools: \"Bash\"", "unknown-key", 5, "an agent's tools are tools"},
		"no tools":                {"tools: \"Bash\"\n", "", "agent-tools", 1, "all of them"},
		"another name":            {"name: judge", "name: judges", "name-folder", 2, `want "judge"`},
		"an unquoted description": {"\"Judges one artifact.\"", "Judges one artifact.", "quotes", 3, "put description in quotes"},
		"no description":          {"description: \"Judges one artifact.\"\n", "", "description-missing", 1, ""},
		"no body":                 {"\nYou judge.\n", "", "no-body", 1, ""},
		"a command":               {"You judge.", "You judge !`date`.", "inline-command", 7, ""},
		"no frontmatter":          {"---\nname", "name", "no-frontmatter", 1, ""},
	} {
		path := filepath.Join(lay(t, "agents", map[string]string{"judge.md": strings.Replace(agent, test.old, test.new, 1)}), "judge.md")
		all, err := Agent(path)
		if err != nil {
			t.Fatal(err)
		}
		severity := Wrong
		if test.rule == "quotes" || test.rule == "inline-command" {
			severity = Doubtful
		}
		caught(t, what, all, severity, test.rule, test.line, test.words)
	}
}

func TestAChangeIsBlamedForWhatItBreaksAlone(t *testing.T) {
	file := filepath.Join(lay(t, "demo", goodFolder), "SKILL.md")
	for what, test := range map[string]struct {
		d    skill.Diff
		rule string
	}{
		"a sound change":     {skill.Diff{Old: "Wait!", New: "Stop!"}, ""},
		"no boolean":         {skill.Diff{Old: "license: MIT", New: "license: MIT\nuser-invocable: maybe"}, "boolean"},
		"a long text":        {skill.Diff{Old: "Counts words.", New: strings.Repeat("word ", 220)}, "description-length"},
		"only a doubt":       {skill.Diff{Old: "US$ 5", New: "US$5"}, ""},
		"a key of no client": {skill.Diff{Old: "license: MIT", New: "licence: MIT"}, "unknown-key"},
	} {
		all, err := Broken(file, test.d)
		if err != nil {
			t.Fatal(err)
		}
		if test.rule == "" && len(all) > 0 || test.rule != "" && (len(all) != 1 || all[0].Rule != test.rule) {
			t.Errorf("%s: %+v", what, all)
		}
	}
	if _, err := Broken(file, skill.Diff{Old: "absent", New: "x"}); err == nil {
		t.Error("a change that cannot be made was looked at")
	}
	put := strings.Replace(good, "license: MIT", "license: MIT\nzzz: 1", 1)
	if err := os.WriteFile(file, []byte(put), 0o644); err != nil {
		t.Fatal(err)
	}
	if all, err := Broken(file, skill.Diff{Old: "Wait!", New: "Stop!"}); err != nil || len(all) > 0 {
		t.Errorf("blamed for what was there: %+v, %v", all, err)
	}
}

func TestAFindingShowsItsPlace(t *testing.T) {
	all := Text("demo", []byte(strings.Replace(good, "name: demo", "name: \u202eother", 1)), Options{})
	if len(all) != 1 {
		t.Fatal(all)
	}
	if got, want := all[0].At("x/"), `x/SKILL.md:2:7: name is "\u202eother", want "demo", as the folder or the file is called (name-folder)`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := all[0].Excerpt(), "    2 | name: <U+202E>other\n      |       ^\n"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func FuzzText(f *testing.F) {
	f.Add(good)
	f.Add("\ufeff---\n---\n")
	f.Add("---\nname: &a [*a]\n---\n")
	f.Add("---\nname: &a x\ndescription: *a\n<<: *a\n---\nx [a](b) !`x` $1\n```!")
	f.Add("---\r\nname: x\r\n---\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, finding := range Text("demo", []byte(text), Options{}) {
			if finding.Line < 1 || finding.Column < 1 || finding.Rule == "" || !utf8.ValidString(finding.At("")+finding.Excerpt()) {
				t.Fatalf("%+v", finding)
			}
		}
	})
}

// FuzzChangedFront holds package skill, which reads no YAML, to what YAML makes of a change that it takes: the
// frontmatter can still be read, and the name is the same.
func FuzzChangedFront(f *testing.F) {
	f.Add("license: MIT", "license: X")
	f.Add("license: MIT", "x:\n  - \"a: b\"\n  - c")
	f.Add("description: \"Counts words.", "description: >-\n  x: y\nz: \"")
	f.Add("license: MIT\n", "")
	f.Add("metadata:\n", "metadata: |\n")
	f.Add("\"Counts words. Use when a text may be too long: it says by how much.\"", "a b")
	f.Add("audience: writers", "audience: 'it''s'\n  # x\n  b: [a, b]")
	f.Fuzz(func(t *testing.T, old, new string) {
		changed, err := skill.Change([]byte(good), skill.Diff{Old: old, New: new})
		if err != nil {
			return
		}
		for _, finding := range Text("demo", changed, Options{}) {
			if strings.HasPrefix(finding.Rule, "name-") || finding.Rule == "yaml" || finding.Rule == "no-frontmatter" || finding.Rule == "description-missing" && !strings.Contains(new, "description") {
				t.Fatalf("%q for %q: %s\n%s", new, old, finding.Message, changed)
			}
		}
	})
}
