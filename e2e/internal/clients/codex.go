//go:build unix

package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// CodexOptions describes a Codex profile.
type CodexOptions struct {
	Model      string        // base URL of the scripted model
	Name       string        // of the model; "" is one that Codex does not know, which gets plain tools
	Plugin     string        // folder that is a marketplace and holds one plugin; "" for none
	TrustHooks bool          // run hooks that no person has reviewed
	Untrusted  bool          // the working folder is not a trusted project: its sandbox is read-only
	Config     string        // further lines of config.toml, before its tables
	Args       []string      // further arguments of every run
	Env        []string      // further variables, "NAME=value"
	Home       string        // home folder, not below the temporary folder; "" makes one
	Dir        string        // working folder; "" makes one with an empty git repository
	Timeout    time.Duration // of one run; 0 is three minutes
}

// CodexProfile is Codex with a home, a configuration and a working folder of its own. None of them is
// below the temporary folder, which Codex's sandbox leaves open and where it refuses to keep its own.
type CodexProfile struct {
	Home, Config, Dir string

	program string
	opts    CodexOptions
}

// Codex makes a profile that knows no account and no project but the working folder, and installs the
// plugin as a user would: marketplace add, plugin add.
func Codex(t testing.TB, opts CodexOptions) *CodexProfile {
	t.Helper()
	root := outsideTemp(t)
	c := &CodexProfile{program: codexPkg.install(t), opts: opts, Home: opts.Home, Dir: opts.Dir}
	if c.Home == "" {
		c.Home = mkdir(t, filepath.Join(root, "home"))
	}
	c.Config = mkdir(t, filepath.Join(c.Home, ".codex"))
	if c.Dir == "" {
		c.Dir = mkdir(t, filepath.Join(root, "work"))
		gitInit(t, c.Dir)
	}
	if err := os.WriteFile(filepath.Join(c.Config, "config.toml"), []byte(c.config()), 0o600); err != nil {
		t.Fatal(err)
	}
	if opts.Plugin != "" {
		c.add(t, opts.Plugin)
	}
	return c
}

func (c *CodexProfile) config() string {
	name := c.opts.Name
	if name == "" {
		name = "scripted"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "model = %q\nmodel_provider = \"scripted\"\ncheck_for_update_on_startup = false\n%s\n", name, c.opts.Config)
	fmt.Fprintf(&b, "[model_providers.scripted]\nname = \"scripted\"\nbase_url = %q\nwire_api = \"responses\"\nenv_key = \"SCRIPTED_KEY\"\n", c.opts.Model+"/v1")
	fmt.Fprintf(&b, "request_max_retries = 0\nstream_max_retries = 0\n\n")
	// At a terminal the client would wait for a daemon that does not come up in a profile like this.
	fmt.Fprintf(&b, "[features]\ndaemon_auto_start = false\n\n")
	if !c.opts.Untrusted {
		fmt.Fprintf(&b, "[projects.%q]\ntrust_level = \"trusted\"\n", c.Dir)
	}
	return b.String()
}

func (c *CodexProfile) add(t testing.TB, dir string) {
	t.Helper()
	market, plugin := names(t, dir)
	for _, args := range [][]string{{"plugin", "marketplace", "add", dir}, {"plugin", "add", plugin + "@" + market}} {
		if res := c.Command(t, args...); res.Code != 0 {
			t.Fatalf("e2e: codex %s: exit %d\n%s%s", strings.Join(args, " "), res.Code, res.Stdout, res.Stderr)
		}
	}
}

// names reads the marketplace's and its first plugin's name.
func names(t testing.TB, dir string) (market, plugin string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, ".claude-plugin", "marketplace.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Name    string
		Plugins []struct{ Name string }
	}
	if err := json.Unmarshal(b, &m); err != nil || len(m.Plugins) == 0 {
		t.Fatalf("e2e: %s/.claude-plugin/marketplace.json names no plugin (%v)", dir, err)
	}
	return m.Name, m.Plugins[0].Name
}

// Env is the whole environment of the client's process.
func (c *CodexProfile) Env() []string {
	return environment(append([]string{
		"HOME=" + c.Home,
		"CODEX_HOME=" + c.Config,
		"SCRIPTED_KEY=" + dummyKey,
		"GIT_CONFIG_GLOBAL=/dev/null",
	}, c.opts.Env...)...)
}

// Prompt runs one prompt to the end of the model's turn (codex exec), in the sandbox that is the
// default for a trusted project: workspace-write.
func (c *CodexProfile) Prompt(t testing.TB, prompt string, args ...string) Result {
	t.Helper()
	argv := []string{c.program, "exec", "--json"}
	if c.opts.TrustHooks {
		argv = append(argv, "--dangerously-bypass-hook-trust")
	}
	argv = append(append(append(argv, c.opts.Args...), args...), "-")
	res := c.run(t, prompt, argv)
	for line := range bytes.Lines([]byte(res.Stdout)) {
		var event struct {
			Type   string
			Thread string `json:"thread_id"`
			Item   struct{ Type, Text string }
		}
		if json.Unmarshal(line, &event) != nil {
			continue
		}
		if event.Thread != "" {
			res.Session = event.Thread
		}
		if event.Item.Type == "agent_message" {
			res.Text = event.Item.Text
		}
	}
	return res
}

// Command runs a subcommand, for instance "plugin", "list".
func (c *CodexProfile) Command(t testing.TB, args ...string) Result {
	t.Helper()
	return c.run(t, "", append([]string{c.program}, args...))
}

// Interactive is the command line of the client at a terminal; see package tty.
func (c *CodexProfile) Interactive() []string {
	return append([]string{c.program}, c.opts.Args...)
}

func (c *CodexProfile) run(t testing.TB, stdin string, argv []string) Result {
	t.Helper()
	return program{argv: argv, dir: c.Dir, env: c.Env(), stdin: stdin, timeout: c.opts.Timeout}.run(t)
}
