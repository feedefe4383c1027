package rulph

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rulph/internal/artifact"
	"rulph/internal/ui"
)

// copyForRun copies the folder that holds both the rubric and the target, or else the target's own,
// and turns the options to the copy. The rubric itself is read, and trusted, where it was.
func (e Engine) copyForRun(o *RunOptions) (string, error) {
	rubricDir := filepath.Dir(absolute(o.Cwd, o.Rubric))
	targets := slices.Clone(o.Targets)
	if len(targets) == 0 {
		r, err := e.readRubric(o.Cwd, o.Rubric)
		if err != nil {
			return "", err
		}
		if r.Target == "" {
			return "", nil // Start says what is missing
		}
		o.Label = r.Target
		targets = []string{filepath.Join(rubricDir, r.Target)}
	} else {
		o.Label = labelOf(targets)
	}
	if targets[0] == "-" {
		return "", nil // a text from standard input is a copy already
	}
	for i, t := range targets {
		targets[i] = absolute(o.Cwd, t)
	}
	spec, err := specOf(o.Cwd, targets, o.Include)
	if err != nil {
		return "", err
	}
	from := rubricDir
	if !within(rubricDir, targets) {
		from = filepath.Dir(targets[0])
		if info, err := os.Stat(targets[0]); err == nil && info.IsDir() {
			from = targets[0]
		}
		if !within(from, targets) {
			return "", ui.Fail(ui.BadInput, fmt.Errorf("%s lie in different folders, so there is no one folder to copy", strings.Join(targets, " and ")), "run with --in-place, or name the folder that holds them")
		}
	}
	work, err := e.copyFolder(filepath.Base(from))
	if err != nil {
		return "", err
	}
	if err := errors.Join(copyTree(from, work, e.project(false)), align(spec, from, work)); err != nil {
		_ = os.RemoveAll(filepath.Dir(work))
		_, _ = e.Store.ClearEmpty(e.SID)
		return "", fmt.Errorf("copy %s: %w", from, err)
	}
	for i, t := range targets {
		rel, err := filepath.Rel(from, t)
		if err != nil {
			return "", err
		}
		targets[i] = filepath.Join(work, rel)
	}
	o.Targets = targets
	if from == rubricDir {
		o.Dir = work
	}
	return work, nil
}

// align makes the artifact in a copy the same as where it comes from: the files that a link leads to from
// elsewhere are put there, and what is ignored by rules that lie above the folder is taken away. An artifact
// that cannot be read is left to whoever starts with it.
func align(spec artifact.Spec, from, work string) error {
	a, err := artifact.Read(spec)
	if err != nil {
		return nil
	}
	within, err := filepath.Rel(from, spec.Root)
	if err != nil || !filepath.IsLocal(within) {
		return nil // through a link: the copy is made of the folder itself
	}
	root := filepath.Join(work, within)
	names := map[string]bool{}
	var missing []artifact.File
	for _, f := range a.Files {
		names[f.Path] = true
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(f.Path))); err != nil {
			missing = append(missing, f)
		}
	}
	if err := lay(artifact.Artifact{Files: missing}, root); err != nil {
		return err
	}
	if len(spec.Targets) != 1 || spec.Targets[0] != spec.Root {
		return nil
	}
	there, err := artifact.Names(artifact.Spec{Root: root, Targets: []string{root}, Include: spec.Include})
	if err != nil {
		return err
	}
	for _, name := range there {
		if !names[name] {
			if err := os.Remove(filepath.Join(root, filepath.FromSlash(name))); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyFolder is a place for the copy that no earlier run of the session has used: what that one
// achieved stays where its report says.
func (e Engine) copyFolder(name string) (string, error) {
	if err := e.Store.EnsureDir(e.SID); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		dir := filepath.Join(e.Store.Dir(e.SID), "copy")
		if n > 1 {
			dir = fmt.Sprintf("%s-%d", dir, n)
		}
		err := os.Mkdir(dir, 0o700)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		return filepath.Join(dir, name), err
	}
}

func within(dir string, paths []string) bool {
	return !slices.ContainsFunc(paths, func(p string) bool {
		rel, err := filepath.Rel(dir, p)
		return err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator))
	})
}

// project leaves out of a copy what no run needs: the repository's own data, also where it is only a file
// that leads to it, what can be installed again, and the home, wherever it lies, since the copy may be made
// inside it. For a program that improves it also leaves out what would configure a client.
func (e Engine) project(improve bool) func(path string, d fs.DirEntry) bool {
	own, err := os.Stat(e.Store.Home)
	return func(_ string, d fs.DirEntry) bool {
		switch d.Name() {
		case ".git", ".hoyeon", "node_modules":
			return true
		case ".gemini", ".claude", ".codex":
			return improve
		}
		info, infoErr := d.Info()
		return err == nil && infoErr == nil && d.IsDir() && os.SameFile(info, own)
	}
}

// errTooLarge says that a folder holds more than a copy is made of.
var errTooLarge = errors.New("holds more than 256 MiB, too much to copy")

// copyTree copies a folder without what is to be left out, and without what we may not read.
func copyTree(from, to string, leaveOut func(path string, d fs.DirEntry) bool) error {
	const most = 256 << 20
	var size int64
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil && path != from && errors.Is(err, fs.ErrPermission) {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		dst := filepath.Join(to, rel)
		switch {
		case path != from && leaveOut(path, d):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return os.MkdirAll(dst, 0o700)
		case d.Type()&fs.ModeSymlink != 0:
			return copyLink(path, dst)
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if size += info.Size(); size > most {
			return ui.Fail(ui.BadInput, fmt.Errorf("%s %w", from, errTooLarge), "put the artifact and its rubric into a folder of their own, or run with --in-place")
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrPermission) {
			return nil
		}
		if err != nil {
			return err
		}
		return os.WriteFile(dst, data, info.Mode().Perm()|0o600)
	})
}

func copyLink(path, dst string) error {
	to, err := os.Readlink(path)
	if err != nil {
		return err
	}
	if filepath.IsAbs(to) || strings.HasPrefix(filepath.Clean(to), "..") {
		return nil
	}
	return os.Symlink(to, dst)
}
