package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rulph/internal/runs"
	"rulph/internal/skill"
	"rulph/internal/ui"
)

func newSkillCmd(io ui.IO) *cobra.Command {
	return group("skill", "Find a skill, check it, and change it together with its manifests and its log",
		newSkillFindCmd(io), newSkillStageCmd(io), newSkillApplyCmd(io), newSkillUndoCmd(io), newSkillBumpCmd(io), newSkillLintCmd(io))
}

// oneSkill checks that a command got the name of one skill.
func oneSkill(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return ui.Fail(ui.BadInput, fmt.Errorf("%s: name the skill: NAME, PLUGIN:NAME or the path of its folder", name(cmd)), "'"+program+" skill find' lists them")
	}
	if len(args) > 1 {
		return ui.Bad("%s: unexpected argument %q; it takes one skill", name(cmd), args[1])
	}
	return nil
}

// findSkill finds the one skill that a command is about.
func findSkill(io ui.IO, cmd *cobra.Command, arg string) (skill.Found, error) {
	settle(io, cmd)
	f, err := skill.One(skill.RootsOf(io.Getenv, io.Cwd), arg)
	if err != nil {
		return f, skillError(io, cmd, err)
	}
	return f, nil
}

// settle finishes what a killed command left half done, before anything is read. Where that is not
// possible the command goes on: one that only reads may still be useful, and one that writes meets the same error.
func settle(io ui.IO, cmd *cobra.Command) {
	all, err := skill.RecoverAll(skill.RootsOf(io.Getenv, io.Cwd))
	for _, r := range all {
		io.Notef("%s: %s", name(cmd), ui.OneLine(r.String()))
	}
	if err != nil {
		io.Notef("%s: an interrupted change can't be finished: %s", name(cmd), ui.OneLine(err.Error()))
	}
}

// skillError gives an error of the skill package its exit code and hints.
func skillError(io ui.IO, cmd *cobra.Command, err error) error {
	wrapped := fmt.Errorf("%s: %w", name(cmd), err)
	if question, ok := errors.AsType[*skill.Ambiguous](err); ok {
		hints := make([]string, len(question.Found))
		for i, f := range question.Found {
			hints[i] = fmt.Sprintf("'%s %s' means %s", cmd.CommandPath(), ui.OneLine(relativeTo(io.Cwd, f.Ref)), ui.OneLine(relativeTo(io.Cwd, f.File)))
		}
		short := skill.Ambiguous{Name: question.Name, Found: slices.Clone(question.Found)}
		for i := range short.Found {
			short.Found[i].Ref = relativeTo(io.Cwd, short.Found[i].Ref)
		}
		return ui.Fail(ui.BadInput, fmt.Errorf("%s: %w", name(cmd), &short), hints...)
	}
	if _, ok := errors.AsType[*skill.Missing](err); ok {
		return ui.Fail(ui.BadInput, wrapped, "'"+program+" skill find' lists what is there")
	}
	if _, ok := errors.AsType[*skill.Refusal](err); ok {
		return ui.Fail(ui.BadInput, wrapped, "nothing was changed")
	}
	if _, ok := errors.AsType[*runs.Invalid](err); ok {
		return ui.Fail(ui.BadInput, wrapped, "nothing was changed")
	}
	return wrapped
}

// relativeTo shortens a path below dir. One that is still a path keeps a separator, so that it is taken for one.
func relativeTo(dir, path string) string {
	rel, err := filepath.Rel(dir, path)
	if !filepath.IsAbs(path) || err != nil || !filepath.IsLocal(rel) {
		return path
	}
	if !strings.ContainsRune(rel, filepath.Separator) {
		return "." + string(filepath.Separator) + rel
	}
	return rel
}

type skillFind struct {
	Question string       `json:"question"` // "" unless several have the name
	Skills   []foundSkill `json:"skills"`
}

type foundSkill struct {
	skill.Found
	Rubric    string `json:"rubric"`
	Runs      string `json:"runs"`
	HasRubric bool   `json:"has_rubric"`
	HasRuns   bool   `json:"has_runs"`
}

func newSkillFindCmd(io ui.IO) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "find [NAME]",
		Short: "Say where a skill is, and what belongs to it",
		Long: `Looks for a skill in plugins/*/skills, skills, .claude/skills and .agents/skills of this folder and of each one up to
the project's top, then in the user's folders (~/.claude/skills, ~/.agents/skills, $CODEX_HOME/skills).

Prints its SKILL.md, its plugin with the version and the manifests that carry it, and the folder of its
rubric and its log. Without a name it lists all skills.

Exit status: 0 found, 2 none or several: then it asks which one is meant, and --json has all of them.`,
		Example: `  hoyeon-cli skill find release-notes
  hoyeon-cli skill find starter:release-notes --json
  hoyeon-cli skill find ./plugins/starter/skills/release-notes`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return oneSkill(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			settle(io, cmd)
			roots := skill.RootsOf(io.Getenv, io.Cwd)
			if len(args) == 0 {
				all, err := skill.Find(roots, "")
				if err != nil {
					return skillError(io, cmd, err)
				}
				return listSkills(io, all, asJSON)
			}
			f, err := skill.One(roots, args[0])
			question, several := errors.AsType[*skill.Ambiguous](err)
			switch {
			case several && asJSON:
				if err := io.JSON(skillFind{question.Error(), withFiles(question.Found)}); err != nil {
					return err
				}
				return ui.Exit(ui.BadInput)
			case err != nil:
				return skillError(io, cmd, err)
			case asJSON:
				return io.JSON(skillFind{"", withFiles([]skill.Found{f})})
			}
			printSkill(io, f)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func withFiles(all []skill.Found) []foundSkill {
	list := make([]foundSkill, len(all))
	for i, f := range all {
		list[i] = foundSkill{f, f.Rubric(), f.Runs(), there(f.Rubric()), there(f.Runs())}
	}
	return list
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func listSkills(io ui.IO, all []skill.Found, asJSON bool) error {
	if asJSON {
		return io.JSON(skillFind{"", withFiles(all)})
	}
	if len(all) == 0 {
		fmt.Fprintln(io.Out, "there are no skills")
		return nil
	}
	t := ui.Table{Columns: []ui.Column{{Title: "skill"}, {Title: "plugin"}, {Title: "version"}, {Title: "file"}}}
	for _, f := range all {
		t.Rows = append(t.Rows, []string{f.Name, f.Plugin, f.Version, relativeTo(io.Cwd, f.File)})
	}
	fmt.Fprint(io.Out, t.Render(io.Look(io.Out)))
	return nil
}

func printSkill(io ui.IO, f skill.Found) {
	line := func(label, value string) { fmt.Fprintf(io.Out, "  %-9s %s\n", label, ui.OneLine(value)) }
	fmt.Fprintln(io.Out, ui.OneLine(f.Name))
	line("file", relativeTo(io.Cwd, f.File))
	if f.Plugin != "" {
		line("plugin", strings.TrimSpace(f.Plugin+" "+f.Version))
	}
	for _, m := range f.Manifests {
		line("manifest", relativeTo(io.Cwd, m))
	}
	for _, m := range f.Differing {
		line("manifest", relativeTo(io.Cwd, m)+" (another version; it is left alone)")
	}
	for _, part := range []struct{ label, path string }{{"rubric", f.Rubric()}, {"log", f.Runs()}} {
		note := ""
		if !there(part.path) {
			note = " (not there yet)"
		}
		line(part.label, relativeTo(io.Cwd, part.path)+note)
	}
}
