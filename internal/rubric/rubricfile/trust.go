package rubricfile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2"
)

// Trust says that a person has read the commands of one rubric file and lets them run. It holds for the
// bytes of that file at that path alone, as with direnv: a change, or a copy elsewhere, is not trusted. It
// does not cover the programs that the commands call.
type Trust struct {
	Path string    `json:"path"` // absolute, links resolved
	Hash string    `json:"hash"` // "sha256:..." over the path and the content
	At   time.Time `json:"-"`    // when it was given
}

// trustFolder lies in a home. The home must be the person's own: one inside a project comes with whatever
// the project was cloned from.
const trustFolder = "trust"

// Trusted reports whether the file path with the content data has been allowed in home. A home that is
// not absolute, and so would lie in whatever folder we run in, trusts nothing.
func Trusted(home, path string, data []byte) bool {
	path, err := realPath(path)
	if err != nil || !filepath.IsAbs(home) {
		return false
	}
	hash := trustHash(path, data)
	t, err := readTrust(trustPath(home, hash))
	return err == nil && t.Hash == hash && t.Path == path
}

// Allow trusts the file path with the content data from now on. Trust in other contents of the file ends.
func Allow(home, path string, data []byte) error {
	if !filepath.IsAbs(home) {
		return fmt.Errorf("the home %q for trusted rubrics is not an absolute path", home)
	}
	path, err := realPath(path)
	if err != nil {
		return err
	}
	if _, err := Revoke(home, path); err != nil {
		return err
	}
	t := Trust{Path: path, Hash: trustHash(path, data)}
	body, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(home, trustFolder), 0o700); err != nil {
		return err
	}
	return renameio.WriteFile(trustPath(home, t.Hash), append(body, '\n'), 0o600)
}

// Revoke ends all trust in the file path and returns how many records there were.
func Revoke(home, path string) (int, error) {
	path, err := realPath(path)
	if err != nil {
		return 0, err
	}
	all, err := ListTrust(home)
	if err != nil {
		return 0, err
	}
	removed := 0
	for _, t := range all {
		if t.Path != path {
			continue
		}
		if err := os.Remove(trustPath(home, t.Hash)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return removed, err
		}
		removed++
	}
	return removed, nil
}

// ListTrust returns all trust kept in home, by path. Files that are no record of trust are passed over.
func ListTrust(home string) ([]Trust, error) {
	entries, err := os.ReadDir(filepath.Join(home, trustFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the trusted rubrics: %w", err)
	}
	var all []Trust
	for _, e := range entries {
		t, err := readTrust(filepath.Join(home, trustFolder, e.Name()))
		if err == nil && trustPath(home, t.Hash) == filepath.Join(home, trustFolder, e.Name()) {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b Trust) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

func readTrust(file string) (Trust, error) {
	var t Trust
	data, err := os.ReadFile(file)
	if err != nil {
		return t, err
	}
	if info, err := os.Stat(file); err == nil {
		t.At = info.ModTime()
	}
	return t, json.Unmarshal(data, &t)
}

func trustPath(home, hash string) string {
	return filepath.Join(home, trustFolder, strings.TrimPrefix(hash, "sha256:"))
}

// trustHash separates path and content by a byte that no path has.
func trustHash(path string, data []byte) string {
	h := sha256.New()
	h.Write([]byte(path))
	h.Write([]byte{0})
	h.Write(data)
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// realPath is absolute and free of links, so that one file has one name. The file itself may be gone.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real, nil
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return abs, nil
	}
	return filepath.Join(folder, filepath.Base(abs)), nil
}
