package skill

import "bytes"

var bom = []byte("\xef\xbb\xbf")

// split cuts a SKILL.md into its frontmatter, with the two lines of hyphens, and the body. Without a frontmatter all
// of it is body. A byte order mark belongs to the frontmatter.
func split(text []byte) (front, body []byte) {
	rest := bytes.TrimPrefix(text, bom)
	at := len(text) - len(rest)
	for first := true; at < len(text); first = false {
		line, _, ended := bytes.Cut(text[at:], []byte("\n"))
		at += len(line)
		if ended {
			at++
		}
		fence := string(bytes.TrimRight(line, " \t\r")) == "---"
		if first && !fence {
			break
		}
		if !first && fence {
			return text[:at], text[at:]
		}
	}
	return nil, text
}

// names are the entries of the frontmatter that give the name, each with the lines that go on with it.
func names(front []byte) []string {
	var found []string
	open := false
	for line := range bytes.Lines(front) {
		start := bytes.TrimRight(line, "\r\n")
		switch {
		case isName(start):
			found, open = append(found, string(start)), true
		case open && (len(start) == 0 || start[0] == ' ' || start[0] == '\t' || start[0] == '#'):
			found[len(found)-1] += "\n" + string(start)
		default:
			open = false
		}
	}
	return found
}

// isName reports whether the line gives the name, or may.
func isName(line []byte) bool {
	for _, key := range []string{"name", `"name"`, "'name'"} {
		if rest, ok := bytes.CutPrefix(line, []byte(key)); ok && bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte(":")) {
			return true
		}
	}
	// YAML's other two ways to write a mapping are not read, so nothing in them may change.
	return bytes.HasPrefix(line, []byte("{")) || bytes.HasPrefix(line, []byte("?"))
}

// sameName refuses a change after which the clients would call the skill something else, or see no frontmatter.
func sameName(before, after []byte) error {
	old, _ := split(before)
	now, _ := split(after)
	if bytes.Equal(old, now) {
		return nil
	}
	if len(old) > 0 && len(now) == 0 {
		return refuse(Named, "the change would leave SKILL.md without a frontmatter, and the clients without the skill")
	}
	was, is := names(old), names(now)
	if len(was) != len(is) {
		return refuse(Named, "the change touches name in the frontmatter; the skill is called by it, so it stays")
	}
	for i := range was {
		if was[i] != is[i] {
			return refuse(Named, "the change touches name in the frontmatter; the skill is called by it, so it stays")
		}
	}
	return nil
}
