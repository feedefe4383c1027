package rulph

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rulph/internal/artifact"
	"rulph/internal/evaluator"
	"rulph/internal/loop"
)

// desk is where a program improves an artifact: a copy of its folder in no project, without the rubric and
// without any file that tells what is held out. A program of a model reads whatever lies before it.
//
// What belongs to the artifact is decided where the artifact is, never by the copy: a copy has other ignored
// files, links and neighbours.
type desk struct {
	top, dir string            // dir is below top and called as the artifact's folder
	artifact artifact.Artifact // as it was put there; its files are plain ones on the desk
	spec     artifact.Spec     // of the copy
	before   map[string]mark   // what lay there when the program began
}

// mark tells whether a file has changed: by what it holds, or for a large one by size and time.
type mark struct {
	sum  [sha256.Size]byte
	size int64
	time int64
}

// largest is up to what size a file's content is looked at, in bytes.
const largest = 8 << 20

func (e Engine) newDesk(s loop.State, a artifact.Artifact) (*desk, error) {
	top, err := evaluator.Scratch(e.Environ)
	if err != nil {
		return nil, fmt.Errorf("the copy to improve %w", err)
	}
	d := &desk{top: top, dir: filepath.Join(top, filepath.Base(s.Target.Root)), artifact: a}
	if err := d.fill(s, e.project(true)); err != nil {
		d.remove()
		return nil, fmt.Errorf("make a copy to improve: %w", err)
	}
	return d, nil
}

func (d *desk) fill(s loop.State, leaveOut func(string, fs.DirEntry) bool) (err error) {
	d.spec = artifact.Spec{Root: d.dir, Include: s.Target.Include}
	for _, t := range s.Target.Targets {
		rel, err := filepath.Rel(s.Target.Root, t)
		if err != nil {
			return err
		}
		d.spec.Targets = append(d.spec.Targets, filepath.Join(d.dir, rel))
	}
	err = copyTree(s.Target.Root, d.dir, leaveOut)
	if errors.Is(err, errTooLarge) { // a file in the middle of everything: the program does without what is around it
		if err = os.RemoveAll(d.dir); err == nil {
			err = os.Mkdir(d.dir, 0o700)
		}
	}
	if err != nil {
		return err
	}
	if err := hide(d, s); err != nil {
		return err
	}
	if err := lay(d.artifact, d.dir); err != nil {
		return err
	}
	d.before, err = d.look()
	return err
}

// lay writes the artifact's files into dir, as plain files, whatever they are where they come from.
func lay(a artifact.Artifact, dir string) error {
	for _, f := range a.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
		if err := os.WriteFile(path, f.Data, f.Mode.Perm()|0o600); err != nil {
			return err
		}
	}
	return nil
}

// files are the artifact's, as seen from the desk.
func (d *desk) files() []string {
	names := make([]string, len(d.artifact.Files))
	for i, f := range d.artifact.Files {
		names[i] = f.Path
	}
	return names
}

func (d *desk) remove() { evaluator.RemoveScratch(d.top) }

// result is the artifact as the program left it, ready to be written over the original, and whatever else
// it changed, added or removed. A file of a folder that was not there before belongs to the artifact where
// the folder's globs name it. A link in the place of a file is an error: nobody says where it leads.
func (d *desk) result() (a artifact.Artifact, dropped []string, err error) {
	after, err := d.look()
	if err != nil {
		return a, nil, err
	}
	modes, mine := map[string]fs.FileMode{}, map[string]bool{}
	here := artifact.Spec{Root: d.dir}
	take := func(name string) { here.Targets = append(here.Targets, filepath.Join(d.dir, filepath.FromSlash(name))) }
	for _, f := range d.artifact.Files {
		modes[f.Path], mine[f.Path] = f.Mode, true
		if err := d.straight(f.Path, after); err != nil {
			return a, nil, err
		}
		if _, left := after[f.Path]; left {
			take(f.Path)
		}
	}
	if d.spec.Targets[0] == d.dir {
		names, err := artifact.Names(d.spec)
		if err != nil {
			return a, nil, err
		}
		for _, name := range names {
			if _, was := d.before[name]; !was && d.straight(name, after) == nil {
				mine[name] = true
				take(name)
			}
		}
	}
	switch {
	case len(here.Targets) == 0:
		return a, nil, errors.New("none of its files is left")
	case d.spec.Targets[0] != d.dir && len(here.Targets) < len(d.artifact.Files):
		return a, nil, errors.New("a file of it is gone")
	}
	if a, err = artifact.Read(here); err != nil {
		return a, nil, err
	}
	a.Root = d.artifact.Root
	for i, f := range a.Files {
		if mode, was := modes[f.Path]; was {
			a.Files[i].Mode = mode
		}
	}
	return a, differences(d.before, after, mine), nil
}

// straight makes sure that no part of the path is a link, but for those to folders that were there before.
func (d *desk) straight(name string, after map[string]mark) error {
	rel := ""
	for part := range strings.SplitSeq(name, "/") {
		rel = strings.TrimPrefix(rel+"/"+part, "/")
		info, err := os.Lstat(filepath.Join(d.dir, filepath.FromSlash(rel)))
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		if old, was := d.before[rel]; !was || after[rel] != old || rel == name {
			return fmt.Errorf("%s has become a link", rel)
		}
	}
	return nil
}

// differences lists what was changed, added or removed, without the files that are mine.
func differences(before, after map[string]mark, mine map[string]bool) (names []string) {
	for rel, now := range after {
		if old, was := before[rel]; (!was || old != now) && !mine[rel] {
			names = append(names, rel)
		}
	}
	for rel := range before {
		if _, is := after[rel]; !is && !mine[rel] {
			names = append(names, rel+" (removed)")
		}
	}
	slices.Sort(names)
	const most = 100
	if len(names) > most {
		names = append(names[:most], fmt.Sprintf("and %d more", len(names)-most))
	}
	return names
}

// look is what lies on the desk.
func (d *desk) look() (map[string]mark, error) {
	seen := map[string]mark{}
	return seen, d.walk(func(rel, path string, e fs.DirEntry) error {
		m, err := markOf(path, e)
		seen[rel] = m
		return err
	})
}

func markOf(path string, e fs.DirEntry) (m mark, err error) {
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		to, err := os.Readlink(path)
		return mark{sum: sha256.Sum256([]byte("link to " + to))}, err
	case !e.Type().IsRegular():
		return mark{sum: sha256.Sum256([]byte(e.Type().String()))}, nil
	}
	info, err := e.Info()
	if err != nil {
		return m, err
	}
	m.size = info.Size()
	if m.size > largest {
		m.time = info.ModTime().UnixNano()
		return m, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return m, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, largest)); err != nil {
		return m, err
	}
	h.Sum(m.sum[:0])
	return m, nil
}

// walk visits what is no folder. A folder that cannot be read is passed over: nothing in it is taken.
func (d *desk) walk(each func(rel, path string, e fs.DirEntry) error) error {
	return filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && path != d.dir && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)):
			return nil
		case err != nil || e.IsDir():
			return err
		}
		rel, err := filepath.Rel(d.dir, path)
		if err != nil {
			return err
		}
		if err := each(filepath.ToSlash(rel), path, e); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return err
		}
		return nil
	})
}

// read is a small file's content, nil for a large one.
func read(path string, e fs.DirEntry) ([]byte, error) {
	info, err := e.Info()
	if err != nil || info.Size() > largest {
		return nil, err
	}
	data, err := os.ReadFile(path)
	return bytes.TrimSpace(data), err
}
