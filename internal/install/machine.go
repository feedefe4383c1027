// Package install puts rulph in place on one machine and finds out what keeps it from working there: the
// binaries, the name on PATH, the plugin in each client, the hooks. It refuses to overwrite what it did not
// make, and to decide for a person whom to trust: that step it only names.
package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// The names under which the clients know the plugin and the marketplace it comes from.
const (
	Plugin      = "rulph"
	Marketplace = "hoyeon"
	pluginID    = Plugin + "@" + Marketplace
)

// binaries are the two programs, by the names the launchers look for.
var binaries = []string{"hoyeon-hook", "hoyeon-cli"}

// Machine is what this package knows of the computer and the process around it.
type Machine struct {
	Getenv     func(string) string
	Cwd        string // absolute
	Executable string // of this process, absolute; empty where the system does not tell
	OS, Arch   string // as Go names them
}

// This is the machine this process runs on.
func This(getenv func(string) string, cwd string) Machine {
	executable, err := os.Executable()
	if err != nil {
		executable = ""
	}
	return Machine{Getenv: getenv, Cwd: cwd, Executable: executable, OS: runtime.GOOS, Arch: runtime.GOARCH}
}

func (m Machine) platform() string { return m.OS + "-" + m.Arch }

// home is the user's folder, or an error that says how to name one.
func (m Machine) home() (string, error) {
	if dir := m.Getenv("HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	return "", errors.New("the user's folder is unknown: $HOME is not set to an absolute path")
}

// cached is the folder for the binaries of a version, where the launchers look: their rule, word for word.
func (m Machine) cached(version string) (string, error) {
	dir := m.Getenv("XDG_CACHE_HOME")
	if m.OS == "darwin" || !filepath.IsAbs(dir) {
		home, err := m.home()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(home, ".cache")
		if m.OS == "darwin" {
			dir = filepath.Join(home, "Library", "Caches")
		}
	}
	return filepath.Join(dir, "hoyeon", version+"-"+m.platform()), nil
}

// find returns the absolute path of a command on PATH, the first as a shell would take it, or "".
func (m Machine) find(name string) string {
	for _, dir := range filepath.SplitList(m.Getenv("PATH")) {
		if dir == "" {
			dir = "."
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(m.Cwd, dir)
		}
		path := filepath.Join(dir, name)
		if executable(path) {
			return path
		}
	}
	return ""
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// manifest is what the root of the plugin says of itself.
type manifest struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// readManifest reads the manifest of the plugin in dir. fs.ErrNotExist when dir is not a plugin at all.
func readManifest(dir string) (manifest, error) {
	path := filepath.Join(dir, ".claude-plugin", "plugin.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return manifest{}, err
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return manifest{}, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// ours says whether dir is the root of this plugin.
func ours(dir string) bool {
	m, err := readManifest(dir)
	return err == nil && m.Name == Plugin && m.Version != ""
}

// root finds the plugin's folder: what the launcher said, else the checkout this binary was built in, else
// the folder it was built from, else the plugin around the working folder.
func (m Machine) root() (string, error) {
	var candidates []string
	if dir := m.Getenv("HOYEON_PLUGIN_ROOT"); filepath.IsAbs(dir) {
		candidates = append(candidates, dir)
	}
	if m.Executable != "" {
		dir := filepath.Dir(m.Executable)
		if real, err := filepath.EvalSymlinks(m.Executable); err == nil {
			dir = filepath.Dir(real)
		}
		candidates = append(candidates, filepath.Join(dir, "..", "..", ".."))
		if source := firstLine(filepath.Join(dir, "source")); filepath.IsAbs(source) {
			candidates = append(candidates, source)
		}
	}
	for dir := m.Cwd; ; dir = filepath.Dir(dir) {
		candidates = append(candidates, dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	for _, dir := range candidates {
		if ours(dir) {
			return filepath.Clean(dir), nil
		}
	}
	return "", errors.New("the plugin's folder is nowhere to be seen")
}

// built says whether dir has both binaries of a version.
func built(dir, version string) bool {
	if firstLine(filepath.Join(dir, "version")) != version {
		return false
	}
	for _, name := range binaries {
		if !executable(filepath.Join(dir, name)) {
			return false
		}
	}
	return true
}

// firstLine is the first line of a small file, or "".
func firstLine(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return line
}

// exists says whether something is at path; a link that leads nowhere counts.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// quote makes text one word of a POSIX shell command.
func quote(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-@:+,=", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
