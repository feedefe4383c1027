package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"rulph/internal/skill"
	"rulph/internal/skill/skilllint"
	"rulph/internal/ui"
)

type lintedSkill struct {
	Dir      string              `json:"dir"`
	OK       bool                `json:"ok"`
	Findings []skilllint.Finding `json:"findings"`
}

func newSkillLintCmd(io ui.IO) *cobra.Command {
	var strict, spec, asJSON bool
	cmd := &cobra.Command{
		Use:   "lint [NAME|FOLDER]...",
		Short: "Say what keeps the clients from taking a skill",
		Long: `Checks skills against the rules of agentskills.io and against what Claude Code and Codex do with the rest: they leave a
skill they do not like out without a word, and their validators let most of it pass.

Errors keep a client from taking the skill, or from calling it by its name. Warnings are advice. Without a name, all
skills of the project are checked. In GitHub Actions each finding becomes an annotation.

Exit status: 0 usable, 2 not (with --strict: or any warning).`,
		Example: `  hoyeon-cli skill lint
  hoyeon-cli skill lint release-notes --strict
  hoyeon-cli skill lint ./skills/rulph --spec --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			dirs, err := lintDirs(io, cmd, args)
			if err != nil {
				return err
			}
			var all []lintedSkill
			ok := true
			for _, dir := range dirs {
				found, err := skilllint.Skill(dir, skilllint.Options{Spec: spec})
				if err != nil {
					return ui.Fail(ui.BadInput, fmt.Errorf("%s: %w", name(cmd), err))
				}
				l := lintedSkill{dir, len(skilllint.Errors(found)) == 0 && !(strict && len(found) > 0), found}
				all, ok = append(all, l), ok && l.OK
				annotateLint(io, l, asJSON)
			}
			if asJSON {
				err = io.JSON(struct {
					OK     bool          `json:"ok"`
					Skills []lintedSkill `json:"skills"`
				}{ok, append([]lintedSkill{}, all...)})
			} else {
				err = printLinted(io, cmd, all)
			}
			if err == nil && !ok {
				return ui.Exit(ui.BadInput)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "warnings count as errors")
	cmd.Flags().BoolVar(&spec, "spec", false, "only the keys of agentskills.io: what Claude Code alone reads is an error")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// lintDirs are the folders of the skills that are named; of all in the project where none is. A folder
// that holds no skill is still a folder to say that of.
func lintDirs(io ui.IO, cmd *cobra.Command, args []string) (dirs []string, err error) {
	roots := skill.RootsOf(io.Getenv, io.Cwd)
	if len(args) == 0 {
		all, err := skill.Find(roots, "")
		if err != nil {
			return nil, skillError(io, cmd, err)
		}
		for _, f := range all {
			if f.Where != skill.InUser {
				dirs = append(dirs, f.Dir)
			}
		}
		return dirs, nil
	}
	for _, arg := range args {
		if info, err := os.Stat(absolute(io, arg)); err == nil && info.IsDir() && strings.ContainsAny(arg, `/\.`) {
			dirs = append(dirs, absolute(io, arg))
			continue
		}
		f, err := skill.One(roots, arg)
		if err != nil {
			return nil, skillError(io, cmd, err)
		}
		dirs = append(dirs, f.Dir)
	}
	return dirs, nil
}

func printLinted(io ui.IO, cmd *cobra.Command, all []lintedSkill) error {
	if len(all) == 0 {
		fmt.Fprintln(io.Out, "there are no skills")
	}
	for _, l := range all {
		printFound(io, cmd, relativeTo(io.Cwd, l.Dir)+string(filepath.Separator), l.Findings)
		errors := len(skilllint.Errors(l.Findings))
		switch {
		case len(l.Findings) == 0:
			fmt.Fprintf(io.Out, "%s is clean\n", ui.OneLine(relativeTo(io.Cwd, l.Dir)))
		case l.OK:
			fmt.Fprintf(io.Out, "%s is usable, with %s\n", ui.OneLine(relativeTo(io.Cwd, l.Dir)), plural(len(l.Findings), "warning"))
		default:
			io.Notef("%s: %s", name(cmd), tally(relativeTo(io.Cwd, l.Dir), errors, len(l.Findings)-errors))
		}
	}
	return nil
}

// printFound shows each finding with its line and a caret, as a compiler does.
func printFound(io ui.IO, cmd *cobra.Command, dir string, findings []skilllint.Finding) {
	look := io.Look(io.Err)
	for _, f := range findings {
		tone := ui.Wrong
		if f.Severity == skilllint.Doubtful {
			tone = ui.Warn
		}
		fmt.Fprintf(io.Err, "%s: %s\n%s", name(cmd), look.Paint(tone, f.At(dir)), f.Excerpt())
	}
}

// annotateLint prints the findings as workflow commands of GitHub Actions, which shows them beside the lines.
func annotateLint(io ui.IO, l lintedSkill, asJSON bool) {
	if io.Getenv("GITHUB_ACTIONS") != "true" {
		return
	}
	w := io.Out
	if asJSON {
		w = io.Err // the runner reads both streams, a program that takes our JSON only one
	}
	for _, f := range l.Findings {
		file := relativeTo(io.Cwd, filepath.Join(l.Dir, filepath.FromSlash(f.File)))
		fmt.Fprintf(w, "::%s file=%s,line=%d,col=%d::%s\n", f.Severity, property(filepath.ToSlash(file)), f.Line, f.Column, commandData(f.Message))
	}
}
