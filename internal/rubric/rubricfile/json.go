package rubricfile

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
)

// json reads a rubric that is a JSON document. JSON is YAML but for one thing: characters beyond the basic
// plane escaped as two surrogates, which are written out first. A column right of one is too small.
func (d *decoder) json() {
	var body json.RawMessage
	if err := json.Unmarshal([]byte(d.src.text), &body); err != nil {
		d.broken[""] = true
		at := position{1, 1}
		if e, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = d.src.at(min(max(int(e.Offset)-1, 0), len(d.src.text)))
		}
		d.add(at, "", "the JSON can't be read: %s", err)
		return
	}
	if n := d.document(joinSurrogates(d.src.text), "the file"); n != nil {
		d.decode(n)
	}
}

// joinSurrogates replaces each escaped surrogate pair by its character.
func joinSurrogates(text string) string {
	if !strings.Contains(text, `\u`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 >= len(text) {
			b.WriteByte(text[i])
			i++
			continue
		}
		if high, ok := escaped(text[i:]); ok && utf16.IsSurrogate(high) {
			low, _ := escaped(text[i+6:])
			b.WriteRune(utf16.DecodeRune(high, low)) // U+FFFD for half a pair, as encoding/json reads it
			i += 6
			if utf16.DecodeRune(high, low) != '\ufffd' {
				i += 6
			}
			continue
		}
		b.WriteString(text[i : i+2])
		i += 2
	}
	return b.String()
}

// escaped reads the \uXXXX that s begins with.
func escaped(s string) (rune, bool) {
	if len(s) < 6 || s[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}
