package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// suite is JUnit as a reader of CI takes it: what it does not know, it passes over.
type suite struct {
	Name     string  `xml:"name,attr"`
	Tests    int     `xml:"tests,attr"`
	Failures int     `xml:"failures,attr"`
	Errors   int     `xml:"errors,attr"`
	Skipped  int     `xml:"skipped,attr"`
	Time     float64 `xml:"time,attr"`
	Cases    []struct {
		Name      string    `xml:"name,attr"`
		Classname string    `xml:"classname,attr"`
		Time      float64   `xml:"time,attr"`
		Failure   *struct{} `xml:"failure"`
		Error     *struct{} `xml:"error"`
		Skipped   *struct{} `xml:"skipped"`
	} `xml:"testcase"`
}

// junitFault reads a file as strictly as it can be read and returns what is wrong with it.
func junitFault(file []byte) error {
	var doc struct {
		XMLName xml.Name `xml:"testsuites"`
		suite
		Suites []suite `xml:"testsuite"`
	}
	if err := xml.Unmarshal(file, &doc); err != nil {
		return err
	}
	if err := xmlFault(file); err != nil {
		return err
	}
	var all suite
	names := map[string]bool{}
	for _, s := range doc.Suites {
		var sums suite
		for _, c := range s.Cases {
			if c.Name == "" || c.Classname == "" {
				return fmt.Errorf("a case of %q without a name", s.Name)
			}
			if names[c.Classname+"\x00"+c.Name] {
				return fmt.Errorf("two cases are %s %s", c.Classname, c.Name)
			}
			names[c.Classname+"\x00"+c.Name] = true
			sums.Tests++
			sums.Time += c.Time
			outcomes := 0
			for n, set := range map[*int]bool{&sums.Failures: c.Failure != nil, &sums.Errors: c.Error != nil, &sums.Skipped: c.Skipped != nil} {
				if set {
					*n++
					outcomes++
				}
			}
			if outcomes > 1 {
				return fmt.Errorf("%s has %d outcomes", c.Name, outcomes)
			}
		}
		if err := sameSums(s, sums); err != nil {
			return err
		}
		all.Tests, all.Failures, all.Errors, all.Skipped, all.Time = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors, all.Skipped+s.Skipped, all.Time+s.Time
	}
	return sameSums(doc.suite, all)
}

func sameSums(said, counted suite) error {
	counted.Name, counted.Cases = said.Name, said.Cases
	if a, b := fmt.Sprint(said.Tests, said.Failures, said.Errors, said.Skipped, said.Time), fmt.Sprint(counted.Tests, counted.Failures, counted.Errors, counted.Skipped, counted.Time); a != b {
		return fmt.Errorf("%q says %s, its cases are %s", said.Name, a, b)
	}
	return nil
}

// xmlFault finds elements that are not of JUnit, and characters that XML 1.0 has no form for.
func xmlFault(file []byte) error {
	known := strings.Fields("testsuites testsuite properties property testcase failure error skipped system-out")
	d := xml.NewDecoder(bytes.NewReader(file))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		text := ""
		switch token := token.(type) {
		case xml.StartElement:
			if !slices.Contains(known, token.Name.Local) {
				return fmt.Errorf("<%s> is not of JUnit", token.Name.Local)
			}
			for _, a := range token.Attr {
				text += a.Value
			}
		case xml.CharData:
			text = string(token)
		case xml.Comment, xml.Directive:
			return fmt.Errorf("a comment or a directive: %v", token)
		}
		for _, r := range text {
			if r < ' ' && !strings.ContainsRune("\t\n\r", r) || r == 0xfffe || r == 0xffff {
				return fmt.Errorf("%U in %q", r, text)
			}
		}
	}
}

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

func TestJUnitIsWhatReadersExpect(t *testing.T) {
	twins := passedCI()
	twins.Criteria[0].Items[1].Text = twins.Criteria[0].Items[0].Text
	files := map[string]Evaluation{"handbook": handbookCI(), "passed": passedCI(), "void": voidCI(), "nothing": {}, "twins": twins}
	for _, text := range smuggled {
		files[text] = hostileCI(text)
	}
	for name, e := range files {
		file, err := e.JUnit()
		if err != nil {
			t.Fatal(err)
		}
		if err := junitFault(file); err != nil {
			t.Errorf("%q: %v\n%s", name, err, file)
		}
	}
}

