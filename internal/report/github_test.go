package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// command is a workflow command as the runner of GitHub Actions reads one.
type command struct {
	name       string
	properties map[string]string
	data       string
}

// commands reads a log line by line as the runner does: a line that starts with "::" behind white space is a
// command, and so is one with "##[" anywhere. The runner compares without the characters that are not seen.
func commands(log string) (found []command) {
	unseen := strings.NewReplacer("\u200b", "", "\u200c", "", "\u200d", "", "\u2060", "", "\u00ad", "", "\ufeff", "")
	lines := strings.FieldsFunc(log, func(r rune) bool { return r == '\n' || r == '\r' || r == '\u0085' || r == '\u2028' })
	for _, line := range lines {
		line = strings.TrimSpace(unseen.Replace(line))
		if rest, ok := strings.CutPrefix(line, "::"); ok {
			if head, data, ok := strings.Cut(rest, "::"); ok {
				name, properties, _ := strings.Cut(head, " ")
				c := command{name: name, properties: map[string]string{}, data: unescaped(data)}
				for _, p := range strings.Split(properties, ",") {
					if key, value, ok := strings.Cut(p, "="); ok {
						c.properties[key] = unescaped(value)
					}
				}
				found = append(found, c)
				continue
			}
		}
		if i := strings.Index(line, "##["); i >= 0 && strings.Contains(line[i:], "]") {
			name, _, _ := strings.Cut(line[i+3:], "]")
			found = append(found, command{name: "##[" + name})
		}
	}
	return found
}

func unescaped(s string) string {
	return strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(s)
}

var smuggled = []string{
	"x\n::error title=owned::x", "x\r\n::set-env name=PATH::/tmp", "\r::stop-commands::x", "::add-mask::x", "  ::debug::x", "\u200b::error::x", "\u00a0::error::x", "\u2028::error::x",
	"##[error]x", "##[set-env name=PATH;]x", "#\u200b#[error]x", "a ##[add-path]/tmp", "##[group]x]", "##\u00ad[error]x", "#\n#[error]x",
	"title,file=/etc/passwd::error::x", "x::x,line=1", "50%0A::error::x", "%250A", "::endgroup::", "a:b,c=d%e",
	attack, "]]>", "<![CDATA[", "\ufffe\uffff\x01\x08\x0b", "\xff\xfe", "</failure><failure>", "@octocat and @team/all, #12, GH-12, owner/repo#12", "```\n# x\n```", "| a | b |\n| --- | --- |", "<details><summary>x</summary>",
}

func TestNoTextOfAJudgeIsACommandToTheRunner(t *testing.T) {
	for _, text := range smuggled {
		found := commands(string(hostileCI(text).GitHub()))
		counts := map[string]int{}
		for _, c := range found {
			counts[c.name]++
			for key := range c.properties {
				if key != "title" && key != "file" {
					t.Errorf("%q gave %s the property %s", text, c.name, key)
				}
			}
		}
		want := map[string]int{"group": 1, "endgroup": 1, "error": 3, "warning": 5, "notice": 1}
		if fmt.Sprint(counts) != fmt.Sprint(want) {
			t.Errorf("%q gave the commands %v, want %v", text, counts, want)
		}
	}
}

