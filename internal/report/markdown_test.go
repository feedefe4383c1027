package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// rendered is Markdown as a renderer that lets HTML through and links bare addresses shows it: the
// least careful one there is.
func rendered(t *testing.T, source []byte) string {
	t.Helper()
	var b bytes.Buffer
	m := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := m.Convert(source, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	foreign = regexp.MustCompile(`<(a|img|script|style|del|em|input|blockquote|!--)\b`)
	headed  = regexp.MustCompile(`<h[1-6]>`)
)

func TestMarkdownOfHostileTextHasNoMarkupOfItsOwn(t *testing.T) {
	page := rendered(t, Markdown(hostile()))
	if found := foreign.FindAllString(page, -1); found != nil {
		t.Errorf("the rendered report has %q", found)
	}
	// Title, eight parts, six rounds, four criteria.
	if n := len(headed.FindAllString(page, -1)); n != 19 {
		t.Errorf("%d headings, want 19", n)
	}
	if n := strings.Count(page, "<pre>"); n != 6 {
		t.Errorf("%d fenced blocks, want 6", n)
	}
	if n := strings.Count(page, "&lt;script&gt;alert(1)&lt;/script&gt;"); n < 60 {
		t.Errorf("the attack is shown %d times, want at least 60", n)
	}
}

func TestMarkdownTablesKeepTheirColumns(t *testing.T) {
	page := rendered(t, Markdown(hostile()))
	for table := range strings.SplitSeq(page, "<table>") {
		_, body, ok := strings.Cut(table, "<thead>")
		if !ok {
			continue
		}
		rows := strings.Split(strings.Split(body, "</table>")[0], "<tr>")[1:]
		columns := strings.Count(rows[0], "<th")
		for _, row := range rows[1:] {
			// goldmark pads short rows and cuts long ones, so a shifted cell shows in the last one.
			if n := strings.Count(row, "<td"); n != columns {
				t.Errorf("%d cells of %d in %.80q", n, columns, row)
			}
		}
	}
	evenTables(t, Markdown(hostile()), 10)
}

// evenTables checks that each row of a table has as many bare pipes as its first, and that there are so
// many tables.
func evenTables(t *testing.T, source []byte, want int) {
	t.Helper()
	head, tables := 0, 0
	for line := range strings.SplitSeq(string(source), "\n") {
		if !strings.HasPrefix(line, "| ") {
			head = 0
			continue
		}
		pipes := strings.Count(strings.ReplaceAll(line, "\\|", ""), "|")
		if head == 0 {
			head = pipes
			tables++
		}
		if pipes != head {
			t.Errorf("%d bare pipes, %d in the first row: %.80q", pipes, head, line)
		}
	}
	if tables != want {
		t.Errorf("%d tables, want %d", tables, want)
	}
}

func TestTextOfOneLineStaysText(t *testing.T) {
	for _, text := range []string{
		"plain", "# no heading", "- no item", "1. no item", "12) no item", "+ x", "=== x", "*x* _x_ **x** ~~x~~ `x`", "[a](b) ![a](b) [a]: b",
		"<b>x</b> &amp; &#x3c;", "a | b", "http://x.example https://x.example www.x.example WWW.x.example me@x.example", "C:\\dir\\*", "$x$ $$y$$",
		"back\\slash at the end\\", "---", ":--- | ---:", "> quote", "[ ] task", "<!-- x", "``` x", "snake_case_word", "5 * 4 * 3",
	} {
		page := rendered(t, []byte("- "+md(text)+"\n"))
		shown := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&amp;", "&").Replace(strings.TrimSpace(page))
		if want := "<ul>\n<li>" + text + "</li>\n</ul>"; shown != want {
			t.Errorf("%q became %q", text, shown)
		}
	}
}

func TestUsualTextIsNotLitteredWithBackslashes(t *testing.T) {
	for _, text := range []string{"Names the supported operating systems.", "Round 2: tone - 5 points (up) #3, a=b; it's 50% done! Why?", "2.5 is not a list"} {
		if got := md(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestCodeAndFencesOutlastTheBackticksInThem(t *testing.T) {
	for in, want := range map[string]string{"": "", "a b": "`a b`", "a`b": "``a`b``", "``x": "``` ``x ```", "a|b\nc": "`a|b c`"} {
		if got := mdCode(in); got != want {
			t.Errorf("mdCode(%q) = %q, want %q", in, got, want)
		}
	}
	if got, want := mdFence("diff", "+````\n+x\r+```\n\n"), "`````diff\n+````\n+x␍+```\n`````\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMarkdownSaysWhenThereIsNothing(t *testing.T) {
	got := string(Markdown(Data{Target: "x.md", Best: -1, MaxRounds: 5, Threshold: 70, Floor: 60}))
	want := "# x.md\n\n- Result: **NOT FINISHED**\n- Artifact: `x.md`\n- Criteria: 0\n- Threshold: 70\n- Floor: 60\n- Best round: none counted\n- Rounds: none\n\n" +
		"## Score history\n\nNo round was scored.\n\n## Rubric\n\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func FuzzMarkdownLine(f *testing.F) {
	f.Add(attack)
	f.Add("1. a\n# b\\")
	f.Fuzz(func(t *testing.T, text string) {
		page := rendered(t, []byte("| a | b |\n| --- | --- |\n| "+md(text)+" | end |\n"))
		if foreign.MatchString(page) || strings.Count(page, "<td>") != 2 || !strings.Contains(page, "<td>end</td>") {
			t.Fatalf("%q became %q", text, page)
		}
	})
}
