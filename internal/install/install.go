package install

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
)

// Status is how a step of the installation went.
type Status string

// What a step can come to.
const (
	Done      Status = "done"
	Unchanged Status = "unchanged" // it was so already
	Planned   Status = "planned"   // a dry run: it would be done
	Skipped   Status = "skipped"   // nothing to do it with; the detail says what
	Failed    Status = "failed"
)

// Step is one thing that an installation does.
type Step struct {
	ID       string   `json:"id"` // binaries, link, claude.marketplace, claude.plugin, codex.marketplace, codex.plugin
	Status   Status   `json:"status"`
	Detail   string   `json:"detail"`
	Commands []string `json:"commands,omitempty"` // what was run, or would be, as a person would type it
	Fix      string   `json:"fix,omitempty"`      // the way out of a failure
}

// Result is what an installation did; the shape of `hoyeon-cli install --json`.
type Result struct {
	Schema  int      `json:"schema"`
	OK      bool     `json:"ok"` // no step failed
	DryRun  bool     `json:"dry_run"`
	Version string   `json:"version"` // of the plugin that was installed
	Root    string   `json:"root"`    // its folder
	Steps   []Step   `json:"steps"`
	Todo    []string `json:"todo"` // what only a person can do, in order
}

// Options say what to install.
type Options struct {
	Clients []string // "claude", "codex"; none: those found on PATH
	DryRun  bool     // look, and change nothing
}

// ClientNames lists the clients that Options may name.
func ClientNames() []string {
	var names []string
	for _, c := range clients {
		names = append(names, c.id)
	}
	return names
}

// Install puts the binaries into the cache, hoyeon-cli on PATH, and the plugin into the clients. Doing it
// again changes nothing that is in place. A step that fails does not stop the others. The error is for what
// no step could begin with: no plugin folder, a client nobody knows.
func Install(ctx context.Context, m Machine, o Options) (Result, error) {
	for _, name := range o.Clients {
		if !slices.Contains(ClientNames(), name) {
			return Result{}, fmt.Errorf("unknown client %q", name)
		}
	}
	root, err := m.root()
	if err != nil {
		return Result{}, err
	}
	manifest, err := readManifest(root)
	if err != nil {
		return Result{}, err
	}
	r := Result{Schema: 1, DryRun: o.DryRun, Version: manifest.Version, Root: root, Todo: []string{}}
	dir, err := m.cached(manifest.Version)
	if err != nil {
		return Result{}, err
	}
	r.Steps = append(r.Steps, m.installBinaries(ctx, root, dir, manifest.Version, o.DryRun))
	link, todo := m.link(filepath.Join(dir, "hoyeon-cli"), o.DryRun)
	r.Steps = append(r.Steps, link)
	r.Todo = append(r.Todo, todo...)

	for _, c := range clients {
		asked := slices.Contains(o.Clients, c.id)
		if len(o.Clients) > 0 && !asked {
			continue
		}
		path := m.find(c.id)
		if path == "" {
			step := Step{ID: c.id, Status: Skipped, Detail: c.title + " is not on PATH"}
			if asked {
				step.Status, step.Fix = Failed, "install "+c.title+", or put its command on PATH"
			}
			r.Steps = append(r.Steps, step)
			continue
		}
		steps, todo := register(ctx, installed{c, path}, root, manifest.Version, o.DryRun)
		r.Steps = append(r.Steps, steps...)
		r.Todo = append(r.Todo, todo...)
	}
	r.OK = !slices.ContainsFunc(r.Steps, func(s Step) bool { return s.Status == Failed })
	return r, nil
}

// sandboxed names the sandbox this process runs in, as far as its variables tell, or "".
func (m Machine) sandboxed() string {
	if kind := m.Getenv("CODEX_SANDBOX"); kind != "" {
		return "Codex's sandbox (" + kind + ")"
	}
	if m.Getenv("CODEX_SANDBOX_NETWORK_DISABLED") != "" {
		return "Codex's sandbox"
	}
	return ""
}

// failed makes a failed step of an error. In a sandbox the way out is to leave it.
func (m Machine) failed(id string, err error, fix string) Step {
	if box := m.sandboxed(); box != "" {
		fix = "run `hoyeon-cli install` in a terminal of your own: this is " + box
	}
	return Step{ID: id, Status: Failed, Detail: err.Error(), Fix: fix}
}
