package cli

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulph/internal/session"
	"rulph/internal/ui"
)

func newSessionClearCmd(io ui.IO) *cobra.Command {
	var sid once
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "clear",
		Short: "Remove a session with everything in its folder",
		Long: `Remove the folder of a session from every home: its state, an active loop in it, snapshots, damaged states
that were set aside. Reports are kept elsewhere and stay. Clearing a session that is not there is no error.`,
		Example: `  hoyeon-cli session clear --sid "$SID"`,
		Args:    noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			id, err := sessionID(io, cmd, sid)
			if err != nil {
				return err
			}
			removed := []string{}
			failed := eachHome(io, cmd, func(s session.Store) error {
				ok, err := s.Clear(id)
				if ok {
					removed = append(removed, s.Dir(id))
				}
				return err
			})
			if asJSON {
				return errors.Join(io.JSON(map[string][]string{"removed": removed}), failed)
			}
			for _, dir := range removed {
				fmt.Fprintln(io.Out, "removed "+dir)
			}
			if len(removed) == 0 && failed == nil {
				io.Notef("session clear: no session state found for %s; nothing to remove", id)
			}
			return failed
		},
	}
	sidFlag(cmd, &sid)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// pruned is one session as `session prune --json` shows it.
type pruned struct {
	SID      string    `json:"sid"`
	Path     string    `json:"path"` // its folder
	Modified time.Time `json:"modified"`
}

func newSessionPruneCmd(io ui.IO) *cobra.Command {
	var olderThan once
	var dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:   "prune --older-than AGE",
		Short: "Remove sessions that have not changed for long",
		Long: `Remove the sessions whose state has not changed for AGE, from every home. What counts is the last real
change, so a loop that goes on stays however long ago it began. Reports stay.`,
		Example: `  hoyeon-cli session prune --older-than 30d --dry-run
  hoyeon-cli session prune --older-than 720h`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !olderThan.set {
				return fmt.Errorf("%s: give --older-than AGE, as in 30d or 720h", name(cmd))
			}
			age, err := parseAge(olderThan.text)
			if err != nil {
				return fmt.Errorf("%s: --older-than: %w", name(cmd), err)
			}
			gone := []pruned{}
			failed := eachHome(io, cmd, func(s session.Store) error {
				entries, err := s.Prune(age, time.Now(), dryRun)
				for _, e := range entries {
					gone = append(gone, pruned{e.SID, filepath.Dir(e.Path), e.Modified.UTC()})
				}
				return err
			})
			if asJSON {
				return errors.Join(io.JSON(struct {
					DryRun  bool     `json:"dry_run"`
					Removed []pruned `json:"removed"`
				}{dryRun, gone}), failed)
			}
			verb := "removed"
			if dryRun {
				verb = "would remove"
			}
			for _, p := range gone {
				fmt.Fprintf(io.Out, "%s %s (last changed %s)\n", verb, p.Path, local(p.Modified))
			}
			if len(gone) == 0 && failed == nil {
				io.Notef("session prune: no session is older than %s", olderThan.text)
			}
			return failed
		},
	}
	olderThan.flag(cmd, "older-than", "`AGE` since the last change: 30d, 720h, 90m")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be removed")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// parseAge reads a duration of Go, or a number of days as in 30d. Zero and less would take every session.
func parseAge(text string) (time.Duration, error) {
	age, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n float64
		if n, err = strconv.ParseFloat(days, 64); err == nil {
			n *= float64(24 * time.Hour)
			if !(math.Abs(n) < math.MaxInt64) { // too long, or no number
				return 0, fmt.Errorf("%q is out of range", text)
			}
			age = time.Duration(n)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("%q is no age; give days or hours, as in 30d or 720h", text)
	}
	if age <= 0 {
		return 0, fmt.Errorf("%q must be more than nothing; 'session clear' removes one session at once", text)
	}
	return age, nil
}
