package skill

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// The frontmatter is YAML, and one bare colon in it makes every client drop the skill without a word. This package
// reads no YAML; it takes a changed line only in a form in which nothing can go wrong. What the form leaves out can be
// said in quotes.
var pairForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_-]*):(?: +("(?:[^"\\]|\\["\\/nt])*"|'(?:[^']|'')*'|\[[A-Za-z0-9_*., -]*\]|[|>][+-]?|[A-Za-z0-9_$].*))? *$`)
})

// mostFront is the number of lines that a frontmatter may have to be changed; each is compared with those above it.
const mostFront = 1000

// soundFront refuses a change after which a line of the frontmatter may no longer be read.
func soundFront(before, after []byte) error {
	old, now := frontLines(before), frontLines(after)
	if slices.Equal(old, now) {
		return nil
	}
	if len(now) > mostFront {
		return refuse(Front, "the frontmatter would have %d lines; one of more than %d is not changed", len(now), mostFront)
	}
	first := 0
	for first < min(len(old), len(now)) && old[first] == now[first] {
		first++
	}
	last := 0
	for last < min(len(old), len(now))-first && old[len(old)-1-last] == now[len(now)-1-last] {
		last++
	}
	end := len(now) - last
	for end < len(now) && (end == 0 || !ownKey(now[end])) { // what belongs to a changed line is read with it
		end++
	}
	for i := first; i < end; i++ {
		if !soundLine(now, i) {
			return refuse(Front, "line %d of SKILL.md would be %q, which the clients may not be able to read: in the frontmatter write KEY: \"VALUE\", in quotes and on one line", i+1, now[i])
		}
		if key := keyOf(now[i]); key != "" && slices.ContainsFunc(now[:i], func(line string) bool { return keyOf(line) == key }) {
			return refuse(Front, "line %d of SKILL.md would give %s a second time", i+1, key)
		}
	}
	if slices.ContainsFunc(old, described) && !slices.ContainsFunc(now, described) {
		return refuse(Front, "the change takes the description away, or makes it no text; a client leaves out a skill that has none")
	}
	return nil
}

func frontLines(text []byte) []string {
	front, _ := split(text)
	lines := strings.Split(string(bytes.TrimPrefix(front, bom)), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// ownKey reports whether a line does not go on with the one before.
func ownKey(line string) bool {
	return line != "" && line[0] != ' ' && line[0] != '\t' && line[0] != '#'
}

// keyOf is the key that the line gives at the top of the frontmatter.
func keyOf(line string) string {
	if !ownKey(line) {
		return ""
	}
	key, _, _ := strings.Cut(line, ":")
	return strings.Trim(strings.TrimSpace(key), `"'`)
}

// described reports whether the line gives the description, and it is a text.
func described(line string) bool {
	value, ok := strings.CutPrefix(line, "description:")
	value = strings.TrimSpace(value)
	if !ok || value == "" {
		return false
	}
	switch c := value[0]; {
	case c == '"' || c == '\'':
		return strings.Trim(value, `"' `) != ""
	case c == '|' || c == '>':
		return true
	default: // a number, a date, true and null are no texts; they have no letter first, or no space
		return (c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z') && strings.ContainsRune(value, ' ')
	}
}

// soundLine reports whether line i stands for itself, or is a part of the text or the mapping of a key above it.
func soundLine(lines []string, i int) bool {
	line := lines[i]
	inner := strings.TrimLeft(line, " ")
	switch {
	case strings.ContainsFunc(line, unreadable):
		return false
	case inner == "" || line == "---":
		return true
	case inner[0] == '#':
		return len(inner) == len(line) || blockAbove(lines, i) != 0
	case len(inner) == len(line):
		_, ok := soundPair(line)
		return ok
	}
	switch indent := len(line) - len(inner); blockAbove(lines, i) {
	case 't':
		return indent >= firstIndent(lines, i)
	case 'm':
		if indent != firstIndent(lines, i) {
			return false
		}
		item, listed := strings.CutPrefix(inner, "- ")
		if _, first := strings.CutPrefix(strings.TrimLeft(lines[firstOf(lines, i)], " "), "- "); first != listed {
			return false
		}
		if listed {
			inner = "item: " + item
		}
		value, ok := soundPair(inner)
		return ok && value != "" && value[0] != '|' && value[0] != '>'
	}
	return false
}

// blockAbove is 't' where line i is in the text of a key above it, 'm' where it is in its mapping or list, else 0.
func blockAbove(lines []string, i int) byte {
	for above := i - 1; above > 0; above-- {
		if !ownKey(lines[above]) {
			continue
		}
		value, ok := soundPair(lines[above])
		switch {
		case ok && value == "":
			return 'm'
		case ok && (value[0] == '|' || value[0] == '>'):
			return 't'
		}
		break
	}
	return 0
}

// firstOf is the first line with a text of the block that line i is in.
func firstOf(lines []string, i int) int {
	first := i
	for above := i - 1; above > 0 && !ownKey(lines[above]); above-- {
		if inner := strings.TrimSpace(lines[above]); inner != "" && (inner[0] != '#' || blockAbove(lines, i) == 't') {
			first = above
		}
	}
	return first
}

func firstIndent(lines []string, i int) int {
	line := lines[firstOf(lines, i)]
	return len(line) - len(strings.TrimLeft(line, " "))
}

// soundPair reads KEY: VALUE with a value that ends where the line does.
func soundPair(line string) (value string, ok bool) {
	m := pairForm().FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	value = m[2]
	plain := value != "" && !strings.ContainsRune(`"'[`, rune(value[0]))
	return value, !plain || !strings.Contains(value, ": ") && !strings.Contains(value, " #") && !strings.HasSuffix(strings.TrimRight(value, " "), ":")
}

// unreadable are the characters that YAML refuses, or takes for the end of a line.
func unreadable(r rune) bool {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return true
	case r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff || r == utf8.RuneError:
		return true
	}
	return false
}
