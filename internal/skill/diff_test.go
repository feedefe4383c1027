package skill

import (
	"errors"
	"testing"
	"unicode/utf8"
)

func TestAChangeIsReadFromOneObject(t *testing.T) {
	d, err := ParseDiff([]byte("\ufeff {\"section\": \"s\", \"old\": \"a\\r\\n\\\"b\\u00e9\", \"new\": \"\", \"rationale\": \"why\", \"gains\": {\"tokens\": -5}, \"x\": 1}\n"))
	if err != nil || d.Section != "s" || d.Old != "a\r\n\"bé" || d.New != "" || d.Rationale != "why" || string(d.Gains) != `{"tokens": -5}` {
		t.Errorf("%+v, %v", d, err)
	}
	for what, test := range map[string]struct {
		text   string
		reason Reason
		words  string
	}{
		"a whole file":       {skillText, Whole, "whole SKILL.md"},
		"a whole file, CRLF": {"\r\n---\r\nname: x\r\n---\r\nx", Whole, "whole SKILL.md"},
		"prose":              {"Here it is: {}", NotText, "no JSON object"},
		"a list":             {`[{"old": "a", "new": "b"}]`, NotText, "no JSON object"},
		"two":                {`{"old": "a", "new": "b"} {"old": "c", "new": "d"}`, NotText, "no JSON object"},
		"a key twice":        {`{"old": "a", "old": "b", "new": "c"}`, NotText, "no JSON object"},
		"no old":             {`{"new": "b"}`, Empty, "no old or no new"},
		"no new":             {`{"old": "b"}`, Empty, "no old or no new"},
		"a new that is null": {`{"old": "b", "new": null}`, Empty, "no old or no new"},
		"a number":           {`{"old": 1, "new": "b"}`, NotText, "the change: "},
		"nothing":            {"", NotText, "no JSON object"},
	} {
		_, err := ParseDiff([]byte(test.text))
		refused(t, what, err, test.reason, test.words)
	}
}

func FuzzParseDiff(f *testing.F) {
	f.Add([]byte(`{"section": "s", "old": "a", "new": "b", "rationale": "r", "gains": {"tokens": -1}}`))
	f.Add([]byte("---\nname: x\n---\n"))
	f.Add([]byte(`{"OLD": "a", "old": "b", "new": "\ud800"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ParseDiff(text)
		if _, ok := errors.AsType[*Refusal](err); err != nil && !ok {
			t.Fatalf("%v is no refusal", err)
		}
		if err == nil && !utf8.ValidString(d.Old+d.New+d.Section+d.Rationale) {
			t.Fatalf("%q is no text", d)
		}
	})
}
