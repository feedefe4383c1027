package verdict

import (
	"encoding/json"
	"strings"
	"testing"
)

// flood repeats a piece until the text is as long as Parse takes it.
func flood(piece string) string {
	return strings.Repeat(piece, MaxText/len(piece))
}

func TestFloodsAreReadInLinearTime(t *testing.T) {
	half := MaxText / 2
	for name, text := range map[string]string{
		"braces":                   flood("{"),
		"braces and quotes":        flood(`{"`),
		"quotes":                   `{` + flood(`"`)[1:],
		"unclosed objects":         flood(`{"a":`),
		"unclosed verdicts":        flood(`{"checklist":`),
		"unclosed lists":           `{"a":` + flood("[")[5:],
		"spaced braces":            strings.Repeat("{", half) + strings.Repeat(" ", half),
		"brace and spaces":         flood("{" + strings.Repeat(" ", 1000)),
		"name and spaces":          flood(`{"a"` + strings.Repeat(" ", 1000)),
		"braces in strings":        flood(`{"{":"{",`),
		"strings of braces":        flood(`{"{{{{{{{{` + strings.Repeat("{", 1000) + `"x`),
		"escaped quotes":           flood(`{"\"{\"{\"{\"{`),
		"one unclosed string":      `{"` + flood("{")[2:],
		"backslashes":              `{"` + flood(`\`)[2:],
		"numbers that break":       flood(`{"a":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,x`),
		"objects then a break":     flood(`{"a":[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},x`),
		"nested, then a break":     strings.Repeat(`{"a":`, half/5) + strings.Repeat("}", half/5) + "x",
		"nested and closed":        strings.Repeat(`{"a":`, half/5) + "1" + strings.Repeat("}", half/5),
		"verdicts in a broken one": `{"a":[` + strings.Repeat(`{"scores":{}},`, half/14),
		"long digits":              `{"a":` + flood("1")[5:],
		"closing braces":           flood("}"),
	} {
		t.Run(name, func(t *testing.T) {
			if s := scan([]byte(text)); s.steps > 5*len(text) {
				t.Errorf("%d steps for %d bytes", s.steps, len(text))
			}
		})
	}
}

// A text may hold very many objects that look like a verdict. Their reasons must cost nothing, and
// together they are no longer than the text.
func TestFloodOfMalformedVerdictsIsRefused(t *testing.T) {
	text := flood(`{"checklist":{"no such criterion":{}}}`)
	s := scan([]byte(text))
	sum := 0
	for _, f := range s.found {
		sum += f.end - f.start
	}
	if want := MaxText / 38; len(s.found) != want || sum > len(text) {
		t.Errorf("%d objects of %d bytes, want %d of at most %d", len(s.found), sum, want, len(text))
	}
	if got, want := reason(t, text, handbook), `unknown criterion "no such criterion" in "checklist"; use only these ids: setup, links, tone, fidelity`; got != want {
		t.Errorf("reason = %q, want %q", got, want)
	}
}

func TestOnlyOutermostCompleteObjectsAreFound(t *testing.T) {
	for text, want := range map[string][]string{
		`{"scores":{"scores":{}}}`:                         {`{"scores":{"scores":{}}}`},
		`{"a":{"scores":{}}}`:                              nil,
		`{"a":{"scores":{}},`:                              {`{"scores":{}}`},
		`{"a":{"scores":{}},"b":{"b":{"levels":{}}},"c":x`: {`{"scores":{}}`},
		`{"a":[{"scores":1},{"levels":2}],x{"points":3}`:   {`{"scores":1}`, `{"levels":2}`, `{"points":3}`},
		`{"a":"{\"scores\":{}}"}`:                          nil,
		`{"a":"{"scores":{}}"}`:                            {`{"scores":{}}`},
		`{"a":{"scores":"{"}":1,"items":0}`:                {`{"scores":"{"}`},
		`{"a":{"b":"{"}":1,"items":0}`:                     nil,
		`{ "items" : [ ] }`:                                {`{ "items" : [ ] }`},
		`{"items":[],}{"ITEMS":[]}{"\u0069tems":[]}`:       nil,
	} {
		s := scan([]byte(text))
		var got []string
		for _, f := range s.found {
			got = append(got, text[f.start:f.end])
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: found %q, want %q", text, got, want)
		}
	}
}

// FuzzScan holds the scan against encoding/json: what it finds is valid JSON, nothing is found twice,
// and a text that is one JSON object with a verdict's name at its top is found whole.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		filled, "```json\n" + filled + "\n```", `{"scores": 1e5, "a": -0.0, "b": [1, {"c": "\ud800"}]}`,
		`{"a} {"scores": {}}`, `{"scores": 01}`, `{"scores": "\x"}`, `{"levels":{"a":{"levels":0}}}x`, "{\"items\":\"\xff\"}", `{"points":-}`, `{"points":1.e}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := scan(text)
		end := 0
		for _, o := range s.found {
			if o.start < end {
				t.Errorf("%q overlaps what is before it", text[o.start:o.end])
			}
			end = o.end
			if !json.Valid(text[o.start:o.end]) {
				t.Errorf("%q is not valid JSON", text[o.start:o.end])
			}
		}
		if s.steps > 5*len(text)+8 {
			t.Errorf("%d steps for %d bytes", s.steps, len(text))
		}
		var top map[string]json.RawMessage
		whole := strings.TrimSpace(string(text))
		if json.Unmarshal([]byte(whole), &top) != nil || top == nil {
			return
		}
		if !s.any {
			t.Errorf("no object seen in %q", whole)
		}
		if strings.Contains(whole, `\`) { // a name may be written with escapes, which the scan does not resolve
			return
		}
		want := 0
		for _, name := range []string{"checklist", "items", "levels", "points", "scores"} {
			if _, ok := top[name]; ok {
				want = 1
			}
		}
		if len(s.found) != want {
			t.Errorf("%d objects found in %q, want %d", len(s.found), whole, want)
		}
	})
}
