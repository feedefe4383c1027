package rulph

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rulph/internal/artifact"
	"rulph/internal/loop"
	"rulph/internal/rubric/rubricfile"
)

// desk is where a program improves an artifact: a copy of its folder, outside of any project, without the
// rubric and without any file that tells what is held out. A program of a model reads whatever lies before
// it.
type desk struct {
	top, dir string // dir is below top and called as the artifact's folder
	spec     artifact.Spec
	root     string   // of the artifact itself
	files    []string // of the artifact, relative to dir
	before   map[string][sha256.Size]byte
}

func newDesk(s loop.State, leaveOut func(string, fs.DirEntry) bool) (d *desk, err error) {
	top, err := os.MkdirTemp("", "hoyeon-")
	if err != nil {
		return nil, fmt.Errorf("make a copy to improve: %w", err)
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return nil, fmt.Errorf("make a copy to improve: %w", err)
	}
	d = &desk{top: top, root: s.Target.Root, dir: filepath.Join(top, filepath.Base(s.Target.Root))}
	defer func() {
		if err != nil {
			d.remove()
		}
	}()
	err = copyTree(s.Target.Root, d.dir, leaveOut)
	if errors.Is(err, errTooLarge) {
		err = d.copyArtifact(s) // a file in the middle of everything: the program does without what is around it
	}
	if err != nil {
		return nil, fmt.Errorf("make a copy to improve: %w", err)
	}
	d.spec = artifact.Spec{Root: d.dir, Include: s.Target.Include}
	for _, t := range s.Target.Targets {
		rel, err := filepath.Rel(s.Target.Root, t)
		if err != nil {
			return nil, err
		}
		d.spec.Targets = append(d.spec.Targets, filepath.Join(d.dir, rel))
	}
	a, err := artifact.Read(d.spec)
	if err != nil {
		return nil, err
	}
	for _, f := range a.Files {
		d.files = append(d.files, f.Path)
	}
	if err := d.hide(s); err != nil {
		return nil, fmt.Errorf("make a copy to improve: %w", err)
	}
	d.before, err = d.look()
	return d, err
}

func (d *desk) remove() { _ = os.RemoveAll(d.top) }

// copyArtifact copies the artifact's files alone.
func (d *desk) copyArtifact(s loop.State) error {
	if err := os.RemoveAll(d.dir); err != nil {
		return err
	}
	a, err := artifact.Read(s.Target.Spec)
	if err != nil {
		return err
	}
	for _, f := range a.Files {
		path := filepath.Join(d.dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, f.Mode.Perm()|0o600); err != nil {
			return err
		}
	}
	return nil
}

// hide takes away every rubric, and every file that holds the text of an item that is held out. The
// artifact itself stays, whatever it says.
func (d *desk) hide(s loop.State) error {
	var secrets [][]byte
	held := s.Rubric.Body.Held()
	for _, c := range s.Rubric.Body.Criteria {
		for _, it := range c.Items {
			if held[c.ID][it.ID] {
				secrets = append(secrets, []byte(it.Text))
			}
		}
	}
	own := filepath.Base(s.Rubric.Path)
	return d.walk(func(rel, path string, e fs.DirEntry) error {
		if !e.Type().IsRegular() || slices.Contains(d.files, rel) {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		tells := slices.ContainsFunc(secrets, func(text []byte) bool { return bytes.Contains(data, text) })
		if tells || e.Name() == own || isRubric(e.Name(), data) {
			return os.Remove(path)
		}
		return nil
	})
}

// isRubric says whether a file reads as a rubric, whoever's.
func isRubric(name string, data []byte) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml", ".md", ".json":
		r, err := rubricfile.Parse(name, data)
		return err == nil && len(r.Criteria) > 0
	}
	return false
}

// result is what the desk holds of the artifact now, ready to be written over it, and whatever else
// was changed, added or removed. A file of the artifact that is a link now is an error: nobody says where
// it leads.
func (d *desk) result() (a artifact.Artifact, dropped []string, err error) {
	for _, name := range d.files {
		at := d.dir
		for part := range strings.SplitSeq(name, "/") {
			at = filepath.Join(at, part)
			if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
				return a, nil, fmt.Errorf("%s has become a link", name)
			}
		}
	}
	if a, err = artifact.Read(d.spec); err != nil {
		return a, nil, err
	}
	mine := map[string]bool{}
	for _, f := range a.Files {
		mine[f.Path] = true
	}
	for _, name := range d.files {
		mine[name] = true
	}
	after, err := d.look()
	if err != nil {
		return a, nil, err
	}
	for rel, sum := range after {
		if old, was := d.before[rel]; (!was || old != sum) && !mine[rel] {
			dropped = append(dropped, rel)
		}
	}
	for rel := range d.before {
		if _, is := after[rel]; !is && !mine[rel] {
			dropped = append(dropped, rel+" (removed)")
		}
	}
	slices.Sort(dropped)
	const most = 100
	if len(dropped) > most {
		dropped = append(dropped[:most], fmt.Sprintf("and %d more", len(dropped)-most))
	}
	a.Root = d.root
	return a, dropped, nil
}

// look is what lies on the desk, by what it holds.
func (d *desk) look() (map[string][sha256.Size]byte, error) {
	seen := map[string][sha256.Size]byte{}
	return seen, d.walk(func(rel, path string, e fs.DirEntry) error {
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			seen[rel] = sha256.Sum256([]byte("link to " + to))
			return err
		case !e.Type().IsRegular():
			seen[rel] = sha256.Sum256([]byte(e.Type().String()))
			return nil
		}
		data, err := os.ReadFile(path)
		seen[rel] = sha256.Sum256(data)
		return err
	})
}

func (d *desk) walk(each func(rel, path string, e fs.DirEntry) error) error {
	return filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(d.dir, path)
		if err != nil {
			return err
		}
		return each(filepath.ToSlash(rel), path, e)
	})
}
