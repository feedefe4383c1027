package markdown

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// oracle reads a text with a full CommonMark parser: the targets of its links and images, sorted, and
// the number of its headings. Only tests carry it.
func oracle(source string) (targets []string, headings int) {
	doc := goldmark.DefaultParser().Parse(text.NewReader([]byte(source)))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			targets = append(targets, unescape(string(n.Destination)))
		case *ast.Image:
			targets = append(targets, unescape(string(n.Destination)))
		case *ast.Heading:
			headings++
		}
		return ast.WalkContinue, nil
	})
	slices.Sort(targets)
	return targets, headings
}

// Texts put together at random from the marks of Markdown, read alike by both. The pieces leave out
// what the two read differently on purpose: HTML links, front matter, and a definition followed by
// half a title, where goldmark departs from the specification.
func TestScanAgreesWithACommonMarkParser(t *testing.T) {
	pieces := []string{
		"\n", "\n", "\n\n", " ", "  ", "    ", "# ", "## ", "- ", "* ", "1. ", "2) ", "> ", "```\n", "~~~\n", "`", "``",
		"[a]", "[b]", "[", "]", "(x.md)", "(<y z>)", "![", "!", "\n\n[a]: q.md\n\n", "\n\n[b]:\n r 'T'\n\n", "===\n", "***",
		"*", "_", "text", "foo", "\\", "| ", "[](e)", "[a][b]", "[]", "'", "<b>", "</b>", "<!-- ", " -->", "<https://h.example>", "<div>\n",
	}
	r := rand.New(rand.NewPCG(1, 2))
	links := 0
	for range 8000 {
		var out strings.Builder
		for range 3 + r.IntN(14) {
			out.WriteString(pieces[r.IntN(len(pieces))])
		}
		source := out.String()
		want, headings := oracle(source)
		d := Scan(source)
		var got []string
		for _, l := range d.Links {
			got = append(got, l.To)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q: links %q, the parser finds %q", source, got, want)
		}
		if len(d.Headings) != headings {
			t.Errorf("%q: %d headings, the parser finds %d", source, len(d.Headings), headings)
		}
		links += len(want)
	}
	if links < 500 {
		t.Errorf("the texts held %d links: too few to compare anything", links)
	}
}
