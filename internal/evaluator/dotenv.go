package evaluator

import (
	"os"
	"strings"
)

// readDotenv reads the variables of a .env file as the clients do: NAME=VALUE lines, which may begin with
// export, comments, quotes, and ${NAME} or $NAME outside of single quotes, which a variable of environ or
// an earlier line gives. A line that is none of these is passed over, and so is a value of several lines: no
// key has one.
func readDotenv(text string, environ []string) []string {
	var vars []string
	lookUp := func(name string) string {
		if v := value(environ, name); v != "" {
			return v
		}
		return value(vars, name)
	}
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "export"); ok && strings.TrimLeft(rest, " \t") != rest {
			line = strings.TrimSpace(rest)
		}
		name, raw, found := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !found || !isName(name) {
			continue
		}
		if v, ok := dotenvValue(strings.TrimSpace(raw), lookUp); ok {
			vars = append(vars, name+"="+v)
		}
	}
	return vars
}

// isName says whether text is the name of a variable.
func isName(text string) bool {
	for i, r := range text {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
		if !letter && (i == 0 || (r < '0' || r > '9') && r != '.') {
			return false
		}
	}
	return text != ""
}

// dotenvValue is what a value stands for; ok is false where a quote is not closed or something follows it.
func dotenvValue(raw string, lookUp func(string) string) (v string, ok bool) {
	var out, open strings.Builder // open gathers what variables are put into
	flush := func() {
		out.WriteString(os.Expand(open.String(), lookUp))
		open.Reset()
	}
	const none = byte(0)
	quote := none
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case quote == '\'' && c != '\'':
			out.WriteByte(c)
		case quote != none && c == quote:
			flush()
			quote = none
		case quote == none && (c == '\'' || c == '"'):
			flush()
			quote = c
		case c == '\\':
			if i++; i == len(raw) {
				return "", false
			}
			flush()
			if c = raw[i]; c == 'n' {
				c = '\n'
			}
			out.WriteByte(c)
		case quote == none && (c == ' ' || c == '\t'):
			rest := strings.TrimSpace(raw[i:])
			flush()
			return out.String(), rest[0] == '#'
		case quote == none && c == '#' && i == 0:
			return "", true
		default:
			open.WriteByte(c)
		}
	}
	flush()
	return out.String(), quote == none
}
