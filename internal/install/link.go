package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
)

// link makes ~/.local/bin/hoyeon-cli a symbolic link to target. What is there and was not made by an earlier
// installation stays. todo says what a person has to do for a shell to find it.
func (m Machine) link(target string, dry bool) (step Step, todo []string) {
	home, err := m.home()
	if err != nil {
		return m.failed("link", err, "set HOME"), nil
	}
	bin := filepath.Join(home, ".local", "bin")
	path := filepath.Join(bin, "hoyeon-cli")
	step = Step{ID: "link", Detail: path}

	switch old, err := os.Readlink(path); {
	case err == nil && old == target:
		step.Status = Unchanged
	case err == nil && !m.madeByUs(old):
		return Step{ID: "link", Status: Failed, Detail: path + " links to " + old + ", which is not ours",
			Fix: "remove it if you do not need it, and run `hoyeon-cli install` again"}, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return Step{ID: "link", Status: Failed, Detail: path + " is there and is not ours",
			Fix: "move it away if you do not need it, and run `hoyeon-cli install` again"}, nil
	case dry:
		step.Status = Planned
	default:
		if err := os.MkdirAll(bin, 0o755); err != nil {
			return m.failed("link", err, "see to it that "+bin+" can be written"), nil
		}
		if err := renameio.Symlink(target, path); err != nil {
			return m.failed("link", err, "see to it that "+bin+" can be written"), nil
		}
		step.Status = Done
	}
	if !slices.Contains(filepath.SplitList(m.Getenv("PATH")), bin) {
		todo = append(todo, fmt.Sprintf("put %s on PATH: add `export PATH=\"$HOME/.local/bin:$PATH\"` to your shell's profile", bin))
	} else if first := m.find("hoyeon-cli"); first != "" && first != path {
		todo = append(todo, fmt.Sprintf("%s comes before %s on PATH: remove it, or put %s first", first, path, bin))
	}
	return step, todo
}

// madeByUs says whether a link's target is what some installation would have linked to: a build in the cache,
// of any version, there or gone.
func (m Machine) madeByUs(target string) bool {
	dir, err := m.cached("")
	if err != nil {
		return false
	}
	return filepath.Base(target) == "hoyeon-cli" && strings.HasPrefix(target, filepath.Dir(dir)+string(filepath.Separator))
}
