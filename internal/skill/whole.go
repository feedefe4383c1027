package skill

import "bytes"

// A change is meant to be small: one place, one reason, so that what it brought can be told from what it did. A model
// that returns the whole file has also paid for it ten times over.
const (
	mostOfIt  = 0.6 // share of the body that old may not reach
	smallText = 400 // bytes of body up to which a large share means nothing
	leastEcho = 5   // lines outside old that new has to repeat before it is taken for the file
)

// notWhole refuses a change whose old or new is the file.
func notWhole(text, old, fresh []byte, at int) error {
	front, body := split(text)
	trimmed := bytes.TrimSpace(body)
	covered := overlap(at, at+len(old), len(text)-len(body), len(text))
	if len(trimmed) > 0 && bytes.Contains(old, trimmed) ||
		len(trimmed) > smallText && float64(covered) >= mostOfIt*float64(len(trimmed)) {
		return refuse(Whole, "old is most of SKILL.md: name one passage, and only as much of it as the change needs")
	}
	if opened, _ := split(bytes.TrimLeft(fresh, " \t\r\n")); at >= len(front) && (len(names(opened)) > 0 || bytes.Contains(opened, []byte("\ndescription:"))) {
		return refuse(Whole, "new begins with a frontmatter of its own, as a whole SKILL.md does: return the changed passage alone")
	}
	if repeats(fresh, text[:at], text[at+len(old):]) {
		return refuse(Whole, "new repeats most of SKILL.md: return the changed passage alone")
	}
	return nil
}

func overlap(a, b, c, d int) int { return max(0, min(b, d)-max(a, c)) }

// repeats reports whether fresh holds at least half of the lines that the change leaves alone.
func repeats(fresh []byte, kept ...[]byte) bool {
	has := map[string]bool{}
	for line := range bytes.Lines(fresh) {
		has[string(bytes.TrimSpace(line))] = true
	}
	lines, repeated := 0, 0
	seen := map[string]bool{}
	for _, part := range kept {
		for line := range bytes.Lines(part) {
			text := string(bytes.TrimSpace(line))
			if len(text) < 4 || seen[text] { // rules, fences and brackets are in every text
				continue
			}
			seen[text] = true
			lines++
			if has[text] {
				repeated++
			}
		}
	}
	return repeated >= leastEcho && 2*repeated >= lines
}
