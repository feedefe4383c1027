package session

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOnlyAFolderWithNothingButItsLockIsClearedAsEmpty(t *testing.T) {
	s := Store{Home: filepath.Join(t.TempDir(), "home")}
	if removed, err := s.ClearEmpty("s1"); removed || err != nil {
		t.Errorf("no folder: %v, %v", removed, err)
	}
	for name, put := range map[string]string{"a state": "state.json", "a damaged state": "state.json.damaged-1", "a snapshot": "rulph"} {
		if err := s.EnsureDir("s1"); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(s.Dir("s1"), put)
		if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		if removed, err := s.ClearEmpty("s1"); removed || err != nil {
			t.Errorf("%s: %v, %v", name, removed, err)
		}
		if err := os.Remove(path); err != nil {
			t.Errorf("%s is gone: %v", name, err)
		}
	}
	if removed, err := s.ClearEmpty("s1"); !removed || err != nil {
		t.Errorf("an empty one: %v, %v", removed, err)
	}
	if _, err := os.Stat(s.Dir("s1")); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
}