func TestJUnitShowsWhatXMLHasNoFormFor(t *testing.T) {
	e := handbookCI()
	e.Criteria[0].Items[1].Why = "exit\x01ed\x1b[31m \ufffe"
	e.Criteria[0].Items[1].Evidence = "one\ntwo\x02"
	file, err := e.JUnit()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`message="no; exit␁ed␛[31m &lt;U+FFFE&gt;"`, "evidence: one&#xA;two␂</failure>"} {
		if !strings.Contains(string(file), want) {
			t.Errorf("no %s in\n%s", want, file)
		}
	}
}

// The reader above is worth what it finds.
func TestJunitFaultFindsWhatIsWrong(t *testing.T) {
	good, err := handbookCI().JUnit()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`tests="13"`, `tests="12"`, "says 12"},
		{`time="240.400"`, `time="1"`, "says 13 4 1 4 1,"},
		{`<skipped message="nothing was answered">`, `<failure/><skipped message="nothing was answered">`, "has 2 outcomes"},
		{`name="Its links resolve"`, `name="Says who is on call"`, "two cases"},
		{`name="Its links resolve"`, `name=""`, "without a name"},
		{`<system-out>`, `<system-out><b/>`, "not of JUnit"},
		{`<system-out>`, `<system-out><!-- x -->`, "a comment"},
		{`Linux and`, "Linux\x01and", "illegal character code"},
		{`Linux and`, "Linux &#xFFFE;", "illegal character code"},
		{`</testsuites>`, ``, "unexpected EOF"},
	} {
		bad := strings.Replace(string(good), c.old, c.new, 1)
		if err := junitFault([]byte(bad)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: %v, want %q", c.new, c.old, err, c.want)
		}
	}
}

func TestMarkdownOfAnEvaluationIsQuietWhateverItsTextsSay(t *testing.T) {
	plain := handbookCI()
	wantTables := 2
	heads := len(headed.FindAllString(rendered(t, plain.Markdown()), -1))
	for _, text := range smuggled {
		source := hostileCI(text).Markdown()
		page := rendered(t, source)
		if found := foreign.FindAllString(page, -1); found != nil {
			t.Errorf("%q rendered as %q", text, found)
		}
		if n := len(headed.FindAllString(page, -1)); n != heads {
			t.Errorf("%q: %d headings, want %d", text, n, heads)
		}
		if !utf8.Valid(source) || strings.Contains(page, "<details") {
			t.Errorf("%q got through", text)
		}
		evenTables(t, source, wantTables)
		for _, word := range []string{"@octocat", "@team", "#12", "GH-12"} {
			if outside := withoutCode(page); strings.Contains(outside, word) {
				t.Errorf("%q tells %s", text, word)
			}
		}
	}
}

// withoutCode is a page without its code, in which nobody is told of anything.
func withoutCode(page string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(page, "<code>")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, page, _ = strings.Cut(rest, "</code>")
	}
}

func TestMarkdownOfAnEvaluationFitsACommentHoweverMuchThereIs(t *testing.T) {
	e := handbookCI()
	for i := range 400 {
		e.Criteria[0].Items = append(e.Criteria[0].Items, EvalItem{ID: strconv.Itoa(i), Text: strings.Repeat("long ", 200), Outcome: "no", Why: strings.Repeat("| ", 400), Evidence: strings.Repeat("`", 400)})
	}
	source := e.Markdown()
	if len(source) > longestMarkdown || len(source) < longestMarkdown*9/10 {
		t.Errorf("%d bytes", len(source))
	}
	if !bytes.HasSuffix(source, []byte("\nThere is more, which the JSON form has.\n")) {
		t.Errorf("it ends in %q", source[len(source)-80:])
	}
	if found := foreign.FindAllString(rendered(t, source), -1); found != nil {
		t.Errorf("rendered as %q", found)
	}
}

// FuzzEvaluation puts one text in every place of an evaluation and reads each form with its reader.
func FuzzEvaluation(f *testing.F) {
	for _, text := range smuggled {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e := hostileCI(text)
		for _, c := range commands(string(e.GitHub())) {
			if !slices.Contains([]string{"group", "endgroup", "error", "warning", "notice"}, c.name) {
				t.Fatalf("%q gave the command %s", text, c.name)
			}
		}
		file, err := e.JUnit()
		if err != nil {
			t.Fatal(err)
		}
		if err := junitFault(file); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if page := rendered(t, e.Markdown()); foreign.MatchString(page) {
			t.Fatalf("%q became %q", text, page)
		}
	})
}
