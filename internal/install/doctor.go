package install

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// Health is what a finding says of one thing.
type Health string

// The three things a finding can say.
const (
	OK     Health = "ok"
	Note   Health = "note"   // worth knowing; nothing has to be done
	Broken Health = "broken" // something will not work until the fix is carried out
)

// Finding is what was found out about one thing.
type Finding struct {
	ID     string `json:"id"` // for instance binaries, path, codex.hooks, judge.gemini
	Health Health `json:"health"`
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"` // what to do, where something can be done
}

// Report is what `hoyeon-cli doctor --json` prints.
type Report struct {
	Schema     int       `json:"schema"`
	OK         bool      `json:"ok"`      // nothing is broken
	Version    string    `json:"version"` // of this program
	Root       string    `json:"root"`    // the plugin's folder; empty where it was not found
	Session    string    `json:"session"` // the id of the session this runs in; empty outside of one
	HooksAlive bool      `json:"hooks_alive"`
	Findings   []Finding `json:"findings"`
}

// check looks at one thing.
type check func(ctx context.Context) []Finding

// Doctor looks at everything that rulph needs on this machine and changes nothing. Given a client, it looks
// at that client alone, and finds broken what otherwise were only not there. An error is a client nobody
// knows.
func Doctor(ctx context.Context, m Machine, version, only string) (Report, error) {
	if only != "" && !slices.Contains(ClientNames(), only) {
		return Report{}, fmt.Errorf("unknown client %q", only)
	}
	d := doctor{Machine: m, version: version}
	root, err := m.root()
	if err == nil {
		d.root = root
	}
	d.session = m.sid()
	beat := d.heartbeat()

	checks := []check{d.binaries, d.path, d.state, d.sandbox}
	for _, c := range clients {
		if only == "" || only == c.id {
			checks = append(checks, func(ctx context.Context) []Finding { return d.client(ctx, c, only == c.id) })
		}
	}
	checks = append(checks, func(context.Context) []Finding { return []Finding{beat.finding} })
	if only != "codex" {
		checks = append(checks, d.cap)
	}
	for _, name := range judges {
		checks = append(checks, func(ctx context.Context) []Finding { return d.judge(ctx, name) })
	}

	found := make([][]Finding, len(checks))
	var all sync.WaitGroup
	for i, look := range checks {
		all.Go(func() { found[i] = look(ctx) })
	}
	all.Wait()

	r := Report{Schema: 1, Version: version, Root: d.root, Session: d.session, HooksAlive: beat.alive, Findings: slices.Concat(found...)}
	r.OK = !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Health == Broken })
	return r, nil
}

type doctor struct {
	Machine
	version string
	root    string
	session string
}
