package cli

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulph/internal/loop"
	"rulph/internal/rulph"
	"rulph/internal/session"
	"rulph/internal/ui"
)

func newRunCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	var sf startFlags
	var o rulph.RunOptions
	var trust bool
	cmd := &cobra.Command{
		Use:   "run FILE|FOLDER [--rubric RUBRIC]",
		Short: "Drive the whole loop without an agent",
		Long: `Drive the whole loop without an agent. The items that the text itself or a check command answers are
scored, and the fix commands of one criterion a round improve it. A FOLDER that holds rubric.yaml (or
rubric.md) is run as that rubric says. The work is done on a copy, unless --in-place is given.

Exit status: 0 passed, 2 bad input, 3 ended without passing, 4 no usable judge, 5 budget spent, 130 interrupted.`,
		Example: `  hoyeon-cli rulph run examples/handbook --trust-checks
  hoyeon-cli rulph run HANDBOOK.md --rubric rubric.yaml --in-place
  hoyeon-cli rulph run --resume --sid run-20260102-150405-ab12cd34`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.StartOptions = sf.options(cmd, io)
			if err := runTarget(io, &o, args); err != nil {
				return err
			}
			e, err := runEngine(io, lf, o.Resume)
			if err != nil {
				return err
			}
			if trust {
				e.Trusted = func(string, []byte) bool { return true }
			}
			return drive(cmd, io, lf, e, o)
		},
	}
	lf.add(cmd)
	sf.add(cmd)
	cmd.Flags().BoolVar(&o.InPlace, "in-place", false, "improve the artifact itself, not a copy")
	cmd.Flags().BoolVar(&trust, "trust-checks", false, "run the check and fix commands of this rubric, this time")
	cmd.Flags().BoolVar(&o.Resume, "resume", false, "go on with an interrupted run (with its --sid)")
	return cmd
}

// runTarget finds the rubric and the target in what was given.
func runTarget(io ui.IO, o *rulph.RunOptions, args []string) error {
	if o.Resume {
		if len(args) > 0 {
			return ui.Fail(ui.BadInput, errors.New("rulph run: --resume goes on with the target of the run"), "name the run with --sid, and no file")
		}
		return nil
	}
	if len(args) == 0 {
		return ui.Fail(ui.BadInput, errors.New("rulph run: nothing to run"), "name a file and its --rubric, or a folder that holds rubric.yaml", "try 'hoyeon-cli rulph run examples/handbook --trust-checks'")
	}
	if o.Rubric != "" {
		o.Targets = args
		return nil
	}
	dir := absolute(io, args[0])
	if info, err := os.Stat(dir); err != nil {
		return ui.Bad("rulph run: %w", err)
	} else if !info.IsDir() || len(args) > 1 {
		return ui.Fail(ui.BadInput, errors.New("rulph run: no rubric"), "give --rubric FILE; 'hoyeon-cli rubric init' writes one to begin with")
	}
	for _, name := range []string{"rubric.yaml", "rubric.yml", "rubric.md"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			o.Rubric = filepath.Join(dir, name)
			return nil
		}
	}
	return ui.Fail(ui.BadInput, fmt.Errorf("rulph run: %s holds no rubric.yaml or rubric.md", args[0]), "give --rubric FILE")
}

// runEngine works in a session of the run's own, so that it never meets the loop of an agent.
func runEngine(io ui.IO, lf loopFlags, resume bool) (rulph.Engine, error) {
	if lf.sid == "" && resume {
		return rulph.Engine{}, ui.Fail(ui.BadInput, errors.New("rulph run: --resume needs the run's --sid"), "'hoyeon-cli session list' shows them")
	}
	if lf.sid == "" {
		var b [4]byte
		_, _ = rand.Read(b[:]) // never fails
		lf.sid = "run-" + time.Now().UTC().Format("20060102-150405") + "-" + hex.EncodeToString(b[:])
	}
	if resume {
		return lf.engine(io)
	}
	if err := session.CheckSID(lf.sid); err != nil {
		return rulph.Engine{}, ui.Fail(ui.BadInput, err)
	}
	store, err := session.Writable(io.Getenv, io.Cwd)
	if err != nil {
		return rulph.Engine{}, err
	}
	return newEngine(io, store, lf.sid, lf.sid), nil
}

