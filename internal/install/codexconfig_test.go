package install

import (
	"os"
	"testing"
)

func TestTheTrustThatCodexRecordedIsFound(t *testing.T) {
	real, err := os.ReadFile("testdata/config.toml")
	if err != nil {
		t.Fatal(err)
	}
	const key = `rulph@hoyeon:hooks/hooks.json:stop:0:0`
	for what, test := range map[string]struct {
		config string
		want   []string
	}{
		"what Codex 0.171 writes": {string(real), []string{"session_start", "stop"}},
		"nothing":                 {"", nil},
		"a record as a table":     {"[ hooks . state . \"" + key + "\" ] # ours\r\n\ttrusted_hash='sha256:1'\r\n", []string{"stop"}},
		"literal keys":            {"[hooks.'state'.'" + key + "']\ntrusted_hash = 'x'\n", []string{"stop"}},
		"an inline table":         {"[hooks.state]\n\"" + key + "\" = { enabled = true, trusted_hash = \"x\" }\n", []string{"stop"}},
		"dotted keys":             {"hooks.state.\"" + key + "\".trusted_hash = \"x\"\n", []string{"stop"}},
		"another place":           {"hooks.states.\"" + key + "\".trusted_hash = \"x\"\n[a.\"" + key + "\"]\ntrusted_hash = 1\n", nil},
		"a comment":               {"#hooks.state.\"" + key + "\".trusted_hash = \"x\"\n", nil},
		"another plugin":          {"[hooks.state.\"my-" + key + "\"]\ntrusted_hash = \"x\"\n", nil},
		"no trust in it":          {"[hooks.state.\"" + key + "\"]\nenabled = true\n", nil},
		"a table that ended":      {"[hooks.state.\"" + key + "\"]\n[[other]]\ntrusted_hash = \"x\"\n", nil},
		"a short key":             {"[hooks.state.\"rulph@hoyeon:stop\"]\ntrusted_hash = \"x\"\n", nil},
		"a broken header":         {"[hooks.state.\"" + key + "\ntrusted_hash = \"x\"\n", nil},
	} {
		t.Run(what, func(t *testing.T) { want(t, trustRecords([]byte(test.config)), test.want) })
	}
}

func TestAKeyIsReadAsTOMLHasIt(t *testing.T) {
	for text, wanted := range map[string]struct {
		keys []string
		rest string
	}{
		`a = 1`:              {[]string{"a"}, "= 1"},
		`a.b-c . "d.e"]`:     {[]string{"a", "b-c", "d.e"}, "]"},
		`"say \"hi\" \\" =1`: {[]string{`say "hi" \`}, "=1"},
		`'lit\eral'.x= 2`:    {[]string{`lit\eral`, "x"}, "= 2"},
		`"open`:              {nil, ""},
		`= 1`:                {nil, "= 1"},
		`a.= 1`:              {[]string{"a"}, "= 1"},
	} {
		keys, rest := dotted(text)
		want(t, keys, wanted.keys)
		want(t, rest, wanted.rest)
	}
}

func FuzzTrustRecords(f *testing.F) {
	real, err := os.ReadFile("testdata/config.toml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(real)
	for _, seed := range []string{"[", "[[", `["`, `"\`, "a.b.c.d=", "'", "[hooks.state.\"rulph@hoyeon::::\"]\ntrusted_hash=", "= trusted_hash"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, config []byte) {
		for _, event := range trustRecords(config) {
			for _, r := range event {
				if r == ':' || r == '\n' {
					t.Errorf("event %q", event)
				}
			}
		}
	})
}
