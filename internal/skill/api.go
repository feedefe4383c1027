package skill

import (
	"errors"
	"path/filepath"
)

func join(dir, name string) string { return filepath.Join(dir, name) }

// Roots are the folders skills are looked for in.
type Roots struct {
	Top  string   // the project's top, where evals/ is
	Dirs []string // from the working folder up to Top
	User []string // ~/.claude/skills, ~/.agents/skills, $CODEX_HOME/skills
}

// RootsOf are the roots seen from cwd: its git work tree up to the top, else cwd alone, and the user's folders.
func RootsOf(getenv func(string) string, cwd string) Roots { return Roots{} }

// Find lists the skills of that name; none is no error. name is a folder's name, plugin:name, or a path (it has a
// separator in it) of a skill's folder or SKILL.md.
func Find(roots Roots, name string) ([]Found, error) { return nil, errors.ErrUnsupported }

// One is Find where exactly one skill is wanted: *Ambiguous where there are several, *Missing where there is none.
func One(roots Roots, name string) (Found, error) { return Found{}, errors.ErrUnsupported }

// Change returns text with d made, every other byte as it was. The error is a *Refusal.
func Change(text []byte, d Diff) ([]byte, error) { return nil, errors.ErrUnsupported }

// Stage returns what Change makes of the file, which stays as it is.
func Stage(file string, d Diff) (variant []byte, err error) { return nil, errors.ErrUnsupported }

// Staged is a copy of a skill's folder with a change made in it.
type Staged struct {
	Dir     string `json:"dir"`     // the copy
	File    string `json:"file"`    // its SKILL.md, the variant
	Base    string `json:"base"`    // Hash of the original
	Variant string `json:"variant"` // Hash of the variant
}

// StageCopy copies the skill's folder to dir, which must not exist or be such a copy, and makes the change there.
func StageCopy(f Found, d Diff, dir string) (Staged, error) { return Staged{}, errors.ErrUnsupported }

// Applied is what Apply and Undo did.
type Applied struct {
	File      string   `json:"file"`
	Manifests []string `json:"manifests"`
	From      string   `json:"from"` // version before; "" without a plugin
	To        string   `json:"to"`   // and after
	Run       int      `json:"run"`  // number of the record in the log
	Hash      string   `json:"hash"` // of SKILL.md now
}

// Apply makes the change in SKILL.md, raises the last number of the version in f.Manifests, and appends record (a JSON
// object, as runs.Append takes it) to f.Runs(): all or, whatever happens, nothing. base, where it is not "", is
// the Hash that SKILL.md must still have.
func Apply(f Found, d Diff, base string, record []byte) (Applied, error) {
	return Applied{}, errors.ErrUnsupported
}

// Undo takes the last Apply back, byte for byte; it refuses where one of the files has changed since.
func Undo(f Found) (Applied, error) { return Applied{}, errors.ErrUnsupported }
