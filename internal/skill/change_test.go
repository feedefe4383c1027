package skill

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

func refused(t *testing.T, what string, err error, reason Reason, words string) {
	t.Helper()
	r, ok := errors.AsType[*Refusal](err)
	if !ok || r.Reason != reason || !strings.Contains(r.Message, words) {
		t.Errorf("%s: %v, want the refusal %q with %q", what, err, reason, words)
	}
}

func TestAChangeThatIsNotExactSmallAndHarmlessIsRefused(t *testing.T) {
	for what, test := range map[string]struct {
		old, new string
		reason   Reason
		words    string
	}{
		"nothing to look for":       {"", "x", Empty, "old is empty"},
		"white space to look for":   {" \n", "x", Empty, "old is empty"},
		"no change":                 {"# release-notes", "# release-notes", Same, "same text"},
		"an old that is not there":  {"Two lines a change", "x", Absent, "copy it exactly, character by character"},
		"other white space":         {"Read the  commits\nsince", "x", Absent, "line 10 differs from it in white space"},
		"other quotation marks":     {"“Writes release notes.", "x", Absent, "line 3 differs"},
		"an old that stands twice":  {"reader", "x", Repeated, "in lines 14 and 15: take more of the text"},
		"two that overlap":          {"aa", "x", Repeated, "more than once"},
		"the name":                  {"name: release-notes", "name: other", Named, "touches name"},
		"a letter of the name":      {"name: release-n", "name: release-m", Named, "touches name"},
		"a second name":             {"published.\"", "published.\"\nname: other", Named, "touches name"},
		"a name that goes on":       {"\ndescription: \"Writes", "\n  description: \"Writes", Named, "touches name"},
		"the frontmatter's end":     {"published.\"\n---\n", "published.\"\n", Named, "without a frontmatter"},
		"the frontmatter's start":   {"---\nname", "name", Named, "without a frontmatter"},
		"a NUL":                     {"# release-notes", "#\x00", NotText, "text"},
		"no UTF-8":                  {"# release-notes", "#\xff", NotText, "text"},
		"the whole file as old":     {skillText, "x", Whole, "old is most of"},
		"the whole body as old":     {skillText[strings.Index(skillText, "# rel"):], "x", Whole, "old is most of"},
		"the whole file as new":     {"One line a change", skillText, Whole, "frontmatter of its own"},
		"the whole body as new":     {"One line a change", skillText[strings.Index(skillText, "# rel"):], Whole, "new repeats most"},
		"the whole file for a part": {skillText[:strings.Index(skillText, "# rel")], strings.Replace(skillText, "One", "Two", 1), Whole, "new repeats most"},
		"a description of its own":  {"# release-notes", "---\ndescription: x\n---\n# release-notes", Whole, "frontmatter of its own"},
		"a bare colon":              {"\"Writes release notes. Use when a version is about to be published.\"", "Use when: always", Front, "line 3 of SKILL.md would be"},
		"a bare comment":            {"\"Writes release notes. Use when a version is about to be published.\"", "Use #1", Front, "in quotes"},
		"a bare bracket":            {"\"Writes release notes. Use when a version is about to be published.\"", "[a: b", Front, "in quotes"},
		"a quote left open":         {"published.\"", "published.", Front, "in quotes"},
		"a quote within":            {"release notes. Use", "release \"notes\". Use", Front, "in quotes"},
		"a backslash":               {"release notes. Use", "release \\notes. Use \\d", Front, "in quotes"},
		"a tab":                     {"published.\"", "published.\"\n\tx: y", Front, "in quotes"},
		"prose":                     {"published.\"", "published.\"\nand more", Front, "in quotes"},
		"no description":            {"description: \"Writes release notes. Use when a version is about to be published.\"\n", "", Front, "takes the description away"},
		"a key a second time":       {"published.\"\n", "published.\"\ndescription: \"x\"\n", Front, "description a second time"},
		"a description of a word":   {"\"Writes release notes. Use when a version is about to be published.\"", "true", Front, "or makes it no text"},
		"an indented line of none":  {"published.\"\n", "published.\"\n  x: y\n", Front, "in quotes"},
		"a line separator":          {"release notes. Use", "release\u2028notes. Use", Front, "in quotes"},
		"a fence with a space":      {"\n---\n\n# rel", "\n--- \n\n# rel", Front, "in quotes"},
		"a thousand lines":          {"published.\"\n", "published.\"\n" + strings.Repeat("#\n", 1000), Front, "more than 1000"},
		"another key for it":        {"description: \"", "about: \"", Front, "takes the description away"},
		"more than is read":         {"One line", strings.Repeat("x", MaxSize), TooLarge, "would have"},
	} {
		text := skillText
		if what == "two that overlap" {
			text += "aaa"
		}
		_, err := Change([]byte(text), Diff{Old: test.old, New: test.new})
		refused(t, what, err, test.reason, test.words)
	}
	_, err := Change(make([]byte, MaxSize+1), sample)
	refused(t, "a file that is too large", err, TooLarge, "at most")
	lone := "---\n{name: x}\n---\n" + strings.Repeat("word\n", 9)
	_, err = Change([]byte(lone), Diff{Old: "{name: x}", New: "{name: y}"})
	refused(t, "a name in braces", err, Named, "touches name")
}

