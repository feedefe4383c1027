package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"rulph/internal/skill"
	"rulph/internal/skill/skilllint"
	"rulph/internal/ui"
)

// changeLimit is the most of a change, or of a record, that is read.
const changeLimit = 16 << 20

// readDiff reads a change from a file or from standard input.
func readDiff(ctx context.Context, io ui.IO, cmd *cobra.Command, file string) (skill.Diff, error) {
	data, err := readInput(ctx, io, file, changeLimit)
	if err != nil {
		return skill.Diff{}, fmt.Errorf("%s: %w", name(cmd), err)
	}
	d, err := skill.ParseDiff(data)
	if err != nil {
		return d, skillError(io, cmd, err)
	}
	return d, nil
}

// soundVariant refuses a change after which the clients would no longer take the skill. What was wrong
// before is not the change's fault.
func soundVariant(io ui.IO, cmd *cobra.Command, f skill.Found, d skill.Diff) error {
	fresh, err := skilllint.Broken(f.File, d)
	if err != nil {
		return skillError(io, cmd, err)
	}
	if len(fresh) == 0 {
		return nil
	}
	printFound(io, cmd, "", fresh)
	return ui.Fail(ui.BadInput, fmt.Errorf("%s: the change would keep the clients from taking the skill", name(cmd)), "nothing was changed")
}

func newSkillStageCmd(io ui.IO) *cobra.Command {
	var diff, out string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stage NAME --diff FILE|-",
		Short: "Make one change in a copy of a skill",
		Long: `Reads a change {"section", "old", "new", "rationale"} and makes it in a copy of the skill's folder. The original stays
as it is. 'hoyeon-cli skill apply NAME --staged DIR' makes the same change in the original, if that is still the same.

Refused: an old that does not occur exactly once, a change of the name in the frontmatter, a whole file in place of
a passage, and one after which the clients would no longer take the skill.

Exit status: 0 staged, 2 refused.`,
		Example: `  hoyeon-cli skill stage release-notes --diff change.json
  hoyeon-cli skill stage release-notes --diff - --out /tmp/variant --json < change.json`,
		Args: oneSkill,
		RunE: func(cmd *cobra.Command, args []string) error {
			if diff == "" {
				return ui.Bad("%s: say with --diff which file has the change, or - for standard input", name(cmd))
			}
			f, err := findSkill(io, cmd, args[0])
			if err != nil {
				return err
			}
			d, err := readDiff(cmd.Context(), io, cmd, diff)
			if err != nil {
				return err
			}
			if err := soundVariant(io, cmd, f, d); err != nil {
				return err
			}
			dir := skill.StageIn(f)
			if out != "" {
				dir = absolute(io, out)
			}
			staged, err := skill.StageCopy(f, d, dir)
			if err != nil {
				return skillError(io, cmd, err)
			}
			if asJSON {
				return io.JSON(staged)
			}
			fmt.Fprintf(io.Out, "the variant is %s\nnext: try it; then '%s skill apply %s --staged %s --record FILE'\n",
				ui.OneLine(relativeTo(io.Cwd, staged.File)), program, ui.OneLine(relativeTo(io.Cwd, f.Ref)), ui.OneLine(relativeTo(io.Cwd, dir)))
			return nil
		},
	}
	cmd.Flags().StringVar(&diff, "diff", "", "`file` with the change, - for standard input")
	cmd.Flags().StringVar(&out, "out", "", "`folder` for the copy (default: below evals/.hoyeon)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func newSkillApplyCmd(io ui.IO) *cobra.Command {
	var diff, staged, record string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "apply NAME (--staged DIR | --diff FILE|-) --record FILE|-",
		Short: "Make one change in a skill, raise its version, and record the run",
		Long: `Makes the change in SKILL.md, raises the last number of the plugin's version in every manifest that carries it, and
appends the record to the log. All of it happens or none of it: what a killed command has begun, the next one finishes.

The record is a JSON object as 'hoyeon-cli runs append' takes it; its decision is "applied". With --staged, a SKILL.md that has
changed since then is refused. 'hoyeon-cli skill undo NAME' takes the last apply back.

Exit status: 0 applied, 2 refused, 1 failed; then nothing has changed.`,
		Example: `  hoyeon-cli skill apply release-notes --staged evals/.hoyeon/staged/starter/release-notes --record run.json
  hoyeon-cli skill apply release-notes --diff change.json --record - < run.json`,
		Args: oneSkill,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case (diff == "") == (staged == ""):
				return ui.Bad("%s: say where the change is: --staged DIR or --diff FILE", name(cmd))
			case record == "":
				return ui.Bad("%s: say with --record which file has the record of the run, or - for standard input", name(cmd))
			case diff == "-" && record == "-":
				return ui.Bad("%s: the change and the record can't both come from standard input", name(cmd))
			}
			f, err := findSkill(io, cmd, args[0])
			if err != nil {
				return err
			}
			var d skill.Diff
			base := ""
			if staged != "" {
				s, err := skill.ReadStaged(absolute(io, staged))
				if err != nil {
					return ui.Fail(ui.BadInput, fmt.Errorf("%s: %w", name(cmd), err))
				}
				d, base = s.Diff, s.Base
			} else if d, err = readDiff(cmd.Context(), io, cmd, diff); err != nil {
				return err
			}
			line, err := readInput(cmd.Context(), io, record, changeLimit)
			if err != nil {
				return fmt.Errorf("%s: %w", name(cmd), err)
			}
			if base == "" { // a staged change has been looked at
				if err := soundVariant(io, cmd, f, d); err != nil {
					return err
				}
			}
			a, err := skill.Apply(f, d, base, line)
			if err != nil {
				return skillError(io, cmd, err)
			}
			if asJSON {
				return io.JSON(a)
			}
			if a.Again {
				fmt.Fprintf(io.Out, "%s was changed already; nothing was done\n", ui.OneLine(relativeTo(io.Cwd, a.File)))
				return nil
			}
			fmt.Fprintf(io.Out, "%s is changed\n", ui.OneLine(relativeTo(io.Cwd, a.File)))
			printVersions(io, a)
			fmt.Fprintf(io.Out, "run %d is recorded in %s; '%s skill undo %s' takes it back\n",
				a.Run, ui.OneLine(relativeTo(io.Cwd, f.Runs())), program, ui.OneLine(relativeTo(io.Cwd, f.Ref)))
			return nil
		},
	}
	cmd.Flags().StringVar(&diff, "diff", "", "`file` with the change, - for standard input")
	cmd.Flags().StringVar(&staged, "staged", "", "`folder` that 'skill stage' has made")
	cmd.Flags().StringVar(&record, "record", "", "`file` with the record of the run, - for standard input")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func printVersions(io ui.IO, a skill.Applied) {
	for _, m := range a.Manifests {
		fmt.Fprintf(io.Out, "%s goes from %s to %s\n", ui.OneLine(relativeTo(io.Cwd, m)), a.From, a.To)
	}
}

