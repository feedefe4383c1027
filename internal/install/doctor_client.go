package install

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// judges are the commands that can judge without a session; each is looked for by itself.
var judges = []string{"claude", "codex", "gemini"}

// client looks at one client: is it there, has it the plugin, do the hooks run. wanted turns absence into a
// fault.
func (d doctor) client(ctx context.Context, kind client, wanted bool) []Finding {
	absent := Note
	if wanted {
		absent = Broken
	}
	c := installed{kind, d.find(kind.id)}
	if c.path == "" {
		return []Finding{{ID: c.id + ".plugin", Health: absent, Detail: c.title + " is not on PATH", Fix: "install " + c.title + ", or go on without it"}}
	}
	install := "run `hoyeon-cli install --" + c.id + "`"
	f := Finding{ID: c.id + ".plugin", Health: Broken, Fix: install}
	p, found, err := c.plugin(ctx)
	switch {
	case err != nil:
		f.Detail, f.Fix = err.Error(), "update "+c.title+"; then "+install
		return []Finding{f}
	case !found:
		f.Health, f.Detail = absent, c.title+" has no "+pluginID
		return []Finding{f}
	case !p.enabled:
		f.Detail = pluginID + " is switched off in " + c.title
		f.Fix = "switch it on in the plugin settings of " + c.title
		if c.enablePlugin != nil {
			f.Fix = "run `" + c.line(c.enablePlugin...) + "`"
		}
		return []Finding{f}
	case len(p.faults) > 0:
		f.Detail = c.title + " cannot load it: " + lastLine(firstOf(p.faults...))
		return []Finding{f}
	case p.version != d.version:
		f.Detail = fmt.Sprintf("%s has %s %s, this is %s", c.title, pluginID, p.version, d.version)
		return []Finding{f}
	}
	f = Finding{ID: c.id + ".plugin", Health: OK, Detail: pluginID + " " + p.version}
	if c.id == "codex" {
		return []Finding{f, d.codexHooks(ctx, c)}
	}
	return []Finding{f, d.claudeHooks()}
}

// claudeHooks looks for the one setting that switches all hooks of Claude Code off.
func (d doctor) claudeHooks() Finding {
	config := d.Getenv("CLAUDE_CONFIG_DIR")
	if home, err := d.home(); config == "" && err == nil {
		config = filepath.Join(home, ".claude")
	}
	for _, path := range []string{
		filepath.Join(config, "settings.json"),
		filepath.Join(d.Cwd, ".claude", "settings.json"),
		filepath.Join(d.Cwd, ".claude", "settings.local.json"),
	} {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if hooksOff(data) {
			return Finding{ID: "claude.hooks", Health: Broken, Detail: path + " switches all hooks off",
				Fix: "remove disableAllHooks from " + path}
		}
	}
	return Finding{ID: "claude.hooks", Health: OK, Detail: "not switched off"}
}

// hooksOff reads a settings file of Claude Code. One that does not parse is no business of ours.
func hooksOff(settings []byte) bool {
	var s struct {
		DisableAllHooks bool `json:"disableAllHooks"`
	}
	return json.Unmarshal(settings, &s) == nil && s.DisableAllHooks
}

const trustFix = "start Codex, open /hooks and trust those of rulph; it asks again after each update of the plugin"

// codexHooks asks Codex whether it would run the hooks.
func (d doctor) codexHooks(ctx context.Context, c installed) Finding {
	f := Finding{ID: "codex.hooks", Health: Broken, Fix: trustFix}
	list, err := c.hooks(ctx)
	if err != nil {
		return d.recordedTrust(err)
	}
	switch untrusted, off := list.untrusted(), list.disabled(); {
	case len(list) == 0:
		f.Detail = "Codex sees none of the plugin's hooks"
		f.Fix = "see to it that config.toml does not switch the feature hooks off, and run `hoyeon-cli install --codex`"
	case len(untrusted) > 0 && list.trusted():
		f.Detail = "the plugin changed since its hooks were trusted, so Codex passes them over: " + strings.Join(untrusted, ", ")
	case len(untrusted) > 0:
		f.Detail = "nobody has trusted the plugin's hooks, so Codex passes them over: " + strings.Join(untrusted, ", ")
	case len(off) > 0:
		f.Detail = "switched off: " + strings.Join(off, ", ")
		f.Fix = "start Codex, open /hooks and switch them on"
	default:
		f = Finding{ID: "codex.hooks", Health: OK, Detail: fmt.Sprintf("%d, trusted", len(list))}
	}
	return f
}

// recordedTrust is for a Codex that does not answer: its configuration tells what was trusted once.
func (d doctor) recordedTrust(reason error) Finding {
	dir := d.Getenv("CODEX_HOME")
	if home, err := d.home(); dir == "" && err == nil {
		dir = filepath.Join(home, ".codex")
	}
	path := filepath.Join(dir, "config.toml")
	data, err := os.ReadFile(path)
	if err != nil {
		return Finding{ID: "codex.hooks", Health: Note, Detail: fmt.Sprintf("Codex does not say whether it trusts them: %v", reason), Fix: trustFix}
	}
	events := trustRecords(data)
	if len(events) == 0 {
		return Finding{ID: "codex.hooks", Health: Broken, Detail: path + " has no record of trust in them", Fix: trustFix}
	}
	return Finding{ID: "codex.hooks", Health: Note,
		Detail: fmt.Sprintf("%s has a record of trust in %s; whether it still holds Codex does not say: %v", path, strings.Join(events, ", "), reason),
		Fix:    trustFix}
}

// cap looks at how many blocked stops in a row Claude Code puts up with when no tool is called in between.
func (d doctor) cap(context.Context) []Finding {
	const name, usual = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", 8
	text := d.Getenv(name)
	if text == "" {
		return []Finding{{ID: "claude.cap", Health: OK, Detail: fmt.Sprintf("%s is not set: %d blocked stops in a row without a tool call end a turn", name, usual)}}
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || n < 0:
		return []Finding{{ID: "claude.cap", Health: Note, Detail: name + " is " + strconv.Quote(text) + ", which is no number", Fix: "unset " + name}}
	case n == 0:
		return []Finding{{ID: "claude.cap", Health: OK, Detail: name + " is 0: Claude Code sets no limit; the loop has its own"}}
	case n < usual:
		return []Finding{{ID: "claude.cap", Health: Note,
			Detail: fmt.Sprintf("%s is %d: a turn can end with the loop unfinished; the next prompt takes it up again", name, n),
			Fix:    fmt.Sprintf("unset %s, or set it to %d", name, usual)}}
	}
	return []Finding{{ID: "claude.cap", Health: OK, Detail: fmt.Sprintf("%s is %d", name, n)}}
}

// judge looks for one command-line judge.
func (d doctor) judge(ctx context.Context, name string) []Finding {
	f := Finding{ID: "judge." + name, Health: OK}
	path := d.find(name)
	if path == "" {
		f.Health, f.Detail = Note, name+" is not on PATH: as a judge it is skipped"
		return []Finding{f}
	}
	out, err := capture(ctx, versionTimeout, path, "--version")
	if err != nil {
		f.Health, f.Detail, f.Fix = Broken, fmt.Sprintf("%s does not start: %v", path, err), "run `"+quote(path)+" --version` to see why"
		return []Finding{f}
	}
	f.Detail = path + ", " + lastLine(string(out))
	return []Finding{f}
}
