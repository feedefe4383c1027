package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"rulph/internal/session"
	"rulph/internal/ui"
)

// listed is one session as `session list --json` shows it.
type listed struct {
	SID      string       `json:"sid"`
	Home     string       `json:"home"`
	Path     string       `json:"path"`
	Modified time.Time    `json:"modified"`
	Keys     []string     `json:"keys"` // of the top level, in their order
	Rulph    *listedRulph `json:"rulph,omitempty"`
	Damaged  string       `json:"damaged,omitempty"`
}

type listedRulph struct {
	Status string      `json:"status,omitempty"`
	Round  json.Number `json:"round,omitempty"`
	Score  json.Number `json:"score,omitempty"`
}

func newListed(home string, e session.Entry) listed {
	l := listed{SID: e.SID, Home: home, Path: e.Path, Modified: e.Modified.UTC(), Keys: []string{}}
	if e.Fault != nil {
		l.Damaged = e.Fault.Error()
		if damaged, ok := errors.AsType[*session.DamagedError](e.Fault); ok {
			l.Damaged = damaged.Reason
		}
	}
	gjson.ParseBytes(e.State).ForEach(func(key, value gjson.Result) bool {
		l.Keys = append(l.Keys, key.Str)
		if key.Str == "rulph" && value.IsObject() {
			l.Rulph = &listedRulph{Status: value.Get("status").String(), Round: number(value.Get("round")), Score: number(value.Get("score"))}
		}
		return true
	})
	return l
}

func number(v gjson.Result) json.Number {
	if v.Type != gjson.Number {
		return ""
	}
	return json.Number(v.Raw)
}

func newSessionListCmd(io ui.IO) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the sessions of every home",
		Example: `  hoyeon-cli session list
  hoyeon-cli session list --json | jq -r '.sessions[] | select(.rulph.status == "active").sid'`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := []listed{}
			failed := eachHome(io, cmd, func(s session.Store) error {
				entries, err := s.List()
				for _, e := range entries {
					all = append(all, newListed(s.Home, e))
				}
				return err
			})
			if asJSON {
				return errors.Join(io.JSON(map[string][]listed{"sessions": all}), failed)
			}
			if len(all) == 0 {
				io.Notef("session list: no sessions")
				return failed
			}
			return errors.Join(printSessions(io, all), failed)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// eachHome goes on after the error of one home: the others are as good as before.
func eachHome(io ui.IO, cmd *cobra.Command, do func(session.Store) error) error {
	var errs []error
	for _, s := range session.Homes(io.Getenv, io.Cwd) {
		if err := do(s); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name(cmd), err))
		}
	}
	return errors.Join(errs...)
}

func printSessions(io ui.IO, all []listed) error {
	table := ui.Table{Columns: []ui.Column{{Title: "session"}, {Title: "changed"}, {Title: "loop"}, {Title: "round", Right: true},
		{Title: "score", Right: true}, {Title: "holds"}, {Title: "home"}}}
	for _, l := range all {
		loop := listedRulph{}
		if l.Rulph != nil {
			loop = *l.Rulph
		}
		if l.Damaged != "" {
			loop.Status = "damaged: " + l.Damaged
		}
		score := loop.Score.String()
		if n, err := loop.Score.Float64(); err == nil {
			score = strconv.FormatFloat(n, 'f', 1, 64)
		}
		table.Rows = append(table.Rows, []string{l.SID, local(l.Modified), cell(loop.Status), cell(loop.Round.String()),
			cell(score), cell(strings.Join(l.Keys, ", ")), l.Home})
	}
	_, err := fmt.Fprint(io.Out, table.Render(io.Look(io.Out)))
	return err
}

func local(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

func cell(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
