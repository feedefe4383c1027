//go:build unix

// Package clients installs pinned versions of the real clients (Claude Code, Codex, Gemini CLI) and
// runs them offline, in profiles of their own, against a model on loopback. It knows where their
// binaries lie, which settings keep them away from the network and from the user's configuration, and
// what they print. It refuses to skip: a machine without npm fails the test and is told what to install.
package clients

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// The versions that the contract tests hold for. A new one is a new folder in the cache.
const (
	ClaudeVersion = "2.1.197"
	CodexVersion  = "0.171.0"
	GeminiVersion = "0.61.0"
)

// pkg is an npm package and where its program lies below node_modules, as a glob pattern.
type pkg struct {
	name, version, folder string
	program               string
}

// Claude Code and Codex are native programs in a package of the platform, so neither needs node nor an
// install script. Gemini CLI is one JavaScript bundle.
var (
	claudePkg = pkg{"@anthropic-ai/claude-code", ClaudeVersion, "claude-code", "@anthropic-ai/claude-code-*/claude"}
	codexPkg  = pkg{"@openai/codex", CodexVersion, "codex", "@openai/codex-*/vendor/*/bin/codex"}
	geminiPkg = pkg{"@google/gemini-cli", GeminiVersion, "gemini-cli", "@google/gemini-cli/bundle/gemini.js"}
)

// Install makes sure that Claude Code and Codex are in the cache. Each profile does it by itself; a
// test calls it to keep the download out of its own time.
func Install(t testing.TB) {
	t.Helper()
	claudePkg.install(t)
	codexPkg.install(t)
}

// Cache is the folder that outlives the tests: the clients, and tmux where the machine has none.
func Cache(t testing.TB) string {
	t.Helper()
	base, err := os.UserCacheDir()
	if err != nil {
		t.Fatalf("e2e: no cache folder: %v; set HOME or XDG_CACHE_HOME", err)
	}
	dir := filepath.Join(base, "hoyeon-e2e")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatalf("e2e: the cache folder cannot be made: %v; set XDG_CACHE_HOME to a folder that can be written", err)
	}
	return dir
}

// install returns the path of the program, after installing it once for all packages and processes.
func (p pkg) install(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(Cache(t), p.folder+"-"+p.version)
	err := Once(dir, func(tmp string) error { return p.npm(tmp) })
	if err != nil {
		t.Fatalf("e2e: %s@%s cannot be installed: %v", p.name, p.version, err)
	}
	path, err := p.find(dir)
	if err != nil {
		t.Fatalf("e2e: %v; remove %s to install it again", err, dir)
	}
	return path
}

func (p pkg) find(dir string) (string, error) {
	hits, err := filepath.Glob(filepath.Join(dir, "node_modules", filepath.FromSlash(p.program)))
	if err != nil || len(hits) == 0 {
		return "", fmt.Errorf("%s@%s has no program %s on %s/%s", p.name, p.version, p.program, runtime.GOOS, runtime.GOARCH)
	}
	return hits[0], nil
}

func (p pkg) npm(dir string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("npm is not on PATH; install Node.js 20 or newer with npm (the tests drive the real clients, which npm delivers)")
	}
	// The platform's program is an optional dependency, so a configuration that omits those is overruled.
	args := []string{"install", "--prefix", dir, "--ignore-scripts", "--include=optional", "--no-audit", "--no-fund", "--no-update-notifier", p.name + "@" + p.version}
	var out []byte
	for range 3 { // registries fail now and then
		ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
		cmd := exec.CommandContext(ctx, npm, args...)
		cmd.Dir = dir
		out, err = cmd.CombinedOutput()
		cancel()
		if err == nil {
			_, err = p.find(dir)
			return err
		}
	}
	return fmt.Errorf("npm install: %w\n%s", err, out)
}

// Once makes the folder dir by filling an empty folder beside it and renaming that, so dir is whole or
// absent. Of several processes one does it and the others wait.
func Once(dir string, fill func(tmp string) error) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	lock := flock.New(dir + ".lock")
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("lock %s: %w", lock.Path(), err)
	}
	defer lock.Unlock()
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".partial-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	if err := fill(tmp); err != nil {
		return err
	}
	return os.Rename(tmp, dir)
}
