package skill

import (
	"path/filepath"

	"rulph/internal/session"
)

// Roots are the folders skills are looked for in. Paths are absolute.
type Roots struct {
	Top  string   // the project's top, where evals/ is
	Dirs []string // from the working folder up to Top
	User []string // ~/.claude/skills, ~/.agents/skills, $CODEX_HOME/skills
}

// RootsOf are the roots seen from cwd: the folders up to the top of its git work tree, or cwd alone where there is
// none, and the user's. $CLAUDE_CONFIG_DIR and $CODEX_HOME are heeded as the clients do.
func RootsOf(getenv func(string) string, cwd string) Roots {
	cwd = filepath.Clean(cwd)
	r := Roots{Top: cwd}
	home := getenv("HOME")
	if home == "" {
		home = getenv("USERPROFILE")
	}
	for dir := cwd; ; {
		r.Dirs = append(r.Dirs, dir)
		if session.IsWorkTree(dir) {
			r.Top = dir
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			r.Dirs = []string{cwd}
			break
		}
		dir = up
	}
	user := func(variable, byDefault, below string) {
		dir := getenv(variable)
		if dir == "" && home != "" {
			dir = filepath.Join(home, byDefault)
		}
		if filepath.IsAbs(dir) {
			r.User = append(r.User, filepath.Join(dir, below))
		}
	}
	user("CLAUDE_CONFIG_DIR", ".claude", "skills")
	user("", ".agents", "skills")
	user("CODEX_HOME", ".codex", "skills")
	return r
}
