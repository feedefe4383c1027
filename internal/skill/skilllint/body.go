package skilllint

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

var (
	// Claude Code runs these before the model sees the text, with the user's own words already pasted in.
	runsShell = regexp.MustCompile("!`|(?m)^[ \t]*(```|~~~)!")
	// It replaces these, also inside code, by words of the call.
	positional = regexp.MustCompile(`\$[0-9]|\$ARGUMENTS\[`)
	link       = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	mention    = regexp.MustCompile("(?:^|[\\s(\"'`\\[]|\\}/)((?:references|scripts|assets)/[A-Za-z0-9._/-]*[A-Za-z0-9])")
	fence      = regexp.MustCompile("(?ms)^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\\z)")
)

// harmless checks the text that reaches the model.
func (t *text) harmless(from int) {
	if found := runsShell.FindStringIndex(t.data[from:]); found != nil {
		at := from + found[0]
		at += len(t.data[at:from+found[1]]) - len(strings.TrimLeft(t.data[at:from+found[1]], " \t"))
		t.at(at, Doubtful, "inline-command", "%q runs a command before anybody was asked, with the user's words in it; Codex shows it as text", strings.TrimSpace(t.data[at:from+found[1]]))
	}
	if found := positional.FindStringIndex(t.data[from:]); found != nil {
		t.at(from+found[0], Doubtful, "positional", "%s is replaced by a word of the call, in code too; Codex leaves it as it is", t.data[from+found[0]:from+found[1]])
	}
}

// A target is a place in the skill's folder that a text leads to.
type target struct {
	path   string
	offset int
	linked bool // by a Markdown link, not by its name alone
}

// targets are the files a text leads to, each once: its relative links outside code, and the paths it names.
func (t *text) targets(from int) (found []target) {
	seen := map[string]bool{}
	add := func(path string, offset int, linked bool) {
		if !seen[path] {
			seen[path] = true
			found = append(found, target{path, offset, linked})
		}
	}
	body := t.data[from:]
	code := fence.FindAllStringIndex(body, -1)
	for _, m := range link.FindAllStringSubmatchIndex(body, -1) {
		path, _, _ := strings.Cut(body[m[2]:m[3]], "#")
		inCode := false
		for _, c := range code {
			inCode = inCode || c[0] <= m[0] && m[0] < c[1]
		}
		if path != "" && !inCode && !strings.Contains(path, ":") && !strings.HasPrefix(path, "/") {
			add(strings.TrimPrefix(path, "./"), from+m[2], true)
		}
	}
	for _, m := range mention.FindAllStringSubmatchIndex(body, -1) {
		add(body[m[2]:m[3]], from+m[2], false)
	}
	return found
}

// references checks what a skill points to: it is there, in the folder, and one step away.
func (t *text) references(dir string, f *front) {
	seen := map[string]bool{}
	for _, to := range t.targets(f.body) {
		clean := path.Clean(to.path)
		seen[clean] = true
		switch {
		case clean == ".." || strings.HasPrefix(clean, "../"):
			t.at(to.offset, Wrong, "link-outside", "%s leaves the skill's folder: an installed skill is alone", to.path)
		case exists(filepath.Join(dir, filepath.FromSlash(clean))):
		case to.linked:
			t.at(to.offset, Wrong, "link-missing", "%s is not there", to.path)
		default:
			t.at(to.offset, Doubtful, "path-missing", "%s is not there", to.path)
		}
	}
	entries, _ := os.ReadDir(filepath.Join(dir, "references")) // no such folder: no references
	for _, e := range entries {
		name := "references/" + e.Name()
		if e.IsDir() {
			t.in(1, 1, Doubtful, "reference-deep", "%s is a folder: references are one level deep", name)
			continue
		}
		if !seen[name] && !seen["references"] {
			t.in(1, 1, Doubtful, "reference-unused", "nothing leads to %s", name)
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || len(data) > fileSize || !utf8.Valid(data) || !strings.HasSuffix(name, ".md") {
			continue
		}
		r := newText(name, data, t.out)
		r.harmless(0)
		for _, to := range r.targets(0) {
			beside := exists(filepath.Join(dir, "references", filepath.FromSlash(to.path)))
			if strings.HasSuffix(to.path, ".md") && (beside || strings.HasPrefix(to.path, "references/")) {
				r.at(to.offset, Doubtful, "reference-deep", "leads on to %s: references are one level deep, a model often reads no further", to.path)
			}
		}
	}
	t.scripts(dir)
}

// scripts checks that what starts with #! can be started.
func (t *text) scripts(dir string) {
	entries, _ := os.ReadDir(filepath.Join(dir, "scripts")) // no such folder: no scripts
	for _, e := range entries {
		name := "scripts/" + e.Name()
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !info.Mode().IsRegular() || info.Size() > fileSize {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !strings.HasPrefix(string(data), "#!") {
			continue
		}
		s := newText(name, data, t.out)
		if info.Mode()&0o111 == 0 && runtime.GOOS != "windows" {
			s.at(0, Doubtful, "script-mode", "starts with #! and is not executable")
		}
		if first, _, _ := strings.Cut(s.data, "\n"); strings.HasSuffix(first, "\r") {
			s.at(0, Wrong, "script-line-ends", "has Windows line ends: no system finds its interpreter")
		}
	}
}

// codex checks agents/openai.yaml, in which Codex looks for what it does not read in the frontmatter.
func (t *text) codex(dir string, f *front) {
	const name = "agents/openai.yaml"
	manual := f.keys["disable-model-invocation"].Value == "true"
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		if at := f.places["disable-model-invocation"]; manual {
			t.in(at.Line, at.Column, Doubtful, "codex-twin", "Codex does not read disable-model-invocation; %s with policy.allow_implicit_invocation: false says the same there", name)
		}
		return
	}
	c := newText(name, data, t.out)
	var settings struct {
		Interface struct {
			Short  string `yaml:"short_description"`
			Prompt string `yaml:"default_prompt"`
		} `yaml:"interface"`
		Policy struct {
			Implicit *bool `yaml:"allow_implicit_invocation"`
		} `yaml:"policy"`
	}
	var doc yaml.Node
	fault := decode(c.data, &doc)
	if fault == "" && len(doc.Content) > 0 {
		if err := doc.Decode(&settings); err != nil {
			fault = err.Error()
		}
	}
	if fault != "" {
		c.at(0, Wrong, "codex-yaml", "%s", strings.TrimPrefix(fault, "yaml: "))
		return
	}
	if n := utf8.RuneCountInString(settings.Interface.Short); n > 0 && (n < 25 || n > 64) {
		c.at(max(0, strings.Index(c.data, "short_description")), Doubtful, "codex-short", "short_description has %d characters; Codex wants 25 to 64", n)
	}
	if p := settings.Interface.Prompt; p != "" && !strings.Contains(p, "$"+f.keys["name"].Value) {
		c.at(max(0, strings.Index(c.data, "default_prompt")), Doubtful, "codex-prompt", "default_prompt does not name $%s", f.keys["name"].Value)
	}
	if implicit := settings.Policy.Implicit; manual && (implicit == nil || *implicit) || !manual && implicit != nil && !*implicit {
		c.at(max(0, strings.Index(c.data, "policy")), Doubtful, "codex-twin", "disable-model-invocation and policy.allow_implicit_invocation do not say the same")
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
