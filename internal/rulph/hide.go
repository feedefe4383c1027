package rulph

import (
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"rulph/internal/loop"
	"rulph/internal/rubric/rubricfile"
)

// hide takes from the desk every rubric, and every file that tells an item which is held out: an earlier
// report, a result of CI, somebody's notes. The artifact is laid afterwards, whatever it says.
func hide(d *desk, s loop.State) error {
	var secrets []string
	held := s.Rubric.Body.Held()
	for _, c := range s.Rubric.Body.Criteria {
		for _, it := range c.Items {
			if held[c.ID][it.ID] {
				secrets = append(secrets, essence(it.Text))
			}
		}
	}
	own := filepath.Base(s.Rubric.Path)
	return d.walk(func(_, path string, e fs.DirEntry) error {
		if !e.Type().IsRegular() {
			return nil
		}
		data, err := read(path, e)
		if err != nil {
			return err
		}
		text := essence(string(data))
		tells := slices.ContainsFunc(secrets, func(secret string) bool { return secret != "" && strings.Contains(text, secret) })
		if tells || e.Name() == own || isRubric(e.Name(), data) {
			return os.Remove(path)
		}
		return nil
	})
}

// isRubric says whether a file reads as a rubric, whoever's.
func isRubric(name string, data []byte) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml", ".md", ".json":
		r, err := rubricfile.Parse(name, data)
		return err == nil && len(r.Criteria) > 0
	}
	return false
}

// escapes are \u0026 of JSON and of JavaScript.
var escapes = regexp.MustCompile(`\\u[0-9a-fA-F]{4}`)

// essence is the letters and digits of a text, however a format has escaped, quoted or broken it.
func essence(text string) string {
	text = escapes.ReplaceAllStringFunc(text, func(e string) string {
		n, _ := strconv.ParseUint(e[2:], 16, 32)
		return string(rune(n))
	})
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, html.UnescapeString(text))
}
