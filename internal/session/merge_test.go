package session

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func compact(t testing.TB, text []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return out.String()
}

func TestDeepMerge(t *testing.T) {
	cases := []struct{ name, old, add, want string }{
		{"into nothing", ``, `{"a":1}`, `{"a":1}`},
		{"objects merge", `{"r":{"a":1,"b":2}}`, `{"r":{"b":3,"c":4}}`, `{"r":{"a":1,"b":3,"c":4}}`},
		{"objects merge at every depth", `{"a":{"b":{"c":{"x":1}}}}`, `{"a":{"b":{"c":{"y":2}}}}`, `{"a":{"b":{"c":{"x":1,"y":2}}}}`},
		{"arrays are replaced whole", `{"a":[1,2,3]}`, `{"a":[4]}`, `{"a":[4]}`},
		{"a scalar replaces an object", `{"a":{"b":1}}`, `{"a":5}`, `{"a":5}`},
		{"an object replaces a scalar", `{"a":5}`, `{"a":{"b":1}}`, `{"a":{"b":1}}`},
		{"an object replaces an array", `{"a":[1]}`, `{"a":{"0":1}}`, `{"a":{"0":1}}`},
		{"null is stored", `{"a":1,"b":2}`, `{"a":null}`, `{"a":null,"b":2}`},
		{"an empty object changes nothing", `{"a":{"b":1}}`, `{"a":{}}`, `{"a":{"b":1}}`},
		{"order stays, new keys follow", `{"z":1,"a":2}`, `{"m":3,"a":4,"b":5}`, `{"z":1,"a":4,"m":3,"b":5}`},
		{"every digit stays", `{"a":12345678901234567890,"f":1.10}`, `{"b":98765432109876543210987,"e":1E400}`, `{"a":12345678901234567890,"f":1.10,"b":98765432109876543210987,"e":1E400}`},
		{"__proto__ is a key", `{"__proto__":{"a":1}}`, `{"__proto__":{"b":2},"constructor":3}`, `{"__proto__":{"a":1,"b":2},"constructor":3}`},
		{"path characters are plain", `{"a.b":1,"*":2,"":3}`, `{"a.b":4,"a":{"b":5},"#":6,"a|b":7,"@this":8,"?":9,"":10,"\\":11,":0":12,"-1":13}`,
			`{"a.b":4,"*":2,"":10,"a":{"b":5},"#":6,"a|b":7,"@this":8,"?":9,"\\":11,":0":12,"-1":13}`},
		{"the same key escaped otherwise", `{"\u0061\/":1}`, `{"a/":2}`, `{"\u0061\/":2}`},
		{"escapes in values stay", `{"a":"\u00e9\/"}`, `{"b":"<&>"}`, `{"a":"\u00e9\/","b":"<&>"}`},
		{"white space around", " \n{ } ", "\t{ \"a\" : [ 1 , 2 ] }\r\n", `{"a":[1,2]}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var old []byte
			if c.old != "" {
				old = []byte(c.old)
			}
			got, err := DeepMerge(old, []byte(c.add))
			if err != nil || compact(t, got) != c.want {
				t.Errorf("DeepMerge = %s, %v\nwant %s", got, err, c.want)
			}
		})
	}
}

func TestDeepMergeTakesObjectsAlone(t *testing.T) {
	for _, pair := range [][2]string{{`[]`, `{}`}, {`{}`, `[]`}, {`{}`, ``}, {`{`, `{}`}, {`{}`, `{}{}`}, {``, `null`}} {
		if got, err := DeepMerge([]byte(pair[0]), []byte(pair[1])); err == nil {
			t.Errorf("DeepMerge(%q, %q) = %s", pair[0], pair[1], got)
		}
	}
}

func TestStatesAreLaidOutForPeople(t *testing.T) {
	got, err := DeepMerge(nil, []byte(`{"a":{"b":[1,{}]},"c":[]}`))
	want := "{\n  \"a\": {\n    \"b\": [\n      1,\n      {}\n    ]\n  },\n  \"c\": []\n}\n"
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestFieldIsLiteral(t *testing.T) {
	cases := []struct{ key, value, want string }{
		{"a", "10", `{"a":"10"}`},
		{"a.b", "", `{"a.b":""}`},
		{"", "x", `{"":"x"}`},
		{`*?#|@\"`, "--neg", `{"*?#|@\\\"":"--neg"}`},
		{"__proto__", "<b>\n", `{"__proto__":"<b>\n"}`},
	}
	for _, c := range cases {
		got, err := Field(c.key, c.value)
		if err != nil || string(got) != c.want {
			t.Errorf("Field(%q, %q) = %s, %v; want %s", c.key, c.value, got, err, c.want)
		}
	}
	if _, err := Field("a", "\xff"); err == nil {
		t.Error("a value that is not UTF-8 was taken")
	}
	if _, err := Field("\xff", "a"); err == nil {
		t.Error("a key that is not UTF-8 was taken")
	}
}

func TestObjectTakesOneObjectAndNamesAnythingElse(t *testing.T) {
	for _, text := range []string{`{}`, " {\"a\":[{\"x\":1},{\"x\":2}], \"b\":{\"a\":{\"a\":null}}}\n", `{"a":"a","b":"a"}`, `{"a":["k","k"],"k":1}`} {
		if err := Object([]byte(text)); err != nil {
			t.Errorf("Object(%s) = %v", text, err)
		}
	}
	cases := map[string]string{
		``:                                  "nothing was given; a JSON object is needed",
		" \n":                               "nothing was given; a JSON object is needed",
		`[]`:                                "a JSON object is needed, not an array",
		`"abc"`:                             "a JSON object is needed, not a string",
		`5`:                                 "a JSON object is needed, not a number",
		`-5`:                                "a JSON object is needed, not a number",
		`null`:                              "a JSON object is needed, not null",
		`true`:                              "a JSON object is needed, not a truth value",
		`{} {}`:                             "one JSON object is needed; something follows it at byte 2",
		`{"a":1}x`:                          "one JSON object is needed; something follows it at byte 7",
		`{"a":1`:                            "invalid JSON: it ends too early",
		`{a:1}`:                             "invalid JSON: invalid character 'a' looking for beginning of object key string at byte 2",
		`{"a":NaN}`:                         "invalid JSON: invalid character 'N' looking for beginning of value at byte 6",
		`{"a":1,"a":2}`:                     `the key "a" occurs twice in one object`,
		`{"b":[{"a":1,"x":[],"\u0061":2}]}`: `the key "a" occurs twice in one object`,
		"{\"a\":\"\xff\"}":                  "not valid UTF-8",
		`{"a":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`: "nested deeper than 512 levels",
	}
	for text, want := range cases {
		if err := Object([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("Object(%.40s) = %v, want %q", text, err, want)
		}
	}
}

const tree = `{"a":{"b":[10,{"c":"x"}],"d.e":1,"f\\g":2,"":{"":3}},"0":"zero","n":null,"*":4}`

func TestGetReadsAPath(t *testing.T) {
	cases := map[string]string{
		"a.b.0": "10", "a.b.1.c": `"x"`, `a.d\.e`: "1", `a.f\g`: "2", `a.f\\g`: "2", "a..": "3", "0": `"zero"`, "n": "null", "*": "4",
		"a.b": `[10,{"c":"x"}]`,
	}
	for path, want := range cases {
		if got, ok := Get([]byte(tree), path); !ok || string(got) != want {
			t.Errorf("Get(%q) = %s, %v; want %s", path, got, ok, want)
		}
	}
	for _, path := range []string{"", "x", "a.x", "a.b.2", "a.b.-1", "a.b.00", "a.b.c", "n.x", "0.0", "a.*", "a.b.#", "a.d.e", "@this", "..", "a.b.99999999999999999999"} {
		if got, ok := Get([]byte(tree), path); ok {
			t.Errorf("Get(%q) = %s, want nothing", path, got)
		}
	}
}

func TestUnsetTakesOneValueOut(t *testing.T) {
	cases := map[string]string{
		"n":       `{"a":{"b":[10,{"c":"x"}],"d.e":1,"f\\g":2,"":{"":3}},"0":"zero","*":4}`,
		"a":       `{"0":"zero","n":null,"*":4}`,
		"*":       `{"a":{"b":[10,{"c":"x"}],"d.e":1,"f\\g":2,"":{"":3}},"0":"zero","n":null}`,
		`a.d\.e`:  `{"a":{"b":[10,{"c":"x"}],"f\\g":2,"":{"":3}},"0":"zero","n":null,"*":4}`,
		"a.b.0":   `{"a":{"b":[{"c":"x"}],"d.e":1,"f\\g":2,"":{"":3}},"0":"zero","n":null,"*":4}`,
		"a.b.1.c": `{"a":{"b":[10,{}],"d.e":1,"f\\g":2,"":{"":3}},"0":"zero","n":null,"*":4}`,
	}
	for path, want := range cases {
		got, ok := Unset([]byte(tree), path)
		if !ok || compact(t, got) != want {
			t.Errorf("Unset(%q) = %s, %v\nwant %s", path, got, ok, want)
		}
	}
	for _, path := range []string{"", "x", "a.x", "a.b.2", "n.x", "a.x.y"} {
		if got, ok := Unset([]byte(tree), path); ok {
			t.Errorf("Unset(%q) = %s, want nothing", path, got)
		}
	}
}

// FuzzDeepMerge holds the merge to what encoding/json reads: the result parses, has every key of both
// sides with the value of add where add has one that is no object, and merging again changes nothing.
func FuzzDeepMerge(f *testing.F) {
	for _, pair := range [][2]string{
		{`{}`, `{}`}, {`{"a":{"b":1}}`, `{"a":{"c":2}}`}, {`{"a":[1]}`, `{"a":null}`}, {`{"a":1,"a":{"x":1}}`, `{"a":{"y":2}}`},
		{`{"\u0061":1}`, `{"a":{"":12345678901234567890}}`}, {`{"__proto__":{}}`, `{"__proto__":{"*":"\ud800"}}`}, {` {"a" : 1 } `, "\n{}"},
		{`[]`, `{`}, {`{"a":1e999}`, `{"b":-0}`},
	} {
		f.Add([]byte(pair[0]), []byte(pair[1]))
	}
	f.Fuzz(func(t *testing.T, old, add []byte) {
		got, err := DeepMerge(old, add)
		if err != nil {
			if objectFault(old) == "" && objectFault(add) == "" && old != nil {
				t.Fatalf("two objects were refused: %v", err)
			}
			return
		}
		if fault := objectFault(got); fault != "" || !json.Valid(got) {
			t.Fatalf("the result is no state: %s\n%s", fault, got)
		}
		if Object(add) == nil {
			contains(t, decode(t, got), decode(t, add))
		}
		if old != nil {
			for key := range decode(t, old) {
				if _, ok := decode(t, got)[key]; !ok {
					t.Fatalf("the key %q of the state is gone", key)
				}
			}
		}
		again, err := DeepMerge(got, add)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("merged again, %v:\n%s\nbefore:\n%s", err, again, got)
		}
	})
}

func decode(t *testing.T, text []byte) map[string]any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m
}

func contains(t *testing.T, whole, part map[string]any) {
	t.Helper()
	for key, want := range part {
		got, ok := whole[key]
		if !ok {
			t.Fatalf("the key %q is missing", key)
		}
		inner, isMap := want.(map[string]any)
		if gotMap, ok := got.(map[string]any); ok && isMap {
			contains(t, gotMap, inner)
		} else if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q is %v, want %v", key, got, want)
		}
	}
}

