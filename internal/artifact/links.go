package artifact

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"rulph/internal/artifact/markdown"
)

// answerLinks is yes when every relative target of the Markdown files leads to something inside the
// root. A text without a relative link has no broken one.
func answerLinks(a Artifact) (bool, string, error) {
	c := checker{a: a, docs: map[string]markdown.Document{}}
	total, broken, first := 0, 0, ""
	for _, f := range markdownFiles(a) {
		for _, l := range c.document(f.Path, f.Data).Links {
			if external(l.To) {
				continue
			}
			total++
			why, ok := c.resolves(f.Path, l.To)
			if ok {
				continue
			}
			if broken++; broken == 1 {
				first = fmt.Sprintf("broken link: %s (%s)%s", shown(l.To), place(f.Path, l.Line), why)
			}
		}
	}
	switch {
	case broken > 1:
		return false, fmt.Sprintf("%s and %d more", first, broken-1), nil
	case broken == 1:
		return false, first, nil
	case total == 0:
		return true, "no relative link to check", nil
	case total == 1:
		return true, "the relative link leads somewhere", nil
	}
	return true, fmt.Sprintf("all %d relative links lead somewhere", total), nil
}

// external tells whether a target has a host or a scheme of its own. It is not followed.
func external(to string) bool {
	return strings.HasPrefix(to, "//") || markdown.Scheme(to) != ""
}

// checker remembers the documents it has scanned, by slash path.
type checker struct {
	a    Artifact
	docs map[string]markdown.Document
}

func (c *checker) document(p string, data []byte) markdown.Document {
	d, have := c.docs[p]
	if !have {
		d = markdown.Scan(string(data))
		c.docs[p] = d
	}
	return d
}

// resolves tells whether a target in the file `from` leads somewhere, and why not where the target
// alone does not say it. A path that starts with a slash starts at the root, as on GitHub.
func (c *checker) resolves(from, to string) (why string, ok bool) {
	if strings.TrimSpace(to) == "" {
		return ": it is empty", false
	}
	to, fragment, _ := strings.Cut(to, "#")
	to, query, _ := strings.Cut(to, "?")
	fragment = percentDecode(fragment)
	target := from
	if to != "" {
		to = percentDecode(to)
		if rooted := strings.TrimLeft(to, "/"); rooted != to {
			target = path.Clean(rooted)
		} else {
			target = path.Join(path.Dir(from), to)
		}
	}
	if target == ".." || strings.HasPrefix(target, "../") || !filepath.IsLocal(filepath.FromSlash(target)) {
		return ": it leads out of the folder", false
	}
	if !c.exists(target) {
		return "", false
	}
	if fragment == "" || query != "" || target != from && !isMarkdown(target) {
		return "", true // lines of a source file and parts of other formats are not looked for
	}
	d, ok := c.target(target)
	if ok && !d.Anchor(fragment) {
		return ": no such heading", false
	}
	return "", true
}

// exists looks for a file among those of the artifact, then for a file or folder below its root on the
// disk. What a symbolic link fetches from outside is not inside.
func (c *checker) exists(target string) bool {
	if _, ok := c.held(target); ok {
		return true
	}
	name, ok := c.onDisk(target)
	if !ok {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && (info.IsDir() || info.Mode().IsRegular())
}

// target is the document behind a link; false for one that is no text.
func (c *checker) target(p string) (markdown.Document, bool) {
	if f, ok := c.held(p); ok {
		return c.document(p, f.Data), true
	}
	if d, have := c.docs[p]; have {
		return d, true
	}
	name, ok := c.onDisk(p)
	if !ok {
		return markdown.Document{}, false
	}
	data, _, err := readFile(name, MaxBytes)
	if err != nil {
		return markdown.Document{}, false
	}
	return c.document(p, data), true
}

func (c *checker) held(p string) (File, bool) {
	i, ok := slices.BinarySearchFunc(c.a.Files, p, func(f File, p string) int { return strings.Compare(f.Path, p) })
	if !ok {
		return File{}, false
	}
	return c.a.Files[i], true
}

// onDisk is the real name of a target, when that is below the real root.
func (c *checker) onDisk(target string) (string, bool) {
	if !filepath.IsAbs(c.a.Root) {
		return "", false
	}
	root, err := filepath.EvalSymlinks(c.a.Root)
	if err != nil {
		return "", false
	}
	name, err := filepath.EvalSymlinks(filepath.Join(root, filepath.FromSlash(target)))
	return name, err == nil && inside(root, name)
}

// percentDecode resolves %41. What is no such escape stays as it is, as browsers do.
func percentDecode(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, ok1 := hexDigit(s[i+1])
			lo, ok2 := hexDigit(s[i+2])
			if ok1 && ok2 {
				out.WriteByte(hi<<4 | lo)
				i += 2
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return (c | 0x20) - 'a' + 10, true
	}
	return 0, false
}
