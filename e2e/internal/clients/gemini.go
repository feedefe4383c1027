//go:build unix

package clients

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// GeminiOptions describes a Gemini CLI profile.
type GeminiOptions struct {
	Model   string        // base URL of the scripted model
	Home    string        // home folder; "" makes one
	Args    []string      // further arguments of every run
	Env     []string      // further variables, "NAME=value"
	Timeout time.Duration // of one run; 0 is three minutes
}

// GeminiProfile is Gemini CLI with a home and a working folder of its own.
type GeminiProfile struct {
	Home, Dir string

	program []string
	opts    GeminiOptions
}

// Gemini makes a profile. The client is installed the first time a test asks for it.
func Gemini(t testing.TB, opts GeminiOptions) *GeminiProfile {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("e2e: node is not on PATH; install Node.js 20 or newer (Gemini CLI is a JavaScript program)")
	}
	bundle := geminiPkg.install(t)
	root := Scratch(t, "")
	c := &GeminiProfile{program: []string{node, bundle}, opts: opts, Home: opts.Home, Dir: mkdir(t, filepath.Join(root, "work"))}
	if c.Home == "" {
		c.Home = mkdir(t, filepath.Join(root, "home"))
	}
	mkdir(t, filepath.Join(c.Home, ".gemini"))
	writeJSON(t, filepath.Join(c.Home, ".gemini", "settings.json"), map[string]any{
		"security": map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}},
		"privacy":  map[string]any{"usageStatisticsEnabled": false},
		"general":  map[string]any{"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
	})
	return c
}

// Env is the whole environment of the client's process.
func (c *GeminiProfile) Env() []string {
	return environment(append([]string{
		"HOME=" + c.Home,
		"GOOGLE_GEMINI_BASE_URL=" + c.opts.Model,
		"GEMINI_API_KEY=" + dummyKey,
		"GEMINI_CLI_NO_RELAUNCH=true",
	}, c.opts.Env...)...)
}

// Prompt runs one prompt with stdin as its context (gemini -p).
func (c *GeminiProfile) Prompt(t testing.TB, prompt, stdin string) Result {
	t.Helper()
	argv := append(append([]string{}, c.program...), "-p", prompt, "-o", "json", "--skip-trust")
	argv = append(argv, c.opts.Args...)
	res := program{argv: argv, dir: c.Dir, env: c.Env(), stdin: stdin, timeout: c.opts.Timeout}.run(t)
	var out struct {
		Response string
		Session  string `json:"session_id"`
	}
	if json.Unmarshal([]byte(res.Stdout), &out) == nil {
		res.Text, res.Session = out.Response, out.Session
	}
	return res
}