// FuzzState holds the fast check of Load to encoding/json, and reading and unsetting a path to each other.
func FuzzState(f *testing.F) {
	for _, text := range []string{tree, `{}`, ``, `[1]`, `{"a":}`, `{"a":01}`, "{\"\x01\":1}", `{"a":"\x"}`, `{"a":-}`, `{"a":1.}`} {
		f.Add([]byte(text), "a.b.0")
	}
	f.Add([]byte(`{"a.b":1}`), `a\.b`)
	f.Add([]byte(`{"":[[]]}`), `.0.`)
	f.Fuzz(func(t *testing.T, text []byte, path string) {
		var object map[string]json.RawMessage
		strict := json.Unmarshal(text, &object) == nil && object != nil
		fault := objectFault(text)
		if strict != (fault == "") && !tooDeep(text) && len(text) <= maxState {
			t.Fatalf("encoding/json: %v, here: %q\n%s", strict, fault, text)
		}
		if fault != "" {
			return
		}
		value, ok := Get(text, path)
		if ok && !gjson.ValidBytes(value) {
			t.Fatalf("Get(%q) = %s", path, value)
		}
		left, unset := Unset(text, path)
		if unset != ok {
			t.Fatalf("Get finds %q: %v, Unset: %v", path, ok, unset)
		}
		if ok && objectFault(left) != "" {
			t.Fatalf("Unset(%q) left %s", path, left)
		}
	})
}
