package skilllint

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"rulph/internal/skill"
)

// Options are what a house asks for beyond the rules.
type Options struct {
	Spec     bool // only the keys of agentskills.io: those that Claude Code alone reads are errors
	MaxLines int  // of SKILL.md; 0: the 500 of agentskills.io
}

const (
	mostLines  = 500
	mostTokens = 5000
)

// Skill checks a skill's folder. The error is a folder that cannot be read; all that can be said of what is in it is
// a finding.
func Skill(dir string, o Options) ([]Finding, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	all := []Finding{}
	file := ""
	for _, name := range []string{"SKILL.md", "skill.md"} {
		if file == "" && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == name }) {
			file = name
		}
	}
	if file == "" {
		return append(all, Finding{Wrong, "no-file", "SKILL.md", 1, 1, "there is no SKILL.md in the folder", ""}), nil
	}
	data, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	t := newText(file, data, &all)
	if file != "SKILL.md" {
		t.at(0, Doubtful, "file-name", "call the file SKILL.md: not every client takes skill.md")
	}
	f := t.skillText(filepath.Base(absolute), o)
	if f != nil {
		t.references(dir, f)
		t.codex(dir, f)
	}
	return order(all), nil
}

// Text checks the text of a SKILL.md alone, whose folder is called name.
func Text(name string, data []byte, o Options) []Finding {
	all := []Finding{}
	newText("SKILL.md", data, &all).skillText(name, o)
	return order(all)
}

// Broken are the errors that a change would bring into a SKILL.md; those that it has without the change are not among
// them. The error is that of skill.Stage.
func Broken(file string, d skill.Diff) ([]Finding, error) {
	variant, err := skill.Stage(file, d)
	if err != nil {
		return nil, err
	}
	before, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(filepath.Dir(file))
	had := map[string]bool{}
	for _, f := range Errors(Text(name, before, Options{})) {
		had[f.Rule] = true
	}
	return slices.DeleteFunc(Errors(Text(name, variant, Options{})), func(f Finding) bool { return had[f.Rule] }), nil
}

// skillText checks what is in the file itself.
func (t *text) skillText(name string, o Options) *front {
	f := t.frontmatter()
	if f == nil {
		return nil
	}
	known := slices.Concat(specKeys, extraKeys)
	if o.Spec {
		known = specKeys
	}
	t.keysOf(f, name, known)
	if value, set := f.keys["description"]; set && value.Value != "" && value.Tag == "!!str" && !saysWhen.MatchString(value.Value) {
		t.in(value.Line, value.Column, Doubtful, "description-when", `the description does not say when to use the skill ("Use when ..."): that is all a model knows when it chooses`)
	}
	t.oneOf(f, "context", "fork")
	t.oneOf(f, "shell", "bash", "powershell")
	if value, set := f.keys["compatibility"]; set && (value.Value == "" || utf8.RuneCountInString(value.Value) > longestCompat) {
		t.in(value.Line, value.Column, Wrong, "compatibility", "compatibility has 1 to %d characters", longestCompat)
	}
	if value, set := f.keys["metadata"]; set {
		var texts map[string]string
		if value.Kind != yaml.MappingNode || value.Decode(&texts) != nil {
			t.in(value.Line, value.Column, Wrong, "metadata", "metadata is no mapping of texts: Codex leaves such a skill out")
		}
	}
	t.size(f, o)
	t.harmless(f.body)
	return f
}

func (t *text) oneOf(f *front, key string, words ...string) {
	if value, set := f.keys[key]; set && !slices.Contains(words, value.Value) {
		t.in(value.Line, value.Column, Wrong, key, "%s is %q, want %s", key, value.Value, strings.Join(words, " or "))
	}
}

func (t *text) size(f *front, o Options) {
	body := t.data[f.body:]
	if strings.TrimSpace(body) == "" {
		t.in(1, 1, Wrong, "no-body", "there is nothing below the frontmatter")
		return
	}
	most, who := mostLines, "agentskills.io asks"
	if o.MaxLines > 0 {
		most, who = o.MaxLines, "this house asks"
	}
	lines := strings.Count(t.data, "\n")
	if !strings.HasSuffix(t.data, "\n") {
		lines++
	}
	if lines >= most {
		t.in(most, 1, Doubtful, "lines", "%d lines, and %s for fewer than %d: move details into references/", lines, who, most)
	}
	if n := utf8.RuneCountInString(body) / 4; n > mostTokens {
		t.in(1, 1, Doubtful, "tokens", "about %d tokens (a fourth of the characters), and agentskills.io asks for fewer than %d: move details into references/", n, mostTokens)
	}
}

// Agent checks the file of a sub-agent of Claude Code.
func Agent(path string) ([]Finding, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all := []Finding{}
	file := filepath.Base(path)
	t := newText(file, data, &all)
	f := t.frontmatter()
	if f == nil {
		return all, nil
	}
	t.keysOf(f, strings.TrimSuffix(file, ".md"), agentKeys)
	if tools := f.keys["tools"]; tools.Value == "" && len(tools.Content) == 0 {
		t.in(1, 1, Wrong, "agent-tools", "no tools: without that key it would get all of them")
	}
	if strings.TrimSpace(t.data[f.body:]) == "" {
		t.in(1, 1, Wrong, "no-body", "there is nothing below the frontmatter")
	}
	t.harmless(f.body)
	return order(all), nil
}
