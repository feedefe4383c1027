//go:build unix

package clients

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// dummyKey stands where a key has to be. It opens nothing.
const dummyKey = "sk-scripted-model-on-loopback-only"

// ClaudeOptions describes a Claude Code profile.
type ClaudeOptions struct {
	Model          string         // base URL of the scripted model
	Plugins        []string       // folders for --plugin-dir
	AllowedTools   []string       // permission rules, e.g. "Bash(hoyeon-cli *)"; nothing else is allowed in print mode
	PermissionMode string         // "" is the default mode
	Settings       map[string]any // settings.json of the profile
	Args           []string       // further arguments of every run
	Env            []string       // further variables, "NAME=value"
	Home           string         // home folder; "" makes one
	Dir            string         // working folder; "" makes one with an empty git repository
	Timeout        time.Duration  // of one run; 0 is three minutes
}

// ClaudeProfile is Claude Code with a home, a configuration and a working folder of its own.
type ClaudeProfile struct {
	Home, Config, Dir string

	program string
	opts    ClaudeOptions
}

// Claude makes a profile that knows no account, no plugin and no project but what opts names.
func Claude(t testing.TB, opts ClaudeOptions) *ClaudeProfile {
	t.Helper()
	root := Scratch(t, "")
	c := &ClaudeProfile{program: claudePkg.install(t), opts: opts, Home: opts.Home, Dir: opts.Dir}
	if c.Home == "" {
		c.Home = mkdir(t, filepath.Join(root, "home"))
	}
	c.Config = mkdir(t, filepath.Join(c.Home, ".claude"))
	if c.Dir == "" {
		c.Dir = mkdir(t, filepath.Join(root, "work"))
		gitInit(t, c.Dir)
	}
	writeJSON(t, filepath.Join(c.Config, ".claude.json"), map[string]any{
		"hasCompletedOnboarding": true,
		"theme":                  "dark",
		"customApiKeyResponses":  map[string]any{"approved": []string{dummyKey[len(dummyKey)-20:]}},
		"projects":               map[string]any{c.Dir: map[string]any{"hasTrustDialogAccepted": true}},
	})
	if opts.Settings != nil {
		writeJSON(t, filepath.Join(c.Config, "settings.json"), opts.Settings)
	}
	return c
}

// Env is the whole environment of the client's process.
func (c *ClaudeProfile) Env() []string {
	return environment(append([]string{
		"HOME=" + c.Home,
		"CLAUDE_CONFIG_DIR=" + c.Config,
		"ANTHROPIC_BASE_URL=" + c.opts.Model,
		"ANTHROPIC_API_KEY=" + dummyKey,
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_AUTOUPDATER=1",
		"GIT_CONFIG_GLOBAL=/dev/null",
	}, c.opts.Env...)...)
}

func (c *ClaudeProfile) args(more ...string) []string {
	args := []string{c.program}
	for _, p := range c.opts.Plugins {
		args = append(args, "--plugin-dir", p)
	}
	if c.opts.PermissionMode != "" {
		args = append(args, "--permission-mode", c.opts.PermissionMode)
	}
	if len(c.opts.AllowedTools) > 0 {
		args = append(args, "--allowedTools", strings.Join(c.opts.AllowedTools, ","))
	}
	return append(append(args, c.opts.Args...), more...)
}

// Prompt runs one prompt to the end of the model's turn (claude -p).
func (c *ClaudeProfile) Prompt(t testing.TB, prompt string, args ...string) Result {
	t.Helper()
	more := append([]string{"-p", "--output-format", "json"}, args...)
	res := c.run(t, prompt, c.args(more...))
	var out struct {
		Result  string
		Session string `json:"session_id"`
	}
	if json.Unmarshal([]byte(res.Stdout), &out) == nil {
		res.Text, res.Session = out.Result, out.Session
	}
	return res
}

// Command runs a subcommand, for instance "plugin", "validate", DIR.
func (c *ClaudeProfile) Command(t testing.TB, args ...string) Result {
	t.Helper()
	return c.run(t, "", append([]string{c.program}, args...))
}

// Interactive is the command line of the client at a terminal; see package tty.
func (c *ClaudeProfile) Interactive() []string { return c.args() }

func (c *ClaudeProfile) run(t testing.TB, stdin string, argv []string) Result {
	t.Helper()
	return program{argv: argv, dir: c.Dir, env: c.Env(), stdin: stdin, timeout: c.opts.Timeout}.run(t)
}

func writeJSON(t testing.TB, path string, v any) {
	t.Helper()
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}
