package rubricfile

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"

	"rulph/internal/rubric"
)

func writeMarkdown(r rubric.Rubric) []byte {
	title := r.Title
	asHeading := title != "" && readsBack("# ", title)
	if asHeading {
		r.Title = ""
	}
	var b bytes.Buffer
	b.WriteString("---\n")
	writePairs(&b, head(r), "", "")
	b.WriteString("---\n")
	if asHeading {
		b.WriteString("\n# " + title + "\n")
	}
	for i, c := range r.Criteria {
		writeCriterion(&b, c, i+1)
	}
	return b.Bytes()
}

func writeCriterion(b *bytes.Buffer, c rubric.Criterion, place int) {
	ps := criterionPairs(c, place)
	heading := c.Name
	weight := ""
	if c.Stated != nil {
		weight, _ = number(*c.Stated)
		heading += " (" + weight + "%)"
	}
	named := headingMeans(heading, c.Name, weight)
	if !named {
		heading = rubric.CriterionID(c.Name, place)
	}
	b.WriteString("\n## " + heading + "\n\n")
	for _, p := range ps {
		if named && (p.key == "name" || p.key == "weight") {
			continue
		}
		writeSetting(b, "", p)
	}
	for j, it := range c.Items {
		b.WriteString("- [ ] " + it.Text + "\n")
		for _, p := range itemPairs(it, j+1)[1:] {
			writeSetting(b, "  ", p)
		}
	}
	for _, marks := range [][]rubric.Level{c.Levels, c.Points} {
		for _, m := range marks {
			fmt.Fprintf(b, "- %d: %s\n", m.At, m.Text)
		}
	}
}

// headingMeans reports whether the heading is read as this name and weight.
func headingMeans(heading, name, weight string) bool {
	if !readsBack("## ", heading) {
		return false
	}
	m := weightSuffix.FindStringSubmatch(heading)
	if weight == "" {
		return m == nil
	}
	return m != nil && m[1] == name && m[2] == weight
}

// readsBack reports whether a line of Markdown that begins with mark is a heading of exactly this text:
// "## C #" is not, its last mark closes the heading.
func readsBack(mark, text string) bool {
	src := []byte(mark + text + "\n")
	n, ok := blocks(src).FirstChild().(*ast.Heading)
	return ok && n.NextSibling() == nil && string(bytes.TrimSpace(n.Lines().Value(src))) == text
}

func writeSetting(b *bytes.Buffer, indent string, p pair) {
	begin := indent + "- " + p.key + ":"
	if n, ok := number(p.value); ok {
		b.WriteString(begin + " " + n + "\n")
		return
	}
	s := p.value.(string)
	switch {
	case !isCode(p.key):
		b.WriteString(begin + " " + s + "\n")
	case !strings.Contains(s, "\n"):
		b.WriteString(begin + " " + codeSpan(s) + "\n")
	default:
		language, code := "sh", s
		if !fenceable(s) {
			language, code = "json", jsonString(s)
		}
		fence := strings.Repeat("`", max(3, longestRun(code)+1))
		b.WriteString(begin + "\n")
		for line := range strings.SplitSeq(fence+language+"\n"+code+"\n"+fence, "\n") {
			b.WriteString(strings.TrimRight(indent+"  "+line, " ") + "\n")
		}
	}
}

// fenceable reports whether a code block keeps s: lines with blanks at their ends would lose them in
// editors, and lines of blanks alone in Markdown.
func fenceable(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		if strings.TrimRight(line, " \t") != line {
			return false
		}
	}
	return true
}

// codeSpan is s between enough backticks, with a space on either side where fromCodeSpan takes one away or
// a backtick would join them.
func codeSpan(s string) string {
	fence := strings.Repeat("`", longestRun(s)+1)
	spaced := strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") && strings.TrimLeft(s, " ") != ""
	if spaced || strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// longestRun is the length of the longest run of backticks.
func longestRun(s string) int {
	longest := 0
	for _, run := range strings.FieldsFunc(s, func(r rune) bool { return r != '`' }) {
		longest = max(longest, len(run))
	}
	return longest
}
