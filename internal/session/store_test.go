package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// put writes a state file as another program would.
func put(t testing.TB, s Store, sid, text string) {
	t.Helper()
	if err := os.MkdirAll(s.Dir(sid), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.StatePath(sid), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func names(t testing.TB, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func TestAPathNeverLeavesTheHome(t *testing.T) {
	s := Store{Home: t.TempDir()}
	if got, want := s.StatePath("s1"), filepath.Join(s.Home, "s1", "state.json"); got != want {
		t.Errorf("StatePath = %q, want %q", got, want)
	}
	for _, sid := range []string{"../evil", "..", "", "/etc", "a/../../b"} {
		if err := os.MkdirAll(s.Dir(sid), 0o700); err == nil {
			t.Errorf("Dir(%q) = %q, which can be created", sid, s.Dir(sid))
		}
		if _, err := s.Load(sid); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Load(%q) = %v, want the id refused", sid, err)
		}
		if err := s.EnsureDir(sid); err == nil {
			t.Errorf("EnsureDir(%q) took it", sid)
		}
		if err := s.Transform(sid, func([]byte) ([]byte, error) { return []byte("{}"), nil }); err == nil {
			t.Errorf("Transform(%q) took it", sid)
		}
		if _, err := s.Clear(sid); err == nil {
			t.Errorf("Clear(%q) took it", sid)
		}
	}
	if got := names(t, s.Home); got != "" {
		t.Errorf("the home holds %q", got)
	}
}

func TestLoadReturnsTheBytesOfAnObject(t *testing.T) {
	s := Store{Home: t.TempDir()}
	text := " {\"big\": 12345678901234567890, \"é\": null}\n"
	put(t, s, "s1", text)
	got, err := s.Load("s1")
	if err != nil || string(got) != text {
		t.Fatalf("Load = %q, %v", got, err)
	}
}

func TestLoadWithoutAStateIsNotExist(t *testing.T) {
	s := Store{Home: filepath.Join(t.TempDir(), "none")}
	if _, err := s.Load("s1"); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("Load = %v, want fs.ErrNotExist", err)
	}
}

func TestLoadNamesTheDamage(t *testing.T) {
	cases := []struct{ name, text, reason string }{
		{"empty", "", "the file is empty"},
		{"blank", " \n", "the file is empty"},
		{"cut off", `{"a": 1`, "not valid JSON"},
		{"trailing text", `{} x`, "not valid JSON"},
		{"two documents", `{}{}`, "not valid JSON"},
		{"NaN", `{"a": NaN}`, "not valid JSON"},
		{"zero bytes after a power cut", "\x00\x00\x00\x00", "not valid JSON"},
		{"array", `[]`, "not a JSON object but an array"},
		{"string", `"str"`, "not a JSON object but a string"},
		{"number", `5`, "not a JSON object but a number"},
		{"null", `null`, "not a JSON object but null"},
		{"true", `true`, "not a JSON object but a truth value"},
		{"deep", `{"a":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`, "nested deeper than 512 levels"},
		// The validator would overflow the stack on this one, which ends the process.
		{"deeper than a stack", strings.Repeat("[", 8<<20), "nested deeper than 512 levels"},
		{"large", `{"a":"` + strings.Repeat("x", 8<<20) + `"}`, "8388616 bytes, more than the 8 MiB that are taken"},
	}
	s := Store{Home: t.TempDir()}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			put(t, s, "s1", c.text)
			state, err := s.Load("s1")
			damaged, ok := errors.AsType[*DamagedError](err)
			if !ok || state != nil {
				t.Fatalf("Load = %.20q, %v; want a DamagedError", state, err)
			}
			if damaged.Reason != c.reason || damaged.Path != s.StatePath("s1") || damaged.Kept != "" {
				t.Fatalf("damage %+v, want reason %q", *damaged, c.reason)
			}
		})
	}
}

func TestBracketsInStringsAreNoDepth(t *testing.T) {
	s := Store{Home: t.TempDir()}
	put(t, s, "s1", `{"a":"`+strings.Repeat(`[{\"\\`, 1000)+`"}`)
	if _, err := s.Load("s1"); err != nil {
		t.Fatal(err)
	}
}

func TestLoadDoesNotFollowWhatIsNoFile(t *testing.T) {
	s := Store{Home: t.TempDir()}
	put(t, s, "other", `{"secret": 1}`)
	if err := s.EnsureDir("s1"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(s.StatePath("other"), s.StatePath("s1")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(s.StatePath("s2"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, sid := range []string{"s1", "s2"} {
		_, err := s.Load(sid)
		if damaged, ok := errors.AsType[*DamagedError](err); !ok || damaged.Reason != "not a regular file" {
			t.Errorf("Load(%s) = %v", sid, err)
		}
	}
}

func TestEnsureDirIsPrivateAndRefusesALink(t *testing.T) {
	s := Store{Home: filepath.Join(t.TempDir(), "a", "home")}
	if err := s.EnsureDir("s1"); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{s.Home: 0o700, s.Dir("s1"): 0o700, filepath.Join(s.Dir("s1"), lockFile): 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v (%v), want %v", path, info.Mode().Perm(), err, want)
		}
	}
	if err := os.Symlink(t.TempDir(), s.Dir("s2")); err != nil {
		t.Fatal(err)
	}
	if err := s.EnsureDir("s2"); err == nil {
		t.Error("EnsureDir took a link for a session folder")
	}
}

func TestActiveIsTheWordActiveAlone(t *testing.T) {
	cases := map[string]bool{
		`{"rulph":{"status":"active"}}`:    true,
		`{"rulph":{"status":"init"}}`:      false,
		`{"rulph":{"status":"completed"}}`: false,
		`{"rulph":{"status":"cancelled"}}`: false,
		`{"rulph":{"status":"ACTIVE"}}`:    false,
		`{"rulph":{"status":true}}`:        false,
		`{"rulph":"active"}`:               false,
		`{"status":"active"}`:              false,
		`{}`:                               false,
	}
	for state, want := range cases {
		if got := Active([]byte(state)); got != want {
			t.Errorf("Active(%s) = %v", state, got)
		}
	}
}

func TestCheckSchemaRefusesANewerOne(t *testing.T) {
	for _, state := range []string{`{}`, `{"rulph":{}}`, `{"rulph":{"schema":1}}`, `{"rulph":{"schema":0}}`, `{"schema":9}`} {
		if err := CheckSchema([]byte(state)); err != nil {
			t.Errorf("CheckSchema(%s) = %v", state, err)
		}
	}
	for state, want := range map[string]string{
		`{"rulph":{"schema":2}}`:   "the state has schema 2 and this program knows 1; update hoyeon-cli",
		`{"rulph":{"schema":1.5}}`: "the state has schema 1.5 and this program knows 1; update hoyeon-cli",
	} {
		if err := CheckSchema([]byte(state)); err == nil || err.Error() != want {
			t.Errorf("CheckSchema(%s) = %v, want %q", state, err, want)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	s := Store{Home: b.TempDir()}
	put(b, s, "s1", `{"rulph":{"status":"active","history":[`+strings.Repeat(`{"round":1,"overall":91.75},`, 1000)+`{}]}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Load("s1"); err != nil {
			b.Fatal(err)
		}
	}
}
