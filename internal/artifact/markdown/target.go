package markdown

import "strings"

// inlineTarget reads `(to "title")` at the start of s.
func inlineTarget(s string) (to string, n int, ok bool) {
	if !strings.HasPrefix(s, "(") {
		return "", 0, false
	}
	n = 1 + skip(s[1:], space)
	to, m, ok := destination(s[n:])
	if !ok {
		return "", 0, false
	}
	n += m
	gap := skip(s[n:], space)
	if gap > 0 {
		if m := title(s[n+gap:]); m > 0 {
			n += gap + m
			gap = skip(s[n:], space)
		}
	}
	n += gap
	if n >= len(s) || s[n] != ')' {
		return "", 0, false
	}
	return to, n + 1, true
}

// destination reads a link target, in angle brackets or bare. A bare one may be empty and holds no
// space, no control character and parentheses in pairs only, at most 32 in one another (as cmark).
func destination(s string) (to string, n int, ok bool) {
	if strings.HasPrefix(s, "<") {
		for n = 1; n < len(s); n++ {
			switch s[n] {
			case '\\':
				n++
			case '\n', '<':
				return "", 0, false
			case '>':
				return unescape(s[1:n]), n + 1, true
			}
		}
		return "", 0, false
	}
	depth := 0
	for n < len(s) && s[n] > ' ' && s[n] != 0x7f {
		switch s[n] {
		case '\\':
			if n+1 < len(s) && isPunct(s[n+1]) {
				n++
			}
		case '(':
			if depth++; depth > 32 {
				return "", 0, false
			}
		case ')':
			if depth == 0 {
				return unescape(s[:n]), n, true
			}
			depth--
		}
		n++
	}
	return unescape(s[:n]), n, depth == 0
}

// title is the length of a link title in quotes or parentheses at the start of s, else 0.
func title(s string) int {
	if s == "" {
		return 0
	}
	end := s[0]
	switch end {
	case '(':
		end = ')'
	case '"', '\'':
	default:
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case end:
			return i + 1
		case '(':
			if end == ')' {
				return 0
			}
		}
	}
	return 0
}

// maxLabel is the longest label of a reference, in bytes (CommonMark counts 999 characters).
const maxLabel = 999

// linkLabel reads `[label]` at the start of s and returns it folded; n is 0 when there is none.
func linkLabel(s string) (label string, n int) {
	if !strings.HasPrefix(s, "[") {
		return "", 0
	}
	for i := 1; i < len(s) && i <= maxLabel+1; i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			return "", 0
		case ']':
			label = foldLabel(s[1:i])
			if label == "" {
				return "", 0
			}
			return label, i + 1
		}
	}
	return "", 0
}

func foldLabel(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

// definition reads `[label]: to "title"` at the start of a paragraph. n is 0 when there is none. A
// footnote, `[^1]: ...`, is none.
func definition(s string) (label, to string, n int) {
	label, n = linkLabel(s)
	if n == 0 || n >= len(s) || s[n] != ':' || strings.HasPrefix(label, "^") {
		return "", "", 0
	}
	n++
	n += skip(s[n:], space)
	if n == len(s) {
		return "", "", 0
	}
	to, m, ok := destination(s[n:])
	if !ok || m == 0 {
		return "", "", 0
	}
	n += m
	// A title counts when nothing follows it on its line; on the line of the target, something else
	// than a title spoils the definition.
	gap := skip(s[n:], space)
	if m := title(s[n+gap:]); m > 0 && gap > 0 {
		if end := lineEnd(s, n+gap+m); end > 0 {
			return label, to, end
		}
	}
	if end := lineEnd(s, n); end > 0 {
		return label, to, end
	}
	return "", "", 0
}

// lineEnd is the offset behind the line that ends, after spaces only, at offset n; 0 when other text
// follows.
func lineEnd(s string, n int) int {
	n += skip(s[n:], " ")
	switch {
	case n == len(s):
		return n
	case s[n] == '\n':
		return n + 1
	}
	return 0
}

func isPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

// unescape resolves backslashes before punctuation, and entities.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') >= 0 {
		var out strings.Builder
		for i := 0; i < len(s); i++ {
			if s[i] == '\\' && i+1 < len(s) && isPunct(s[i+1]) {
				i++
			}
			out.WriteByte(s[i])
		}
		s = out.String()
	}
	return unescapeEntities(s)
}

// unescapeEntities knows the few names that occur in targets and headings; the two thousand others
// would weigh more than this package.
func unescapeEntities(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#39;", "'", "&apos;", "'", "&nbsp;", "\u00a0").Replace(s)
}
