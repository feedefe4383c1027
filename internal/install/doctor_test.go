package install

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulph/internal/version"
)

func (l *lab) doctor(client string) Report {
	l.t.Helper()
	r, err := Doctor(context.Background(), l.Machine, version.Version, client)
	if err != nil {
		l.t.Fatal(err)
	}
	fits(l.t, "doctor", r)
	return r
}

func finding(t *testing.T, r Report, id string) Finding {
	t.Helper()
	for _, f := range r.Findings {
		if f.ID == id {
			return f
		}
	}
	t.Fatalf("no finding %s: %+v", id, r.Findings)
	return Finding{}
}

// sound is a machine with everything in place.
func sound(t *testing.T) *lab {
	t.Helper()
	l := newLab(t)
	l.withGo("one")
	l.withClaude(claudeMarketsText(l.root), claudePluginsText(version.Version, true, ""))
	l.withCodex(codexMarketsText(l.root), codexPluginsText(version.Version, true), codexHooksText(true, nil))
	l.tool("gemini", "echo 0.61.0\n")
	t.Setenv("PATH", filepath.Join(l.home, ".local/bin")+":"+os.Getenv("PATH"))
	for name, script := range binaryScripts(version.Version) {
		l.write(filepath.Join(l.cache(), name), script, 0o755)
	}
	l.write(filepath.Join(l.cache(), "version"), version.Version+"\n", 0o644)
	l.mkdir(filepath.Join(l.home, ".local/bin"))
	l.link(filepath.Join(l.cache(), "hoyeon-cli"), filepath.Join(l.home, ".local/bin/hoyeon-cli"))
	l.beat("s1", "2026-11-30T19:00:00Z", version.Version)
	return l
}

func (l *lab) beat(sid, at, version string) {
	l.write(filepath.Join(l.home, ".hoyeon/heartbeat", sid+".json"), `{"at":"`+at+`","event":"UserPromptSubmit","version":"`+version+`"}`+"\n", 0o600)
}

func TestASoundMachineHasNothingBroken(t *testing.T) {
	l := sound(t)
	r := l.doctor("")
	got := map[string]Health{}
	for _, f := range r.Findings {
		got[f.ID] = f.Health
	}
	want(t, got, map[string]Health{
		"binaries": OK, "path": OK, "state": OK, "sandbox": OK, "claude.plugin": OK, "claude.hooks": OK, "codex.plugin": OK, "codex.hooks": OK,
		"hooks": OK, "claude.cap": OK, "judge.claude": OK, "judge.codex": OK, "judge.gemini": OK,
	})
	if !r.OK || !r.HooksAlive || r.Root != l.root || r.Session != "" || r.Version != version.Version {
		t.Errorf("%+v", r)
	}
	want(t, finding(t, r, "codex.hooks").Detail, "5, trusted")
	want(t, finding(t, r, "hooks").Detail, "UserPromptSubmit ran at 2026-11-30T19:00:00Z")
}

