package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

const (
	maxState = 8 << 20 // bytes of a state file, and of an object to merge into one
	maxDepth = 512     // levels of nesting; the validator recurses, and a stack overflow cannot be recovered
)

func tooLarge(size int64) string {
	return fmt.Sprintf("%d bytes, more than the %d MiB that are taken", size, maxState>>20)
}

// objectFault says why data is not a state, or nothing. It is on the path of every hook call: one pass
// for the depth, one for the grammar, no allocation.
func objectFault(data []byte) string {
	if len(data) > maxState {
		return tooLarge(int64(len(data)))
	}
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	switch {
	case len(trimmed) == 0:
		return "the file is empty"
	case tooDeep(data):
		return fmt.Sprintf("nested deeper than %d levels", maxDepth)
	case !gjson.ValidBytes(data):
		return "not valid JSON"
	case trimmed[0] != '{':
		return "not a JSON object but " + kind(trimmed[0])
	}
	return ""
}

// tooDeep counts brackets outside strings. On text that is not JSON its answer means nothing and is
// safe: such text is refused either way.
func tooDeep(data []byte) bool {
	if bytes.Count(data, []byte("{"))+bytes.Count(data, []byte("[")) <= maxDepth {
		return false // nearly every state; counting is many times cheaper than reading
	}
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// kind names a JSON value by its first byte.
func kind(first byte) string {
	switch first {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 'n':
		return "null"
	case 't', 'f':
		return "a truth value"
	}
	return "a number"
}

// Object checks what a client wants merged into a state: exactly one JSON object, in UTF-8, at most 8 MiB
// and 512 levels, no key twice in one object. The error says which of these it is not.
func Object(text []byte) error {
	if len(text) > maxState {
		return errors.New(tooLarge(int64(len(text))))
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return errors.New("nothing was given; a JSON object is needed")
	}
	if !utf8.Valid(text) {
		return errors.New("not valid UTF-8")
	}
	if tooDeep(text) {
		return fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	var first json.RawMessage
	if err := dec.Decode(&first); err != nil {
		return invalid(err)
	}
	if first[0] != '{' {
		return fmt.Errorf("a JSON object is needed, not %s", kind(first[0]))
	}
	end := dec.InputOffset()
	if rest := bytes.TrimSpace(text[end:]); len(rest) > 0 {
		return fmt.Errorf("one JSON object is needed; something follows it at byte %d", end)
	}
	return uniqueKeys(first)
}

func invalid(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("invalid JSON: %w at byte %d", err, syntax.Offset)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("invalid JSON: it ends too early")
	}
	return fmt.Errorf("invalid JSON: %w", err)
}

// uniqueKeys reads the tokens of a valid document. A level is nil for an array.
func uniqueKeys(document []byte) error {
	dec := json.NewDecoder(bytes.NewReader(document))
	dec.UseNumber()
	type level struct {
		seen  map[string]bool
		value bool // the next token is the value of a key
	}
	var levels []level
	for {
		token, err := dec.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return invalid(err)
		}
		top := len(levels) - 1
		if key, ok := token.(string); ok && top >= 0 && levels[top].seen != nil && !levels[top].value {
			if levels[top].seen[key] {
				return fmt.Errorf("the key %q occurs twice in one object", key)
			}
			levels[top].seen[key], levels[top].value = true, true
			continue
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			if top >= 0 {
				levels[top].value = false
			}
			l := level{}
			if token == json.Delim('{') {
				l.seen = map[string]bool{}
			}
			levels = append(levels, l)
		case json.Delim('}'), json.Delim(']'):
			levels = levels[:top]
		default:
			if top >= 0 {
				levels[top].value = false
			}
		}
	}
}
