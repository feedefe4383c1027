// Package skill knows the files of a skill: where it is, whose plugin it belongs to, which manifests carry its
// version, and how one small change gets into it. A change is staged on a copy, and applied to SKILL.md, to the
// manifests and to the log of runs together or not at all, whenever the process dies. It refuses a change that is
// not exact, that names the skill anew, or that is the whole file.
package skill

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
)

// MaxSize is the size of a SKILL.md above which it is not read. Claude Code itself reads 1 MiB.
const MaxSize = 8 << 20

// Diff is one proposed change of a SKILL.md, as a model returns it.
type Diff struct {
	Section   string          `json:"section"`             // heading it is in, for the reader
	Old       string          `json:"old"`                 // occurs exactly once
	New       string          `json:"new"`                 // takes its place; "" removes it
	Rationale string          `json:"rationale,omitempty"` // one line
	Gains     json.RawMessage `json:"gains,omitempty"`     // what an efficiency change promises; not read here
}

// Hash identifies the text of a SKILL.md: "sha256:" and 64 hex digits.
func Hash(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Where says in which kind of place a skill was found.
type Where string

// The places, in the order in which they are listed.
const (
	InPlugin Where = "plugin"  // plugins/*/skills/NAME, or skills/NAME of a folder that is a plugin
	InSkills Where = "skills"  // skills/NAME of a folder that is no plugin
	InClaude Where = "claude"  // .claude/skills/NAME
	InAgents Where = "agents"  // .agents/skills/NAME
	InUser   Where = "user"    // ~/.claude/skills, ~/.agents/skills, $CODEX_HOME/skills
	ByPath   Where = "by path" // anywhere else: it was named by its path
)

// Found is one skill on disk. Paths are absolute.
type Found struct {
	Name      string   `json:"name"` // of its folder
	Ref       string   `json:"ref"`  // what Find takes to mean this one alone: its name, plugin:name, or a path
	Dir       string   `json:"dir"`  // the skill's folder
	File      string   `json:"file"` // its SKILL.md
	Where     Where    `json:"where"`
	Plugin    string   `json:"plugin"`               // "" where it belongs to none
	PluginDir string   `json:"plugin_dir,omitempty"` // the plugin's folder
	Version   string   `json:"version"`              // of the plugin; "" where there is none
	Manifests []string `json:"manifests"`            // those that carry Version
	Differing []string `json:"differing"`            // those of the plugin that carry another version
	Evals     string   `json:"evals"`                // evals/<plugin>/<name> at the project's top; it may not exist yet
	State     string   `json:"state"`                // folder of the lock, the journal and what Undo needs
}

// Rubric is where the rubric of the skill is, or will be.
func (f Found) Rubric() string { return filepath.Join(f.Evals, "rubric.md") }

// Runs is where the log of runs is, or will be.
func (f Found) Runs() string { return filepath.Join(f.Evals, "runs.jsonl") }
