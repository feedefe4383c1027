package artifact

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"rulph/internal/artifact/markdown"
)

// Answer asks the probe of the artifact. why is one short sentence for a person, with the place where
// there is one. Patterns see each file on its own, without a byte order mark and with line feeds for
// line ends, so that ^ and $ mean the same in every file. The links of files that the artifact does
// not hold are looked up below its root on the disk; nothing is fetched. An error means that there is
// no answer.
func (p Probe) Answer(a Artifact) (yes bool, why string, err error) {
	if err := p.Validate(); err != nil {
		return false, "", fmt.Errorf("probe: %w", err)
	}
	switch {
	case p.Match != "":
		return answerMatch(a, p.Match)
	case p.Lacks != "":
		return answerLacks(a, p.Lacks)
	case p.Heading != "":
		return answerHeading(a, p.Heading)
	case p.MaxWords != nil:
		n := words(a)
		return n <= *p.MaxWords, fmt.Sprintf("%s, at most %d allowed", count(n, "word"), *p.MaxWords), nil
	case p.MinWords != nil:
		n := words(a)
		return n >= *p.MinWords, fmt.Sprintf("%s, at least %d asked for", count(n, "word"), *p.MinWords), nil
	}
	return answerLinks(a)
}

func answerMatch(a Artifact, pattern string) (bool, string, error) {
	re, err := compile("match", pattern)
	if err != nil {
		return false, "", err
	}
	if where, what, ok := find(a, re); ok {
		return true, fmt.Sprintf("found %s (%s)", what, where), nil
	}
	return false, fmt.Sprintf("nothing matches %s", short(pattern)), nil
}

func answerLacks(a Artifact, pattern string) (bool, string, error) {
	re, err := compile("lacks", pattern)
	if err != nil {
		return false, "", err
	}
	if where, what, ok := find(a, re); ok {
		return false, fmt.Sprintf("found %s (%s)", what, where), nil
	}
	return true, fmt.Sprintf("nothing matches %s", short(pattern)), nil
}

// find returns the place and the text of the first match.
func find(a Artifact, re *regexp.Regexp) (where, what string, ok bool) {
	for _, f := range a.Files {
		text := f.text()
		at := re.FindIndex(text)
		if at == nil {
			continue
		}
		line := 1 + bytes.Count(text[:at[0]], []byte("\n"))
		return place(f.Path, line), short(string(text[at[0]:at[1]])), true
	}
	return "", "", false
}

// text is the content as patterns see it.
func (f File) text() []byte {
	data := bytes.TrimPrefix(f.Data, []byte("\ufeff"))
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}

func answerHeading(a Artifact, want string) (bool, string, error) {
	want = foldHeading(want)
	for _, f := range markdownFiles(a) {
		for _, h := range markdown.Scan(string(f.Data)).Headings {
			if foldHeading(h.Text) == want {
				return true, fmt.Sprintf("found the heading %s (%s)", short(h.Text), place(f.Path, h.Line)), nil
			}
		}
	}
	return false, fmt.Sprintf("no heading %s", short(want)), nil
}

func foldHeading(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

func words(a Artifact) int {
	n := 0
	for _, f := range a.Files {
		n += len(bytes.Fields(f.text()))
	}
	return n
}

// markdownFiles are the files with a name of Markdown. A file that is the whole artifact is taken for
// Markdown whatever its name: a text from standard input, say, has none of its own.
func markdownFiles(a Artifact) []File {
	if len(a.Files) == 1 {
		return a.Files
	}
	var files []File
	for _, f := range a.Files {
		if isMarkdown(f.Path) {
			files = append(files, f)
		}
	}
	return files
}

func isMarkdown(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdown", ".mkd", ".mdx":
		return true
	}
	return false
}

func place(file string, line int) string { return fmt.Sprintf("%s:%d", shown(file), line) }

// shown is a name for a terminal: cut, and without characters that would steer it.
func shown(s string) string {
	const limit = 120
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
	if utf8.RuneCountInString(s) > limit {
		s = string([]rune(s)[:limit-3]) + "..."
	}
	return s
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// short quotes a text on one line, cut to what fits beside a place.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	const limit = 60
	if utf8.RuneCountInString(s) > limit {
		s = string([]rune(s)[:limit-3]) + "..."
	}
	return fmt.Sprintf("%q", s)
}
