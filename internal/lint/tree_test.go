// Package lint holds the rules that the tree itself has to keep: the form of the code and of the texts, what
// may import what, the manifests, the hooks, the skills and the agents. Each rule is a function from a text, a
// list or a folder to the faults in it, and has a test that shows that it can fail.
package lint

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// root is the top of the source tree.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// file is one file that is, or is about to be, in the repository.
type file struct {
	path string // relative to the root, slash separated
	mode string // as git's index has it; "" for a file that is not in it yet
	data []byte
}

// files reads the tree as git sees it: what is in the index, and what is new and not ignored.
func files(t *testing.T) []file {
	t.Helper()
	var list []file
	for _, line := range git(t, "ls-files", "--stage", "-z") {
		head, path, _ := strings.Cut(line, "\t")
		mode, _, _ := strings.Cut(head, " ")
		list = append(list, file{path: path, mode: mode})
	}
	for _, path := range git(t, "ls-files", "--others", "--exclude-standard", "-z") {
		list = append(list, file{path: path})
	}
	var found []file
	for _, f := range list {
		data, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(f.path)))
		if os.IsNotExist(err) {
			continue // removed in the work tree, still in the index
		}
		if err != nil {
			t.Fatal(err)
		}
		f.data = data
		found = append(found, f)
	}
	if len(found) == 0 {
		t.Fatal("git lists no files")
	}
	return found
}

func git(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = root(t)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
}

// read is one file of the tree.
func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// clean fails the test for each fault.
func clean(t *testing.T, faults []string) {
	t.Helper()
	for _, fault := range faults {
		t.Error(fault)
	}
}

// caught checks that a rule finds exactly one fault, the one meant; want "" means none.
func caught(t *testing.T, what string, faults []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(faults) > 0:
		t.Errorf("%s: found %q, want nothing", what, faults)
	case want != "" && (len(faults) != 1 || !strings.Contains(faults[0], want)):
		t.Errorf("%s: found %q, want one fault with %q", what, faults, want)
	}
}

// lay writes files into a new folder.
func lay(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for path, text := range texts {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// with is a copy of texts with some replaced; a text of "" takes the file away.
func with(texts map[string]string, changes map[string]string) map[string]string {
	changed := map[string]string{}
	for path, text := range texts {
		changed[path] = text
	}
	for path, text := range changes {
		if changed[path] = text; text == "" {
			delete(changed, path)
		}
	}
	return changed
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func list(dir string) []fs.DirEntry {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	return entries
}

func faultf(faults *[]string, format string, args ...any) {
	*faults = append(*faults, fmt.Sprintf(format, args...))
}
