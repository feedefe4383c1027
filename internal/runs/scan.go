package runs

import "bytes"

// A context on a million records may cost a few times what counting their lines costs, which leaves well
// under a microsecond a line. So a line is not decoded: one pass finds where the values of the few keys stand that
// matter, and hops over everything else. Strings are passed with bytes.IndexByte, which looks at 32 bytes at a
// time, and so is a nested object that holds neither another one nor a backslash, as the scores of a record do.
//
// The pass sees that braces, quotes, colons and commas are where an object has them. It does not look
// into numbers and words, and takes the last of two equal keys, as jq does.

// The lines of a log mostly have the same keys in the same order. So the keys of the last line are kept, and a key
// is compared with the one expected before it is searched for.

// fields are the raw JSON values of one line; nil for a key that is not there. They point into the line.
type fields struct {
	run, segment, scores, change, idea, piste, decision, reason, rubric, input []byte

	expected []expected
	lessons  int
}

// expected is a key of the last line.
type expected struct {
	key   string // with its quotes and colon
	field *[]byte
}

// field is where the value of a key belongs, nil for one that does not matter.
func (f *fields) field(key []byte) *[]byte {
	switch string(key) { // no copy is made for a switch
	case "run":
		return &f.run
	case "segment":
		return &f.segment
	case "scores":
		return &f.scores
	case "change":
		return &f.change
	case "piste_efficience":
		return &f.idea
	case "piste":
		return &f.piste
	case "decision":
		return &f.decision
	case "reason":
		return &f.reason
	case "rubric_hash":
		return &f.rubric
	case "input_hash":
		return &f.input
	}
	return nil
}

// read finds the fields of a line and reports whether it is one object.
func (f *fields) read(line []byte) bool {
	*f = fields{expected: f.expected, lessons: f.lessons}
	i := space(line, 0)
	if i >= len(line) || line[i] != '{' {
		return false
	}
	i = space(line, i+1)
	if i < len(line) && line[i] == '}' {
		return space(line, i+1) == len(line)
	}
	for k := 0; ; k++ {
		var to *[]byte
		if !f.is(k, line[i:]) && f.is(k+1, line[i:]) {
			k++ // a key that may be left out
		}
		if f.is(k, line[i:]) {
			to = f.expected[k].field
			i += len(f.expected[k].key)
		} else {
			start, end := i, keyEnd(line, i)
			if end < 0 {
				return false
			}
			to = f.field(line[start+1 : end-1])
			i = space(line, end)
			if i >= len(line) || line[i] != ':' {
				return false
			}
			i++
			f.learn(k, line[start:i], to)
		}
		i = space(line, i)
		end := valueEnd(line, i)
		if end < 0 {
			return false
		}
		if to != nil {
			*to = line[i:end]
		}
		i = space(line, end)
		if i >= len(line) {
			return false
		}
		switch line[i] {
		case ',':
			i = space(line, i+1)
		case '}':
			return space(line, i+1) == len(line)
		default:
			return false
		}
	}
}

// is reports whether the k-th key of the last line stands at the start of text.
func (f *fields) is(k int, text []byte) bool {
	if k >= len(f.expected) {
		return false
	}
	key := f.expected[k].key
	return len(key) <= len(text) && string(text[:len(key)]) == key
}

// mostLessons bounds what is spent on a log whose lines are all different.
const mostLessons = 1000

// learn takes the k-th key of a line for the one to expect there from now on.
func (f *fields) learn(k int, key []byte, field *[]byte) {
	if f.lessons < mostLessons && k <= len(f.expected) && len(key) < 100 {
		f.lessons++
		f.expected = append(f.expected[:k], expected{string(key), field})
	}
}

func keyEnd(text []byte, i int) int {
	if i >= len(text) || text[i] != '"' {
		return -1
	}
	return stringEnd(text, i)
}

// object calls f for each key of the object that text is, until f has enough or a mistake comes up.
func object(text []byte, f func(key, value []byte) (more bool)) {
	if len(text) == 0 || text[0] != '{' {
		return
	}
	for i := space(text, 1); ; i = space(text, i+1) {
		end := keyEnd(text, i)
		if end < 0 {
			return
		}
		key := text[i+1 : end-1]
		if i = space(text, end); i >= len(text) || text[i] != ':' {
			return
		}
		i = space(text, i+1)
		if end = valueEnd(text, i); end < 0 {
			return
		}
		if !f(key, text[i:end]) {
			return
		}
		if i = space(text, end); i >= len(text) || text[i] != ',' {
			return
		}
	}
}

func space(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	return i
}

// valueEnd is the index after the value that starts at i, or -1.
func valueEnd(text []byte, i int) int {
	if i >= len(text) {
		return -1
	}
	switch text[i] {
	case '"':
		return stringEnd(text, i)
	case '{', '[':
		return nestedEnd(text, i)
	}
	start := i
	for i < len(text) {
		switch text[i] {
		case ',', '}', ']', ' ', '\t', '\r', '\n':
			if i == start {
				return -1
			}
			return i
		case '"', ':', '{', '[':
			return -1
		}
		i++
	}
	return -1
}

// stringEnd is the index after the string that starts at i, or -1.
func stringEnd(text []byte, i int) int {
	for from := i + 1; ; {
		quote := bytes.IndexByte(text[from:], '"')
		if quote < 0 {
			return -1
		}
		end := from + quote
		back := end
		for back > from && text[back-1] == '\\' {
			back--
		}
		if (end-back)%2 == 0 {
			return end + 1
		}
		from = end + 1
	}
}

// nestedEnd is the index after the object or array that starts at i, or -1. A bracket of the wrong kind
// does not matter to it.
func nestedEnd(text []byte, i int) int {
	if text[i] == '{' {
		if brace := bytes.IndexByte(text[i:], '}'); brace > 0 {
			inner := text[i+1 : i+brace]
			// An even number of quotes before the brace: it stands in no string.
			if bytes.IndexByte(inner, '{') < 0 && bytes.IndexByte(inner, '[') < 0 && bytes.IndexByte(inner, '\\') < 0 &&
				bytes.Count(inner, quote)%2 == 0 {
				return i + brace + 1
			}
		}
	}
	for depth := 0; i < len(text); {
		switch text[i] {
		case '"':
			if i = stringEnd(text, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

var quote = []byte{'"'}
