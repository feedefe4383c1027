package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// entry is one file that belongs to an artifact, before anything of it is read.
type entry struct {
	path    string      // relative to the root, slashes
	mode    fs.FileMode // of the path itself: a symbolic link is a link here
	problem error       // why Read refuses it; Restore may still have to remove it
}

// list names what the spec means now. Reading is left to Read, so that Restore can roll back an
// artifact that Read would refuse.
func list(spec Spec) ([]entry, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}
	if !spec.folder() {
		return listTargets(spec)
	}
	info, err := os.Stat(spec.Root)
	switch {
	case err != nil:
		return nil, fmt.Errorf("target %s cannot be read: %w", spec.Root, err)
	case !info.IsDir():
		return nil, fmt.Errorf("target %s is not a folder any more", spec.Root)
	}
	paths, err := folderPaths(spec.Root)
	if err != nil {
		return nil, err
	}
	paths, err = included(paths, spec.Include)
	if err != nil {
		return nil, err
	}
	return listFolder(spec.Root, paths)
}

// Names lists the files that the spec means now, relative to its root with slashes, without reading them:
// Read may refuse some of them.
func Names(spec Spec) ([]string, error) {
	entries, err := list(spec)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.path
	}
	return names, nil
}

func listTargets(spec Spec) ([]entry, error) {
	var entries []entry
	for _, t := range spec.Targets {
		rel, err := filepath.Rel(spec.Root, t)
		if err != nil {
			return nil, fmt.Errorf("target %s: %w", t, err)
		}
		e := entry{path: filepath.ToSlash(rel)}
		info, err := os.Lstat(t)
		if err != nil {
			e.problem = fmt.Errorf("target %s cannot be read: %w", t, err)
		} else {
			e.mode = info.Mode()
		}
		entries = append(entries, e)
	}
	return sorted(entries), nil
}

// included drops what is never part of a folder's text (version control, session state, leftovers of
// an interrupted restore) and what no glob names.
func included(paths, include []string) ([]string, error) {
	globs := make([]glob, 0, len(include))
	for _, pattern := range include {
		g, err := parseGlob(pattern)
		if err != nil {
			return nil, err
		}
		globs = append(globs, g)
	}
	return slices.DeleteFunc(paths, func(p string) bool {
		if private(p) || isTemporary(path.Base(p)) {
			return true
		}
		return len(globs) > 0 && !slices.ContainsFunc(globs, func(g glob) bool { return g.match(p) })
	}), nil
}

// private tells whether a path lies in a folder that is never read nor written: git's own data and
// the session state, which holds the snapshots themselves.
func private(slashPath string) bool {
	for seg := range strings.SplitSeq(slashPath, "/") {
		if seg == ".git" || seg == ".hoyeon" {
			return true
		}
	}
	return false
}

// listFolder looks at each path once. A symbolic link to a file that is in the list anyway is left
// out, so that a judge reads no text twice and no word is counted twice; so are links to folders
// inside the root, whose files are listed where they are, and links that lead nowhere.
func listFolder(root string, paths []string) ([]entry, error) {
	slices.Sort(paths)
	paths = slices.Compact(paths)
	var entries []entry
	var links []string
	have := map[string]bool{}
	for _, p := range paths {
		full := filepath.Join(root, filepath.FromSlash(p))
		info, err := os.Lstat(full)
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted in the work tree, still in git's index
		}
		if err != nil {
			return nil, fmt.Errorf("%s cannot be read: %w", p, err)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			links = append(links, p)
			continue
		}
		entries = append(entries, entry{path: p, mode: info.Mode()})
		have[full] = true
	}
	for _, p := range links {
		real, err := filepath.EvalSymlinks(filepath.Join(root, filepath.FromSlash(p)))
		e := entry{path: p, mode: fs.ModeSymlink}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			e.problem = fmt.Errorf("the link %s cannot be followed: %w", p, err)
		case !inside(root, real):
			e.problem = fmt.Errorf("the link %s leads out of the folder, to %s: leave it out or copy the file in", p, real)
		case have[real]:
			continue
		default:
			if info, err := os.Stat(real); err == nil && info.IsDir() {
				continue
			}
			have[real] = true
		}
		entries = append(entries, e)
	}
	return sorted(entries), nil
}

func sorted(entries []entry) []entry {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return entries
}
