package verdict

import "bytes"

// The tokens of RFC 8259. Each function gets the position of the first byte and returns the one behind
// the token, or the place of the fault and what is wrong there.

func (s *scanner) space(p int) int {
	for p < len(s.text) {
		switch s.text[p] {
		case ' ', '\t', '\n', '\r':
			s.steps++
			p++
		default:
			return p
		}
	}
	return p
}

func (s *scanner) str(p int) (int, string) {
	for p++; p < len(s.text); p++ {
		s.steps++
		switch c := s.text[p]; {
		case c == '"':
			return p + 1, ""
		case c == '\n' || c == '\r':
			return p, `a string contains a line break; write \n`
		case c < 0x20:
			return p, `a string contains a control character; write it as \u00XX`
		case c == '\\':
			p++
			if p == len(s.text) {
				break
			}
			switch s.text[p] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				for range 4 {
					p++
					if p == len(s.text) {
						break
					}
					if !isHex(s.text[p]) {
						return p, `\u in a string needs four hexadecimal digits`
					}
				}
			default:
				return p, `a backslash in a string starts no known escape; write \\`
			}
		}
	}
	return len(s.text), "the text ends inside a string"
}

func (s *scanner) scalar(p int) (int, string) {
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(s.text[p:], []byte(word)) {
			s.steps += len(word)
			return p + len(word), ""
		}
	}
	for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
		if bytes.HasPrefix(s.text[p:], []byte(word)) {
			return p, word + " is not a JSON number"
		}
	}
	return s.number(p)
}

func (s *scanner) number(p int) (int, string) {
	const fault = "expected a value: an object, a string, a number, true, false or null"
	start := p
	digits := func() bool {
		from := p
		for p < len(s.text) && '0' <= s.text[p] && s.text[p] <= '9' {
			s.steps++
			p++
		}
		return p > from
	}
	at := func(signs string) bool { return p < len(s.text) && bytes.IndexByte([]byte(signs), s.text[p]) >= 0 }

	if at("-") {
		p++
	}
	if at("0") {
		p++
		if at("0123456789") {
			return p, "a number may not begin with a needless zero"
		}
	} else if !digits() {
		return start, fault
	}
	if at(".") {
		p++
		if !digits() {
			return p, "expected digits after the decimal point"
		}
	}
	if at("eE") {
		p++
		if at("+-") {
			p++
		}
		if !digits() {
			return p, "expected digits in the exponent"
		}
	}
	return p, ""
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
