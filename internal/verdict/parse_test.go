package verdict

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// handbook is the form of most tests: five items in two criteria, one criterion with levels, one with
// points. Seven answers; one may be missing.
var handbook = Form{Criteria: []FormCriterion{
	{ID: "setup", Name: "Set-up instructions", Items: []FormItem{
		{ID: "os", Text: "Names the supported operating systems"},
		{ID: "install", Text: "Gives an install command"},
		{ID: "check", Text: "Says how to check that it works"},
	}},
	{ID: "links", Name: "Links", Items: []FormItem{
		{ID: "issues", Text: "Links the issue tracker"},
		{ID: "licence", Text: "Links the licence"},
	}},
	{ID: "tone", Name: "Writing tone", Levels: true},
	{ID: "fidelity", Name: "Fidelity to intent", Points: true},
}}

// filled is an answer to all of handbook, and what it means.
const filled = `{
  "ticket": "rulph:1:abc",
  "checklist": {
    "setup": {"os": {"verdict": "yes", "evidence": "Linux and macOS"}, "install": "no", "check": true},
    "links": {"issues": "unsure", "licence": false}
  },
  "levels": {"tone": 75, "fidelity": 2},
  "suggestions": {"setup": "Show the command."},
  "scores": {"setup": 67}
}`

func filledVerdict() Verdict {
	return Verdict{
		Ticket: "rulph:1:abc",
		Items: map[string]map[string]Answer{
			"setup": {"os": {Yes, "Linux and macOS"}, "install": {No, ""}, "check": {Yes, ""}},
			"links": {"issues": {Unsure, ""}, "licence": {No, ""}},
		},
		Levels:      map[string]float64{"tone": 75, "fidelity": 2},
		Suggestions: map[string]string{"setup": "Show the command."},
		Claimed:     map[string]float64{"setup": 67},
	}
}

func accept(t *testing.T, text string, form Form) Verdict {
	t.Helper()
	v, err := Parse([]byte(text), form)
	if err != nil {
		t.Fatalf("Parse(%.200q): %v", text, err)
	}
	return v
}

func reason(t *testing.T, text string, form Form) string {
	t.Helper()
	v, err := Parse([]byte(text), form)
	var m *Malformed
	if !errors.As(err, &m) {
		t.Fatalf("Parse(%.200q) = %+v, %v; want a *Malformed", text, v, err)
	}
	return m.Reason
}

func TestEveryWayToAnswerIsRead(t *testing.T) {
	if diff := cmp.Diff(filledVerdict(), accept(t, filled, handbook)); diff != "" {
		t.Error(diff)
	}
}

