package prompt

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTickets(t *testing.T) {
	a, b := TicketPrefix+strings.Repeat("a", 20), TicketPrefix+strings.Repeat("7", 20)
	for text, want := range map[string][]string{
		"":                                     nil,
		"rulph-":                               nil,
		"rulph-short":                          nil,
		"x" + a + "y":                          {a},
		a + " " + b + " " + a:                  {a, b},
		"rulph-rulph-" + a:                     {a},
		TicketPrefix + strings.Repeat("A", 20): nil,
		`{"ticket": "` + b + `"}`:              {b},
	} {
		if got := Tickets(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestAFenceOccursInNoneOfItsTexts(t *testing.T) {
	first := Fence("t", "a", "b")
	if first != Fence("t", "b") {
		t.Error("the same ticket gives another word")
	}
	if again := Fence("t", "a", "x"+first+"y"); again == first || Fence("u") == first {
		t.Errorf("the fence %s stands in the text", again)
	}
}

func TestPartsAreTheWholeText(t *testing.T) {
	for _, text := range []string{"", "short", "one\ntwo\nthree\n", strings.Repeat("é", 40), strings.Repeat("line\n", 30)} {
		parts := Parts(text, 16)
		if got := strings.Join(parts, ""); got != text {
			t.Errorf("parts of %q make %q", text, got)
		}
		for _, p := range parts {
			if len(p) > 16 || !utf8.ValidString(p) {
				t.Errorf("part %q", p)
			}
		}
	}
	got, err := Part("one\ntwo\n", 1, 4, func(int) string { return "more" })
	if err != nil || got != "one\n[part 1 of 2. Do not answer yet: run `more` and read on.]\n" {
		t.Errorf("%q %v", got, err)
	}
	if _, err := Part("one\n", 2, 0, nil); err == nil {
		t.Error("a part that is not there was given")
	}
}
