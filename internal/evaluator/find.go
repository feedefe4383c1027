package evaluator

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Program is a Spec whose program is there.
type Program struct {
	Spec
	Path string   // of the program, absolute
	Env  []string // the environment that it was found in; what it gets of it, clientEnv says
}

// Unusable says why a judge or an improver cannot be used here, which is no fault of its.
type Unusable struct {
	Reason string // a clause: "codex is not installed"
	Hint   string // the way out
}

func (u *Unusable) Error() string {
	if u.Hint == "" {
		return u.Reason
	}
	return u.Reason + "; " + u.Hint
}

// install is how each client is installed.
var install = map[Kind]string{
	Claude: "npm install -g @anthropic-ai/claude-code",
	Codex:  "npm install -g @openai/codex",
	Gemini: "npm install -g @google/gemini-cli",
}

// Find looks a program up, without starting it: on the PATH of environ, or from dir where a command's
// path is relative. The error is an *Unusable. Checks and Fix are found without a program.
func Find(s Spec, environ []string, dir string) (Program, error) {
	p := Program{Spec: s, Env: environ}
	name := string(s.Kind)
	switch {
	case s.Kind == Checks || s.Kind == Fix:
		return p, nil
	case s.Kind == CommandLine && len(s.Argv) == 0:
		return Program{}, &Unusable{Reason: "the command names no program"}
	case s.Kind == CommandLine:
		name = s.Argv[0]
	case value(environ, "CODEX_SANDBOX_NETWORK_DISABLED") == "1":
		return Program{}, &Unusable{
			Reason: fmt.Sprintf("%s cannot reach its model: this is Codex's sandbox, which has no network", s.Kind),
			Hint:   "let Codex run the command outside of its sandbox, run it in a terminal of your own, or set network_access = true under [sandbox_workspace_write] in Codex's config.toml",
		}
	}
	if strings.ContainsRune(name, '/') || filepath.IsAbs(name) {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		found, err := exec.LookPath(path)
		if err != nil {
			return Program{}, &Unusable{Reason: fmt.Sprintf("there is no program %s", path), Hint: "a relative path is looked for from " + dir + "; it has to be executable"}
		}
		p.Path = found
		return p, nil
	}
	// A relative folder on PATH would find another program in every working folder.
	for _, folder := range filepath.SplitList(value(environ, "PATH")) {
		if !filepath.IsAbs(folder) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			p.Path = found
			return p, nil
		}
	}
	u := &Unusable{Reason: name + " is not installed"}
	switch {
	case s.Kind == CommandLine:
		u.Reason = fmt.Sprintf("there is no program %s on PATH", name)
		u.Hint = "write ./" + name + " for a program of this folder"
	default:
		u.Hint = install[s.Kind] + ", then log in once by starting " + name
	}
	return Program{}, u
}

// value is a variable of an environment; the last one wins, as for a process.
func value(environ []string, name string) string {
	for i := len(environ) - 1; i >= 0; i-- {
		key, v, _ := strings.Cut(environ[i], "=")
		if isVariable(key, name) {
			return v
		}
	}
	return ""
}
