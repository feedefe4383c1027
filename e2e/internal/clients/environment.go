//go:build unix

package clients

import (
	"os"
	"os/exec"
	"strings"
	"sync"
)

// passed names the variables that a client's process gets from this one. Everything else is left
// behind: a developer's own CLAUDE_*, CODEX_* and proxy settings must not reach a test.
var passed = []string{"PATH", "LANG", "LC_ALL", "TMPDIR", "GOFLAGS", "GOPROXY", "GOSUMDB", "GOTOOLCHAIN"}

// environment is the passed variables and then set, later ones winning.
func environment(set ...string) []string {
	var env []string
	for _, name := range passed {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	env = append(env, goCaches()...)
	env = append(env, "SHELL=/bin/bash") // what a client's shell tool runs must not depend on the user's own
	return append(env, set...)
}

// goCaches keeps a Go build in a scratch home from starting with nothing.
var goCaches = sync.OnceValue(func() []string {
	names := []string{"GOCACHE", "GOMODCACHE", "GOENV"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		return nil // no Go on PATH: nothing will be built
	}
	var env []string
	for i, v := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if i < len(names) {
			env = append(env, names[i]+"="+v)
		}
	}
	return env
})
