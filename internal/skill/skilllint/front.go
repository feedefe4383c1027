package skilllint

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

const bom = "\ufeff"

// fileSize is what Claude Code reads of a SKILL.md.
const fileSize = 1 << 20

// A front is a frontmatter that could be read.
type front struct {
	keys   map[string]yaml.Node // key to its value
	places map[string]yaml.Node // key to where it stands
	order  []string
	lines  []string // of the frontmatter, without the fences
	body   int      // offset
}

// yamlLine is where the parser says its mistake is: sometimes a line before, or at the start of what it was in.
var yamlLine = regexp.MustCompile(`^yaml: (?:line \d+: )?`)

// frontmatter reads the frontmatter. It returns nil, with the findings that say why, where there is none to read.
func (t *text) frontmatter() *front {
	if bad := notText(t.data); bad >= 0 {
		t.at(bad, Wrong, "not-text", "the file is no UTF-8 text; save it as UTF-8")
		return nil
	}
	if len(t.data) > fileSize {
		t.at(0, Wrong, "file-size", "the file has %d bytes; Claude Code reads %d", len(t.data), fileSize)
	}
	if strings.HasPrefix(t.data, bom) {
		t.at(0, Wrong, "byte-order-mark", "starts with a byte order mark: the clients see no frontmatter behind it; save the file without")
		return nil
	}
	if i := strings.Index(t.data, "\r\n"); i >= 0 {
		t.at(i, Doubtful, "line-ends", "has Windows line ends: validators see no frontmatter, and a script in such a file does not run")
	}
	first, _, _ := strings.Cut(t.data, "\n")
	if strings.TrimRight(first, "\r") != "---" {
		t.at(0, Wrong, "no-frontmatter", "no frontmatter: the first line has to be ---")
		return nil
	}
	f := &front{keys: map[string]yaml.Node{}, places: map[string]yaml.Node{}}
	for i, start := range t.starts[1:] {
		line, _, _ := strings.Cut(t.data[start:], "\n")
		line = strings.TrimSuffix(line, "\r")
		if line == "---" {
			f.body = min(len(t.data), start+len(line)+1)
			if i+2 < len(t.starts) {
				f.body = t.starts[i+2]
			}
			break
		}
		f.lines = append(f.lines, line)
	}
	if f.body == 0 {
		t.at(0, Wrong, "no-frontmatter", "the frontmatter is not closed by a line ---")
		return nil
	}
	if !t.mapping(f) {
		return nil
	}
	return f
}

// notText is the offset of the first byte that belongs to no text, or -1.
func notText(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || r == 0 {
			return i
		}
		i += n
	}
	return -1
}

// mapping reads the YAML of the frontmatter; lines and columns become those of the file.
func (t *text) mapping(f *front) bool {
	var doc yaml.Node
	if err := decode(strings.Join(f.lines, "\n"), &doc); err != "" {
		message := yamlLine.ReplaceAllString(err, "")
		hint := "a value with a colon, a bracket or a quotation mark in it has to be in quotes"
		if strings.Contains(strings.Join(f.lines, "\n"), "\t") {
			hint = "YAML takes no tabs"
		}
		t.in(2+parsing(f.lines), 1, Wrong, "yaml", "the frontmatter is no YAML, so the clients see no name and no description: %s; %s", message, hint)
		return false
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		t.in(2, 1, Wrong, "yaml", "the frontmatter is no list of keys with values")
		return false
	}
	pairs := doc.Content[0].Content
	for i := 0; i+1 < len(pairs); i += 2 {
		key, value := *pairs[i], *pairs[i+1]
		key.Line, value.Line = key.Line+1, value.Line+1
		if _, twice := f.keys[key.Value]; twice {
			t.in(key.Line, key.Column, Wrong, "key-twice", "the key %s is here twice: no two clients agree on which one counts", key.Value)
			continue
		}
		if value.Kind == yaml.AliasNode && value.Alias != nil {
			target := *value.Alias
			target.Line, target.Column = value.Line, value.Column
			value = target
		}
		f.keys[key.Value], f.places[key.Value] = value, key
		f.order = append(f.order, key.Value)
	}
	return true
}

// parsing is the largest number of lines from the start that are YAML by themselves: the mistake is in the next.
func parsing(lines []string) int {
	for n := min(len(lines), 200) - 1; n > 0; n-- {
		if decode(strings.Join(lines[:n], "\n"), new(yaml.Node)) == "" {
			return n
		}
	}
	return 0
}

// decode parses YAML. The parser panics on some texts that are none.
func decode(text string, doc *yaml.Node) (fault string) {
	defer func() {
		if r := recover(); r != nil {
			fault = "yaml: it cannot be read at all"
		}
	}()
	if err := yaml.Unmarshal([]byte(text), doc); err != nil {
		return err.Error()
	}
	return ""
}
