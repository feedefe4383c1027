package skill

import (
	"strings"
	"testing"
)

func TestTheNextVersionIsOnePatchHigher(t *testing.T) {
	for v, want := range map[string]string{
		"1.2.3": "1.2.4", "0.0.0": "0.0.1", "1.2.9": "1.2.10", "1.2.99": "1.2.100", "1.2.3-beta.1": "1.2.3", "1.2.3+build.5": "1.2.4",
		"1.2.3-rc.1+b": "1.2.3", "1.2.3+a-b": "1.2.4", "1.2.18446744073709551615": "1.2.18446744073709551616",
	} {
		if got, err := NextPatch(v); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", v, got, err, want)
		}
	}
	for _, v := range []string{"", "1", "1.2", "1.2.3.4", "v1.2.3", "1.2.x", "1.2.03", "1..3", "1.2.-3", "1.2.3-", "1.2.3+", " 1.2.3", "1.2.٣", strings.Repeat("1", 300) + ".0.0"} {
		if got, err := NextPatch(v); err == nil || !strings.Contains(err.Error(), "no MAJOR.MINOR.PATCH") {
			t.Errorf("%s: %s, %v", v, got, err)
		}
	}
}

func TestTheVersionAloneIsEdited(t *testing.T) {
	for _, test := range []struct{ path, text, want string }{
		{"plugin.json", claudeManifest, strings.Replace(claudeManifest, `"version" : "1.2.9"`, `"version" : "1.2.10"`, 1)},
		{"plugin.json", "\ufeff{\r\n\t\"a\": [1.0, {\"version\": \"1.2.9\"}], \"version\":\r\n\"1.2.9\", \"é\": 1e400}\r\n\r\n",
			"\ufeff{\r\n\t\"a\": [1.0, {\"version\": \"1.2.9\"}], \"version\":\r\n\"1.2.10\", \"é\": 1e400}\r\n\r\n"},
		{"plugin.json", `{"version": "1.2\u002e9"}`, `{"version": "1.2.10"}`},
		{"plugin.json", `{"ver\u0073ion": "1.2.9"}`, `{"ver\u0073ion": "1.2.10"}`},
		{"marketplace.json", market, strings.Replace(market, `"./plugins/starter", "version": "1.2.9"`, `"./plugins/starter", "version": "1.2.10"`, 1)},
	} {
		got, err := withVersion(test.path, []byte(test.text), "starter", "1.2.9", "1.2.10")
		if err != nil || string(got) != test.want {
			t.Errorf("%v\ngot  %s\nwant %s", err, got, test.want)
		}
	}
	if _, err := withVersion("plugin.json", []byte(`{"version": "1.3.0"}`), "starter", "1.2.9", "1.2.10"); err == nil {
		t.Error("another version was overwritten")
	}
	if _, err := withVersion("plugin.json", []byte(`{"version": 1.2}`), "starter", "", "1.2.10"); err == nil {
		t.Error("a version that is no string was overwritten")
	}
}

func FuzzManifest(f *testing.F) {
	for _, text := range []string{claudeManifest, codexManifest, market, `{"a":"b"}`, `{"version":""}`, "{\"version\":\"\\ud800\"}", `{"a":{"a":{"version":"1"}}}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parseManifest([]byte(text))
		if err != nil || m.version.to == 0 {
			return
		}
		changed, err := withVersion("plugin.json", []byte(text), "", m.version.text, "9.9.9")
		if err != nil {
			t.Fatal(err)
		}
		again, err := parseManifest(changed)
		if err != nil || again.version.text != "9.9.9" || again.name != m.name {
			t.Fatalf("%q became %q: %v", text, changed, err)
		}
		if string(changed[:m.version.from]) != text[:m.version.from] || !strings.HasSuffix(string(changed), text[m.version.to:]) {
			t.Fatalf("%q became %q", text, changed)
		}
	})
}
