package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// What the page is made of. Everything else in it would have come from an artifact, a judge or a
// rubric.
var (
	pageTags = strings.Fields(`html head meta title style body a header div p h1 code b span dl dt dd nav main section h2 h3
		svg g line circle rect polygon polyline path text desc table thead tbody tr th td ul ol li article i br details
		summary pre footer`)
	pageAttributes = strings.Fields(`lang charset http-equiv content name class href aria-label aria-labelledby aria-hidden
		id tabindex role viewBox width height x y x1 y1 x2 y2 cx cy r rx d dx dy points scope rowspan colspan title open`)
	voidTags  = []string{"meta", "br"}
	attribute = regexp.MustCompile(`^\s+([a-zA-Z][a-zA-Z0-9-]*)(?:="([^"<>]*)")?`)
	outside   = regexp.MustCompile(`(?i)url\s*\(|@import|expression\s*\(|https?:|//|javascript:|<|\\`)
)

// pageFault reads a page as strictly as it can be read and returns what is wrong with it: a tag or an
// attribute the template does not have, a tag left open, an id twice, a reference to anything outside.
func pageFault(page string) error {
	const start = "<!DOCTYPE html>"
	if !strings.HasPrefix(page, start) {
		return fmt.Errorf("the page does not start with %s", start)
	}
	if !utf8.ValidString(page) || strings.ContainsAny(page, "\x00\x1b\u202e") {
		return fmt.Errorf("the page holds bytes that act or are no UTF-8")
	}
	rest := page[len(start):]
	var open []string
	ids, references := map[string]bool{}, []string{}
	styles := 0
	for {
		i := strings.IndexByte(rest, '<')
		if i < 0 {
			break
		}
		rest = rest[i+1:]
		if name, ok := strings.CutPrefix(rest, "/"); ok {
			name, after, _ := strings.Cut(name, ">")
			if len(open) == 0 || open[len(open)-1] != name {
				return fmt.Errorf("</%s> closes %v", name, open)
			}
			open, rest = open[:len(open)-1], after
			continue
		}
		n := strings.IndexFunc(rest, func(r rune) bool { return r == ' ' || r == '>' || r == '/' || r == '\n' })
		if n < 0 {
			return fmt.Errorf("a tag without an end: %.40q", rest)
		}
		name := rest[:n]
		rest = rest[n:]
		if !slices.Contains(pageTags, name) {
			return fmt.Errorf("<%s> is no tag of the page", name)
		}
		for {
			m := attribute.FindStringSubmatch(rest)
			if m == nil {
				break
			}
			rest = rest[len(m[0]):]
			if !slices.Contains(pageAttributes, m[1]) {
				return fmt.Errorf("<%s> has %s", name, m[0])
			}
			switch m[1] {
			case "id":
				if ids[m[2]] {
					return fmt.Errorf("id %q twice", m[2])
				}
				ids[m[2]] = true
			case "href":
				if !strings.HasPrefix(m[2], "#") {
					return fmt.Errorf("a link to %q", m[2])
				}
				references = append(references, m[2][1:])
			case "aria-labelledby":
				references = append(references, strings.Fields(m[2])...)
			}
		}
		switch {
		case strings.HasPrefix(rest, "/>"):
			rest = rest[2:]
		case !strings.HasPrefix(rest, ">"):
			return fmt.Errorf("<%s is followed by %.40q", name, rest)
		case slices.Contains(voidTags, name):
			rest = rest[1:]
		default:
			rest = rest[1:]
			open = append(open, name)
		}
		if name == "style" {
			css, after, _ := strings.Cut(rest, "</style>")
			if found := outside.FindString(css); found != "" {
				return fmt.Errorf("the style sheet has %q", found)
			}
			styles++
			open, rest = open[:len(open)-1], after
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("left open: %v", open)
	}
	for _, id := range references {
		if !ids[id] {
			return fmt.Errorf("nothing has the id %q", id)
		}
	}
	if styles != 1 {
		return fmt.Errorf("%d style sheets", styles)
	}
	return nil
}

func TestPageRefersToNothingOutsideAndRunsNothing(t *testing.T) {
	for name, d := range map[string]Data{
		"handbook": handbook(), "baseline only": baselineOnly(), "wide": wide(), "hostile": hostile(), "nothing": {},
	} {
		page, err := HTML(d)
		if err != nil {
			t.Fatal(err)
		}
		if err := pageFault(string(page)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The check above is worth what it finds.
func TestPageFaultFindsWhatIsWrong(t *testing.T) {
	good, err := HTML(handbook())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"<main>", "<main><script>", "<script> is no tag"},
		{"<main>", "<main><p onclick=\"x\"></p>", "has  onclick"},
		{"<main>", "<main><p>", "closes"},
		{"<main>", "<main><!-- x -->", "is no tag"},
		{"<h1>", "<h1 id=\"open\">", "twice"},
		{`href="#history"`, `href="//evil.example"`, "a link to"},
		{`href="#history"`, `href="#nowhere"`, "nothing has the id"},
		{"color-scheme: dark) {", "color-scheme: dark) { background: url(x)", "the style sheet has"},
		{"</style>", "</style><style></style>", "2 style sheets"},
		{"Team", "Te\x00am", "bytes that act"},
	} {
		bad := strings.Replace(string(good), c.old, c.new, 1)
		if err := pageFault(bad); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
}

func TestPageShowsHostileTextAsText(t *testing.T) {
	page, err := HTML(hostile())
	if err != nil {
		t.Fatal(err)
	}
	want := `␀&#34;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- `
	if n := strings.Count(string(page), want); n < 60 {
		t.Errorf("the attack is shown %d times, want at least 60", n)
	}
}

// FuzzHTML puts one text in every place a report shows one.
func FuzzHTML(f *testing.F) {
	f.Add(attack)
	f.Add("</title></textarea></svg><svg/onload=alert(1)>")
	f.Add("' style='background:url(//x)' x='\"`")
	f.Add("\xff\xfe<\x00script>&lt;/pre&gt;")
	f.Fuzz(func(t *testing.T, text string) {
		d := Data{Title: text, Target: text, Result: text, Reason: text, Session: text, Rubric: RubricInfo{text, text, text}, Warnings: []string{text}}
		d.Criteria = []CriterionInfo{{ID: text, Name: text, Kind: text, Items: []ItemInfo{{text, text, text, true}}, Levels: []LevelInfo{{0, text}}}}
		d.Rounds = []Round{{
			Note: text, Target: text, Diff: text + "\n@@ -1 +1 @@\n-" + text + "\n+" + text, Disagreements: []Disagreement{{text, text, text, 1}},
			Criteria: []CriterionScore{{ID: text, ByJudge: map[string]float64{text: 1}, Open: []string{text}, Suggestions: []Suggestion{{text, text}}}},
			Judges:   []Judge{{Name: text, State: "AVAILABLE", Reason: text, Model: text, Items: map[string]map[string]string{text: {text: text}}}, {Name: text, State: text, Reason: text}},
			Change:   &Change{text, text}, Dropped: []string{text},
		}}
		d.Agents = []Agent{{Name: text, Role: text, Program: text, Model: text}}
		d.Calibration = &Calibration{Judges: []JudgeNoise{{Name: text}}}
		page, err := HTML(d)
		if err != nil {
			t.Fatal(err)
		}
		if err := pageFault(string(page)); err != nil {
			t.Fatalf("%v\nfrom %q", err, text)
		}
	})
}
