package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// NewSpec names an artifact: one file, several files, or one folder. Targets are absolute or
// relative to cwd; a file named twice, also through a symbolic link, counts once under the first
// name. The root is the folder itself, with its own links resolved, or the deepest folder that holds
// all files. include restricts a folder to the files that match one of the globs.
func NewSpec(cwd string, targets, include []string) (Spec, error) {
	if len(targets) == 0 {
		return Spec{}, errors.New("no target: name a file, several files or a folder")
	}
	var spec Spec
	var seen []string
	for _, t := range targets {
		if strings.TrimSpace(t) == "" {
			return Spec{}, errors.New("a target is empty: name a file, several files or a folder")
		}
		p := t
		if !filepath.IsAbs(p) {
			p = filepath.Join(cwd, p)
		}
		p, err := filepath.Abs(p)
		if err != nil {
			return Spec{}, fmt.Errorf("target %s: %w", t, err)
		}
		info, err := os.Stat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return Spec{}, fmt.Errorf("target %s: there is no such file or folder (looked at %s): %w", t, p, fs.ErrNotExist)
		case err != nil:
			return Spec{}, fmt.Errorf("target %s cannot be read: %w", t, err)
		case info.IsDir() && len(targets) > 1:
			return Spec{}, fmt.Errorf("target %s is a folder among other targets: name one folder, with --include for a part of it, or files only", t)
		case !info.IsDir() && len(include) > 0:
			return Spec{}, fmt.Errorf("--include picks files of a folder, and target %s is none: leave --include out or name the folder", t)
		case !info.IsDir() && !info.Mode().IsRegular():
			return Spec{}, notText(t, info.Mode())
		}
		real, err := filepath.EvalSymlinks(p)
		if err != nil {
			return Spec{}, fmt.Errorf("target %s cannot be read: %w", t, err)
		}
		if info.IsDir() {
			return folderSpec(real, include)
		}
		if !slices.Contains(seen, real) {
			seen = append(seen, real)
			spec.Targets = append(spec.Targets, p)
		}
	}
	spec.Root = filepath.Dir(spec.Targets[0])
	for _, p := range spec.Targets {
		for !inside(spec.Root, p) {
			up := filepath.Dir(spec.Root)
			if up == spec.Root {
				return Spec{}, fmt.Errorf("targets %s and %s have no folder in common", spec.Targets[0], p)
			}
			spec.Root = up
		}
	}
	return spec, nil
}

func folderSpec(dir string, include []string) (Spec, error) {
	for _, pattern := range include {
		if _, err := parseGlob(pattern); err != nil {
			return Spec{}, err
		}
	}
	return Spec{Targets: []string{dir}, Include: slices.Clone(include), Root: dir}, nil
}

// folder tells whether the artifact is the folder at the root, rather than files below it.
func (s Spec) folder() bool {
	return len(s.Targets) == 1 && s.Targets[0] == s.Root
}

// check refuses a Spec that NewSpec did not make: paths that are not absolute or not below the root.
func (s Spec) check() error {
	if len(s.Targets) == 0 || !filepath.IsAbs(s.Root) {
		return errors.New("the artifact is not named: its targets and its root must be absolute paths")
	}
	for _, t := range s.Targets {
		if !filepath.IsAbs(t) || !inside(s.Root, t) {
			return fmt.Errorf("target %s is not below the root %s", t, s.Root)
		}
	}
	if len(s.Targets) > 1 && slices.Contains(s.Targets, s.Root) {
		return fmt.Errorf("target %s is a folder among other targets", s.Root)
	}
	return nil
}

// inside tells whether p is dir or below it, by name alone.
func inside(dir, p string) bool {
	rel, err := filepath.Rel(dir, p)
	return err == nil && filepath.IsLocal(rel)
}

// notText is the error for what cannot be read as a text without harm: reading a named pipe waits
// for a writer, and reading a device may have effects.
func notText(name string, mode fs.FileMode) error {
	kind := "special file"
	switch {
	case mode&fs.ModeNamedPipe != 0:
		kind = "named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "socket"
	case mode&fs.ModeDevice != 0:
		kind = "device"
	case mode.IsDir():
		kind = "folder"
	}
	return fmt.Errorf("%s is a %s, not a text file: leave it out", name, kind)
}