func drive(cmd *cobra.Command, io ui.IO, lf loopFlags, e rulph.Engine, o rulph.RunOptions) error {
	progress := io.Progress()
	e.Notef = func(format string, args ...any) { progress.Eventf(ui.Faint, "  "+format, args...) }
	o.Started = func(v rulph.View, work string) {
		progress.Eventf(ui.Strong, "rulph run %s: %s", e.SID, v.Target)
		progress.Eventf(ui.Plain, "works on %s", work)
		for _, w := range v.Warnings {
			progress.Eventf(ui.Warn, "warning: %s", w)
		}
	}
	o.Scored = func(v rulph.View) { progress.Eventf(ui.Plain, "%s", roundLine(v)) }
	v, err := e.Run(cmd.Context(), o)
	if cmd.Context().Err() != nil {
		return ui.Fail(ui.Interrupted, errors.New("rulph run: interrupted; what was scored is kept"), "go on with '"+e.CLI.Program+" rulph run --resume --sid "+e.SID+"'")
	}
	if err != nil {
		return err
	}
	if lf.json {
		if err := io.JSON(v); err != nil {
			return err
		}
		return exitOf(v)
	}
	printRun(io, v)
	return exitOf(v)
}

func roundLine(v rulph.View) string {
	if len(v.Rounds) == 0 {
		return ""
	}
	r := v.Rounds[len(v.Rounds)-1]
	line := fmt.Sprintf("round %d: %.1f", r.Round, r.Overall)
	if r.Void {
		line = fmt.Sprintf("round %d: void", r.Round)
	}
	if r.Improved != "" {
		line += " after " + r.Improved
	}
	if r.RolledBack {
		line += ", rolled back"
	}
	var below []string
	for _, c := range v.Criteria {
		if c.Below {
			below = append(below, c.ID)
		}
	}
	if len(below) > 0 {
		line += "; below floor: " + strings.Join(below, ", ")
	}
	return line
}

// printRun is the result of a run: the scores by round, then the result and the report's place.
func printRun(io ui.IO, v rulph.View) {
	look := io.Look(io.Out)
	t := ui.Table{Columns: []ui.Column{{Title: "round", Right: true}, {Title: "overall", Right: true}}}
	for _, c := range v.Criteria {
		t.Columns = append(t.Columns, ui.Column{Title: c.ID, Right: true})
	}
	t.Columns = append(t.Columns, ui.Column{Title: ""})
	for _, r := range v.Rounds {
		row := []string{fmt.Sprint(r.Round), fmt.Sprintf("%.1f", r.Overall)}
		for _, c := range v.Criteria {
			cell := "none"
			if s := r.Criteria[c.ID]; s != nil {
				cell = fmt.Sprintf("%.1f", *s)
			}
			row = append(row, cell)
		}
		note := ""
		switch {
		case r.Round == v.Best:
			note = "kept"
		case r.RolledBack:
			note = "rolled back"
		}
		t.Rows = append(t.Rows, append(row, note))
	}
	if len(v.Rounds) > 0 {
		fmt.Fprint(io.Out, t.Render(look))
	}
	fmt.Fprintf(io.Out, "%s: %s\n", look.Paint(resultTone(v.Result), string(v.Result)), v.Reason)
	for _, w := range v.Warnings {
		fmt.Fprintf(io.Out, "%s %s\n", look.Paint(ui.Warn, "warning:"), ui.OneLine(w))
	}
	if len(v.Files) > 0 {
		fmt.Fprintf(io.Out, "result: %s\n", strings.Join(v.Files, ", "))
	}
	fmt.Fprintf(io.Out, "report: %s\n", filepath.Join(v.Report, "report.md"))
	if v.Result != loop.Passed {
		fmt.Fprintf(io.Out, "next: read the report, mend what stood in the way, then go on with '%s rulph run --resume --sid %s'\n", programPath(io), v.Session)
	}
}
