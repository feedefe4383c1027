package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"
)

// Read takes in the artifact as it is now. It refuses what a judge could not read whole, and says
// what to leave out: a binary file, more than MaxBytes together, a missing or unreadable file, a
// folder without a text, a link that leaves the folder, and everything that is not a plain file.
func Read(spec Spec) (Artifact, error) {
	entries, err := list(spec)
	if err != nil {
		return Artifact{}, err
	}
	if len(entries) == 0 {
		return Artifact{}, emptyFolder(spec)
	}
	a := Artifact{Root: spec.Root}
	var total int64
	sizes := make([]sized, 0, len(entries))
	for _, e := range entries {
		if e.problem != nil {
			return Artifact{}, e.problem
		}
		info, err := os.Stat(e.full(spec.Root))
		switch {
		case err != nil:
			return Artifact{}, fmt.Errorf("%s cannot be read: %w", e.path, err)
		case !info.Mode().IsRegular():
			return Artifact{}, notText(e.path, info.Mode())
		}
		total += info.Size()
		sizes = append(sizes, sized{e.path, info.Size()})
	}
	if total > MaxBytes {
		return Artifact{}, tooLarge(spec, total, sizes)
	}
	for _, e := range entries {
		data, mode, err := readFile(e.full(spec.Root), MaxBytes-a.Size())
		if errors.Is(err, errGrew) {
			return Artifact{}, fmt.Errorf("%s grew while it was read: run again when nothing writes to it", e.path)
		}
		if err != nil {
			return Artifact{}, fmt.Errorf("%s cannot be read: %w", e.path, err)
		}
		if why := whyBinary(data); why != "" {
			return Artifact{}, fmt.Errorf("%s is not a text (%s): %s", e.path, why, leaveOut(spec))
		}
		a.Files = append(a.Files, File{Path: e.path, Data: data, Mode: mode | e.mode&fs.ModeSymlink})
	}
	return a, nil
}

func (e entry) full(root string) string {
	return filepath.Join(root, filepath.FromSlash(e.path))
}

var errGrew = errors.New("larger than it was a moment ago")

// readFile reads a plain file of at most limit bytes. O_NONBLOCK keeps open from waiting, should the
// file have become a named pipe since it was looked at.
func readFile(name string, limit int) ([]byte, fs.FileMode, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, notText(name, info.Mode())
	}
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err != nil {
		return nil, 0, err
	}
	if len(data) > limit {
		return nil, 0, errGrew
	}
	return data, info.Mode().Perm(), nil
}

// whyBinary says why data is no text, or nothing when it is one.
func whyBinary(data []byte) string {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return "it looks like UTF-16; save it as UTF-8"
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return fmt.Sprintf("a NUL byte at offset %d", i)
	}
	if utf8.Valid(data) {
		return ""
	}
	at := 0
	for at < len(data) {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return fmt.Sprintf("invalid UTF-8 at offset %d", at)
}

func leaveOut(spec Spec) string {
	if spec.folder() {
		return "leave it out, for example with --include '**/*.md'"
	}
	return "name a text file"
}

func emptyFolder(spec Spec) error {
	if len(spec.Include) == 0 {
		return fmt.Errorf("the folder %s has no file that git does not ignore: name another folder or a file", spec.Root)
	}
	hint := "check the globs"
	if slices.ContainsFunc(spec.Include, func(g string) bool { return !strings.Contains(g, "/") }) {
		hint = "a glob without a slash looks at the top of the folder only; '**/*.md' looks below it too"
	}
	return fmt.Errorf("no file of %s matches --include %s: %s", spec.Root, strings.Join(spec.Include, " "), hint)
}

type sized struct {
	path string
	size int64
}

// tooLarge names the three largest files, which are most often what does not belong there.
func tooLarge(spec Spec, total int64, sizes []sized) error {
	slices.SortStableFunc(sizes, func(a, b sized) int { return int(min(max(b.size-a.size, -1), 1)) })
	var largest []string
	for _, s := range sizes[:min(3, len(sizes))] {
		largest = append(largest, fmt.Sprintf("%s (%s)", s.path, kib(s.size)))
	}
	if !spec.folder() && len(sizes) == 1 {
		return fmt.Errorf("%s: a judge reads 1 MiB at most; split the file or name a part of it", largest[0])
	}
	way := "leave out the largest files"
	if spec.folder() {
		way = "leave some out with --include or .gitignore"
	}
	return fmt.Errorf("%s in %d files, and a judge reads 1 MiB at most: %s; the largest: %s",
		kib(total), len(sizes), way, strings.Join(largest, ", "))
}

func kib(n int64) string {
	return fmt.Sprintf("%.1f KiB", float64(n)/1024)
}
