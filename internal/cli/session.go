package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rulph/internal/session"
	"rulph/internal/ui"
)

// newSessionCmd is the state of a session for shells and models. Its flags, its success message and its
// exit codes, 0 and 1 alone, are those of the program it replaces.
func newSessionCmd(io ui.IO) *cobra.Command {
	g := group("session", "Read and change the state of a session",
		newSessionSetCmd(io), newSessionGetCmd(io), newSessionUnsetCmd(io), newSessionPathCmd(io),
		newSessionListCmd(io), newSessionClearCmd(io), newSessionPruneCmd(io))
	g.Long = `The state of a session is one JSON object in <home>/<sid>/state.json. The home is $HOYEON_HOME, else
~/.hoyeon where it can be written, else .hoyeon at the top of the git work tree.

The session is --sid, else $CLAUDE_CODE_SESSION_ID, else $CODEX_SESSION_ID. Every command exits with 0, or
with 1 and a message.`
	return zeroOrOne(g)
}

// zeroOrOne lets every failure of the group exit with 1.
func zeroOrOne(g *cobra.Command) *cobra.Command {
	for _, c := range append(g.Commands(), g) {
		run := c.RunE
		c.RunE = func(cmd *cobra.Command, args []string) error { return one(run(cmd, args)) }
		if check := c.Args; check != nil {
			c.Args = func(cmd *cobra.Command, args []string) error { return one(check(cmd, args)) }
		}
	}
	g.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		// `session gte --sid s1` has no flag wrong.
		if got := cmd.Flags().Args(); cmd.HasSubCommands() && len(got) > 0 {
			return g.RunE(cmd, got)
		}
		return ui.Fail(ui.Failed, fmt.Errorf("%s: %w", name(cmd), err), "run '"+cmd.CommandPath()+" --help'")
	})
	return g
}

// one is err with the exit code 1 instead of any other.
func one(err error) error {
	if e, ok := errors.AsType[*ui.Error](err); ok && e.Code > ui.Failed {
		return &ui.Error{Code: ui.Failed, Err: e.Err, Hints: e.Hints, Quiet: e.Quiet}
	}
	return err
}

// once is a text flag that may be given one time: of two values one would be lost without a word.
type once struct {
	text string
	set  bool
}

func (o *once) String() string { return o.text }
func (o *once) Type() string   { return "string" }
func (o *once) Set(text string) error {
	if o.set {
		return errors.New("it was given twice")
	}
	o.text, o.set = text, true
	return nil
}

func (o *once) flag(cmd *cobra.Command, name, usage string) { cmd.Flags().Var(o, name, usage) }

func sidFlag(cmd *cobra.Command, sid *once) {
	sid.flag(cmd, "sid", "`ID` of the session (default $CLAUDE_CODE_SESSION_ID, then $CODEX_SESSION_ID)")
}

// sessionID does not fall back to the environment for --sid "": that is a variable which is empty by
// mistake, and the state of another session is not what was meant.
func sessionID(io ui.IO, cmd *cobra.Command, sid once) (string, error) {
	if sid.set && sid.text == "" {
		return "", fmt.Errorf("%s: --sid is empty", name(cmd))
	}
	id, err := session.SID(sid.text, io.Getenv)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name(cmd), err)
	}
	return id, nil
}

func noState(cmd *cobra.Command, sid string) error {
	return ui.Fail(ui.Failed, fmt.Errorf("%s: no session state found for %s", name(cmd), sid),
		"run '"+program+" session list' for the sessions there are")
}

func newSessionSetCmd(io ui.IO) *cobra.Command {
	var sid, key, value, object once
	cmd := &cobra.Command{
		Use:   "set [--key K --value V] [--json OBJECT|-]",
		Short: "Merge values into the state",
		Long: `Merge values into the state of a session, and create it where there is none.

--key is one key of the top level, taken as it is, and --value a text. --json is one JSON object, or - for
standard input: objects merge key by key, anything else replaces what was there, null is stored. --key is
applied first. Of parallel calls none is lost. A state file that is damaged is kept under another name, and
the state starts anew.`,
		Example: `  hoyeon-cli session set --sid "$SID" --key skill --value rulph
  hoyeon-cli session set --json '{"rulph": {"status": "active", "round": 0, "max_rounds": 5}}'
  jq '{rulph: {score: .overall}}' scores.json | hoyeon-cli session set --json -`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			id, err := sessionID(io, cmd, sid)
			if err != nil {
				return err
			}
			parts, done, err := setParts(cmd.Context(), io, key, value, object)
			if err != nil {
				return fmt.Errorf("%s: %w", name(cmd), err)
			}
			store, err := session.HomeFor(io.Getenv, io.Cwd, id)
			if err != nil {
				return fmt.Errorf("%s: %w", name(cmd), err)
			}
			err = store.Transform(id, mergeAll(parts))
			if damaged, ok := errors.AsType[*session.DamagedError](err); ok && damaged.Kept != "" {
				io.Notef("%s: %s: %v; the state starts anew", program, name(cmd), damaged)
				err = store.Transform(id, mergeAll(parts))
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name(cmd), err)
			}
			_, err = fmt.Fprintln(io.Out, "Session updated: "+strings.Join(done, ", "))
			return err
		},
	}
	sidFlag(cmd, &sid)
	key.flag(cmd, "key", "`KEY` of the top level, taken literally")
	value.flag(cmd, "value", "`TEXT` to store under --key")
	object.flag(cmd, "json", "JSON `OBJECT` to merge, or - for standard input")
	return cmd
}

// setParts reads the flags of set into objects to merge in order, and what to say when that is done.
func setParts(ctx context.Context, io ui.IO, key, value, object once) (parts [][]byte, done []string, err error) {
	switch {
	case !key.set && !value.set && !object.set:
		return nil, nil, errors.New("nothing to set: give --key K --value V, --json OBJECT, or both")
	case key.set != value.set:
		return nil, nil, errors.New("--key and --value go together")
	}
	if key.set {
		field, err := session.Field(key.text, value.text)
		if err != nil {
			return nil, nil, err
		}
		parts, done = append(parts, field), append(done, ui.Printable(key.text+"="+value.text))
	}
	if object.set {
		text := []byte(object.text)
		if object.text == "-" {
			if text, err = readAll(ctx, io.In, maxStdin); err != nil {
				return nil, nil, fmt.Errorf("--json -: standard input: %w", err)
			}
		}
		if err := session.Object(text); err != nil {
			return nil, nil, fmt.Errorf("--json: %w", err)
		}
		parts, done = append(parts, text), append(done, "json merged")
	}
	return parts, done, nil
}

// mergeAll refuses a state of a newer schema, before the merge and after it: this program could not
// change such a state again.
func mergeAll(parts [][]byte) func([]byte) ([]byte, error) {
	return func(state []byte) ([]byte, error) {
		if err := session.CheckSchema(state); err != nil {
			return nil, err
		}
		for _, part := range parts {
			var err error
			if state, err = session.DeepMerge(state, part); err != nil {
				return nil, err
			}
		}
		return state, session.CheckSchema(state)
	}
}

// maxStdin is one byte more than a state may have, so that a longer one is refused and not cut.
const maxStdin = 8<<20 + 1
