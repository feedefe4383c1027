package artifact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"rulph/internal/session"
)

// errNoWorkTree is git's word that a folder is in no repository, whatever .git lies around.
var errNoWorkTree = errors.New("not a git repository")

// folderPaths lists the files below root that git does not ignore, as slash paths relative to it. In
// a work tree git itself is asked. Where there is none (a copy, for instance) or no git, a walk obeys
// the .gitignore files it can see. Where git is there and fails, its error is ours: going on with a
// walk could show a judge what git would have left out.
func folderPaths(root string) ([]string, error) {
	top, inTree := session.WorkTree(root)
	if !inTree {
		return walk(root, root)
	}
	if _, err := exec.LookPath("git"); err != nil {
		return walk(top, root)
	}
	paths, err := gitPaths(root)
	switch {
	case errors.Is(err, errNoWorkTree):
		return walk(root, root)
	case err != nil:
		return nil, err
	case len(paths) > 0:
		return paths, nil
	}
	// An ignored folder lists nothing. Who names it wants it read all the same.
	if _, err := git(root, "check-ignore", "--quiet", "."); err == nil {
		return walk(root, root)
	}
	return nil, nil
}

func gitPaths(root string) ([]string, error) {
	out, err := git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	var paths []string
	for p := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		p = strings.TrimSuffix(p, "/")
		if p == "" {
			continue
		}
		full := filepath.Join(root, filepath.FromSlash(p))
		if info, err := os.Lstat(full); err != nil || !info.IsDir() {
			paths = append(paths, p)
			continue
		}
		// git names a nested repository without its files.
		below, err := nested(full)
		if err != nil {
			return nil, err
		}
		for _, b := range below {
			paths = append(paths, p+"/"+b)
		}
	}
	return paths, nil
}

func nested(dir string) ([]string, error) {
	if !session.IsWorkTree(dir) {
		return walk(dir, dir) // a submodule that was not initialised
	}
	return gitPaths(dir)
}

// git runs one reading command. A repository's own settings are not obeyed where they start a
// program, and variables that a git hook sets for its children do not redirect it.
func git(dir string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir, "-c", "core.fsmonitor=false"}, args...)...)
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		return out, nil
	}
	said := strings.TrimSpace(stderr.String())
	if strings.Contains(said, errNoWorkTree.Error()) {
		return nil, errNoWorkTree
	}
	return nil, fmt.Errorf("git cannot list the files of %s: %w: %s", dir, err, said)
}

// walk lists the files below start that no .gitignore from top downwards ignores. Folders above
// start add their rules, unless they ignore start itself.
func walk(top, start string) ([]string, error) {
	rel, err := filepath.Rel(top, start)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be listed: %w", start, err)
	}
	rel = filepath.ToSlash(rel)
	var rules []ignoreRule
	if rel != "." {
		at := ""
		for seg := range strings.SplitSeq(rel, "/") {
			more, err := ignoreRules(filepath.Join(top, filepath.FromSlash(at)), at)
			if err != nil {
				return nil, fmt.Errorf("%s cannot be listed: %w", start, err)
			}
			rules = append(rules, more...)
			at = path.Join(at, seg)
			if ignored(rules, at, true) {
				return walk(start, start)
			}
		}
	} else {
		rel = ""
	}
	w := walker{top: top}
	if err := w.dir(rel, rules); err != nil {
		return nil, fmt.Errorf("%s cannot be listed: %w", start, err)
	}
	if rel != "" {
		for i, p := range w.paths {
			w.paths[i] = strings.TrimPrefix(p, rel+"/")
		}
	}
	return w.paths, nil
}

type walker struct {
	top   string
	paths []string // relative to top
}

func (w *walker) dir(rel string, rules []ignoreRule) error {
	full := filepath.Join(w.top, filepath.FromSlash(rel))
	own, err := ignoreRules(full, rel)
	if err != nil {
		return err
	}
	// A full slice expression: siblings must not write into one another's rules.
	rules = append(rules[:len(rules):len(rules)], own...)
	files, err := os.ReadDir(full)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range files {
		p := path.Join(rel, f.Name())
		if private(f.Name()) || ignored(rules, p, f.IsDir()) {
			continue
		}
		if !f.IsDir() {
			w.paths = append(w.paths, p)
		} else if err := w.dir(p, rules); err != nil {
			return err
		}
	}
	return nil
}
