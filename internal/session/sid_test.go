package session

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestCheckSIDTakesPlainNames(t *testing.T) {
	for _, sid := range []string{"a", "0", "S1", "0b6c1f0e-4c0f-4a8e-9a40-0c7a4f9d2b11", "a.b_c-D", "a..b", "nullable", strings.Repeat("x", 128)} {
		if err := CheckSID(sid); err != nil {
			t.Errorf("CheckSID(%q) = %v, want it taken", sid, err)
		}
	}
}

func TestCheckSIDRefusesEverythingElse(t *testing.T) {
	for _, sid := range []string{
		"", ".", "..", "../evil", "a/b", `a\b`, "/etc", "-a", "_a", ".hidden", "a b", "a\n", "a\x00", "é", "~", "$HOME",
		strings.Repeat("x", 129),
		"reports", "Reports", "trust", "hook.log",
		"null", "undefined", "unknown", "NULL",
	} {
		if err := CheckSID(sid); err == nil {
			t.Errorf("CheckSID(%q) took it", sid)
		}
	}
}

func TestSIDComesFromTheFlagThenTheClient(t *testing.T) {
	cases := []struct {
		name, flag string
		env        map[string]string
		want, err  string
	}{
		{"flag wins", "mine", map[string]string{"CLAUDE_CODE_SESSION_ID": "claude", "CODEX_SESSION_ID": "codex"}, "mine", ""},
		{"claude before codex", "", map[string]string{"CLAUDE_CODE_SESSION_ID": "claude", "CODEX_SESSION_ID": "codex"}, "claude", ""},
		{"codex", "", map[string]string{"CODEX_SESSION_ID": "codex"}, "codex", ""},
		{"the old variable counts for nothing", "", map[string]string{"CLAUDE_SESSION_ID": "old"}, "", "no session id: pass --sid ID, or set $CLAUDE_CODE_SESSION_ID or $CODEX_SESSION_ID"},
		{"a bad flag is not replaced by the environment", "../evil", map[string]string{"CODEX_SESSION_ID": "codex"}, "", `session id "../evil" is not taken: it must match ` + SIDPattern},
		{"a bad variable is named", "", map[string]string{"CLAUDE_CODE_SESSION_ID": "a/b", "CODEX_SESSION_ID": "codex"}, "", `$CLAUDE_CODE_SESSION_ID: session id "a/b" is not taken: it must match ` + SIDPattern},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := SID(c.flag, func(k string) string { return c.env[k] })
			if c.err != "" {
				if err == nil || err.Error() != c.err {
					t.Fatalf("SID = %q, %v; want error %q", got, err, c.err)
				}
				return
			}
			if err != nil || got != c.want {
				t.Fatalf("SID = %q, %v; want %q", got, err, c.want)
			}
		})
	}
}

func FuzzCheckSID(f *testing.F) {
	for _, s := range []string{"a", "", "..", "a/b", "reports", "Ünder", "x\x00", strings.Repeat("y", 200)} {
		f.Add(s)
	}
	pattern := regexp.MustCompile(`\A[A-Za-z0-9][A-Za-z0-9._-]{0,127}\z`)
	home := f.TempDir()
	f.Fuzz(func(t *testing.T, sid string) {
		taken := CheckSID(sid) == nil
		if taken && !pattern.MatchString(sid) {
			t.Fatalf("%q was taken and does not match %s", sid, SIDPattern)
		}
		dir := Store{Home: home}.Dir(sid)
		if taken && dir != filepath.Join(home, sid) {
			t.Fatalf("Dir(%q) = %q", sid, dir)
		}
		if !taken && !strings.Contains(dir, "\x00") {
			t.Fatalf("Dir(%q) = %q, a path the system would open", sid, dir)
		}
	})
}
