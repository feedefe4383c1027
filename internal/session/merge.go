package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// The merge works on JSON text, not on decoded values: what it does not touch keeps every digit, every
// escape and its place, and no key means anything special.

// DeepMerge lays the object add over the object old (nil counts as {}) and returns the result as Format
// does. Where both have an object under a key the objects merge; anything else, arrays and null too, is
// replaced whole. Keys of old keep their order, new ones follow in the order of add.
func DeepMerge(old, add []byte) ([]byte, error) {
	if old == nil {
		old = []byte("{}")
	}
	if fault := objectFault(old); fault != "" {
		return nil, fmt.Errorf("merge: the state: %s", fault)
	}
	if fault := objectFault(add); fault != "" {
		return nil, fmt.Errorf("merge: %s", fault)
	}
	return Format([]byte(merge(trim(string(old)), trim(string(add)))))
}

// Field is the object with one key and a text, for DeepMerge. Nothing in the key is special.
func Field(key, value string) ([]byte, error) {
	if !utf8.ValidString(key) || !utf8.ValidString(value) {
		return nil, errors.New("a key and its value must be valid UTF-8")
	}
	return []byte("{" + quote(key) + ":" + quote(value) + "}"), nil
}

// Format lays a JSON document out as state files have it: two spaces an indent and a line feed at the
// end. Numbers, escapes and order stay.
func Format(document []byte) ([]byte, error) {
	var out bytes.Buffer
	if err := json.Indent(&out, bytes.TrimSpace(document), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// Get returns the JSON text at path in an object, and false where there is none. See splitPath.
func Get(state []byte, path string) ([]byte, bool) {
	at := trim(string(state))
	for _, step := range splitPath(path) {
		ms, i := children(at), -1
		if i = find(ms, step, at); i < 0 {
			return nil, false
		}
		at = ms[i].value
	}
	return []byte(at), true
}

// Unset returns the object without the value at path, laid out as Format does, and false where there is
// none. An element taken out of an array moves the later ones up.
func Unset(state []byte, path string) ([]byte, bool) {
	text, ok := unset(trim(string(state)), splitPath(path))
	if !ok {
		return nil, false
	}
	out, err := Format([]byte(text))
	return out, err == nil
}

func unset(at string, steps []string) (string, bool) {
	ms := children(at)
	i := find(ms, steps[0], at)
	if i < 0 {
		return "", false
	}
	if len(steps) == 1 {
		return join(at, append(ms[:i:i], ms[i+1:]...)), true
	}
	inner, ok := unset(ms[i].value, steps[1:])
	ms[i].value = inner
	return join(at, ms), ok
}

// splitPath reads a.b.0: keys, and the places of array elements from 0, with dots between them. `\.` is
// a dot in a key and `\\` a backslash; nothing else is special, and an empty step is the empty key.
func splitPath(path string) []string {
	var steps []string
	var step strings.Builder
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '\\' && i+1 < len(path) && (path[i+1] == '.' || path[i+1] == '\\'):
			i++
			step.WriteByte(path[i])
		case c == '.':
			steps = append(steps, step.String())
			step.Reset()
		default:
			step.WriteByte(c)
		}
	}
	return append(steps, step.String())
}

// member is one entry of an object, or with an empty raw key of an array.
type member struct{ key, raw, value string }

// children lists the entries of an object or array, and nothing for any other value. A key that occurs
// twice (no state of ours has that) counts once, with its last value, as every client reads it.
func children(value string) []member {
	if !isObject(value) && !isArray(value) {
		return nil
	}
	var ms []member
	seen := map[string]int{}
	gjson.Parse(value).ForEach(func(key, v gjson.Result) bool {
		if isArray(value) {
			ms = append(ms, member{value: v.Raw})
			return true
		}
		if i, ok := seen[key.Str]; ok {
			ms[i].value = v.Raw
			return true
		}
		seen[key.Str] = len(ms)
		ms = append(ms, member{key.Str, key.Raw, v.Raw})
		return true
	})
	return ms
}

func find(ms []member, step, in string) int {
	if isArray(in) {
		i, err := strconv.Atoi(step)
		if err != nil || i < 0 || i >= len(ms) || strconv.Itoa(i) != step {
			return -1
		}
		return i
	}
	for i, m := range ms {
		if m.key == step {
			return i
		}
	}
	return -1
}

func merge(old, add string) string {
	if !isObject(old) || !isObject(add) {
		return add
	}
	ms := children(old)
	at := make(map[string]int, len(ms))
	for i, m := range ms {
		at[m.key] = i
	}
	for _, m := range children(add) {
		if i, ok := at[m.key]; ok {
			ms[i].value = merge(ms[i].value, m.value)
		} else {
			ms = append(ms, m)
		}
	}
	return join(old, ms)
}

// join writes entries as the kind of value that `like` is.
func join(like string, ms []member) string {
	open, end := "{", "}"
	if isArray(like) {
		open, end = "[", "]"
	}
	var b strings.Builder
	b.WriteString(open)
	for i, m := range ms {
		if i > 0 {
			b.WriteByte(',')
		}
		if open == "{" {
			b.WriteString(m.raw)
			b.WriteByte(':')
		}
		b.WriteString(m.value)
	}
	b.WriteString(end)
	return b.String()
}

func isObject(value string) bool { return strings.HasPrefix(value, "{") }
func isArray(value string) bool  { return strings.HasPrefix(value, "[") }
func trim(text string) string    { return strings.Trim(text, " \t\r\n") }

// quote writes a JSON string; "<" and its like stay readable.
func quote(text string) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string into memory: nothing can fail
	return strings.TrimSuffix(out.String(), "\n")
}
