package evaluator

import (
	"errors"
	"strings"
)

// splitWords splits a line into words as a POSIX shell does, and does nothing else that a shell does.
// Blanks end a word; single quotes keep everything, double quotes everything but a backslash before one
// of $ ` " \ and a line break; elsewhere a backslash keeps the character behind it, and takes a line
// break away. Variables, globs, ~, comments, pipes and redirections are plain characters.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	open := false // a word has begun; it may be empty: ''
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case strings.IndexByte(" \t\n\r", c) >= 0:
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
		case c == '\'':
			text, _, closed := strings.Cut(line[i+1:], "'")
			if !closed {
				return nil, errors.New("a single quote is not closed")
			}
			word.WriteString(text)
			open = true
			i += len(text) + 1
		case c == '"':
			n, closed := double(&word, line[i+1:])
			if !closed {
				return nil, errors.New("a double quote is not closed")
			}
			open = true
			i += n
		case c == '\\' && i+1 == len(line):
			return nil, errors.New("it ends in a backslash")
		case c == '\\':
			if i++; line[i] != '\n' {
				word.WriteByte(line[i])
				open = true
			}
		default:
			word.WriteByte(c)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	for _, w := range words {
		if strings.IndexByte(w, 0) >= 0 {
			return nil, errors.New("a word holds a NUL character, which no program can be given")
		}
	}
	return words, nil
}

// double writes what stands within double quotes; n counts the bytes up to the closing one, itself
// included.
func double(word *strings.Builder, rest string) (n int, closed bool) {
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '"':
			return i + 1, true
		case c == '\\' && i+1 < len(rest) && strings.IndexByte("$`\"\\\n", rest[i+1]) >= 0:
			if i++; rest[i] != '\n' {
				word.WriteByte(rest[i])
			}
		default:
			word.WriteByte(c)
		}
	}
	return 0, false
}

// joinWords is the line that splitWords splits into words.
func joinWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = w
		if w == "" || strings.ContainsAny(w, " \t\n\r'\"\\$`|&;<>()*?[]#~!{}") {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
