package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"rulph/internal/evaluator"
	"rulph/internal/loop"
	"rulph/internal/prompt"
	"rulph/internal/rubric/rubricfile"
	"rulph/internal/rulph"
	"rulph/internal/session"
	"rulph/internal/ui"
)

// newRulphCmd is the loop: one verb a step, each ending with the next one.
func newRulphCmd(io ui.IO) *cobra.Command {
	g := group("rulph", "Improve an artifact until it passes a rubric",
		newStartCmd(io), newPromptCmd(io), newSubmitCmd(io), newAskCmd(io), newWaitCmd(io), newScoreCmd(io), newNextCmd(io),
		newStatusCmd(io), newCancelCmd(io), newResumeCmd(io), newReportCmd(io), newCalibrateCmd(io), newRunCmd(io))
	g.Long = `A rubric goes in, judges answer its items one by one, and one criterion a round is improved until the
artifact passes or the loop ends for a stated reason.

In a session of an agent: start, then for each round prompt (one a sub-agent), submit (where hooks do not take
the answers in), evaluate and wait (for judges that are programs), score, and next, which says what to do.
Without an agent: run does all of it.

A judge is the name of a sub-agent, or a program: codex, gemini or claude (an installed client, also with
options, as codex:model=NAME,effort=high,price=IN/OUT), or command:PROGRAM ARGUMENT..., which reads its
prompt from standard input and prints its verdict. The price is in USD per million tokens.

The session is --sid, else $CLAUDE_CODE_SESSION_ID, else $CODEX_SESSION_ID.

Exit status: 0 done, 1 failed, 2 bad input (nothing was changed), 3 ended without passing, 4 no usable judge,
5 budget spent, 130 interrupted.`
	g.Example = `  hoyeon-cli rulph start --target HANDBOOK.md --rubric rubric.yaml
  hoyeon-cli rulph next
  hoyeon-cli rulph run examples/handbook --trust-checks`
	return named(g)
}

// named puts the command's name before what the commands of the group fail with, and gives a failure
// that Ctrl-C caused its own exit status.
func named(g *cobra.Command) *cobra.Command {
	for _, c := range g.Commands() {
		nameErrors(c, "interrupted")
	}
	return g
}

// nameErrors does it for one command; interrupted is what there is to say of Ctrl-C where the command itself says
// nothing of it.
func nameErrors(c *cobra.Command, interrupted string) {
	run := c.RunE
	c.RunE = func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		e, ok := errors.AsType[*ui.Error](err)
		switch {
		case err == nil, ok && e.Quiet:
			return err
		case cmd.Context().Err() != nil && !(ok && e.Code == ui.Interrupted):
			err = ui.Fail(ui.Interrupted, errors.New(interrupted))
		}
		return fmt.Errorf("%s: %w", name(cmd), err)
	}
}

// loopFlags are the flags that every verb of a loop has.
type loopFlags struct{ sessionFlags }

// engine works on the session that the flags or the environment name.
func (f *loopFlags) engine(io ui.IO) (rulph.Engine, error) {
	store, sid, err := f.session(io)
	if err != nil {
		return rulph.Engine{}, err
	}
	return newEngine(io, store, sid, f.sid.text), nil
}

func newEngine(io ui.IO, store session.Store, sid, flag string) rulph.Engine {
	cli := prompt.CLI{Program: programPath(io), SID: flag}
	return rulph.Engine{Store: store, SID: sid, CLI: cli, Now: time.Now, Notef: func(string, ...any) {},
		Environ: io.Env, Dir: io.Cwd, Client: clientOf(io),
		Trusted: func(path string, data []byte) bool { return rubricfile.Trusted(trustHome(io), path, data) }}
}

// clientOf is the client whose session calls us, or "".
func clientOf(io ui.IO) evaluator.Kind {
	switch {
	case io.Getenv("CODEX_SESSION_ID") != "" || io.Getenv("CODEX_THREAD_ID") != "":
		return evaluator.Codex
	case io.Getenv("CLAUDECODE") != "":
		return evaluator.Claude
	}
	return ""
}

// programPath is how a shell like the one we were called from can call us again.
func programPath(io ui.IO) string {
	if _, err := exec.LookPath(program); err == nil {
		return program
	}
	if root := io.Getenv("HOYEON_PLUGIN_ROOT"); root != "" {
		return prompt.Quote(filepath.Join(root, "bin", program))
	}
	if path, err := os.Executable(); err == nil {
		return prompt.Quote(path)
	}
	return program
}

// verb runs one use case and prints its view.
func (f *loopFlags) verb(io ui.IO, run func(rulph.Engine) (rulph.View, error)) error {
	e, err := f.engine(io)
	if err != nil {
		return err
	}
	v, err := run(e)
	if err != nil {
		return err
	}
	return f.print(io, v)
}

func (f *loopFlags) print(io ui.IO, v rulph.View) error {
	if f.json {
		return io.JSON(v)
	}
	return printView(io, v)
}

// exitOf is the exit status that a loop's state asks for.
func exitOf(v rulph.View) error {
	code := ui.OK
	switch v.Result {
	case "", loop.Passed:
		return nil
	case loop.Budget:
		code = ui.BudgetSpent
	case loop.Blocked:
		code = ui.NotPassed
		if v.NoJudge() {
			code = ui.NoJudge
		}
	default:
		code = ui.NotPassed
	}
	return ui.Exit(code)
}
