package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Restore makes the artifact that spec names equal to `to`, and returns the paths it changed, sorted.
//
// Each file is replaced atomically and synced, with the mode it had in `to`; a file that is equal
// already is left alone. A file that was read through a symbolic link is written to the link's end,
// and the link stays; a plain file that has become a link since is made a plain file again, so that
// nothing is written where a later hand let it point. Files of the current artifact that `to` lacks
// are removed, and folders that this empties. Ignored files and files outside --include stay as they
// are. After an error some files may be old and some new: running it again finishes the work.
func Restore(spec Spec, to Artifact) (changed []string, err error) {
	if err := errors.Join(spec.check(), restorable(spec, to)); err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	if err := os.MkdirAll(spec.Root, 0o755); err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	entries, err := list(spec)
	if err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	keep := map[string]bool{}
	for _, f := range to.Files {
		keep[f.Path] = true
	}
	done := func(p string, err error) ([]string, error) {
		slices.Sort(changed)
		return changed, fmt.Errorf("restore: %s: %w; run it again once that is mended", p, err)
	}
	// Removals come first: a file may be where `to` has a folder.
	for _, e := range entries {
		if keep[e.path] {
			continue
		}
		if err := remove(spec.Root, e.path); err != nil {
			return done(e.path, err)
		}
		changed = append(changed, e.path)
	}
	for _, f := range to.Files {
		wrote, err := restoreFile(spec, f)
		if err != nil {
			return done(f.Path, err)
		}
		if wrote {
			changed = append(changed, f.Path)
		}
	}
	slices.Sort(changed)
	return changed, nil
}

// restorable refuses a snapshot that is not one of this artifact. An empty one would remove
// everything; a foreign path would be written beside the user's files.
func restorable(spec Spec, to Artifact) error {
	if len(to.Files) == 0 {
		return errors.New("the snapshot has no file, and restoring it would remove every one")
	}
	var named []string
	for _, t := range spec.Targets {
		rel, err := filepath.Rel(spec.Root, t)
		if err != nil {
			return err
		}
		named = append(named, filepath.ToSlash(rel))
	}
	for _, f := range to.Files {
		if err := checkPath(f.Path); err != nil {
			return err
		}
		if spec.folder() && private(f.Path) {
			return fmt.Errorf("the snapshot has %s, in a folder that is never written", f.Path)
		}
		if !spec.folder() && !slices.Contains(named, f.Path) {
			return fmt.Errorf("the snapshot has %s, which is not a target: it belongs to another artifact", f.Path)
		}
	}
	if !spec.folder() && len(to.Files) != len(named) {
		return fmt.Errorf("the snapshot has %d files, and there are %d targets: it belongs to another artifact", len(to.Files), len(named))
	}
	return nil
}

// remove deletes one file and the folders that are empty then, up to the root.
func remove(root, slashPath string) error {
	name := filepath.Join(root, filepath.FromSlash(slashPath))
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dir := filepath.Dir(name)
	for dir != root && os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
	return syncDir(dir)
}

func restoreFile(spec Spec, f File) (wrote bool, err error) {
	name := filepath.Join(spec.Root, filepath.FromSlash(f.Path))
	if spec.folder() {
		if err := clearWay(spec.Root, path.Dir(f.Path)); err != nil {
			return false, err
		}
	}
	info, err := os.Lstat(name)
	linked := err == nil && info.Mode()&fs.ModeSymlink != 0
	throughLink := linked && f.Mode&fs.ModeSymlink != 0
	if throughLink {
		end, err := linkEnd(name)
		if err != nil {
			return false, err
		}
		// Where the link of a folder leads out of it now, it is not the link that was read.
		if throughLink = !spec.folder() || inside(spec.Root, end); throughLink {
			name = end
		}
	}
	mode := f.Mode.Perm()
	if mode == 0 { // an artifact that was not read from files
		mode = 0o644
		if info, err := os.Stat(name); err == nil {
			mode = info.Mode().Perm()
		}
	}
	if !linked || throughLink {
		data, now, err := readFile(name, len(f.Data))
		if err == nil && bytes.Equal(data, f.Data) && now == mode {
			return false, nil
		}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return false, err
	}
	sweep(name)
	return true, replace(name, f.Data, mode)
}

// clearWay removes a symbolic link that stands where the snapshot has a folder: writing below it
// would write wherever it leads. A plain file there was removed with what the snapshot lacks.
func clearWay(root, slashDir string) error {
	if slashDir == "." {
		return nil
	}
	if err := clearWay(root, path.Dir(slashDir)); err != nil {
		return err
	}
	name := filepath.Join(root, filepath.FromSlash(slashDir))
	info, err := os.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return os.Remove(name)
	}
	return nil
}

// linkEnd follows links as far as they lead, also to a file that is missing now.
func linkEnd(name string) (string, error) {
	for range 40 { // the number of links that Linux follows
		info, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			dir, err := filepath.EvalSymlinks(filepath.Dir(name))
			return filepath.Join(dir, filepath.Base(name)), err
		}
		if err != nil {
			return "", err
		}
		to, err := os.Readlink(name)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	return "", errors.New("too many links")
}
