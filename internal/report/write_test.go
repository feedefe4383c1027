package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSlugIsSafeInAPath(t *testing.T) {
	for title, want := range map[string]string{
		"Team handbook":           "team-handbook",
		"  HANDBOOK.md  ":         "handbook-md",
		"../../etc/passwd":        "etc-passwd",
		"a\x00b\nc":               "a-b-c",
		"변경 관리 v2":                "변경-관리-v2",
		"Crème brûlée!":           "crème-brûlée",
		"":                        "report",
		"...":                     "report",
		"\xff\xfe":                "report",
		"CON":                     "con",
		strings.Repeat("ab ", 40): strings.TrimSuffix(strings.Repeat("ab-", 20), "-"),
		strings.Repeat("가", 40):   strings.Repeat("가", 20),
	} {
		got := Slug(title)
		if got != want {
			t.Errorf("Slug(%q) = %q, want %q", title, got, want)
		}
		if len(got) > longestSlug || Slug(got) != got {
			t.Errorf("Slug(%q) = %q is too long or not stable", title, got)
		}
	}
}

func TestDirNamesAFolderThatDoesNotExist(t *testing.T) {
	base := t.TempDir()
	at := time.Date(2026, 3, 8, 14, 21, 31, 0, time.UTC)
	first := Dir(base, at, "Team handbook")
	if want := filepath.Join(base, "2026-03-08-142131-team-handbook"); first != want {
		t.Errorf("got %s, want %s", first, want)
	}
	for _, taken := range []string{first, first + "-2"} {
		if err := os.Mkdir(taken, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := Dir(base, at, "Team handbook"), first+"-3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := Dir(base, at, "../../x"), filepath.Join(base, "2026-03-08-142131-x"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// names lists what is in a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestWriteLeavesThreeFilesAndNothingElse(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "reports", "one")
	got, err := Write(dir, handbook())
	if err != nil || got != dir {
		t.Fatalf("%q, %v", got, err)
	}
	if diff := cmp.Diff([]string{"report.html", "report.json", "report.md"}, names(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"one"}, names(t, filepath.Join(base, "reports"))); diff != "" {
		t.Errorf("beside it (-want +got):\n%s", diff)
	}
	for path, want := range map[string]fs.FileMode{dir: 0o700, filepath.Join(dir, "report.md"): 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s is %v, want %v", path, info.Mode().Perm(), want)
		}
	}
	md, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil || string(md) != string(Markdown(handbook())) {
		t.Errorf("report.md is not the Markdown report (%v)", err)
	}
}

func TestWriteNeverTouchesAFolderThatHoldsSomething(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "mine")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(dir, "report.md")
	if err := os.WriteFile(kept, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Write(dir, baselineOnly())
	if err != nil || got != dir+"-2" {
		t.Fatalf("%q, %v, want %s-2", got, err, dir)
	}
	if data, _ := os.ReadFile(kept); string(data) != "mine" {
		t.Errorf("the file in it is now %q", data)
	}
	empty := filepath.Join(base, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := Write(empty, baselineOnly()); err != nil || got != empty {
		t.Errorf("an empty folder: %q, %v", got, err)
	}
	file := filepath.Join(base, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Write(file, baselineOnly()); err != nil || got != file+"-2" {
		t.Errorf("a file of that name: %q, %v", got, err)
	}
	if data, _ := os.ReadFile(file); string(data) != "mine" {
		t.Errorf("the file is now %q", data)
	}
}

func TestReportsWrittenAtOnceGetFoldersOfTheirOwn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "same")
	var mu sync.Mutex
	folders := map[string]bool{}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := Write(dir, baselineOnly())
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			folders[got] = true
		})
	}
	wg.Wait()
	if len(folders) != 8 {
		t.Errorf("%d folders for 8 reports", len(folders))
	}
	for folder := range folders {
		if n := len(names(t, folder)); n != 3 {
			t.Errorf("%s holds %d files", folder, n)
		}
	}
}

func TestAReportThatCannotBeWrittenSaysWhyAndLeavesNothing(t *testing.T) {
	base := t.TempDir()
	d := handbook()
	d.Rounds[2].Criteria[1].Score = ptr(math.NaN())
	_, err := Write(filepath.Join(base, "x"), d)
	if want := "report write: round 2: score of duties is NaN: a report takes finite numbers"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if left := names(t, base); left != nil {
		t.Errorf("left behind: %v", left)
	}

	file := filepath.Join(base, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Write(filepath.Join(file, "x"), handbook())
	if err == nil || !strings.HasSuffix(err.Error(), ": a file is in the way, name another folder with --out") || !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("below a file: %v", err)
	}
}

func TestErrorsOfTheDiskNameTheWayOut(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{syscall.ENOSPC, ": free some space, or name a folder on another disk with --out"},
		{syscall.EROFS, ": name a folder you can write with --out"},
		{syscall.EACCES, ": name a folder you can write with --out"},
		{syscall.EIO, ""},
	} {
		err := fmt.Errorf("wrapped: %w", &fs.PathError{Op: "write", Path: "/x", Err: c.err})
		if got := wayOut(err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}

func TestDataSurvivesItsFile(t *testing.T) {
	for name, d := range map[string]Data{"handbook": handbook(), "baseline": baselineOnly(), "wide": wide()} {
		encoded, err := Encode(d)
		if err != nil {
			t.Fatal(err)
		}
		var back Data
		dec := json.NewDecoder(strings.NewReader(string(encoded)))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d, back); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
