package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func links(text string) []Link { return Scan(text).Links }

func TestLinksAreFoundWithTheirLines(t *testing.T) {
	text := strings.Join([]string{
		"---",
		"see: [not](front.md)",
		"---",
		"# Start [one](a.md)",
		"",
		"Some text, and [two",
		"words](b.md \"A title\") and ![an image](<img/my logo.png>).",
		"",
		"- an item with [a reference][Ref  X]",
		"  and [a shortcut], and [![badge](badge.svg)](ci.md)",
		"",
		"> a quote with [quoted](q\\(1\\).md)",
		"",
		"<p align=\"center\">",
		"  <img alt=\"x\" src='pic.png'> <a href=\"d.md?a=1&amp;b=2\">D</a>",
		"</p>",
		"",
		"Inline <a href=e.md>E</a>, <https://host.example/x>, [web](https://host.example).",
		"",
		"[ref x]: r.md 'R'",
		"[a shortcut]:",
		"  <s t.md>",
		"[unused]: unused.md",
	}, "\r\n")
	want := []Link{
		{"a.md", 4}, {"b.md", 7}, {"img/my logo.png", 7}, {"r.md", 9}, {"s t.md", 10}, {"badge.svg", 10}, {"ci.md", 10},
		{"q(1).md", 12}, {"pic.png", 15}, {"d.md?a=1&b=2", 15}, {"e.md", 18}, {"https://host.example", 18},
	}
	if diff := cmp.Diff(want, links(text)); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
}

func TestCodeCommentsAndPlainBracketsHoldNoLinks(t *testing.T) {
	for _, text := range []string{
		"```\n[a](x.md)\n```\n",
		"~~~md\n[a](x.md)\n```\n[b](y.md)\n~~~\n",
		"- item\n\n  ```sh\n  # [a](x.md)\n  ```\n",
		"> ```\n> [a](x.md)\n> ```\n",
		"    [a](x.md)\n",
		"`[a](x.md)` and ``[b](`y.md)``",
		"<!-- [a](x.md) <a href=\"y.md\"> -->",
		"text <!-- [a](x.md)\n[b](y.md) --> text",
		"<!--\n\n[a](x.md)\n\n-->\n",
		"<pre>\n<a href=\"x.md\">\n</pre>\n",
		"<script>\nlet a = '<a href=\"x.md\">'\n</script>\n",
		"\\[a](x.md)",
		"[a] (x.md)",
		"[a][undefined] [b] [c][]",
		"[^1]\n\n[^1]: x.md\n",
		"[a](x.md and more)",
		"[a](<x.md)",
		"```\n[a](never-closed.md)\n",
	} {
		if got := links(text); len(got) != 0 {
			t.Errorf("%q: found %+v, want no link", text, got)
		}
	}
}

func TestHeadingsOfBothKindsAreFoundOutsideCodeAndComments(t *testing.T) {
	text := strings.Join([]string{
		"\ufeffTitle",
		"=====",
		"```",
		"# in code",
		"```",
		"<!--",
		"# in a comment",
		"-->",
		"## **Bold** and `code` ##",
		"#no heading",
		"####### seven",
		"- # In an item",
		"",
		"Two",
		"lines",
		"---",
		"    # indented code",
		"",
		"# A [link](x.md) ![image](y.png) \\# <b>tag</b> &amp; snake_case _emph_",
		"#",
	}, "\n")
	want := []Heading{
		{"Title", "title", 1},
		{"Bold and code", "bold-and-code", 9},
		{"In an item", "in-an-item", 12},
		{"Two\nlines", "twolines", 14},
		{"A link  # tag & snake_case emph", "a-link---tag--snake_case-emph", 19},
		{"", "", 20},
	}
	if diff := cmp.Diff(want, Scan(text).Headings); diff != "" {
		t.Errorf("headings (-want +got):\n%s", diff)
	}
}

func TestSlugsAreThoseOfGitHub(t *testing.T) {
	for text, want := range map[string]string{
		"Getting Started":        "getting-started",
		"What's new in v2.1?":    "whats-new-in-v21",
		"C++ & Rust":             "c--rust",
		"Über Änderungen":        "über-änderungen",
		"日本語 見出し":                "日本語-見出し",
		"🎉 Party":                "-party",
		"snake_case and kebab-x": "snake_case-and-kebab-x",
		"100 %":                  "100-",
		"a  b":                   "a--b",
	} {
		if got := Slug(text); got != want {
			t.Errorf("Slug(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestRepeatedHeadingsGetNumberedAnchors(t *testing.T) {
	d := Scan("# Foo\n# Foo\n# Foo 1\n# Foo\n")
	var got []string
	for _, h := range d.Headings {
		got = append(got, h.Slug)
	}
	if diff := cmp.Diff([]string{"foo", "foo-1", "foo-1-1", "foo-2"}, got); diff != "" {
		t.Errorf("slugs (-want +got):\n%s", diff)
	}
}

func TestAnchorsAreHeadingsAndHTMLNames(t *testing.T) {
	d := Scan("# One Two\n\n<a name=\"old\" id='older'></a>\n\ntext <span id=new>x</span>\n\n`<a id=\"code\">`\n")
	for _, ok := range []string{"", "top", "one-two", "old", "older", "new"} {
		if !d.Anchor(ok) {
			t.Errorf("#%s leads nowhere", ok)
		}
	}
	for _, bad := range []string{"One-Two", "one", "code", "two"} {
		if d.Anchor(bad) {
			t.Errorf("#%s leads somewhere", bad)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		"# a\n\n[b](c.md \"t\") ![d](<e f>) `code [x](y)`\n",
		"- x\n\n      y\n```\n[a](b)\n",
		"> [a][b]\n\n[b]: c 'd'\n",
		"<p><a href='x' id=y>\n\n<!-- ",
		"---\na: b\n---\nT\n===\n",
		"[a]:\n<\n", "\\", "![", "[](", "<a b=", "`` ` ``` ", "\t- \t1.\t# x\r\n\ry", "[![a](b)](c)[d](e [f](g))",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := Scan(text)
		lines := 1 + strings.Count(strings.ReplaceAll(text, "\r\n", "\n"), "\n") + strings.Count(text, "\r")
		for _, l := range d.Links {
			if l.Line < 1 || l.Line > lines {
				t.Errorf("link %q on line %d of %d", l.To, l.Line, lines)
			}
		}
		seen := map[string]bool{}
		for _, h := range d.Headings {
			if h.Line < 1 || h.Line > lines {
				t.Errorf("heading %q on line %d of %d", h.Text, h.Line, lines)
			}
			if seen[h.Slug] {
				t.Errorf("two headings have the anchor %q", h.Slug)
			}
			seen[h.Slug] = true
			if !d.Anchor(h.Slug) {
				t.Errorf("the anchor %q of a heading leads nowhere", h.Slug)
			}
		}
	})
}
