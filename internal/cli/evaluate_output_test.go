//go:build unix

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulph/internal/report"
	"rulph/internal/ui"
)

// What cannot be written is refused before anybody is asked, and said with the way out.
func TestAnOutputThatCannotBeWrittenCostsNothing(t *testing.T) {
	b := newBench(t, "Linux\n")
	b.mkdir("folder")
	b.write("judge.sh", "#!/bin/sh\ntouch \"$0.asked\"\n")
	if err := os.Chmod(filepath.Join(b.dir, "judge.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"no/such/x":  "--output json=no/such/x: there is no folder " + filepath.Join(b.dir, "no", "such"),
		"folder":     "--output json=folder: it is a folder; name a file in it",
		"NOTES.md/x": "--output json=NOTES.md/x: not a directory",
		"again.json": "--output json=again.json: another --output goes there too",
	} {
		var out, errs bytes.Buffer
		io := ui.IO{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: os.Getenv, Env: os.Environ(), Cwd: b.dir}
		code := Run(t.Context(), io, []string{"evaluate", "NOTES.md", "--rubric", "rubric.yaml", "--judge", "command:./judge.sh", "--output", "md=again.json", "--output", "json=" + file})
		if code != ui.BadInput || out.Len() != 0 || !strings.HasPrefix(errs.String(), "hoyeon-cli: evaluate: "+want) {
			t.Errorf("%s: exit %d, %q, %q", file, code, &out, &errs)
		}
	}
	left, err := filepath.Glob(filepath.Join(b.dir, "*"))
	if err != nil || len(left) != 4 {
		t.Errorf("%v: there are %q", err, left)
	}
}

func TestTheResultIsPrintedAndEachOutputWrittenWhateverBecomesOfAnother(t *testing.T) {
	dir := t.TempDir()
	gone := filepath.Join(dir, "gone")
	if err := os.Mkdir(gone, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "old.md"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("old.md", filepath.Join(dir, "link.md")); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	io := ui.IO{Out: &out, Cwd: dir}
	outputs := []output{{form: "json", file: "gone/x.json"}, {form: "md", file: "link.md"}, {form: "json", file: "new.json"}, {form: "json", file: os.DevNull}}
	if err := places(io, outputs); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(gone); err != nil { // while it was judged
		t.Fatal(err)
	}
	ev := report.Evaluation{Schema: 1, Title: "Notes", Passed: true, Overall: 90, Threshold: 80, Repeats: 1}
	if err := deliver(io, ev, "text", outputs); err == nil || !strings.HasPrefix(err.Error(), "write the result: ") || !strings.Contains(err.Error(), "gone") {
		t.Errorf("got %v", err)
	}
	if !strings.HasSuffix(out.String(), "PASSED: 90.0 of 80\n") {
		t.Errorf("it prints %q", &out)
	}
	for name, want := range map[string]struct {
		start string
		mode  os.FileMode
	}{"old.md": {"#", 0o600}, "new.json": {"{", 0o644}} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		info, statErr := os.Stat(filepath.Join(dir, name))
		if err != nil || statErr != nil || !strings.HasPrefix(string(text), want.start) || info.Mode().Perm() != want.mode {
			t.Errorf("%v: %s is %v, %q", err, name, info.Mode(), text)
		}
	}
	if to, err := os.Readlink(filepath.Join(dir, "link.md")); err != nil || to != "old.md" {
		t.Errorf("%v: the link leads to %s", err, to)
	}
}