func TestAChangeThatIsAllowedChangesNothingElse(t *testing.T) {
	for what, test := range map[string]Diff{
		"a word":                         {Old: "One line", New: "Two lines"},
		"the description":                {Old: "name: release-notes\ndescription: \"Writes", New: "name: release-notes\ndescription: \"Drafts"},
		"a key with a mapping":           {Old: "published.\"\n", New: "published.\"\nmetadata:\n  audience: all\n  tags: \"a: b\"\n"},
		"a key with a list":              {Old: "published.\"\n", New: "published.\"\npaths:\n  - a\n  - \"b: c\"\n# why\n"},
		"a description in single quotes": {Old: "\"Writes release notes. Use when a version is about to be published.\"", New: "'It''s: fine # really'"},
		"a bare description":             {Old: "\"Writes release notes. Use when a version is about to be published.\"", New: "Use it when a version is due"},
		"a list of tools":                {Old: "published.\"\n", New: "published.\"\nallowed-tools: [Read, Write]\n"},
		"a text of several lines":        {Old: "\"Writes release notes. Use when a version is about to be published.\"", New: ">-\n  Use when: always\n  # really"},
		"a removal":                      {Old: "Leave out what no reader can see.\n", New: ""},
		"an addition":                    {Old: "## Write\n", New: "## Check\n\nCount them.\n\n## Write\n"},
		"a rule and a heading":           {Old: "## Write\n", New: "---\n\n## Write\n\n---\n"},
		"an example with front matter":   {Old: "## Write\n", New: "```\n---\nname: x\n---\n```\n## Write\n"},
		"a last line without its end":    {Old: "can see.\n", New: "can see."},
		"a dollar and a backslash":       {Old: "One line", New: `$1 \1 ${x} %s`},
	} {
		got, err := Change([]byte(skillText), test)
		if want := strings.Replace(skillText, test.Old, test.New, 1); err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s", what, err, got)
		}
	}
}

func TestEveryByteOutsideTheChangeStays(t *testing.T) {
	large := strings.Repeat("A line of a very long skill, é漢🎈.\n", 30000)
	for what, text := range map[string]string{
		"line feeds":             skillText,
		"CRLF":                   strings.ReplaceAll(skillText, "\n", "\r\n"),
		"both":                   strings.Replace(skillText, "\n", "\r\n", 3),
		"no last line end":       strings.TrimSuffix(skillText, "\n"),
		"a byte order mark":      "\ufeff" + skillText,
		"Unicode":                strings.ReplaceAll(skillText, "commits", "commits é\u0301漢🎈\u202e\u2028"),
		"bytes that are no text": strings.ReplaceAll(skillText, "commits", "commits \xff\xfe\x00"),
		"lone carriage returns":  strings.ReplaceAll(skillText, "commits", "com\rmits"),
		"a megabyte":             skillText + large,
		"a megabyte of CRLF":     strings.ReplaceAll(large+skillText+large, "\n", "\r\n"),
	} {
		at := strings.Index(text, sample.Old)
		got, err := Change([]byte(text), sample)
		if want := text[:at] + sample.New + text[at+len(sample.Old):]; err != nil || string(got) != want {
			t.Errorf("%s: %v: the change reached further than it should", what, err)
		}
	}
}

