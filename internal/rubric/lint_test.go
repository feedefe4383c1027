package rubric

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rulph/internal/artifact"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// lintOf is what Lint says of one item in a checklist that is fine otherwise.
func lintOf(it Item) []string {
	r := weighted(0, 0)
	for i := range r.Criteria {
		r.Criteria[i].Items = items("Names the owner", "Names the date", "Names the place", "Names the source")
	}
	r.Criteria[0].Items = append(r.Criteria[0].Items, it)
	r.Criteria[1].Items = append(r.Criteria[1].Items, Item{Text: "Names the price"})
	r.Complete()
	var out []string
	for _, p := range r.Lint() {
		if p.Path != "criteria[0].items[4].text" {
			return []string{"a warning elsewhere: " + p.String()}
		}
		out = append(out, p.Message)
	}
	return out
}

func TestItemsThatAskForATaste(t *testing.T) {
	for text, word := range map[string]string{
		"The page is beautiful":            "beautiful",
		"The layout feels right":           "feels right",
		"The code is clean":                "clean",
		"Has clean, short functions":       "clean",
		"Examples are Easy To Follow":      "easy to follow",
		"Errors are handled appropriately": "appropriately",
		"The text is well-written":         "well-written",
		"Le style est elegant":             "elegant",
	} {
		got := lintOf(Item{Text: text})
		if len(got) != 1 || !strings.HasPrefix(got[0], `"`+word+`" is hard to score objectively. Consider rewording to something measurable, e.g., "`) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestItemsThatNoReaderCanAnswer(t *testing.T) {
	for text, words := range map[string]string{
		"The author intends to help beginners": "intends",
		"It was tested on Linux":               "was tested",
		"Users like the examples":              "users like",
		"The service is used in production":    "in production",
		"The parser is fast":                   "is fast",
		"The program works as expected":        "works as expected",
	} {
		got := lintOf(Item{Text: text})
		if len(got) != 1 || !strings.HasPrefix(got[0], `no reader of the text sees whether "`+words+`" is true. Consider asking for what the text shows, e.g., "`) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestItemsThatAskTwoThings(t *testing.T) {
	for text, want := range map[string][2]string{
		"Names the owner and explains the steps":         {"Names the owner", "Explains the steps"},
		"Names the owner; lists the steps":               {"Names the owner", "Lists the steps"},
		"Names the owner, and is dated":                  {"Names the owner", "Is dated"},
		"Has a summary and a list of steps":              {"Has a summary", "Has a list of steps"},
		"Says how to install it and how to remove it":    {"Says how to install it", "Says how to remove it"},
		"Gives the date and also names the author":       {"Gives the date", "Names the author"},
		"Every section has a heading and links to it":    {"Every section has a heading", "Links to it"},
		"Inputs and outputs are named and have examples": {"Inputs and outputs are named", "Have examples"},
	} {
		got := lintOf(Item{Text: text})
		end := `Consider an item for each, e.g., "` + want[0] + `" and "` + want[1] + `"`
		if len(got) != 1 || !strings.HasPrefix(got[0], "asks two things at once") || !strings.HasSuffix(got[0], end) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// A warning that is often wrong is not read.
func TestNoFalseAlarm(t *testing.T) {
	for _, text := range []string{
		"Names inputs and outputs",
		"The visual hierarchy is clear and consistent", // the original's own example of a good item
		"All functions have explicit return types",
		"Explains the difference between a process and a thread",
		"Says what both the client and the server do",
		`Has the section "Install and the rest"`,
		"Has a section called 'Beautiful code and the rest'",
		"Shows `a b; c d` as a command",
		"Explains the word “clean” in the glossary",
		"Lists keys and lists of keys",
		"Warns of races (and of the lock)",
		"Runs make clean before each build",
		"Starts from a clean checkout",
		"Cleans up its temporary files",
		"Explains what happens when it fails in production",
		"States on which systems it was tested",
		"Names who intends to maintain it",
		"Doesn't repeat the title's words in the readers' summary",
		"Uses fewer than 20 words; ten",
		"Has fast-path and slow-path examples",
		"Describes the goodness-of-fit test",
		"Mentions Q&A and FAQ",
		"모든 단계에 예시가 있다",
		"Jeder Schritt hat ein Beispiel und eine Ausgabe",
	} {
		if got := lintOf(Item{Text: text}); got != nil {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestAnItemThatNoJudgeAnswersMayBeWordedAnyHow(t *testing.T) {
	for _, it := range []Item{
		{Text: "Is beautiful and has no bugs", Check: "true"},
		{Text: "Is concise; was tested on Linux", Probe: &artifact.Probe{MaxWords: pointer(3)}},
	} {
		if got := lintOf(it); got != nil {
			t.Errorf("%q: %q", it.Text, got)
		}
	}
}

func TestLongTextsAreNotLookedInto(t *testing.T) {
	got := lintOf(Item{Text: strings.Repeat("(and ", 200_000)})
	if diff := cmp.Diff([]string{"999999 characters are too many for one question. Consider at most 400, or several items"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestChecklistsThatAreTooShortOrTooLong(t *testing.T) {
	texts := strings.Split("abcdefghijk", "")
	for n, want := range map[int][]Problem{
		4:  {{"criteria[0].items", "4 items give a coarse score: one answer moves it by 25 points. Consider 5 to 10 items, from basic to advanced"}},
		5:  nil,
		10: nil,
		11: {{"criteria[0].items", "11 items are more than a judge answers with care. Consider 5 to 10 items, or a second criterion"}},
	} {
		r := Rubric{Criteria: []Criterion{{Name: "A", Items: items(texts[:n]...)}}}
		if diff := cmp.Diff(want, r.Lint()); diff != "" {
			t.Errorf("%d items: %s", n, diff)
		}
	}
}

func TestTheSameTwice(t *testing.T) {
	r := Rubric{Criteria: []Criterion{
		{ID: "tone", Name: "Tone", Items: []Item{{ID: "a", Text: "Names the owner"}, {ID: "b", Text: "names  the OWNER"}, {Text: "c"}, {Text: "d"}, {Text: "e"}}},
		{ID: "tone-2", Name: "TONE", Levels: fiveLevels([5]string{"has no example", "has one example", "has two examples", "has TWO examples", "full"})},
	}}
	want := []Problem{
		{"criteria[0].items[1].text", "asks the same as item a. Consider removing one of them"},
		{"criteria[1].name", `"TONE" is also the name of criterion tone; a judge and a report can't tell them apart`},
		{"criteria[1].levels.75", "75 has the same indicator as 50, so a judge can't choose. Consider saying what sets them apart"},
		{"criteria[1].levels.100", `"full" names a grade, not something a reader sees. Consider one concrete indicator, e.g., "every section opens with what it is for"`},
	}
	if diff := cmp.Diff(want, r.Lint()); diff != "" {
		t.Error(diff)
	}
}

func TestCriteriaNamedForATaste(t *testing.T) {
	r := Rubric{Criteria: []Criterion{{Name: "Beautiful design", Items: items("a", "b", "c", "d", "e")}}}
	want := []Problem{{"criteria[0].name", `"beautiful" is hard to score objectively. Consider a name for something measurable; a judge reads it beside the items`}}
	if diff := cmp.Diff(want, r.Lint()); diff != "" {
		t.Error(diff)
	}
}

func TestEverySuggestionPassesTheLintItself(t *testing.T) {
	for _, table := range [][]phrase{subjectivePhrases[:], unseenPhrases[:]} {
		for _, p := range table {
			if got := lintOf(Item{Text: upperFirst(p.instead)}); got != nil {
				t.Errorf("%q suggests %q: %q", p.words, p.instead, got)
			}
		}
	}
}
