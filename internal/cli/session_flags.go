package cli

import (
	"github.com/spf13/cobra"

	"rulph/internal/session"
	"rulph/internal/ui"
)

// sessionFlags are the flags of every verb that works on the state of a session.
type sessionFlags struct {
	sid  once
	json bool
}

// add takes the name of the schema of what --json prints.
func (f *sessionFlags) add(cmd *cobra.Command, schema string) {
	sidFlag(cmd, &f.sid)
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON document (schemas/"+schema+".schema.json)")
}

// session is the one that the flags or the environment name, in the home that holds its state, or else in
// the one that can be written.
func (f *sessionFlags) session(io ui.IO) (session.Store, string, error) {
	if f.sid.set && f.sid.text == "" {
		// A variable that is empty by mistake: another session is not what was meant.
		return session.Store{}, "", ui.Bad("--sid is empty")
	}
	sid, err := session.SID(f.sid.text, io.Getenv)
	if err != nil {
		return session.Store{}, "", ui.Fail(ui.BadInput, err)
	}
	store, err := session.HomeFor(io.Getenv, io.Cwd, sid)
	return store, sid, err
}
