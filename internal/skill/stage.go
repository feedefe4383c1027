package skill

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Staged is a copy of a skill's folder with a change made in it.
type Staged struct {
	Skill   string `json:"skill"`   // Ref of the original
	Dir     string `json:"dir"`     // the copy, absolute; its name is the skill's
	File    string `json:"file"`    // its SKILL.md, the variant
	Base    string `json:"base"`    // Hash of the original
	Variant string `json:"variant"` // Hash of the variant
	Diff    Diff   `json:"diff"`
}

// staged is the file, beside the copy, that says what the copy is.
const staged = "staged.json"

// The most a skill's folder may hold to be copied.
const (
	copyFiles = 5000
	copyBytes = 256 << 20
)

// StageIn is where a skill's variant is staged when nobody says where.
func StageIn(f Found) string { return filepath.Join(f.State, "staged", f.group(), f.Name) }

// StageCopy copies the skill's folder to dir/<name>, so that its references and scripts are beside the variant, makes
// the change in the copy, and writes dir/staged.json, which ReadStaged reads. dir must be absent, empty or
// an earlier stage, which is replaced. Links that lead out of the folder, and what begins with a point, are left out.
func StageCopy(f Found, d Diff, dir string) (Staged, error) {
	text, mode, err := readText(f.File)
	if err != nil {
		return Staged{}, err
	}
	variant, err := Change(text, d)
	if err != nil {
		return Staged{}, err
	}
	if err := clear(dir); err != nil {
		return Staged{}, err
	}
	s := Staged{Skill: f.Ref, Dir: filepath.Join(dir, f.Name), Base: Hash(text), Variant: Hash(variant), Diff: d}
	s.File = filepath.Join(s.Dir, filepath.Base(f.File))
	if err := copyFolder(realPath(f.Dir), s.Dir); err != nil {
		return Staged{}, err
	}
	if err := os.Remove(s.File); err != nil && !errors.Is(err, fs.ErrNotExist) { // it may be a link to the original
		return Staged{}, err
	}
	if err := os.WriteFile(s.File, variant, mode.Perm()|0o600); err != nil {
		return Staged{}, err
	}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return Staged{}, err
	}
	return s, os.WriteFile(filepath.Join(dir, staged), append(data, '\n'), 0o600)
}

// ReadStaged reads what StageCopy wrote into dir.
func ReadStaged(dir string) (Staged, error) {
	data, err := os.ReadFile(filepath.Join(dir, staged))
	if errors.Is(err, fs.ErrNotExist) {
		return Staged{}, fmt.Errorf("nothing is staged in %s", dir)
	}
	if err != nil {
		return Staged{}, err
	}
	var s Staged
	if err := json.Unmarshal(data, &s); err != nil || s.Base == "" {
		return Staged{}, fmt.Errorf("%s is damaged; stage the change again", filepath.Join(dir, staged))
	}
	return s, nil
}

// clear removes an earlier stage, and makes the folder.
func clear(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == staged }) || len(entries) > 2 {
			return fmt.Errorf("%s has something else in it; name a new folder", dir)
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o755)
}

// copyFolder copies the files of a folder. A link inside the folder is copied as what it leads to.
func copyFolder(from, to string) error {
	files, size := 0, int64(0)
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case rel == ".":
			return os.MkdirAll(target, 0o755)
		case d.Name()[0] == '.' && d.IsDir():
			return filepath.SkipDir
		case d.Name()[0] == '.':
			return nil
		case d.IsDir():
			return os.Mkdir(target, 0o755)
		}
		if _, inside := within(from, path); !inside {
			return nil
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return nil // a link to nothing, a link to a folder, a pipe
		}
		if files, size = files+1, size+info.Size(); files > copyFiles || size > copyBytes {
			return fmt.Errorf("%s holds more than %d files or %d MiB; a skill that large is not copied", from, copyFiles, copyBytes>>20)
		}
		return copyFile(path, target, info.Mode().Perm())
	})
}

func copyFile(from, to string, mode fs.FileMode) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
