package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"rulph/internal/session"
)

// versionTimeout is for a program that only has to say its version.
const versionTimeout = 15 * time.Second

// again is the command that sets things right.
func (d doctor) again() string {
	if d.root != "" {
		return "run `sh " + quote(filepath.Join(d.root, "bin", "hoyeon-cli")) + " install`"
	}
	return "run `hoyeon-cli install` in the plugin's folder"
}

// binaries looks at what the launchers would start, and starts it.
func (d doctor) binaries(ctx context.Context) []Finding {
	f := Finding{ID: "binaries", Health: Broken, Fix: d.again()}
	cached, err := d.cached(d.version)
	if err != nil {
		f.Detail, f.Fix = err.Error(), "set HOME"
		return []Finding{f}
	}
	dir := cached
	if d.root != "" {
		if own := filepath.Join(d.root, "bin", ".build", d.platform()); built(own, d.version) {
			dir = own
		}
	}
	if !built(dir, d.version) {
		f.Detail = fmt.Sprintf("%s has no complete build of %s", dir, d.version)
		return []Finding{f}
	}
	out, err := capture(ctx, versionTimeout, filepath.Join(dir, "hoyeon-cli"), "--version")
	if want := "hoyeon-cli v" + d.version; err == nil && strings.TrimSpace(string(out)) != want {
		err = fmt.Errorf("it is %q, not %q", strings.TrimSpace(string(out)), want)
	}
	if err != nil {
		f.Detail = fmt.Sprintf("%s: %v", filepath.Join(dir, "hoyeon-cli"), err)
		return []Finding{f}
	}
	out, err = capture(ctx, versionTimeout, filepath.Join(dir, "hoyeon-hook"))
	if err == nil && len(out) > 0 {
		err = errors.New("it answers no event with something")
	}
	if err != nil {
		f.Detail = fmt.Sprintf("%s: %v", filepath.Join(dir, "hoyeon-hook"), err)
		return []Finding{f}
	}
	f = Finding{ID: "binaries", Health: OK, Detail: d.version + " in " + dir}
	if newer := d.newerSource(filepath.Join(dir, "hoyeon-cli")); newer != "" {
		f.Health = Note
		f.Detail += ", older than " + newer
		f.Fix = "run `" + quote(filepath.Join(d.root, "scripts", "build")) + "`"
	}
	return []Finding{f}
}

// newerSource is a source file of a checkout that changed after binary was built, or "".
func (d doctor) newerSource(binary string) string {
	if d.root == "" || !exists(filepath.Join(d.root, ".git")) {
		return ""
	}
	info, err := os.Stat(binary)
	if err != nil {
		return ""
	}
	newer := ""
	for _, dir := range []string{"cmd", "internal", "schemas", "go.mod"} {
		_ = filepath.WalkDir(filepath.Join(d.root, dir), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
				return nil
			}
			if source, err := entry.Info(); err == nil && source.ModTime().After(info.ModTime()) {
				newer, _ = filepath.Rel(d.root, path)
				return fs.SkipAll
			}
			return nil
		})
	}
	return newer
}

// path looks at what the name hoyeon-cli means in a shell. Claude Code puts the plugin's bin folder last on
// the PATH of its shells, so that any other program of this name hides ours.
func (d doctor) path(ctx context.Context) []Finding {
	f := Finding{ID: "path", Health: OK}
	path := d.find("hoyeon-cli")
	if path == "" {
		f.Health, f.Detail, f.Fix = Note, "hoyeon-cli is not on PATH; the hooks tell a session where it is", d.again()
		if home, err := d.home(); err == nil && executable(filepath.Join(home, ".local", "bin", "hoyeon-cli")) {
			f.Fix = "put " + filepath.Join(home, ".local", "bin") + " on PATH in your shell's profile"
		}
		return []Finding{f}
	}
	f.Detail = path
	out, err := capture(ctx, versionTimeout, path, "--version")
	said := strings.TrimSpace(string(out))
	switch {
	case err != nil:
		f.Health, f.Detail, f.Fix = Broken, fmt.Sprintf("%s does not start: %v", path, err), "remove it, then "+d.again()
	case said != "hoyeon-cli v"+d.version:
		f.Health, f.Detail = Broken, fmt.Sprintf("%s is another program or version (%s), not %s", path, lastLine(said), d.version)
		f.Fix = "remove it, or put ours before it on PATH; then " + d.again()
	}
	return []Finding{f}
}

// state looks at where this session's state would be kept.
func (d doctor) state(context.Context) []Finding {
	f := Finding{ID: "state", Health: OK}
	store, err := session.Writable(d.Getenv, d.Cwd)
	if err != nil {
		f.Health, f.Detail, f.Fix = Broken, err.Error(), "make one of the folders writable, or set HOYEON_HOME to one that is"
		return []Finding{f}
	}
	f.Detail = store.Home
	if homes := session.Homes(d.Getenv, d.Cwd); len(homes) > 1 && store.Home != homes[0].Home {
		f.Health = Note
		f.Detail += ", since " + homes[0].Home + " cannot be written from here; the hooks look in both"
		f.Fix = "for one home, add it to Codex's config.toml: sandbox_workspace_write.writable_roots = [" + strconv.Quote(homes[0].Home) + "]"
	}
	return []Finding{f}
}

// sandbox says which sandbox this process runs in.
func (d doctor) sandbox(context.Context) []Finding {
	box := d.sandboxed()
	if box == "" {
		return []Finding{{ID: "sandbox", Health: OK, Detail: "none that says so"}}
	}
	return []Finding{{ID: "sandbox", Health: Note,
		Detail: box + ": it may refuse the network and every folder but the project's, and with them judges that need one",
		Fix:    "run `hoyeon-cli install`, and judges that need the network, outside of it"}}
}
