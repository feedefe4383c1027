package artifact

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"rulph/internal/artifact/markdown"
)

func number(n int) *int { return &n }

func TestProbesThatAskNothingOrTooMuchAreRefused(t *testing.T) {
	for _, c := range []struct {
		probe Probe
		says  string
	}{
		{Probe{}, "one of match, lacks, heading, max_words, min_words or links must be set"},
		{Probe{Match: "a", Lacks: "b"}, "match and lacks are set together; one item asks one thing"},
		{Probe{Heading: "a", MinWords: number(1), Links: true}, "heading and min_words and links are set together"},
		{Probe{Match: "(a"}, "match \"(a\" is no RE2 pattern: missing closing )"},
		{Probe{Lacks: `a(?=b)`}, "lacks \"a(?=b)\" is no RE2 pattern: invalid or unsupported Perl syntax"},
		{Probe{Match: "x*"}, "match \"x*\" is found in every text"},
		{Probe{Lacks: "^"}, "lacks \"^\" is found in every text"},
		{Probe{Heading: " \t"}, "heading is blank"},
		{Probe{Heading: "## Install"}, "without #"},
		{Probe{MaxWords: number(-1)}, "max_words is -1; it must be 0 or more"},
		{Probe{MinWords: number(0)}, "min_words is 0; it must be 1 or more"},
	} {
		wantError(t, c.probe.Validate(), c.says)
		_, _, err := c.probe.Answer(texts("a.md", "text"))
		wantError(t, err, "probe: ", c.says)
	}
	for _, p := range []Probe{{Match: "^$"}, {Lacks: "TODO|FIXME"}, {Heading: "C# and F#"}, {Heading: "#1 rule"}, {MaxWords: number(0)}, {MinWords: number(1)}, {Links: true}} {
		if err := p.Validate(); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

func TestProbeIsOneKeyInJSON(t *testing.T) {
	for want, p := range map[string]Probe{
		`{"match":"a"}`: {Match: "a"}, `{"lacks":"a"}`: {Lacks: "a"}, `{"heading":"a"}`: {Heading: "a"},
		`{"max_words":0}`: {MaxWords: number(0)}, `{"min_words":3}`: {MinWords: number(3)}, `{"links":true}`: {Links: true},
	} {
		if got, err := json.Marshal(p); err != nil || string(got) != want {
			t.Errorf("%+v is %s (%v), want %s", p, got, err, want)
		}
	}
}

func TestProbesAnswerWithAReason(t *testing.T) {
	a := texts(
		"HANDBOOK.md", "\ufeff# Set up\r\n\r\nInstall it:\r\n\r\n    go install ./...\r\n\r\nTODO: more, and\tmore\u00a0words\r\n",
		"notes.txt", "# no heading here\nfixme\n",
	)
	for _, c := range []struct {
		probe Probe
		yes   bool
		why   string
	}{
		{Probe{Match: "go install"}, true, `found "go install" (HANDBOOK.md:5)`},
		{Probe{Match: "^# Set up$"}, true, `found "# Set up" (HANDBOOK.md:1)`},
		{Probe{Match: "^fixme$"}, true, `found "fixme" (notes.txt:2)`},
		{Probe{Match: "(?s)Install.*TODO"}, true, `found "Install it: go install ./... TODO" (HANDBOOK.md:3)`},
		{Probe{Match: "go get|Set  up"}, false, `nothing matches "go get|Set up"`},
		{Probe{Match: "words.*fixme"}, false, `nothing matches "words.*fixme"`},
		{Probe{Lacks: "TODO|FIXME"}, false, `found "TODO" (HANDBOOK.md:7)`},
		{Probe{Lacks: "FIXME"}, true, `nothing matches "FIXME"`},
		{Probe{Lacks: "(?i)FIXME"}, false, `found "fixme" (notes.txt:2)`},
		{Probe{Lacks: "\r"}, true, `nothing matches ""`},
		{Probe{Heading: " SET   up "}, true, `found the heading "Set up" (HANDBOOK.md:1)`},
		{Probe{Heading: "no heading here"}, false, `no heading "no heading here"`},
		{Probe{Heading: "Set"}, false, `no heading "set"`},
		// # Set up / Install it: / go install ./... / TODO: more, and more words / # no heading here / fixme
		{Probe{MaxWords: number(18)}, true, "18 words, at most 18 allowed"},
		{Probe{MaxWords: number(17)}, false, "18 words, at most 17 allowed"},
		{Probe{MinWords: number(18)}, true, "18 words, at least 18 asked for"},
		{Probe{MinWords: number(19)}, false, "18 words, at least 19 asked for"},
	} {
		yes, why, err := c.probe.Answer(a)
		if err != nil || yes != c.yes || why != c.why {
			t.Errorf("%+v: %v, %q, %v; want %v, %q", c.probe, yes, why, err, c.yes, c.why)
		}
	}
	if _, why, _ := (Probe{MinWords: number(1)}).Answer(texts("a.md", "one")); why != "1 word, at least 1 asked for" {
		t.Errorf("why %q", why)
	}
}

func TestHeadingsInCodeAndCommentsAreNone(t *testing.T) {
	text := "```sh\n# Install\n```\n<!--\n# Install\n-->\n    # Install\n\nUse `# Install`.\n"
	if yes, why, _ := (Probe{Heading: "Install"}).Answer(texts("a.md", text)); yes {
		t.Errorf("yes: %s", why)
	}
	if yes, _, _ := (Probe{Heading: "Install"}).Answer(texts("a.md", text+"\n**Install**\n-----\n")); !yes {
		t.Error("a setext heading with emphasis is not found")
	}
}

func TestFileThatIsTheWholeArtifactIsMarkdownWhateverItsName(t *testing.T) {
	if yes, _, _ := (Probe{Heading: "Title"}).Answer(texts("stdin", "# Title\n")); !yes {
		t.Error("the heading of a text without a name is not found")
	}
}

func TestReasonsAreOneHarmlessLine(t *testing.T) {
	_, why, _ := (Probe{Match: "(?s)x.*"}).Answer(texts("a\x1b.md", "x\x1b[31m\n"+strings.Repeat("ä ", 100)))
	if strings.ContainsAny(why, "\x1b\n") || len([]rune(why)) > 90 {
		t.Errorf("why %q", why)
	}
	_, why, _ = (Probe{Links: true}).Answer(texts("a.md", "[x](<\x1b[31m"+strings.Repeat("y", 500)+">)"))
	if strings.ContainsAny(why, "\x1b\n") || len([]rune(why)) > 200 {
		t.Errorf("why %q", why)
	}
}

// linkFolder has one file for every way a link can lead somewhere.
func linkFolder(t *testing.T) string {
	t.Helper()
	dir := folder(t, map[string]string{
		"HANDBOOK.md": "", "docs/setup.md": "# Set up\n\n## Step 1\n\n## Step 1\n\n<a id=\"old\"></a>\n", "docs/my notes (1).md": "# N\n", "img/logo.png": "\x89PNG\x00",
		"cmd/main.go": "package main\n", "docs/api/README.md": "# API\n", "docs/größe.md": "# Größe & Maß\n",
	})
	link(t, "setup.md", dir, "docs/alias.md")
	link(t, filepath.Dir(dir), dir, "out")
	return dir
}

func TestLinksThatLeadSomewhere(t *testing.T) {
	dir := linkFolder(t)
	for _, text := range []string{
		"[a](docs/setup.md)", "[a](./docs/../docs/setup.md)", "[a](/docs/setup.md)", "[a](docs/)", "[a](docs)", "[a](.)",
		"[a](docs/setup.md#set-up)", "[a](docs/setup.md#step-1-1)", "[a](docs/setup.md#old)", "[a](docs/setup.md#)", "[a](docs/setup.md#top)",
		"[a](#here)\n# Here\n", "[a](#)", "[a](HANDBOOK.md#here)\n\nHere\n====\n", "# Größe & Maß\n[a](#gr%C3%B6%C3%9Fe--ma%C3%9F)",
		"[a](docs/my%20notes%20(1).md)", "[a](<docs/my notes (1).md>)", "[a](docs/my%20notes%20\\(1\\).md 'title')", "[a](docs/gr%C3%B6ße.md#größe--maß)",
		"![logo](img/logo.png)", "![logo](img/logo.png#x)", "<img src=\"img/logo.png\">", "[a](cmd/main.go#L10-L12)", "[a](docs/setup.md?plain=1#L3)", "[a](docs/alias.md#set-up)",
		"[a][b]\n\n[b]: docs/setup.md", "[a]\n\n[a]: <docs/my notes (1).md> 'x'", "[unused]: missing.md",
		"[a](https://example.org/missing)", "[a](mailto:a@example.org)", "[a](//example.org/x)", "[a](data:text/plain,x)", "<https://example.org>",
		"`[a](missing.md)`", "```\n[a](missing.md)\n```", "<!-- [a](missing.md) -->", "[a](100%.md)\n\n[b]: x", "no links", "",
	} {
		if strings.Contains(text, "100%") {
			write(t, dir, "100%.md", "x")
		}
		write(t, dir, "HANDBOOK.md", text)
		yes, why, err := Probe{Links: true}.Answer(read(t, spec(t, dir, []string{"HANDBOOK.md"})))
		if !yes || err != nil {
			t.Errorf("%q: no, %q (%v)", text, why, err)
		}
	}
}

func TestLinksThatLeadNowhereAreNamedWithTheirPlace(t *testing.T) {
	dir := linkFolder(t)
	for text, want := range map[string]string{
		"x\n\n[a](docs/missing.md)":                     "broken link: docs/missing.md (HANDBOOK.md:3)",
		"[a](missing.md) [b](gone.md)\n[c](docs/no.md)": "broken link: missing.md (HANDBOOK.md:1) and 2 more",
		"[a](../other.md)":                              "broken link: ../other.md (HANDBOOK.md:1): it leads out of the folder",
		"[a](docs/../../x.md)":                          "broken link: docs/../../x.md (HANDBOOK.md:1): it leads out of the folder",
		"[a](%2e%2e/x.md)":                              "broken link: %2e%2e/x.md (HANDBOOK.md:1): it leads out of the folder",
		"[a](out/x.md)":                                 "broken link: out/x.md (HANDBOOK.md:1)",
		"[a](out)":                                      "broken link: out (HANDBOOK.md:1)",
		"# One\n[a](#two)":                              "broken link: #two (HANDBOOK.md:2): no such heading",
		"# One\n[a](#One)":                              "broken link: #One (HANDBOOK.md:2): no such heading",
		"[a](docs/setup.md#step-1-2)":                   "broken link: docs/setup.md#step-1-2 (HANDBOOK.md:1): no such heading",
		"[a]()":                                         "broken link:  (HANDBOOK.md:1): it is empty",
		"[a](docs/my notes.md) [a](<docs/my notes.md>)": "broken link: docs/my notes.md (HANDBOOK.md:1)",
		"![x](img/none.png)":                            "broken link: img/none.png (HANDBOOK.md:1)",
		"<a\nhref='none.md'>":                           "broken link: none.md (HANDBOOK.md:1)",
		"[a]\n\ntext\n\n[A]: none.md":                   "broken link: none.md (HANDBOOK.md:1)",
		"[a](HANDBOOK.md/x)":                            "broken link: HANDBOOK.md/x (HANDBOOK.md:1)",
		"[a](%00)":                                      "broken link: %00 (HANDBOOK.md:1)",
		"[a](c:x.md)":                                   "broken link: c:x.md (HANDBOOK.md:1)",
	} {
		write(t, dir, "HANDBOOK.md", text)
		yes, why, err := Probe{Links: true}.Answer(read(t, spec(t, dir, []string{"HANDBOOK.md"})))
		if yes || err != nil || why != want {
			t.Errorf("%q: %v, %q (%v), want %q", text, yes, why, err, want)
		}
	}
}

func TestLinksOfAFolderAreFollowedFromTheirFiles(t *testing.T) {
	dir := folder(t, map[string]string{
		"README.md": "[s](docs/setup.md#set-up) [g](LICENSE)\n", "docs/setup.md": "# Set up\n\n[up](../README.md) [x](/LICENSE)\n", "LICENSE": "MIT [not a link](nowhere)\n",
	})
	s := spec(t, dir, []string{"."})
	if yes, why, err := (Probe{Links: true}).Answer(read(t, s)); !yes || why != "all 4 relative links lead somewhere" || err != nil {
		t.Errorf("%v, %q, %v", yes, why, err)
	}
	write(t, dir, "docs/setup.md", "# Setting up\n\n[up](README.md)\n")
	if yes, why, _ := (Probe{Links: true}).Answer(read(t, s)); yes || why != "broken link: docs/setup.md#set-up (README.md:1): no such heading and 1 more" {
		t.Errorf("%v, %q", yes, why)
	}
}

// A snapshot that is not on the disk any more answers from what it holds.
func TestLinksAreLookedUpInTheArtifactFirst(t *testing.T) {
	a := texts("a.md", "[b](b.md#x)\n", "b.md", "# X\n")
	if yes, why, err := (Probe{Links: true}).Answer(a); !yes || err != nil {
		t.Errorf("no: %s (%v)", why, err)
	}
	a.Root = t.TempDir()
	write(t, a.Root, "b.md", "# Y\n")
	if yes, why, err := (Probe{Links: true}).Answer(a); !yes || err != nil {
		t.Errorf("no: %s (%v)", why, err)
	}
}

func FuzzProbe(f *testing.F) {
	f.Add("TODO|FIXME", "# Title\r\n\r\n[a](b.md#c) TODO\n")
	f.Add("(?s)^a.*$", "a\nb")
	f.Add("## x", "## x\n[a](%zz) [b](%2e%2e/../x) <a href='#y'>")
	f.Add("[", "\ufeff")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		a := texts("a.md", text)
		for _, p := range []Probe{{Match: pattern}, {Heading: pattern}, {Links: true}, {MinWords: number(2)}} {
			yes, why, err := p.Answer(a)
			if (err != nil) != (p.Validate() != nil) {
				t.Errorf("%+v: Answer says %v, Validate %v", p, err, p.Validate())
			}
			if err == nil && (why == "" || strings.ContainsAny(why, "\n\x1b")) {
				t.Errorf("%+v: why %q", p, why)
			}
			if p.Match != "" && err == nil {
				if no, _, _ := (Probe{Lacks: pattern}).Answer(a); no == yes {
					t.Errorf("match and lacks of %q agree", pattern)
				}
			}
		}
		for _, h := range markdown.Scan(text).Headings {
			p := Probe{Heading: h.Text}
			if p.Validate() != nil {
				continue
			}
			if yes, why, err := p.Answer(a); !yes {
				t.Errorf("the heading %q is not found: %s (%v)", h.Text, why, err)
			}
		}
	})
}
