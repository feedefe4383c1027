package verdict

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestReasonNamesThePlaceAndWhatIsExpected(t *testing.T) {
	change := func(old, new string) string {
		if !strings.Contains(filled, old) {
			t.Fatalf("%q is not in the answer", old)
		}
		return strings.Replace(filled, old, new, 1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"unknown item": {change(`"os":`, `"ios":`),
			`unknown item "ios" of criterion "setup"; the nearest is "os"; use only these ids: os, install, check`},
		"unknown item by text": {change(`"licence":`, `"Links the license":`),
			`unknown item "Links the license" of criterion "links"; the nearest is "licence"; use only these ids: issues, licence`},
		"unknown criterion": {change(`"setup": {"os"`, `"set up": {"os"`),
			`unknown criterion "set up" in "checklist"; the nearest is "setup"; use only these ids: setup, links, tone, fidelity`},
		"unknown criterion in scores": {change(`"scores": {`, `"scores": {"overall": 80, `),
			`unknown criterion "overall" in "scores"; use only these ids: setup, links, tone, fidelity`},
		"unknown criterion in suggestions": {change(`"suggestions": {"setup"`, `"suggestions": {"general"`),
			`unknown criterion "general" in "suggestions"; use only these ids: setup, links, tone, fidelity`},
		"repeated item": {change(`"check": true`, `"check": true, "Gives an INSTALL command": true`),
			`item "install" of criterion "setup" occurs twice, once as "Gives an INSTALL command"; answer it once`},
		"repeated criterion": {change(`"links": {"issues"`, `"Setup": {}, "links": {"issues"`),
			`criterion "setup" occurs twice in "checklist", once as "Setup"; write it once`},
		"repeated in the other field": {change(`"suggestions"`, `"items": {"setup": {}}, "suggestions"`),
			`criterion "setup" occurs twice in "items", once as "setup"; write it once`},
		"repeated suggestion": {change(`"suggestions": {`, `"suggestions": {"Set-up Instructions": "a", `),
			`criterion "setup" occurs twice in "suggestions", once as "setup"; write it once`},
		"no answer": {change(`"install": "no"`, `"install": "n/a"`),
			`item "install" of criterion "setup": "n/a" is no answer; it must be "yes", "no", or "unsure" where the artifact does not tell`},
		"boolean as text": {change(`"install": "no"`, `"install": "true"`),
			`item "install" of criterion "setup": "true" is no answer; it must be "yes", "no", or "unsure" where the artifact does not tell`},
		"number as answer": {change(`"install": "no"`, `"install": 1`),
			`item "install" of criterion "setup": the answer is a number; it must be "yes", "no" or "unsure"`},
		"number as verdict": {change(`"install": "no"`, `"install": {"verdict": 0}`),
			`item "install" of criterion "setup": the answer is a number; it must be "yes", "no" or "unsure"`},
		"no verdict": {change(`"install": "no"`, `"install": {"answer": "no"}`),
			`item "install" of criterion "setup": the answer has no "verdict"; it must be "yes", "no" or "unsure"`},
		"evidence is a list": {change(`"evidence": "Linux and macOS"`, `"evidence": ["Linux"]`),
			`item "os" of criterion "setup": its "evidence" is a list; it must be one quotation from the artifact, as a string`},
		"level between": {change(`"tone": 75`, `"tone": 80`),
			`"tone" in "levels" is 80; it must be one of 0, 25, 50, 75 or 100 and nothing between`},
		"level as text": {change(`"tone": 75`, `"tone": "75"`),
			`"tone" in "levels" is a string; it must be the number 0, 25, 50, 75 or 100`},
		"points as percent": {change(`"fidelity": 2`, `"fidelity": 50`),
			`"fidelity" in "levels" is 50; it must be one of 0, 1 or 2 and nothing between`},
		"score between levels": {strings.Replace(change(`"tone": 75, `, ``), `"setup": 67`, `"tone": 85`, 1),
			`"tone" in "scores" is 85; it must be one of 0, 25, 50, 75 or 100 and nothing between`},
		"checklist as level": {change(`"tone": 75`, `"setup": 75`),
			`"setup" is a checklist; answer its items in "checklist" instead of giving it a value in "levels"`},
		"level in the checklist": {change(`"links": {"issues"`, `"tone": {"a": true}, "links": {"issues"`),
			`"tone" is no checklist; give it one of 0, 25, 50, 75 or 100 in "levels"`},
		"items as a list": {change(`"links": {"issues": "unsure", "licence": false}`, `"links": [true, false]`),
			`"links" in "checklist" is a list; it must be an object with the item ids as names`},
		"checklist as a list": {`{"checklist": [{"setup": true}]}`,
			`"checklist" is a list; it must be an object with criterion ids as names`},
		"score as text": {change(`"setup": 67`, `"setup": "67%"`),
			`"setup" in "scores" is a string; it must be a number`},
		"suggestions as a list": {change(`"setup": "Show the command."`, `"setup": ["Show the command."]`),
			`"setup" in "suggestions" is a list; it must be one text`},
		"duplicate name": {change(`"install": "no"`, `"install": "no", "install": "yes"`),
			`"install" occurs twice in "setup"; write every name once`},
		"duplicate name in disguise": {change(`"install": "no"`, `"install": "no", "inst\u0061ll": "yes"`),
			`"install" occurs twice in "setup"; write every name once`},
		"duplicate at the top": {change(`"ticket"`, `"levels": {}, "ticket"`),
			`"levels" occurs twice in the object; write every name once`},
		"duplicate in a passed over field": {change(`"ticket"`, `"x": [{"a": [{"b": 1, "b": 1}]}], "ticket"`),
			`"b" occurs twice in "a"; write every name once`},
		"NaN": {change(`"tone": 75`, `"tone": NaN`),
			`the JSON object breaks at line 7, column 22 before "NaN, \"fidelity\": 2}, \"sugges": NaN is not a JSON number`},
		"Infinity": {change(`"setup": 67`, `"setup": -Infinity`),
			`the JSON object breaks at line 9, column 23 before "-Infinity} }": -Infinity is not a JSON number`},
		"beyond a float": {change(`"setup": 67`, `"setup": 1e999`),
			`the number "1e999" is out of range`},
		"truncated": {filled[:strings.Index(filled, `"licence"`)],
			`the JSON object breaks at line 5, column 35: the text ends before the object does`},
		"trailing comma": {change(`"fidelity": 2}`, `"fidelity": 2,}`),
			`the JSON object breaks at line 7, column 40 before "}, \"suggestions\": {\"setup\": ": expected a name in double quotes after the comma`},
		"raw line break": {change(`Show the`, "Show\nthe"),
			`the JSON object breaks at line 8, column 33 before " the command.\"}, \"scores\": {": a string contains a line break; write \n`},
		"nothing":     {"I cannot judge this.", "no JSON object found; return one in the form that was asked for"},
		"no text":     {"", "no JSON object found; return one in the form that was asked for"},
		"only braces": {"{not json} {", "no JSON object found; return one in the form that was asked for"},
		"another object": {`{"verdict": "yes"}`,
			`no JSON object found that has a "checklist" or "levels"; return one in the form that was asked for`},
		"wrapped": {`{"result": ` + filled + `}`,
			`no JSON object found that has "checklist" or "levels" at its top; return the verdict itself, not inside another object`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := reason(t, c.text, handbook); got != c.want {
				t.Errorf("reason\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestReasonIsOfTheLastObjectThatLookedLikeAVerdict(t *testing.T) {
	one, two := `{"checklist": {"setup": {"one": true}}}`, `{"checklist": {"setup": {"two": true}}}`
	for name, c := range map[string]struct{ text, part string }{
		"two complete":           {one + two, `"two"`},
		"something else follows": {one + two + `{"a": 1} {b}`, `"two"`},
		"a broken one follows":   {one + `{"checklist": x`, "line 1, column 54"},
		"a broken one before":    {`{"checklist": x ` + two, `"two"`},
		"inside a broken one":    {`{"checklist": {"a": {"items": 1}}, x`, "line 1, column 36"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := reason(t, c.text, handbook); !strings.Contains(got, c.part) {
				t.Errorf("reason %q does not contain %q", got, c.part)
			}
		})
	}
}

func TestTextSharedByTwoItemsMeansNeither(t *testing.T) {
	form := Form{Criteria: []FormCriterion{{ID: "c", Name: "C", Items: []FormItem{{"a", "Same text"}, {"b", "same  Text"}}}}}
	want := `item "SAME TEXT" of criterion "c" could mean more than one; use only these ids: a, b`
	if got := reason(t, `{"checklist": {"c": {"SAME TEXT": true}}}`, form); got != want {
		t.Errorf("reason = %q, want %q", got, want)
	}
	accept(t, `{"checklist": {"c": {"a": true, "b": false}}}`, form)
}

func TestDepthIsLimited(t *testing.T) {
	nested := func(levels int) string { // the outermost object is a level, so are the lists
		return strings.Replace(filled, `"ticket"`, `"x": `+strings.Repeat("[", levels-1)+strings.Repeat("]", levels-1)+`, "ticket"`, 1)
	}
	accept(t, nested(64), handbook)
	want := "the JSON object is nested more than 64 levels deep"
	if got := reason(t, nested(65), handbook); got != want {
		t.Errorf("reason = %q, want %q", got, want)
	}
}

func TestObjectInsideATooDeepOneIsNoCandidate(t *testing.T) {
	text := strings.Repeat(`{"checklist": `, 70) + filled + strings.Repeat("}", 70)
	want := "the JSON object is nested more than 64 levels deep"
	if got := reason(t, text, handbook); got != want {
		t.Errorf("reason = %q, want %q", got, want)
	}
}

func TestSizeIsLimited(t *testing.T) {
	room := MaxText - len(filled)
	accept(t, strings.Repeat(" ", room)+filled, handbook)
	want := "the answer is 4194305 bytes long, and at most 4194304 are read; return only the JSON object"
	if got := reason(t, strings.Repeat(" ", room+1)+filled, handbook); got != want {
		t.Errorf("reason = %q, want %q", got, want)
	}
}

func TestReasonRepeatsLittleOfTheAnswer(t *testing.T) {
	long := strings.Repeat(`\u001b\u0000\u202e\"`, 3000) + strings.Repeat("x", 3000)
	for _, text := range []string{
		`{"checklist": {"` + long + `": {}}}`,
		`{"checklist": {"setup": {"` + long + `": true}}}`,
		`{"checklist": {"setup": {"os": "` + long + `"}}}`,
		`{"levels": {"` + long + `": {"` + long + `": 1, "` + long + `": 2}}}`,
		`{"levels": {"tone": 1e9` + strings.Repeat("9", 3000) + `}}`,
		`{"levels": {"tone": x` + long,
	} {
		got := reason(t, text, handbook)
		if n := utf8.RuneCountInString(got); n > 400 { // own words and known ids included
			t.Errorf("%d runes: %s", n, got)
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
			t.Errorf("%q in the reason %q", got[i:], got)
		}
	}
}
