package runs

import "bytes"

// A context on a million records may cost a few times what counting their lines costs, which leaves well
// under a microsecond a line. So a line is not decoded: one pass finds where the values of the few keys stand that
// matter, and hops over everything else. Strings are passed with bytes.IndexByte, which looks at 32 bytes at a
// time, and so is a nested object that holds neither another one nor a backslash, as the scores of a record do.
//
// The pass sees that braces, quotes, colons and commas are where an object has them. It does not look
// into numbers and words, and takes the last of two equal keys, as jq does.

// fields are the raw JSON values of one line; nil for a key that is not there. They point into the line.
type fields struct {
	run, segment, scores, change, idea, piste, decision, reason, rubric, input []byte
}

// read finds the fields of a line and reports whether it is one object.
func (f *fields) read(line []byte) bool {
	*f = fields{}
	return object(line, func(key, value []byte) {
		switch string(key) { // no copy is made for a switch
		case "run":
			f.run = value
		case "segment":
			f.segment = value
		case "scores":
			f.scores = value
		case "change":
			f.change = value
		case "piste_efficience":
			f.idea = value
		case "piste":
			f.piste = value
		case "decision":
			f.decision = value
		case "reason":
			f.reason = value
		case "rubric_hash":
			f.rubric = value
		case "input_hash":
			f.input = value
		}
	})
}

// object calls f for each key of the object in text, which is alone there. Keys are as they are written.
func object(text []byte, f func(key, value []byte)) bool {
	i := space(text, 0)
	if i >= len(text) || text[i] != '{' {
		return false
	}
	i = space(text, i+1)
	if i < len(text) && text[i] == '}' {
		return space(text, i+1) == len(text)
	}
	for {
		if i >= len(text) || text[i] != '"' {
			return false
		}
		end := stringEnd(text, i)
		if end < 0 {
			return false
		}
		key := text[i+1 : end-1]
		i = space(text, end)
		if i >= len(text) || text[i] != ':' {
			return false
		}
		i = space(text, i+1)
		end = valueEnd(text, i)
		if end < 0 {
			return false
		}
		f(key, text[i:end])
		i = space(text, end)
		if i >= len(text) {
			return false
		}
		switch text[i] {
		case ',':
			i = space(text, i+1)
		case '}':
			return space(text, i+1) == len(text)
		default:
			return false
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