func TestOriginalFormIsRead(t *testing.T) {
	got := accept(t, `{
		"scores": {"Set-up instructions": 66.7, "Links": 50, "Writing tone": 50, "Fidelity to intent": 1},
		"checklist": {
			"Set-up instructions": {"Names the supported operating systems": true, "Gives an install command": false, "Says how to check that it works": true},
			"Links": {"Links the issue tracker": true, "Links the licence": false}},
		"suggestions": {"Links": "Link the licence."}}`, handbook)
	want := Verdict{
		Items: map[string]map[string]Answer{
			"setup": {"os": {Word: Yes}, "install": {Word: No}, "check": {Word: Yes}},
			"links": {"issues": {Word: Yes}, "licence": {Word: No}},
		},
		Levels:      map[string]float64{"tone": 50, "fidelity": 1},
		Suggestions: map[string]string{"links": "Link the licence."},
		Claimed:     map[string]float64{"setup": 66.7, "links": 50},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestVerdictIsFoundInWhateverIsAroundIt(t *testing.T) {
	for name, text := range map[string]string{
		"alone":                   filled,
		"white space":             "\n\t " + filled + "\r\n\n",
		"code fence":              "Here it is:\n```json\n" + filled + "\n```\nDone.",
		"braces in prose before":  "I weighed {this} and {\"that\"} and {not json} then " + filled,
		"braces in prose after":   filled + " as {agreed}, see {\"a\": 1} and }}} {{{",
		"open brace before":       "{ and { \"checklist: " + filled,
		"quote hides the brace":   `Use {"a} then ` + filled,
		"quote hides it as value": `Use {"checklist": "b} then ` + filled,
		"unfinished attempt":      `{"checklist": {"setup": {"os": ` + filled,
		"in a list":               "[" + filled + "]",
		"byte order mark":         "\ufeff" + filled,
		"other object after":      filled + `{"note": "the above is final"}`,
		"invalid bytes around":    "\xff\xfe{\xff" + filled + "\xff",
		"template braces":         "{{ " + filled + " }}",
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(filledVerdict(), accept(t, text, handbook)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLastObjectThatFitsWins(t *testing.T) {
	first := strings.Replace(filled, `"tone": 75`, `"tone": 0`, 1)
	for name, text := range map[string]string{
		"both fit":             first + filled,
		"a bad one follows":    filled + strings.Replace(first, `"os"`, `"osx"`, 1),
		"an empty one follows": first + "\n" + filled + `{"checklist": {}}`,
		"a broken one follows": first + filled + `{"checklist": {"setup": {"os": tru`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := accept(t, text, handbook).Levels["tone"]; got != 75 {
				t.Errorf("tone = %v, want 75 of the last object that fits", got)
			}
		})
	}
}

func TestBracesAndQuotesInStringsAreText(t *testing.T) {
	text := strings.Replace(filled, "Show the command.", `Write \"{\\\" and }, {\"checklist\": {}} \\`, 1)
	want := `Write "{\" and }, {"checklist": {}} \`
	if got := accept(t, text, handbook).Suggestions["setup"]; got != want {
		t.Errorf("suggestion = %q, want %q", got, want)
	}
}

func TestNamesMatchByIDElseByFoldedText(t *testing.T) {
	form := Form{Criteria: []FormCriterion{
		{ID: "a", Name: "Größe \u212aelvin", Items: []FormItem{{ID: "one", Text: "Says  how\u00a0much"}, {ID: "two", Text: "one"}}},
	}}
	for name, text := range map[string]string{
		"ids":                      `{"checklist": {"a": {"one": true, "two": false}}}`,
		"folded ids":               `{"checklist": {" A ": {"one": true, "TWO": false}}}`,
		"texts":                    `{"checklist": {"größe kelvin": {"SAYS HOW MUCH": true, "two": false}}}`,
		"white space":              `{"checklist": {"GRÖSSE": {}, "\tGRÖẞE  Kelvin\n": {"says\n how much ": true, "two": false}}}`,
		"id before the other text": `{"items": {"a": {"one": true, "Two": false}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			text = strings.Replace(text, `"GRÖSSE": {}, `, "", 1)
			got := accept(t, text, form).Items
			want := map[string]map[string]Answer{"a": {"one": {Word: Yes}, "two": {Word: No}}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNullIsNoAnswer(t *testing.T) {
	for _, text := range []string{
		strings.Replace(filled, `"install": "no"`, `"install": null`, 1),
		strings.Replace(filled, `"install": "no"`, `"install": {"verdict": null, "evidence": "x"}`, 1),
		strings.Replace(filled, `"install": "no", `, ``, 1),
	} {
		got := accept(t, text, handbook)
		if _, ok := got.Items["setup"]["install"]; ok || got.Missing != 1 {
			t.Errorf("items %v, missing %d; want no install and 1 missing", got.Items["setup"], got.Missing)
		}
	}
}

func TestMoreThanAFifthMissingIsMalformed(t *testing.T) {
	form := func(n int) Form {
		c := FormCriterion{ID: "c", Name: "C"}
		for i := range n {
			c.Items = append(c.Items, FormItem{ID: fmt.Sprint("i", i), Text: fmt.Sprint("Item ", i)})
		}
		return Form{Criteria: []FormCriterion{c, {ID: "l", Name: "L", Levels: true}}}
	}
	answers := func(n int) string {
		var s []string
		for i := range n {
			s = append(s, fmt.Sprintf(`"i%d": true`, i))
		}
		return `{"checklist": {"c": {` + strings.Join(s, ", ") + `}}}`
	}
	// Nine items and one level are ten questions: two may be missing, three may not.
	if got := accept(t, answers(8), form(9)); got.Missing != 2 {
		t.Errorf("missing = %d, want 2", got.Missing)
	}
	want := "3 of 10 answers are missing, and at most a fifth may be; answer c/i7, c/i8, l"
	if got := reason(t, answers(7), form(9)); got != want {
		t.Errorf("reason = %q, want %q", got, want)
	}
	// Three items and one level: a quarter is more than a fifth.
	reason(t, answers(3), form(3))
	want = "10 of 10 answers are missing, and at most a fifth may be; answer c/i0, c/i1, c/i2 and others"
	if got := reason(t, `{"checklist": {}}`, form(9)); got != want {
		t.Errorf("reason = %q, want %q", got, want)
	}
}

func TestScoreAnswersACriterionWithLevelsOnlyWhereNothingElseDoes(t *testing.T) {
	got := accept(t, strings.Replace(filled, `"scores": {"setup": 67}`, `"scores": {"fidelity": 100, "tone": 80}`, 1), handbook)
	if diff := cmp.Diff(map[string]float64{"tone": 75, "fidelity": 2}, got.Levels); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]float64{"tone": 80, "fidelity": 100}, got.Claimed); diff != "" {
		t.Error(diff)
	}
}

func TestLongTextsAreCutAndCleaned(t *testing.T) {
	long := strings.Repeat("é", 1500) // 3,000 bytes
	got := accept(t, strings.NewReplacer("Linux and macOS", `a\u0007b\n\tc\u001b[31m`+long, "Show the command.", "x"+long).Replace(filled), handbook)
	if e, want := got.Items["setup"]["os"].Evidence, "ab  c[31m"+strings.Repeat("é", 995); e != want { // 9 + 1990 bytes; one more é would be 2001
		t.Errorf("evidence has %d bytes, %.30q...", len(e), e)
	}
	if s, want := got.Suggestions["setup"], "x"+strings.Repeat("é", 999); s != want {
		t.Errorf("suggestion has %d bytes, %.30q...", len(s), s)
	}
}

func TestTextsAreTrimmedAndMayBeEmpty(t *testing.T) {
	got := accept(t, strings.NewReplacer("Linux and macOS", ` \n Linux\t`, "Show the command.", ` \u0000\n `).Replace(filled), handbook)
	if e := got.Items["setup"]["os"].Evidence; e != "Linux" {
		t.Errorf("evidence = %q, want %q", e, "Linux")
	}
	if got.Suggestions != nil {
		t.Errorf("suggestions = %q, want none", got.Suggestions)
	}
}

func TestTicketIsKeptAsWritten(t *testing.T) {
	for in, want := range map[string]string{
		`"ticket": "T 1 "`: "T 1 ",
		`"ticket": 7`:      "",
		`"ticket": null`:   "",
		`"ticket": "` + strings.Repeat("x", 257) + `"`: "",
	} {
		if got := accept(t, strings.Replace(filled, `"ticket": "rulph:1:abc"`, in, 1), handbook).Ticket; got != want {
			t.Errorf("%.40s: ticket = %q, want %q", in, got, want)
		}
	}
}

func TestFieldsOutsideTheFormArePassedOver(t *testing.T) {
	text := strings.Replace(filled, `"ticket"`, `"summary": {"a": [1, {"b": null}]}, "overall": 88, "ticket"`, 1)
	if diff := cmp.Diff(filledVerdict(), accept(t, text, handbook)); diff != "" {
		t.Error(diff)
	}
}

func TestEmptyFormNeedsNoAnswer(t *testing.T) {
	got := accept(t, `{"checklist": {}}`, Form{})
	if diff := cmp.Diff(Verdict{Items: map[string]map[string]Answer{}}, got); diff != "" {
		t.Error(diff)
	}
}