func newSkillUndoCmd(io ui.IO) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "undo NAME",
		Short: "Take the last apply back",
		Long: `Makes SKILL.md, the manifests and the log byte for byte what they were before the last 'skill apply'. Where one of them has
changed since, nothing is done.

Exit status: 0 taken back, 2 refused.`,
		Example: "  hoyeon-cli skill undo release-notes",
		Args:    oneSkill,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := findSkill(io, cmd, args[0])
			if err != nil {
				return err
			}
			a, err := skill.Undo(f)
			if err != nil {
				return skillError(io, cmd, err)
			}
			if asJSON {
				return io.JSON(a)
			}
			fmt.Fprintf(io.Out, "%s is restored\n", ui.OneLine(relativeTo(io.Cwd, a.File)))
			printVersions(io, a)
			fmt.Fprintf(io.Out, "run %d is taken out of %s\n", a.Run, ui.OneLine(relativeTo(io.Cwd, f.Runs())))
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func newSkillBumpCmd(io ui.IO) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "bump NAME",
		Short: "Raise the version of a skill's plugin by one patch",
		Long: `Raises the last number of the version in every manifest that carries it, all or none. Both clients take a plugin whose
version has not changed for the one they have. 'skill apply' does this by itself.`,
		Example: "  hoyeon-cli skill bump release-notes",
		Args:    oneSkill,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := findSkill(io, cmd, args[0])
			if err != nil {
				return err
			}
			a, err := skill.Bump(f)
			if err != nil {
				return skillError(io, cmd, err)
			}
			if asJSON {
				return io.JSON(a)
			}
			printVersions(io, a)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}
