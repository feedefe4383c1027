package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
)

// longestSlug keeps the name of a report's folder far below what file systems take.
const longestSlug = 60 // bytes

// Slug is a title as part of a file's name: lower-case letters and digits of any script, everything
// else one dash, at most 60 bytes. A title without any is "report".
func Slug(title string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(strings.ToValidUTF8(title, " ")) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !(unicode.IsMark(r) && b.Len() > 0) {
			dash = b.Len() > 0
			continue
		}
		width := len(string(r))
		if dash {
			width++
		}
		if b.Len()+width > longestSlug {
			break
		}
		if dash {
			b.WriteByte('-')
			dash = false
		}
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return "report"
	}
	return b.String()
}

// Dir is a folder for one report that does not exist yet: base/2006-01-02-150405-slug, with a number
// behind it where there is one already. at is when the loop started or ended, in the zone it is to be
// named in.
func Dir(base string, at time.Time, slug string) string {
	return free(filepath.Join(base, at.Format("2006-01-02-150405")+"-"+Slug(slug)))
}

// free is dir, or dir with the first number from 2 that nothing has.
func free(dir string) string {
	candidate := dir
	for n := 2; ; n++ {
		if _, err := os.Lstat(candidate); err != nil {
			return candidate
		}
		candidate = dir + "-" + strconv.Itoa(n)
	}
}

// Encode is report.json.
func Encode(d Data) ([]byte, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	d.Schema = SchemaVersion
	if d.Criteria == nil {
		d.Criteria = []CriterionInfo{}
	}
	if d.Rounds == nil {
		d.Rounds = []Round{}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(d); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Write puts report.md, report.json and report.html into dir and returns the folder they are in. All
// three are written to a folder beside dir, which is then renamed: nobody sees half a report, and a
// failure leaves nothing behind. A dir that holds something is left alone; the report then goes to
// dir-2, dir-3 and so on, which is why the folder is returned. Folders are 0700 and files 0600, for a
// report quotes the artifact.
func Write(dir string, d Data) (string, error) {
	written, err := write(dir, d)
	if err != nil {
		return "", fmt.Errorf("report write: %w%s", err, wayOut(err))
	}
	return written, nil
}

func write(dir string, d Data) (string, error) {
	encoded, err := Encode(d)
	if err != nil {
		return "", err
	}
	page, err := HTML(d)
	if err != nil {
		return "", err
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp(parent, ".report-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp) // after the rename there is nothing left to remove
	for _, file := range []struct {
		name string
		data []byte
	}{{"report.md", Markdown(d)}, {"report.json", encoded}, {"report.html", page}} {
		if err := writeFile(filepath.Join(temp, file.name), file.data); err != nil {
			return "", err
		}
	}
	if err := syncDir(temp); err != nil {
		return "", err
	}
	written, err := claim(temp, filepath.Clean(dir))
	if err != nil {
		return "", err
	}
	return written, syncDir(parent)
}

// claim renames temp to dir, or to the first free name after it. Another process may take a name
// between the look and the rename, so a refused rename only means the next one.
func claim(temp, dir string) (string, error) {
	for range 100 {
		target := dir
		if !emptyFolder(dir) || os.Remove(dir) != nil {
			target = free(dir)
		}
		err := os.Rename(temp, target)
		switch {
		case err == nil:
			return target, nil
		case !errors.Is(err, fs.ErrExist) && !errors.Is(err, syscall.ENOTEMPTY):
			return "", err
		}
	}
	return "", fmt.Errorf("name %s: every name tried was taken meanwhile", dir)
}

// emptyFolder reports whether dir is a folder without anything in it, such as mktemp -d makes.
func emptyFolder(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return false
	}
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) == 0
}

func writeFile(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// syncDir makes the names in a folder last. Some file systems cannot, and say EINVAL or ENOTSUP.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

// wayOut is what to do about an error of the file system.
func wayOut(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return ": free some space, or name a folder on another disk with --out"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return ": name a folder you can write with --out"
	case errors.Is(err, syscall.ENOTDIR):
		return ": a file is in the way, name another folder with --out"
	}
	return ""
}
