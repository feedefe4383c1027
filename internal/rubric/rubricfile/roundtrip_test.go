package rubricfile

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rulph/internal/artifact"
	"rulph/internal/rubric"
)

// awkward are pieces of text that mean something in YAML, in Markdown, in a shell, or in a bad parser.
var awkward = []string{
	": ", ":", " #", "# ", "#12", "[ ]", "[x] ", "`", "``", "'", `"`, "|", "- ", "-", "---", "...", "* ", "> ", "!", "&a", "*a", "%", "@",
	"{a: b}", "[a, b]", "<!--", "-->", "<b>", "(40%)", " (40%)", "(4 %)", "{#id}", "\\", "\\n", "\\#", "~", "null", "true", "no", "12", "1e3", "0x1",
	"yes", "=", "?", "? ", ",", "25: ", "text: ", "1. ", "## ", "===", "$TARGET", "%!s", "é", "e\u0301", "日本語", "한국어", "😀", "👩‍👩‍👧", "\u00a0", "\u200b",
	"\u202e", "\u00ad", "\ue000", "İ", "ß", "&amp;", "http://a.b/c?d=e#f", "[a](b)", "![a](b)", "[a]: b", "**a**", "_a_", "a", "b c", "word", "Names the owner",
}

type generator struct{ *rand.Rand }

// line is a text of one line, never blank.
func (g generator) line() string {
	for {
		var b strings.Builder
		for range 1 + g.IntN(6) {
			b.WriteString(awkward[g.IntN(len(awkward))])
			if g.IntN(2) == 0 {
				b.WriteString(" ")
			}
		}
		if g.IntN(200) == 0 {
			b.WriteString(strings.Repeat("long ", 5000))
		}
		if s := strings.TrimSpace(b.String()); s != "" {
			return s
		}
	}
}

func (g generator) script() string {
	if g.IntN(2) == 0 {
		return g.line()
	}
	lines := make([]string, 1+g.IntN(5))
	for i := range lines {
		lines[i] = []string{"", "\t", "  ", "    ", " \t "}[g.IntN(5)] + g.line() + []string{"", "", "", " ", "\t"}[g.IntN(5)]
		if g.IntN(4) == 0 {
			lines[i] = []string{"", " ", "\t", "```", "~~~", "        "}[g.IntN(6)]
		}
	}
	if s := strings.TrimSpace(strings.Join(lines, "\n")); s != "" {
		return s
	}
	return "true"
}

func (g generator) pattern() string {
	return []string{`TODO|FIXME`, "`", "``x`", " a ", `^\s+$x`, `a{2}`, `\.`, "'", `"`, `#x`, `: x`, "é😀", `(?i)x`, "x "}[g.IntN(14)]
}

func (g generator) item() rubric.Item {
	it := rubric.Item{Text: g.line()}
	n := g.IntN(1000)
	switch g.IntN(12) {
	case 0:
		it.Check = g.script()
	case 1:
		it.Probe = &artifact.Probe{Match: g.pattern()}
	case 2:
		it.Probe = &artifact.Probe{Lacks: g.pattern()}
	case 3:
		it.Probe = &artifact.Probe{Heading: g.line()}
	case 4:
		it.Probe = &artifact.Probe{MaxWords: &n}
	case 5:
		n++
		it.Probe = &artifact.Probe{MinWords: &n}
	case 6:
		it.Probe = &artifact.Probe{Links: true}
	}
	if it.Kind() != rubric.ByJudge && g.IntN(2) == 0 {
		it.Fix = g.script()
	}
	if g.IntN(5) == 0 {
		it.ID = fmt.Sprintf("%s%d", []string{"a", "item-", "x.y_", "日本"}[g.IntN(4)], g.IntN(100000))
	}
	return it
}

func (g generator) levels(ats ...int) []rubric.Level {
	ls := make([]rubric.Level, len(ats))
	for i, at := range ats {
		ls[i] = rubric.Level{At: at, Text: g.line()}
	}
	return ls
}

func (g generator) rubric() rubric.Rubric {
	r := rubric.New()
	if g.IntN(3) > 0 {
		r.Title = g.line()
	}
	if g.IntN(3) == 0 {
		r.Target = g.line()
	}
	r.Threshold, r.Floor = float64(g.IntN(10001))/100, float64(g.IntN(101))
	r.MaxRounds = g.IntN(rubric.MaxRoundsLimit + 1)
	r.Holdout = float64(g.IntN(10)) / 10
	r.Evidence = []rubric.Evidence{rubric.Required, rubric.Optional, rubric.Off}[g.IntN(3)]
	n := 2 + g.IntN(4)
	weighted := g.IntN(3) > 0
	left := 100.0
	for i := range n {
		c := rubric.Criterion{Name: g.line()}
		if g.IntN(4) == 0 {
			c.ID = fmt.Sprintf("c%d", i)
		}
		if weighted {
			w := 100 / float64(n)
			switch {
			case i == n-1:
				w = left
			case g.IntN(2) == 0:
				w = float64(int(w)) + 0.25
			}
			left -= w
			c.Stated = &w
		}
		if g.IntN(3) == 0 {
			f := float64(g.IntN(101))
			c.Floor = &f
		}
		switch g.IntN(4) {
		case 0:
			c.Levels = g.levels(0, 25, 50, 75, 100)
		case 1:
			c.Points = g.levels(0, 1, 2)
		default:
			for range 2 + g.IntN(6) {
				c.Items = append(c.Items, g.item())
			}
		}
		r.Criteria = append(r.Criteria, c)
	}
	r.Complete()
	return r
}

// generated calls test with many rubrics that are valid. Few of the generated ones are not.
func generated(t *testing.T, test func(t *testing.T, r rubric.Rubric)) {
	t.Helper()
	g := generator{rand.New(rand.NewPCG(1, 2))}
	valid := 0
	for range 250 {
		r := g.rubric()
		if problems := r.Validate(); len(problems) > 0 {
			continue
		}
		valid++
		test(t, r)
		if t.Failed() {
			return
		}
	}
	if valid < 200 {
		t.Fatalf("only %d of the generated rubrics are valid", valid)
	}
}

func TestEveryFormatGivesTheSameRubricBack(t *testing.T) {
	for _, format := range []string{YAML, Markdown, JSON} {
		t.Run(format, func(t *testing.T) {
			generated(t, func(t *testing.T, r rubric.Rubric) {
				text, err := Write(&r, format)
				if err != nil {
					t.Fatal(err)
				}
				got, err := Parse("r."+format, text)
				if err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				if diff := cmp.Diff(r, *got); diff != "" {
					t.Fatalf("%s\n%s", diff, text)
				}
				if got.Hash() != r.Hash() {
					t.Fatal("the hash has changed")
				}
			})
		})
	}
}

func TestTheFormatOfStandardInputIsFoundInItsText(t *testing.T) {
	for _, format := range []string{YAML, Markdown, JSON} {
		generated(t, func(t *testing.T, r rubric.Rubric) {
			text, err := Write(&r, format)
			if err != nil {
				t.Fatal(err)
			}
			if got := Format("-", string(text)); got != format {
				t.Fatalf("the format is %s, want %s\n%s", got, format, text)
			}
		})
	}
}

func TestTheModelSurvivesJSON(t *testing.T) {
	generated(t, func(t *testing.T, r rubric.Rubric) {
		body, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var got rubric.Rubric
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r, got); diff != "" {
			t.Fatal(diff)
		}
	})
}
