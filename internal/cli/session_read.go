package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rulph/internal/session"
	"rulph/internal/ui"
)

const pathUsage = "`PATH` of a value: keys and array places from 0 with dots between them; \\. is a dot in a key"

func newSessionGetCmd(io ui.IO) *cobra.Command {
	var sid, path once
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "get [--path a.b]",
		Short: "Print the state or one value of it",
		Long: `Print the state of a session, or the value at --path: a text as it is, anything else as JSON. Where several
homes have a state of the session, the one with an active loop counts, else the first.`,
		Example: `  hoyeon-cli session get --sid "$SID"
  hoyeon-cli session get --path rulph.score
  hoyeon-cli session get --path rulph.history.0.overall`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			id, err := sessionID(io, cmd, sid)
			if err != nil {
				return err
			}
			state, err := currentState(io, cmd, id)
			if err != nil {
				return err
			}
			if path.set {
				value, ok := session.Get(state, path.text)
				if !ok {
					return absent(cmd, id, path.text)
				}
				var text string
				if !asJSON && json.Unmarshal(value, &text) == nil && value[0] == '"' {
					_, err = fmt.Fprintln(io.Out, text)
					return err
				}
				state = value
			}
			if state, err = session.Format(state); err != nil {
				return fmt.Errorf("%s: %w", name(cmd), err)
			}
			_, err = io.Out.Write(state)
			return err
		},
	}
	sidFlag(cmd, &sid)
	path.flag(cmd, "path", pathUsage)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a text as JSON too, with quotes")
	return cmd
}

// currentState is the state of the session from the home where it lives.
func currentState(io ui.IO, cmd *cobra.Command, sid string) ([]byte, error) {
	store, ok := session.Current(io.Getenv, io.Cwd, sid)
	if !ok {
		return nil, noState(cmd, sid)
	}
	state, err := store.Load(sid)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name(cmd), err)
	}
	return state, nil
}

func absent(cmd *cobra.Command, sid, path string) error {
	hints := []string{"run '" + program + " session get --sid " + sid + "' for the whole state"}
	if strings.Contains(path, "[") {
		hints = append([]string{"the first element of an array a is a.0"}, hints...)
	}
	return ui.Fail(ui.Failed, fmt.Errorf("%s: nothing at %q in the state of %s", name(cmd), path, sid), hints...)
}

func newSessionUnsetCmd(io ui.IO) *cobra.Command {
	var sid, path once
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "unset --path a.b",
		Short: "Take one value out of the state",
		Example: `  hoyeon-cli session unset --sid "$SID" --path rulph
  hoyeon-cli session unset --path 'notes.v1\.2'`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			id, err := sessionID(io, cmd, sid)
			if err != nil {
				return err
			}
			if !path.set {
				return fmt.Errorf("%s: nothing to take out: give --path", name(cmd))
			}
			// A damaged state has nothing to take out, and is left for set or clear to deal with.
			if _, err := currentState(io, cmd, id); err != nil {
				return err
			}
			store, err := session.HomeFor(io.Getenv, io.Cwd, id)
			if err != nil {
				return fmt.Errorf("%s: %w", name(cmd), err)
			}
			missing := absent(cmd, id, path.text)
			err = store.Transform(id, func(state []byte) ([]byte, error) {
				if err := session.CheckSchema(state); err != nil {
					return nil, err
				}
				rest, ok := session.Unset(state, path.text)
				if !ok {
					return nil, missing
				}
				return rest, nil
			})
			if err != nil && !errors.Is(err, missing) {
				err = fmt.Errorf("%s: %w", name(cmd), err)
			}
			if err != nil {
				return err
			}
			if asJSON {
				return io.JSON(map[string]string{"sid": id, "unset": path.text})
			}
			_, err = fmt.Fprintln(io.Out, "Session updated: "+ui.Printable(path.text)+" unset")
			return err
		},
	}
	sidFlag(cmd, &sid)
	path.flag(cmd, "path", pathUsage)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func newSessionPathCmd(io ui.IO) *cobra.Command {
	var sid once
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "path",
		Short: "Print where the state file is, or would be",
		Example: `  hoyeon-cli session path --sid "$SID"
  ls -l "$(dirname "$(hoyeon-cli session path)")"`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			id, err := sessionID(io, cmd, sid)
			if err != nil {
				return err
			}
			store, err := session.HomeFor(io.Getenv, io.Cwd, id)
			if err != nil {
				return fmt.Errorf("%s: %w", name(cmd), err)
			}
			path := store.StatePath(id)
			if asJSON {
				return io.JSON(map[string]string{"sid": id, "home": store.Home, "path": path})
			}
			_, err = fmt.Fprintln(io.Out, path)
			return err
		},
	}
	sidFlag(cmd, &sid)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