func TestTheLineEndsOfAChangeFollowTheFile(t *testing.T) {
	crlf := strings.ReplaceAll(skillText, "\n", "\r\n")
	for _, d := range []Diff{
		{Old: "## Write\n\nOne line", New: "## Write\n\nTwo\nlines"},
		{Old: "## Write\r\n\r\nOne line", New: "## Write\r\n\r\nTwo\r\nlines"},
		{Old: "One line", New: "Two\nlines"},
	} {
		got, err := Change([]byte(crlf), d)
		if want := strings.Replace(crlf, "One line", "Two\r\nlines", 1); err != nil || string(got) != want {
			t.Errorf("%q: %v\n%q", d.Old, err, got)
		}
	}
	mixed := "a\r\nb\nc\r\nd\n"
	if got, err := Change([]byte(mixed), Diff{Old: "b\nc", New: "x\ny"}); err != nil || string(got) != "a\r\nx\ny\r\nd\n" {
		t.Errorf("both: %q, %v", got, err)
	}
	_, err := Change([]byte(crlf), Diff{Old: "## Write\r\n", New: "## Write\n"})
	refused(t, "a change of line ends alone", err, Same, "line ends")
}

func TestALargeOldMeansNothingInASmallFile(t *testing.T) {
	if got, err := Change([]byte("---\nname: x\n---\nDo this well.\nThen stop.\n"), Diff{Old: "Do this well.\n", New: "Do it.\n"}); err != nil || string(got) != "---\nname: x\n---\nDo it.\nThen stop.\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// FuzzChange holds Change to its promise whatever a model returns: a refusal, or the text with one passage replaced.
func FuzzChange(f *testing.F) {
	f.Add(skillText, "One line", "Two lines")
	f.Add(strings.ReplaceAll(skillText, "\n", "\r\n"), "## Write\n\nOne", "x\ny")
	f.Add("\ufeff---\r\nname: x\r\n---\r\nbody", "body", "")
	f.Add("---\n---\n", "---", "x")
	f.Add("aXa", "X", "---\nname: y\n---\n")
	f.Fuzz(func(t *testing.T, text, old, new string) {
		got, err := Change([]byte(text), Diff{Old: old, New: new})
		if err != nil {
			if _, ok := errors.AsType[*Refusal](err); !ok || got != nil {
				t.Fatalf("%v is no refusal", err)
			}
			return
		}
		if bytes.Equal(got, []byte(text)) {
			t.Fatal("nothing changed")
		}
		was, _ := split([]byte(text))
		is, _ := split(got)
		if a, b := strings.Join(names(was), "\x00"), strings.Join(names(is), "\x00"); a != b {
			t.Fatalf("the name was %q and is %q", a, b)
		}
		if allCRLF([]byte(text)) {
			old, new = string(withCRLF([]byte(old))), string(withCRLF([]byte(new)))
		}
		before, after, found := strings.Cut(text, old)
		if !found || string(got) != before+new+after {
			t.Fatalf("%q in %q gave %q", old, text, got)
		}
	})
}

func TestFoldingKeepsTheLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString([]string{"a", " ", "\n", "\r\n", "\u201c", "é", "\t"}[r.IntN(7)])
		}
		text := b.String()
		folded, lines := fold([]byte(text))
		if len(folded) != len(lines) {
			t.Fatalf("%q: %d bytes, %d lines", text, len(folded), len(lines))
		}
		for i := range lines {
			if lines[i] < 1 || lines[i] > 1+strings.Count(text, "\n") || i > 0 && lines[i] < lines[i-1] {
				t.Fatalf("%q: lines %v", text, lines)
			}
		}
	}
}
