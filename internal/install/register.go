package install

import (
	"context"
	"fmt"
	"os"
)

// register makes root known to a client as our marketplace and has it install the plugin from there.
func register(ctx context.Context, c installed, root, version string, dry bool) (steps []Step, todo []string) {
	step := registerMarket(ctx, c, root, dry)
	steps = append(steps, step)
	if step.Status == Failed {
		return steps, nil
	}
	step, extra := registerPlugin(ctx, c, version, dry)
	steps = append(steps, step)
	if step.Status == Failed {
		return steps, nil
	}
	return steps, append(extra, c.trust(ctx, step.Status)...)
}

func registerMarket(ctx context.Context, c installed, root string, dry bool) Step {
	step := Step{ID: c.id + ".marketplace", Detail: root}
	fail := func(err error) Step {
		step.Status, step.Detail, step.Fix = Failed, err.Error(), "run that command yourself to see all it says; an old "+c.title+" has no plugins: update it"
		return step
	}
	known, found, err := c.market(ctx)
	if err != nil {
		return fail(err)
	}
	var commands [][]string
	switch {
	case !found:
		commands = [][]string{append(c.addMarket[:len(c.addMarket):len(c.addMarket)], root)}
	case known.path != "" && !exists(known.path):
		// The folder it was registered from is gone, so whatever the client still has of it is dead.
		commands = [][]string{c.removeMarket, append(c.addMarket[:len(c.addMarket):len(c.addMarket)], root)}
	case known.path == "" || !same(known.path, root):
		step.Status = Unchanged
		step.Detail = fmt.Sprintf("%s comes from %s; to take it from %s instead, run `%s` and install again", Marketplace, known.from, root, c.line(c.removeMarket...))
		return step
	default:
		step.Status = Unchanged
		return step
	}
	return carryOut(ctx, c, step, commands, dry, fail)
}

func registerPlugin(ctx context.Context, c installed, version string, dry bool) (Step, []string) {
	step := Step{ID: c.id + ".plugin", Detail: pluginID + " " + version}
	fail := func(err error) Step {
		step.Status, step.Detail, step.Fix = Failed, err.Error(), "run that command yourself to see all it says"
		return step
	}
	have, found, err := c.plugin(ctx)
	if err != nil {
		return fail(err), nil
	}
	command := c.addPlugin
	switch {
	case found && !have.enabled:
		step.Status, step.Detail = Unchanged, pluginID+" is installed and switched off"
		if c.enablePlugin == nil {
			return step, []string{fmt.Sprintf("switch the plugin on in %s: it is off in its settings", c.title)}
		}
		return step, []string{fmt.Sprintf("switch the plugin on in %s: `%s`", c.title, c.line(c.enablePlugin...))}
	case found && have.version == version:
		step.Status = Unchanged
		return step, nil
	case found:
		step.Detail = fmt.Sprintf("%s %s, was %s", pluginID, version, have.version)
		command = c.updatePlugin
	}
	return carryOut(ctx, c, step, [][]string{command}, dry, fail), nil
}

func carryOut(ctx context.Context, c installed, step Step, commands [][]string, dry bool, fail func(error) Step) Step {
	for _, args := range commands {
		step.Commands = append(step.Commands, c.line(args...))
	}
	if dry {
		step.Status = Planned
		return step
	}
	for _, args := range commands {
		if _, err := c.run(ctx, installTimeout, args...); err != nil {
			return fail(err)
		}
	}
	step.Status = Done
	return step
}

// trust says what a person has to do before the hooks of the plugin run.
func (c installed) trust(ctx context.Context, plugin Status) []string {
	if c.id != "codex" {
		if plugin == Done {
			return []string{"start " + c.title + " anew: running sessions do not see the plugin"}
		}
		return nil
	}
	if plugin == Unchanged {
		if hooks, err := c.hooks(ctx); err == nil && hooks.untrusted() == nil {
			return nil
		}
	}
	return []string{
		"start Codex and trust the hooks of rulph when it asks (or open /hooks): until then no loop can keep a turn going. It asks again after each update of the plugin",
	}
}

// same says whether two paths lead to one folder.
func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