// Each case breaks one thing on a sound machine and names the one finding that must say so.
func TestEveryFaultIsFoundWithItsFix(t *testing.T) {
	untrusted := map[string]string{"sessionStart": "untrusted", "sessionEnd": "untrusted", "userPromptSubmit": "untrusted", "subagentStop": "untrusted", "stop": "untrusted"}
	for what, test := range map[string]struct {
		breakIt     func(l *lab)
		client      string
		id          string
		health      Health
		detail, fix string
		also        string // another finding that the same fault breaks
	}{
		"no build": {
			breakIt: func(l *lab) { os.Remove(filepath.Join(l.cache(), "hoyeon-hook")) },
			id:      "binaries", health: Broken, detail: "has no complete build of " + version.Version, fix: "/bin/hoyeon-cli' install",
		},
		"a binary of another machine": {
			breakIt: func(l *lab) { l.write(filepath.Join(l.cache(), "hoyeon-hook"), "\x7fELF nonsense", 0o755) },
			id:      "binaries", health: Broken, detail: "hoyeon-hook: ", fix: "install",
		},
		"a binary of another version": {
			breakIt: func(l *lab) {
				l.write(filepath.Join(l.cache(), "hoyeon-cli"), "#!/bin/sh\necho hoyeon-cli v0.0.1\n", 0o755)
			},
			id: "binaries", health: Broken, detail: `it is "hoyeon-cli v0.0.1", not "hoyeon-cli v` + version.Version + `"`, fix: "install", also: "path",
		},
		"a hook that talks": {
			breakIt: func(l *lab) { l.write(filepath.Join(l.cache(), "hoyeon-hook"), "#!/bin/sh\necho hi\n", 0o755) },
			id:      "binaries", health: Broken, detail: "it answers no event with something", fix: "install",
		},
		"sources newer than the build": {
			breakIt: func(l *lab) {
				l.mkdir(filepath.Join(l.root, ".git"))
				l.write(filepath.Join(l.root, "internal/new.go"), "package internal\n", 0o644)
			},
			id: "binaries", health: Note, detail: ", older than internal/new.go", fix: "/scripts/build'`",
		},
		"another program first on PATH": {
			breakIt: func(l *lab) {
				l.tool("hoyeon-cli", "echo 1.7.1\n")
				l.t.Setenv("PATH", l.bin+":"+os.Getenv("PATH"))
			},
			id: "path", health: Broken, detail: "/tools/hoyeon-cli is another program or version (1.7.1), not " + version.Version, fix: "remove it, or put ours before it on PATH; then run `",
		},
		"not on PATH": {
			breakIt: func(l *lab) { os.Remove(filepath.Join(l.home, ".local/bin/hoyeon-cli")) },
			id:      "path", health: Note, detail: "hoyeon-cli is not on PATH", fix: "install",
		},
		"linked, but not on PATH": {
			breakIt: func(l *lab) { l.t.Setenv("PATH", l.bin+":/usr/bin:/bin") },
			id:      "path", health: Note, detail: "hoyeon-cli is not on PATH", fix: "/.local/bin on PATH in your shell's profile",
		},
		"no folder for the state": {
			breakIt: func(l *lab) {
				l.write(filepath.Join(l.home, "file"), "", 0o600)
				l.t.Setenv("HOYEON_HOME", filepath.Join(l.home, "file"))
			},
			id: "state", health: Broken, detail: "file", fix: "set HOYEON_HOME",
		},
		"the second folder for the state": {
			breakIt: func(l *lab) {
				os.RemoveAll(filepath.Join(l.home, ".hoyeon"))
				l.write(filepath.Join(l.home, ".hoyeon"), "", 0o600)
			},
			id: "state", health: Note, detail: "/.hoyeon, since ", fix: `sandbox_workspace_write.writable_roots = ["`,
		},
		"a sandbox": {
			breakIt: func(l *lab) { l.t.Setenv("CODEX_SANDBOX", "seatbelt") },
			id:      "sandbox", health: Note, detail: "Codex's sandbox (seatbelt)", fix: "outside of it",
		},
		"no Claude Code": {
			breakIt: func(l *lab) { os.Remove(filepath.Join(l.bin, "claude")) },
			id:      "claude.plugin", health: Note, detail: "Claude Code is not on PATH", fix: "install Claude Code",
		},
		"no Claude Code where it is asked for": {
			breakIt: func(l *lab) { os.Remove(filepath.Join(l.bin, "claude")) }, client: "claude",
			id: "claude.plugin", health: Broken, detail: "Claude Code is not on PATH", fix: "install Claude Code",
		},
		"the plugin is not installed": {
			breakIt: func(l *lab) { l.withClaude("[]", "[]") },
			id:      "claude.plugin", health: Note, detail: "Claude Code has no rulph@hoyeon", fix: "run `hoyeon-cli install --claude`",
		},
		"the plugin is not installed where it is asked for": {
			breakIt: func(l *lab) { l.withCodex("", `{"installed":[]}`, "") }, client: "codex",
			id: "codex.plugin", health: Broken, detail: "Codex has no rulph@hoyeon", fix: "run `hoyeon-cli install --codex`",
		},
		"the plugin is switched off": {
			breakIt: func(l *lab) { l.withClaude("", claudePluginsText(version.Version, false, "")) },
			id:      "claude.plugin", health: Broken, detail: "switched off in Claude Code", fix: "run `claude plugin enable rulph@hoyeon`",
		},
		"the plugin does not load": {
			breakIt: func(l *lab) {
				l.withClaude("", claudePluginsText(version.Version, true, `,"errors":["Hook load failed: [\n  {}\n]"]`))
			},
			id: "claude.plugin", health: Broken, detail: "Claude Code cannot load it: ]", fix: "install",
		},
		"the plugin is old": {
			breakIt: func(l *lab) { l.withCodex("", codexPluginsText("0.0.9", true), "") },
			id:      "codex.plugin", health: Broken, detail: "Codex has rulph@hoyeon 0.0.9, this is " + version.Version, fix: "run `hoyeon-cli install --codex`",
		},
		"a client without plugins": {
			breakIt: func(l *lab) { l.tool("claude", "[ \"$1\" = --version ] || exit 2\n") },
			id:      "claude.plugin", health: Broken, detail: "claude plugin list --json: exit status 2", fix: "update Claude Code",
		},
		"all hooks switched off": {
			breakIt: func(l *lab) {
				l.write(filepath.Join(l.home, ".claude/settings.json"), `{"model":"x","disableAllHooks":true}`, 0o600)
			},
			id: "claude.hooks", health: Broken, detail: "/.claude/settings.json switches all hooks off", fix: "remove disableAllHooks",
		},
		"hooks switched off in the project": {
			breakIt: func(l *lab) {
				l.write(filepath.Join(l.Cwd, ".claude/settings.local.json"), `{"disableAllHooks":true}`, 0o600)
			},
			id: "claude.hooks", health: Broken, detail: "settings.local.json switches all hooks off", fix: "remove disableAllHooks",
		},
		"hooks nobody has trusted": {
			breakIt: func(l *lab) {
				l.withCodex("", codexPluginsText(version.Version, true), codexHooksText(true, untrusted))
			},
			id: "codex.hooks", health: Broken, detail: "nobody has trusted the plugin's hooks, so Codex passes them over: sessionStart, sessionEnd, userPromptSubmit, subagentStop, stop", fix: "open /hooks",
		},
		"hooks of a plugin that changed": {
			breakIt: func(l *lab) {
				l.withCodex("", codexPluginsText(version.Version, true), codexHooksText(true, map[string]string{"stop": "modified"}))
			},
			id: "codex.hooks", health: Broken, detail: "the plugin changed since its hooks were trusted, so Codex passes them over: stop", fix: "open /hooks",
		},
		"hooks switched off in Codex": {
			breakIt: func(l *lab) {
				l.withCodex("", codexPluginsText(version.Version, true), codexHooksText(false, nil))
			},
			id: "codex.hooks", health: Broken, detail: "switched off: sessionStart", fix: "switch them on",
		},
		"hooks that Codex does not see": {
			breakIt: func(l *lab) {
				l.withCodex("", codexPluginsText(version.Version, true), `{"id":2,"result":{"data":[]}}`+"\n")
			},
			id: "codex.hooks", health: Broken, detail: "Codex sees none of the plugin's hooks", fix: "config.toml",
		},
		"a Codex that does not say, and a record": {
			breakIt: func(l *lab) {
				l.withCodex("", codexPluginsText(version.Version, true), "")
				record, err := os.ReadFile("testdata/config.toml")
				if err != nil {
					l.t.Fatal(err)
				}
				l.write(filepath.Join(l.home, ".codex/config.toml"), string(record), 0o600)
			},
			id: "codex.hooks", health: Note, detail: "has a record of trust in session_start, stop; whether it still holds Codex does not say: codex app-server: it ended without an answer", fix: "open /hooks",
		},
		"a Codex that does not say, and no record": {
			breakIt: func(l *lab) {
				l.withCodex("", codexPluginsText(version.Version, true), "")
				l.write(filepath.Join(l.home, ".codex/config.toml"), "model = \"m\"\n", 0o600)
			},
			id: "codex.hooks", health: Broken, detail: "has no record of trust", fix: "open /hooks",
		},
		"no sign of the hooks": {
			breakIt: func(l *lab) { os.RemoveAll(filepath.Join(l.home, ".hoyeon/heartbeat")) },
			id:      "hooks", health: Note, detail: "no session has left a sign of its hooks yet", fix: "name a skill of rulph in a prompt",
		},
		"no sign of this session's hooks": {
			breakIt: func(l *lab) { l.t.Setenv("CLAUDE_CODE_SESSION_ID", "s2") },
			id:      "hooks", health: Note, detail: "this session has left no sign of its hooks yet", fix: "name a skill of rulph in a prompt",
		},
		"a sign that is half written": {
			breakIt: func(l *lab) { l.write(filepath.Join(l.home, ".hoyeon/heartbeat/s1.json"), `{"at":"2026`, 0o600) },
			id:      "hooks", health: Note, detail: "no session has left a sign", fix: "name a skill",
		},
		"hooks of an older version": {
			breakIt: func(l *lab) { l.beat("s1", "2026-11-30T19:00:00Z", "0.0.9") },
			id:      "hooks", health: Note, detail: "as version 0.0.9; this is " + version.Version, fix: "start the session anew",
		},
		"a low cap": {
			breakIt: func(l *lab) { l.t.Setenv("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "2") },
			id:      "claude.cap", health: Note, detail: "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP is 2: a turn can end with the loop unfinished", fix: "set it to 8",
		},
		"no cap": {
			breakIt: func(l *lab) { l.t.Setenv("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "0") },
			id:      "claude.cap", health: OK, detail: "is 0: Claude Code sets no limit",
		},
		"a high cap": {
			breakIt: func(l *lab) { l.t.Setenv("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "30") },
			id:      "claude.cap", health: OK, detail: "is 30",
		},
		"a cap that is no number": {
			breakIt: func(l *lab) { l.t.Setenv("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "many") },
			id:      "claude.cap", health: Note, detail: `is "many", which is no number`, fix: "unset",
		},
		"a judge that is not there": {
			breakIt: func(l *lab) { os.Remove(filepath.Join(l.bin, "gemini")) },
			id:      "judge.gemini", health: Note, detail: "gemini is not on PATH: as a judge it is skipped",
		},
		"a judge that does not start": {
			breakIt: func(l *lab) { l.tool("gemini", "echo 'needs node 20' >&2; exit 1\n") },
			id:      "judge.gemini", health: Broken, detail: "does not start: exit status 1: needs node 20", fix: "--version` to see why",
		},
	} {
		t.Run(what, func(t *testing.T) {
			l := sound(t)
			test.breakIt(l)
			r := l.doctor(test.client)
			f := finding(t, r, test.id)
			if f.Health != test.health || !strings.Contains(f.Detail, test.detail) || !strings.Contains(f.Fix, test.fix) || (test.fix == "") != (f.Fix == "") {
				t.Errorf("got %+v\nwant %s, with %q and the fix %q", f, test.health, test.detail, test.fix)
			}
			for _, other := range r.Findings {
				if other.ID != test.id && other.ID != test.also && other.Health == Broken {
					t.Errorf("%s is broken too: %s", other.ID, other.Detail)
				}
			}
			if r.OK != (test.health != Broken) {
				t.Errorf("ok is %v", r.OK)
			}
		})
	}
}

func TestTheSignOfThisSessionCounts(t *testing.T) {
	l := sound(t)
	l.beat("s2", "2026-11-30T20:00:00Z", version.Version)
	if r := l.doctor(""); !strings.HasSuffix(finding(t, r, "hooks").Detail, "20:00:00Z") {
		t.Errorf("outside of a session the newest counts: %+v", finding(t, r, "hooks"))
	}
	t.Setenv("CODEX_SESSION_ID", "s1")
	r := l.doctor("codex")
	if !r.HooksAlive || r.Session != "s1" || !strings.HasSuffix(finding(t, r, "hooks").Detail, "19:00:00Z") {
		t.Errorf("%+v", r)
	}
	t.Setenv("CODEX_SESSION_ID", "s3")
	if r := l.doctor("codex"); r.HooksAlive {
		t.Error("the sign of another session counts as this one's")
	}
}

func TestOneClientAlone(t *testing.T) {
	l := sound(t)
	for client, others := range map[string][]string{"claude": {"codex.plugin", "codex.hooks"}, "codex": {"claude.plugin", "claude.hooks", "claude.cap"}} {
		for _, f := range l.doctor(client).Findings {
			for _, other := range others {
				if f.ID == other {
					t.Errorf("--client %s looks at %s", client, f.ID)
				}
			}
		}
	}
	if _, err := Doctor(context.Background(), l.Machine, version.Version, "gemini"); err == nil || err.Error() != `unknown client "gemini"` {
		t.Errorf("error %v", err)
	}
}

func TestDoctorChangesNothing(t *testing.T) {
	l := sound(t)
	before := tree(t, filepath.Dir(l.root))
	l.doctor("")
	after := tree(t, filepath.Dir(l.root))
	// To know whether the home can be written, a file is really created in it: its time changes.
	home := filepath.Join(l.home, ".hoyeon") + " "
	if clean(before, home) != clean(after, home) {
		t.Errorf("changed:\n%s\nwas:\n%s", after, before)
	}
	if l.calls("claude") != nil || l.calls("codex") != nil {
		t.Errorf("the clients were told %q, %q", l.calls("claude"), l.calls("codex"))
	}
}

func clean(list, without string) string {
	var b strings.Builder
	for line := range strings.Lines(list) {
		if !strings.HasPrefix(line, without) {
			b.WriteString(line)
		}
	}
	return b.String()
}
