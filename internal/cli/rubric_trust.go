package cli

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulph/internal/rubric"
	"rulph/internal/rubric/rubricfile"
	"rulph/internal/session"
	"rulph/internal/ui"
)

// trustHome is the home that says which rubrics may run commands, or "": $HOYEON_HOME or the user's own.
// A home inside a project is never asked, since a repository could bring trust in itself.
func trustHome(io ui.IO) string {
	homes := session.Homes(io.Getenv, trustCwd(io))
	if len(homes) == 0 {
		return ""
	}
	return homes[0].Home
}

// trustCwd leaves the project's home out of the candidates unless $HOYEON_HOME, which a person set, may
// depend on the folder.
func trustCwd(io ui.IO) string {
	if io.Getenv("HOYEON_HOME") != "" {
		return io.Cwd
	}
	return ""
}

func newRubricTrustCmd(io ui.IO) *cobra.Command {
	var revoke, list, asJSON bool
	cmd := &cobra.Command{
		Use:   "trust [FILE]",
		Short: "Let the commands of a rubric run",
		Long: `Prints every command of a rubric, and lets them run from now on: the checks whenever the rubric scores,
the fixes in 'hoyeon-cli rulph run'. Read them first with 'hoyeon-cli rubric show FILE'.

Trust is for the bytes of this file at this place. After any change, or for a copy, it has to be given again.
It says nothing about the programs that the commands call.`,
		Example: `  hoyeon-cli rubric trust rubric.yaml
  hoyeon-cli rubric trust --revoke rubric.yaml
  hoyeon-cli rubric trust --list`,
		Args: atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case revoke && list:
				return ui.Bad("%s: --revoke and --list contradict each other", name(cmd))
			case list && len(args) > 0:
				return ui.Bad("%s: --list takes no file", name(cmd))
			case list:
				return listTrust(io, asJSON)
			case len(args) == 0:
				return ui.Fail(ui.BadInput, fmt.Errorf("%s: name the rubric file", name(cmd)), "--list shows what is trusted")
			case args[0] == "-":
				return ui.Bad("%s: standard input can't be trusted, since trust is for a file at its place; save it first", name(cmd))
			case revoke:
				return revokeTrust(io, cmd, args[0], asJSON)
			}
			return giveTrust(io, cmd, args[0], asJSON)
		},
	}
	cmd.Flags().BoolVar(&revoke, "revoke", false, "end the trust in the file")
	cmd.Flags().BoolVar(&list, "list", false, "list what is trusted")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

type trustChange struct {
	File     string           `json:"file"`
	Trusted  bool             `json:"trusted"`
	Commands []rubric.Command `json:"commands"`
}

func giveTrust(io ui.IO, cmd *cobra.Command, arg string, asJSON bool) error {
	f, r, err := validRubric(io, cmd, arg)
	if err != nil {
		return err
	}
	out := trustChange{File: f.name, Commands: append([]rubric.Command{}, r.Commands()...)}
	if len(out.Commands) > 0 {
		if !asJSON {
			fmt.Fprintf(io.Out, "%s may run from now on:\n", plural(len(out.Commands), "command"))
			for _, c := range out.Commands {
				printCommand(io, c)
			}
		}
		if _, err := session.Writable(io.Getenv, trustCwd(io)); err != nil {
			return ui.Fail(ui.Failed, fmt.Errorf("%s: trust is kept in your own home: %w", name(cmd), err), "run it outside the sandbox")
		}
		if err := rubricfile.Allow(trustHome(io), f.path, f.data); err != nil {
			return fmt.Errorf("%s: %w", name(cmd), err)
		}
		out.Trusted = true
	}
	if asJSON {
		return io.JSON(out)
	}
	if !out.Trusted {
		fmt.Fprintf(io.Out, "%s has no commands, so there is nothing to trust\n", ui.OneLine(f.name))
		return nil
	}
	fmt.Fprintf(io.Out, "%s is trusted until it changes; '%s rubric trust --revoke %s' ends it\n", ui.OneLine(f.name), program, ui.OneLine(f.name))
	return nil
}

func printCommand(io ui.IO, c rubric.Command) {
	fmt.Fprintf(io.Out, "  %s of %s in %s:\n", c.Key, ui.OneLine(c.Item), ui.OneLine(c.Criterion))
	for line := range strings.SplitSeq(ui.Printable(c.Line), "\n") {
		fmt.Fprintf(io.Out, "    %s\n", line)
	}
}

func revokeTrust(io ui.IO, cmd *cobra.Command, arg string, asJSON bool) error {
	n, err := rubricfile.Revoke(trustHome(io), absolute(io, arg))
	if err != nil {
		return fmt.Errorf("%s: %w", name(cmd), err)
	}
	if asJSON {
		return io.JSON(trustChange{File: arg, Commands: []rubric.Command{}})
	}
	if n == 0 {
		fmt.Fprintf(io.Out, "%s was not trusted\n", ui.OneLine(arg))
		return nil
	}
	fmt.Fprintf(io.Out, "%s is no longer trusted\n", ui.OneLine(arg))
	return nil
}

type trustEntry struct {
	Path  string `json:"path"`
	Since string `json:"since"` // RFC 3339, UTC
	State string `json:"state"` // "trusted", "changed" or "gone"
}

func listTrust(io ui.IO, asJSON bool) error {
	home := trustHome(io)
	all, err := rubricfile.ListTrust(home)
	if err != nil {
		return err
	}
	entries := []trustEntry{}
	for _, t := range all {
		e := trustEntry{Path: t.Path, Since: t.At.UTC().Format(time.RFC3339), State: "changed"}
		switch data, err := os.ReadFile(t.Path); {
		case err != nil:
			e.State = "gone"
		case rubricfile.Trusted(home, t.Path, data):
			e.State = "trusted"
		}
		entries = append(entries, e)
	}
	if asJSON {
		return io.JSON(struct {
			Trusted []trustEntry `json:"trusted"`
		}{entries})
	}
	if len(entries) == 0 {
		fmt.Fprintln(io.Out, "no rubric is trusted")
		return nil
	}
	t := ui.Table{Columns: []ui.Column{{Title: "state"}, {Title: "since"}, {Title: "rubric"}}}
	for _, e := range entries {
		t.Rows = append(t.Rows, []string{e.State, e.Since, e.Path})
	}
	fmt.Fprint(io.Out, t.Render(io.Look(io.Out)))
	return nil
}
