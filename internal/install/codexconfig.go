package install

import "strings"

// trustRecords lists the events of this plugin for which a Codex configuration (config.toml) has a record of
// trust. Whether the record still fits the files only Codex can say; see hooks. This is the second best, for
// where Codex does not answer, and reads no more TOML than it has to: table headers, and keys on one line.
func trustRecords(config []byte) (events []string) {
	var table []string
	for line := range strings.Lines(string(config)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[[") {
			table = nil
			continue
		}
		if header, found := strings.CutPrefix(line, "["); found {
			keys, rest := dotted(header)
			if table = nil; strings.HasPrefix(rest, "]") {
				table = keys
			}
			continue
		}
		keys, rest := dotted(line)
		value, found := strings.CutPrefix(rest, "=")
		if !found {
			continue
		}
		path := append(table[:len(table):len(table)], keys...)
		if len(path) == 3 && strings.Contains(value, "trusted_hash") {
			path = append(path, "trusted_hash") // the record as an inline table
		}
		if len(path) != 4 || path[0] != "hooks" || path[1] != "state" || path[3] != "trusted_hash" {
			continue
		}
		if event, ours := hookEvent(path[2]); ours {
			events = append(events, event)
		}
	}
	return events
}

// hookEvent takes the key of a hook apart: <plugin>@<marketplace>:<file>:<event>:<group>:<index>.
func hookEvent(key string) (event string, ours bool) {
	rest, ours := strings.CutPrefix(key, pluginID+":")
	parts := strings.Split(rest, ":")
	if !ours || len(parts) < 4 {
		return "", false
	}
	return parts[len(parts)-3], true
}

// dotted reads a TOML key (bare, "basic" or 'literal' parts with dots between them) from the start of text
// and returns what follows it, without leading blanks.
func dotted(text string) (keys []string, rest string) {
	for {
		text = strings.TrimLeft(text, " \t")
		var key string
		switch {
		case strings.HasPrefix(text, `'`):
			end := strings.Index(text[1:], `'`)
			if end < 0 {
				return keys, ""
			}
			key, text = text[1:end+1], text[end+2:]
		case strings.HasPrefix(text, `"`):
			var ok bool
			if key, text, ok = basic(text[1:]); !ok {
				return keys, ""
			}
		default:
			end := strings.IndexFunc(text, func(r rune) bool {
				return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
			})
			if end < 0 {
				end = len(text)
			}
			if end == 0 {
				return keys, text
			}
			key, text = text[:end], text[end:]
		}
		keys = append(keys, key)
		text = strings.TrimLeft(text, " \t")
		next, more := strings.CutPrefix(text, ".")
		if !more {
			return keys, text
		}
		text = next
	}
}

// basic reads the rest of a basic string. Escapes other than \" and \\ do not occur in a hook's key and are
// kept as they are.
func basic(text string) (value, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return b.String(), text[i+1:], true
		case c == '\\' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\'):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}
