package artifact

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// ignoreRule is one line of a .gitignore, after gitignore(5).
type ignoreRule struct {
	base    string // slash path of the folder of the .gitignore, relative to the walk; "" at its top
	glob    glob
	name    bool // no slash in the pattern: it is matched against the last segment, at any depth
	dirOnly bool
	negated bool
}

// ignoreRules reads the .gitignore of a folder. A folder without one has no rules; one that cannot
// be read is an error, because reading on would show a judge what its owner keeps to himself.
func ignoreRules(dir, base string) ([]ignoreRule, error) {
	data, err := os.ReadFile(filepath.Join(dir, ".gitignore"))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseIgnore(base, string(data)), nil
}

func parseIgnore(base, text string) []ignoreRule {
	var rules []ignoreRule
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") {
		if r, ok := parseIgnoreLine(base, strings.TrimSuffix(line, "\r")); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

func parseIgnoreLine(base, line string) (ignoreRule, bool) {
	r := ignoreRule{base: base}
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	r.name = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return r, false
	}
	r.glob = newGlob(strings.ReplaceAll(line, "[!", "[^"))
	return r, true
}

// ignored applies the rules in the order of their files, outermost first: the last that matches
// decides. The parents of p are not looked at; a walk that never enters an ignored folder needs no more.
func ignored(rules []ignoreRule, p string, dir bool) bool {
	out := false
	for _, r := range rules {
		if r.dirOnly && !dir {
			continue
		}
		rel := p
		if r.base != "" {
			var inside bool
			if rel, inside = strings.CutPrefix(p, r.base+"/"); !inside {
				continue
			}
		}
		if r.name {
			rel = path.Base(rel)
		}
		if r.matches(rel) {
			out = !r.negated
		}
	}
	return out
}

// matches differs from a plain glob in one point: a final `/**` needs something below the folder.
func (r ignoreRule) matches(rel string) bool {
	if n := len(r.glob); n > 1 && r.glob[n-1] == "**" && r.glob[:n-1].match(rel) {
		return false
	}
	return r.glob.match(rel)
}
