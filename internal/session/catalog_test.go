package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func age(t testing.TB, path string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func ids(entries []Entry) string {
	var list []string
	for _, e := range entries {
		list = append(list, e.SID)
	}
	return strings.Join(list, " ")
}

func TestListHasTheSessionsAndNothingElse(t *testing.T) {
	s := Store{Home: t.TempDir()}
	if entries, err := (Store{Home: filepath.Join(s.Home, "none")}).List(); err != nil || len(entries) != 0 {
		t.Errorf("List of no home = %v, %v", entries, err)
	}
	put(t, s, "b", `{"rulph":{"status":"active"}}`)
	put(t, s, "a", `{"broken`)
	if err := s.EnsureDir("c"); err != nil {
		t.Fatal(err)
	}
	mkdir(t, s.Home, "reports", "2026")
	mkdir(t, s.Home, "Documents")
	mkdir(t, s.Home, ".removing-1", "x")
	if err := os.WriteFile(filepath.Join(s.Home, "hook.log"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	age(t, s.StatePath("b"), at)

	entries, err := s.List()
	if err != nil || ids(entries) != "a b c" {
		t.Fatalf("List = %q, %v", ids(entries), err)
	}
	a, b, c := entries[0], entries[1], entries[2]
	if a.State != nil || a.Fault == nil {
		t.Errorf("damaged: %+v", a)
	}
	if string(b.State) != `{"rulph":{"status":"active"}}` || !b.Modified.Equal(at) || b.Path != s.StatePath("b") || b.Fault != nil {
		t.Errorf("with a state: %+v", b)
	}
	if c.State != nil || c.Fault != nil {
		t.Errorf("without a state: %+v", c)
	}
}

func TestClearRemovesTheSessionAlone(t *testing.T) {
	s := Store{Home: t.TempDir()}
	put(t, s, "s1", `{}`)
	put(t, s, "s2", `{}`)
	mkdir(t, s.Dir("s1"), "snapshots", "0")
	mkdir(t, s.Home, "reports", "kept")
	for _, want := range []bool{true, false} {
		if removed, err := s.Clear("s1"); err != nil || removed != want {
			t.Errorf("Clear = %v, %v; want %v", removed, err, want)
		}
	}
	if got := names(t, s.Home); got != "reports s2" {
		t.Errorf("the home holds %q", got)
	}
}

func TestClearRefusesAFolderThatIsNoSession(t *testing.T) {
	s := Store{Home: t.TempDir()}
	mkdir(t, s.Home, "Documents", "thesis")
	if removed, err := s.Clear("Documents"); err == nil || removed {
		t.Errorf("Clear = %v, %v", removed, err)
	}
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "state.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, s.Dir("linked")); err != nil {
		t.Fatal(err)
	}
	if removed, err := s.Clear("linked"); err == nil || removed {
		t.Errorf("Clear of a link = %v, %v", removed, err)
	}
	if got := names(t, s.Home) + "; " + names(t, outside); got != "Documents linked; state.json" {
		t.Errorf("left: %q", got)
	}
}

func TestPruneGoesByTheLastChangeOfTheState(t *testing.T) {
	now := time.Now()
	build := func(t *testing.T) Store {
		s := Store{Home: t.TempDir()}
		for sid, c := range map[string]struct {
			state string
			days  int
		}{
			"active-young": {`{"rulph":{"status":"active"}}`, 29},
			"active-old":   {`{"rulph":{"status":"active"}}`, 31},
			"done-young":   {`{"rulph":{"status":"completed"}}`, 29},
			"done-old":     {`{"rulph":{"status":"completed"}}`, 31},
			"damaged-old":  {`{"rul`, 31},
			"future":       {`{}`, -400},
		} {
			put(t, s, sid, c.state)
			// The folder's own time is old for all: it is not what counts.
			age(t, s.StatePath(sid), now.Add(-time.Duration(c.days)*24*time.Hour))
			age(t, s.Dir(sid), now.Add(-1000*24*time.Hour))
		}
		put(t, s, "aside-old", "")
		aside := s.StatePath("aside-old") + ".damaged-1"
		if err := os.Rename(s.StatePath("aside-old"), aside); err != nil {
			t.Fatal(err)
		}
		age(t, aside, now.Add(-31*24*time.Hour))
		mkdir(t, s.Home, "reports", "old")
		age(t, filepath.Join(s.Home, "reports"), now.Add(-1000*24*time.Hour))
		return s
	}
	const month = 30 * 24 * time.Hour

	s := build(t)
	before := names(t, s.Home)
	gone, err := s.Prune(month, now, true)
	if err != nil || ids(gone) != "active-old aside-old damaged-old done-old" {
		t.Errorf("dry run = %q, %v", ids(gone), err)
	}
	if got := names(t, s.Home); got != before {
		t.Errorf("a dry run left %q of %q", got, before)
	}
	gone, err = s.Prune(month, now, false)
	if err != nil || ids(gone) != "active-old aside-old damaged-old done-old" {
		t.Errorf("Prune = %q, %v", ids(gone), err)
	}
	if got := names(t, s.Home); got != "active-young done-young future reports" {
		t.Errorf("left: %q", got)
	}
}

func TestPruneSparesASessionThatChangesMeanwhile(t *testing.T) {
	s := Store{Home: t.TempDir()}
	put(t, s, "s1", `{}`)
	age(t, s.StatePath("s1"), time.Now().Add(-48*time.Hour))
	atStep = func(step string) {
		if step == "found old" {
			put(t, s, "s1", `{"rulph":{"status":"active"}}`)
		}
	}
	defer func() { atStep = nil }()
	gone, err := s.Prune(24*time.Hour, time.Now(), false)
	if err != nil || len(gone) != 0 {
		t.Errorf("Prune = %q, %v", ids(gone), err)
	}
	if got := read(t, s.StatePath("s1")); got != `{"rulph":{"status":"active"}}` {
		t.Errorf("state = %q", got)
	}
}

func TestPruneSweepsTheHomeOfWhatIsDead(t *testing.T) {
	s := Store{Home: t.TempDir()}
	old := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{".removing-1", ".probe-1", ".other"} {
		age(t, mkdir(t, s.Home, name), old)
	}
	mkdir(t, s.Home, ".removing-2")
	if _, err := s.Prune(time.Hour, time.Now(), false); err != nil {
		t.Fatal(err)
	}
	if got := names(t, s.Home); got != ".other .removing-2" {
		t.Errorf("left: %q", got)
	}
}
