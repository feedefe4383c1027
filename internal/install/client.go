package install

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// A client's own commands answer within a second or two; an installation may fetch something.
const (
	askTimeout     = 30 * time.Second
	installTimeout = 3 * time.Minute
)

// Client is one of the programs that load the plugin, and the commands by which it is told to.
type client struct {
	id    string // the command, and the flag of `hoyeon-cli install`
	title string

	listMarkets, listPlugins, addMarket, removeMarket, addPlugin, updatePlugin, enablePlugin []string

	readMarkets func([]byte) ([]market, error)
	readPlugins func([]byte) ([]plugin, error)
}

// market is a marketplace a client knows.
type market struct {
	name string
	path string // a folder on this machine; "" for one that comes from elsewhere
	from string // whatever it comes from, for a person
}

// plugin is a plugin a client has installed.
type plugin struct {
	id      string
	version string
	enabled bool
	path    string   // where the client keeps its copy; "" where it does not tell
	faults  []string // what the client says went wrong in loading it
}

var clients = []client{
	{
		id: "claude", title: "Claude Code",
		listMarkets:  []string{"plugin", "marketplace", "list", "--json"},
		listPlugins:  []string{"plugin", "list", "--json"},
		addMarket:    []string{"plugin", "marketplace", "add"},
		removeMarket: []string{"plugin", "marketplace", "remove", Marketplace},
		addPlugin:    []string{"plugin", "install", pluginID},
		updatePlugin: []string{"plugin", "update", pluginID},
		enablePlugin: []string{"plugin", "enable", pluginID},
		readMarkets:  claudeMarkets,
		readPlugins:  claudePlugins,
	},
	{
		id: "codex", title: "Codex",
		listMarkets:  []string{"plugin", "marketplace", "list", "--json"},
		listPlugins:  []string{"plugin", "list", "--json"},
		addMarket:    []string{"plugin", "marketplace", "add"},
		removeMarket: []string{"plugin", "marketplace", "remove", Marketplace},
		addPlugin:    []string{"plugin", "add", pluginID},
		updatePlugin: []string{"plugin", "add", pluginID},
		readMarkets:  codexMarkets,
		readPlugins:  codexPlugins,
	},
}

func claudeMarkets(data []byte) ([]market, error) {
	var list []struct {
		Name, Path, Repo, URL, Source string
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	var markets []market
	for _, m := range list {
		markets = append(markets, market{name: m.Name, path: m.Path, from: firstOf(m.Path, m.Repo, m.URL, m.Source)})
	}
	return markets, nil
}

func claudePlugins(data []byte) ([]plugin, error) {
	var list []struct {
		ID, Version, InstallPath string
		Enabled                  bool
		Errors                   []string
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	var plugins []plugin
	for _, p := range list {
		plugins = append(plugins, plugin{id: p.ID, version: p.Version, enabled: p.Enabled, path: p.InstallPath, faults: p.Errors})
	}
	return plugins, nil
}

func codexMarkets(data []byte) ([]market, error) {
	var list struct {
		Marketplaces []struct {
			Name, Root        string
			MarketplaceSource struct{ SourceType, Source string }
		}
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	var markets []market
	for _, m := range list.Marketplaces {
		found := market{name: m.Name, from: firstOf(m.MarketplaceSource.Source, m.Root)}
		if m.MarketplaceSource.SourceType == "local" {
			found.path = m.MarketplaceSource.Source
		}
		markets = append(markets, found)
	}
	return markets, nil
}

func codexPlugins(data []byte) ([]plugin, error) {
	var list struct {
		Installed []struct {
			PluginID, Version string
			Enabled           bool
		}
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	var plugins []plugin
	for _, p := range list.Installed {
		plugins = append(plugins, plugin{id: p.PluginID, version: p.Version, enabled: p.Enabled})
	}
	return plugins, nil
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// installed is a client on this machine.
type installed struct {
	client
	path string // of its command, absolute
}

// line is one of the client's commands as a person would type it.
func (c client) line(args ...string) string {
	words := []string{c.id}
	for _, arg := range args {
		words = append(words, quote(arg))
	}
	return strings.Join(words, " ")
}

// run starts one of the client's commands and returns its standard output. The error holds the last line of
// what the client said.
func (c installed) run(ctx context.Context, limit time.Duration, args ...string) ([]byte, error) {
	out, err := capture(ctx, limit, c.path, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.line(args...), err)
	}
	return out, nil
}

// capture runs a program without input and returns its standard output. A program that leaves children
// behind, or does not end in time, is not waited for.
func capture(ctx context.Context, limit time.Duration, path string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("no answer within %v", limit)
	}
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		if said := lastLine(stderr.String() + "\n" + stdout.String()); said != "" {
			return nil, fmt.Errorf("%w: %s", err, said)
		}
		return nil, err
	}
	return stdout.Bytes(), nil
}

// lastLine is the last line of text with something in it, at most 300 bytes of it.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	line := strings.TrimSpace(lines[len(lines)-1])
	if len(line) > 300 {
		line = strings.ToValidUTF8(line[:300], "") + "..."
	}
	return line
}

// market returns the client's entry for our marketplace.
func (c installed) market(ctx context.Context) (market, bool, error) {
	out, err := c.run(ctx, askTimeout, c.listMarkets...)
	if err != nil {
		return market{}, false, err
	}
	markets, err := c.readMarkets(out)
	if err != nil {
		return market{}, false, fmt.Errorf("%s: its answer is not understood: %w", c.line(c.listMarkets...), err)
	}
	for _, m := range markets {
		if m.name == Marketplace {
			return m, true, nil
		}
	}
	return market{}, false, nil
}

// plugin returns the client's entry for this plugin.
func (c installed) plugin(ctx context.Context) (plugin, bool, error) {
	out, err := c.run(ctx, askTimeout, c.listPlugins...)
	if err != nil {
		return plugin{}, false, err
	}
	plugins, err := c.readPlugins(out)
	if err != nil {
		return plugin{}, false, fmt.Errorf("%s: its answer is not understood: %w", c.line(c.listPlugins...), err)
	}
	for _, p := range plugins {
		if p.id == pluginID {
			return p, true, nil
		}
	}
	return plugin{}, false, nil
}
