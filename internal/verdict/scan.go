package verdict

import "bytes"

// The scan finds the JSON objects in whatever else a model wrote: prose, code fences, attempts it gave
// up. It keeps an object when it is complete, looks like a verdict, and is no part of another complete
// object.
//
// It walks the text once. From each opening brace it reads strictly, with a stack instead of recursion,
// until the object is complete or cannot become one:
//
//	Use {braces} or {"a} freely. {"checklist": {...}} Done.
//	     ^fails       ^            ^fails: no ":" behind "a} freely. {"
//	                  goes on here
//
// After a failure it does not start again at the next brace, which would cost a square of the length on
// a flood of "{"{"a":{"a":...". It goes on behind the last opening quote it saw, since a quotation mark
// of the prose may have hidden a brace behind it, or behind the last complete object, if that came
// later. One string and the signs behind it are all that is ever read again, and in there no attempt can
// get far, for a string holds no bare quotation mark. So no byte is read more than a handful of times,
// and complete objects inside an unfinished one are still found.

// span is one object of the text: text[start:end].
type span struct{ start, end int }

// breakage is an object that looked like a verdict and broke off: where it began, where reading
// failed, and what is wrong there.
type breakage struct {
	start, at int
	what      string
}

type scanner struct {
	text   []byte
	found  []span    // complete, looking like a verdict, not inside another complete object; in order
	broken *breakage // the last one
	any    bool      // at least one object was complete
	nested bool      // something that looks like a verdict is inside an object that does not
	steps  int       // bytes looked at, again and again included
}

// openObject is an object whose closing brace has not been seen.
type openObject struct {
	start int
	looks bool
}

// What the grammar allows next.
type expectation byte

const (
	keyOrEnd expectation = iota
	key
	colon
	element
	elementOrEnd
	commaOrEnd
)

func scan(text []byte) *scanner {
	s := &scanner{text: text}
	for pos := 0; ; {
		brace := bytes.IndexByte(text[pos:], '{')
		if brace < 0 {
			s.steps += len(text) - pos
			return s
		}
		s.steps += brace + 1
		pos = s.object(pos + brace)
	}
}

// object reads the object that begins at start and returns where to go on.
func (s *scanner) object(start int) int {
	var (
		stack   = []byte{'{'} // the open containers
		objects = []openObject{{start: start}}
		expect  = keyOrEnd
		p       = start + 1
		resume  = start + 1 // behind the last opening quote or complete object
		looks   = false
	)
	fail := func(at int, what string) int {
		if looks {
			s.broken = &breakage{start: start, at: at, what: what}
		}
		return resume
	}
	for {
		p = s.space(p)
		if p >= len(s.text) {
			return fail(p, "the text ends before the object does")
		}
		s.steps++
		c := s.text[p]
		switch {
		case c == '"' && (expect == keyOrEnd || expect == key || expect == element || expect == elementOrEnd):
			resume = p + 1
			end, what := s.str(p)
			if what != "" {
				return fail(end, what)
			}
			if expect == keyOrEnd || expect == key {
				if verdictKey(s.text[p:end]) {
					objects[len(objects)-1].looks = true
					looks = true
				}
				expect = colon
			} else {
				expect = commaOrEnd
			}
			p = end
		case c == ':' && expect == colon:
			expect = element
			p++
		case c == ',' && expect == commaOrEnd:
			expect = element
			if stack[len(stack)-1] == '{' {
				expect = key
			}
			p++
		case c == '}' && stack[len(stack)-1] == '{' && (expect == keyOrEnd || expect == commaOrEnd):
			p++
			last := len(objects) - 1
			s.complete(objects[last], p)
			resume = p
			objects, stack = objects[:last], stack[:len(stack)-1]
			if last == 0 {
				return p
			}
			expect = commaOrEnd
		case c == ']' && stack[len(stack)-1] == '[' && (expect == elementOrEnd || expect == commaOrEnd):
			p++
			stack = stack[:len(stack)-1]
			expect = commaOrEnd
		case c == '{' && (expect == element || expect == elementOrEnd):
			objects = append(objects, openObject{start: p})
			stack = append(stack, c)
			expect = keyOrEnd
			p++
		case c == '[' && (expect == element || expect == elementOrEnd):
			stack = append(stack, c)
			expect = elementOrEnd
			p++
		case expect == element || expect == elementOrEnd:
			end, what := s.scalar(p)
			if what != "" {
				return fail(end, what)
			}
			p = end
			expect = commaOrEnd
		default:
			return fail(p, expect.complaint(stack[len(stack)-1]))
		}
	}
}

// complete takes in an object whose closing brace is the byte before end. What was found inside it is
// a part of it and stands no longer for itself.
func (s *scanner) complete(o openObject, end int) {
	s.any = true
	for last := len(s.found) - 1; last >= 0 && s.found[last].start > o.start; last-- {
		s.found = s.found[:last]
		s.nested = s.nested || !o.looks
	}
	if o.looks {
		s.found = append(s.found, span{o.start, end})
	}
}

// verdictKey tells whether a quoted name is one that only a verdict is expected to have.
func verdictKey(quoted []byte) bool {
	switch string(quoted) {
	case `"checklist"`, `"items"`, `"levels"`, `"points"`, `"scores"`:
		return true
	}
	return false
}

func (e expectation) complaint(container byte) string {
	switch {
	case e == keyOrEnd:
		return `expected a name in double quotes or "}"`
	case e == key:
		return "expected a name in double quotes after the comma"
	case e == colon:
		return `expected ":" after the name`
	case container == '[':
		return `expected "," or "]"`
	}
	return `expected "," or "}"`
}
