package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// write is a Transform to a fixed text.
func write(text string) func([]byte) ([]byte, error) {
	return func([]byte) ([]byte, error) { return []byte(text), nil }
}

func TestTransformCreatesThenChanges(t *testing.T) {
	s := Store{Home: filepath.Join(t.TempDir(), "home")}
	var seen []string
	for _, next := range []string{`{"a":1}`, `{"a":2}`} {
		err := s.Transform("s1", func(old []byte) ([]byte, error) {
			seen = append(seen, fmt.Sprintf("%v %s", old == nil, old))
			return []byte(next), nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if got, want := strings.Join(seen, "|"), `true |false {"a":1}`; got != want {
		t.Errorf("f saw %q, want %q", got, want)
	}
	if got := read(t, s.StatePath("s1")); got != `{"a":2}` {
		t.Errorf("state = %q", got)
	}
	if info, err := os.Stat(s.StatePath("s1")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
	if got := names(t, s.Dir("s1")); got != "state.json state.lock" {
		t.Errorf("the folder holds %q", got)
	}
}

func TestTransformTightensTheModeOfAnOldFile(t *testing.T) {
	s := Store{Home: t.TempDir()}
	put(t, s, "s1", `{}`)
	if err := os.Chmod(s.StatePath("s1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.Transform("s1", write(`{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(s.StatePath("s1")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
}

func TestTransformWritesNothingWithoutAChange(t *testing.T) {
	s := Store{Home: t.TempDir()}
	put(t, s, "s1", `{"a":1}`)
	long := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(s.StatePath("s1"), long, long); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	cases := []struct {
		name string
		f    func([]byte) ([]byte, error)
		want error
	}{
		{"nil", func([]byte) ([]byte, error) { return nil, nil }, nil},
		{"the same", func(old []byte) ([]byte, error) { return old, nil }, nil},
		{"an error", func([]byte) ([]byte, error) { return []byte(`{"a":2}`), stop }, stop},
	}
	for _, c := range cases {
		if err := s.Transform("s1", c.f); err != c.want {
			t.Errorf("%s: Transform = %v, want %v", c.name, err, c.want)
		}
		info, err := os.Stat(s.StatePath("s1"))
		if err != nil || !info.ModTime().Equal(long) || read(t, s.StatePath("s1")) != `{"a":1}` {
			t.Errorf("%s: the file was written", c.name)
		}
	}
}

func TestTransformSeesAChangeMadeInPlace(t *testing.T) {
	s := Store{Home: t.TempDir()}
	put(t, s, "s1", `{"a":1}`)
	err := s.Transform("s1", func(old []byte) ([]byte, error) {
		old[5] = '2'
		return old, nil
	})
	if got := read(t, s.StatePath("s1")); err != nil || got != `{"a":2}` {
		t.Errorf("state = %q, %v", got, err)
	}
}

func TestTransformRefusesWhatLoadWouldNotTake(t *testing.T) {
	s := Store{Home: t.TempDir()}
	put(t, s, "s1", `{"a":1}`)
	for _, text := range []string{"", "[]", "{", "null", `{"a":"` + strings.Repeat("x", 8<<20) + `"}`} {
		if err := s.Transform("s1", write(text)); err == nil {
			t.Errorf("Transform wrote %.20q", text)
		}
	}
	if got := read(t, s.StatePath("s1")); got != `{"a":1}` {
		t.Errorf("state = %q", got)
	}
}

func TestTransformSetsADamagedFileAsideAndThenStartsAnew(t *testing.T) {
	s := Store{Home: t.TempDir()}
	for round, text := range []string{"", `{"a":`, `[]`} {
		put(t, s, "s1", text)
		err := s.Transform("s1", func([]byte) ([]byte, error) {
			t.Error("f was called for a damaged state")
			return nil, nil
		})
		damaged, ok := errors.AsType[*DamagedError](err)
		if !ok || damaged.Path != s.StatePath("s1") || !strings.HasPrefix(damaged.Kept, s.StatePath("s1")+".damaged-2") {
			t.Fatalf("Transform = %v", err)
		}
		if got := read(t, damaged.Kept); got != text {
			t.Errorf("kept %q, want %q", got, text)
		}
		if _, err := s.Load("s1"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Load = %v, want no state", err)
		}
		if err := s.Transform("s1", write(`{}`)); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(names(t, s.Dir("s1")), ".damaged-"); got != round+1 {
			t.Errorf("%d damaged files are kept, want %d", got, round+1)
		}
	}
}

func TestTransformReleasesTheLockWhenItsFunctionPanics(t *testing.T) {
	s := Store{Home: t.TempDir(), Wait: time.Second}
	func() {
		defer func() { _ = recover() }()
		_ = s.Transform("s1", func([]byte) ([]byte, error) { panic("f") })
	}()
	if err := s.Transform("s1", write(`{}`)); err != nil {
		t.Error(err)
	}
}

func TestAWaitEndsWithAClearError(t *testing.T) {
	s := Store{Home: t.TempDir()}
	unlock, err := s.lock("s1")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	err = Store{Home: s.Home, Wait: 50 * time.Millisecond}.Transform("s1", write(`{}`))
	want := "the state of session s1 cannot be changed: another process has held " + filepath.Join(s.Dir("s1"), "state.lock") + " for more than 50ms; try again when it is done"
	if err == nil || err.Error() != want {
		t.Errorf("Transform = %v, want %q", err, want)
	}
	if took := time.Since(start); took < 50*time.Millisecond || took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	// What the abandoned wait gets afterwards it gives back.
	unlock()
	if err := s.Transform("s1", write(`{}`)); err != nil {
		t.Error(err)
	}
}

func TestAWriterIsNotFooledByALockFileThatWasRemoved(t *testing.T) {
	s := Store{Home: t.TempDir(), Wait: 50 * time.Millisecond}
	if err := s.Transform("s1", write(`{"before":1}`)); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "gone")
	unlock := func() {}
	atStep = func(step string) {
		if _, err := os.Lstat(elsewhere); step != "held" || err == nil {
			return
		}
		// The session is cleared and begun again, and the new one is locked.
		if err := os.Rename(s.Dir("s1"), elsewhere); err != nil {
			t.Error(err)
		}
		var err error
		if unlock, err = s.lock("s1"); err != nil {
			t.Error(err)
		}
	}
	defer func() { atStep = nil }()
	after := func(old []byte) ([]byte, error) { return DeepMerge(old, []byte(`{"after":1}`)) }
	if err := s.Transform("s1", after); err == nil || !strings.Contains(err.Error(), "another process has held") {
		t.Errorf("beside another writer: Transform = %v", err)
	}
	unlock()
	if err := s.Transform("s1", after); err != nil {
		t.Fatal(err)
	}
	if got := read(t, s.StatePath("s1")); got != "{\n  \"after\": 1\n}\n" {
		t.Errorf("state = %q", got)
	}
}

func TestWritersAndClearersOfOneSessionLoseNothingTheyWereTold(t *testing.T) {
	s := Store{Home: t.TempDir()}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			add := fmt.Appendf(nil, `{"k%d":%d}`, i, i)
			if err := s.Transform("s1", func(old []byte) ([]byte, error) { return DeepMerge(old, add) }); err != nil {
				t.Error(err)
			}
			if i%5 == 0 {
				if _, err := s.Clear("s1"); err != nil {
					t.Error(err)
				}
			}
			if _, err := s.Load("s1"); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := s.Transform("s1", write(`{"last":1}`)); err != nil {
		t.Fatal(err)
	}
	if got := names(t, s.Home) + "/" + names(t, s.Dir("s1")); got != "s1/state.json state.lock" {
		t.Errorf("left over: %q", got)
	}
}

func TestStrayFilesOfAKilledWriterGoWithTheNextChange(t *testing.T) {
	s := Store{Home: t.TempDir()}
	put(t, s, "s1", `{"a":1}`)
	stray := s.StatePath("s1") + ".tmp-123"
	if err := os.WriteFile(stray, []byte(`{"a":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if state, err := s.Load("s1"); err != nil || string(state) != `{"a":1}` {
		t.Errorf("Load = %q, %v", state, err)
	}
	if err := s.Transform("s1", write(`{"a":2}`)); err != nil {
		t.Fatal(err)
	}
	if got := names(t, s.Dir("s1")); got != "state.json state.lock" {
		t.Errorf("the folder holds %q", got)
	}
}