// The reader above is worth what it finds.
func TestTheReaderOfCommandsFindsThem(t *testing.T) {
	for line, want := range map[string]string{
		"plain": "", "a ::error::x": "", "  ::error::x": "error", "\u200b::error title=a%2Cb,file=c::x": "error", "x ##[error]y": "##[error", "x #\u200b#[error]y": "##[error", "# [error]": "",
	} {
		got := ""
		for _, c := range commands(line) {
			got += c.name
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	c := commands("::error title=a%2Cb%3A%250A,file=c::50%25%0Ax")[0]
	if c.properties["title"] != "a,b:%0A" || c.properties["file"] != "c" || c.data != "50%\nx" {
		t.Errorf("%+v", c)
	}
}

func TestAnnotationsSayWhatTheyWereGiven(t *testing.T) {
	e := passedCI()
	e.Passed, e.Overall, e.Threshold, e.Title = false, 50, 70, "50% done: a, b"
	e.Files = []string{"a,b:c%.md"}
	e.Criteria[0].Items[0].Outcome, e.Criteria[0].Items[0].Why = "no", "50%0A, no: date"
	found := commands(string(e.GitHub()))
	for _, want := range []command{
		{"error", map[string]string{"title": "gate missed", "file": "a,b:c%.md"}, "50.0 of 100 is below the threshold of 70"},
		{"warning", map[string]string{"title": "Form", "file": "a,b:c%.md"}, "Has a date: no; 50%0A, no: date"},
		{"notice", map[string]string{"title": "50% done: a, b", "file": "a,b:c%.md"}, "NOT PASSED: 50.0 of 100, threshold 70"},
	} {
		if !slices.ContainsFunc(found, func(c command) bool { return fmt.Sprint(c) == fmt.Sprint(want) }) {
			t.Errorf("no %v in %v", want, found)
		}
	}
}

func TestAnItemIsAnnotatedAtTheLineItsReasonNames(t *testing.T) {
	e := Evaluation{Files: []string{"docs/a b.md", "docs/c.md", "c.md"}}
	for why, want := range map[string]string{
		"found TODO (c.md:63)":                      "docs/c.md 63",
		"found TODO (docs/c.md:63)":                 "docs/c.md 63",
		"broken link: x (docs/a b.md:7) and 2 more": "docs/a b.md 7",
		"(b.md:1)":             "",
		"(c.md:)":              "",
		"(c.md:1,file=x)":      "",
		"(c.md:1\n::error::x)": "",
		"(c.md:12345678)":      "",
		"(c.md:1":              "",
		"nothing":              "",
	} {
		file, line := e.place(why)
		if got := strings.TrimSpace(file + " " + line); got != want {
			t.Errorf("%q: %q, want %q", why, got, want)
		}
	}
	e = passedCI()
	e.Criteria[0].Items[0].Outcome, e.Criteria[0].Items[0].Why = "no", "found TODO (2.md:63)"
	if want := "::warning file=notes/2.md,line=63,title=Form::Has a date: no; found TODO (2.md:63)\n"; !strings.Contains(string(e.GitHub()), want) {
		t.Errorf("no %q in %s", want, e.GitHub())
	}
}

func TestOnlyAFileBelowTheWorkingFolderIsAnnotated(t *testing.T) {
	for file, want := range map[string]string{"a.md": "a.md", "docs/a.md": "docs/a.md", "/etc/passwd": "", "../a.md": "", "..": "", "..a.md": "..a.md"} {
		properties := commands(string(Evaluation{Passed: true, Files: []string{file}}.GitHub()))[2].properties
		if properties["file"] != want {
			t.Errorf("%s: %q, want %q", file, properties["file"], want)
		}
	}
	if got := commands(string(Evaluation{Passed: true, Files: []string{"a", "b"}}.GitHub()))[2].properties["file"]; got != "" {
		t.Errorf("two files: %q", got)
	}
}

func TestGitHubGetsAtMostTenAnnotationsOfAKind(t *testing.T) {
	e := handbookCI()
	for i := range 12 {
		e.Criteria[0].Items = append(e.Criteria[0].Items, EvalItem{ID: strconv.Itoa(i), Text: "item", Outcome: "no"})
	}
	counts := map[string]int{}
	var last command
	for _, c := range commands(string(e.GitHub())) {
		if counts[c.name]++; c.name == "warning" {
			last = c
		}
	}
	// 14 items, one judge, one warning, one disagreement.
	if counts["warning"] != 10 || last.data != "8 more are in the log of this step" {
		t.Errorf("%d warnings, the last %q", counts["warning"], last.data)
	}
}
