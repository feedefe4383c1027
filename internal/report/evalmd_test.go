package report

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

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
