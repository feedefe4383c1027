package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulph/internal/evaluator"
	"rulph/internal/prompt"
	"rulph/internal/skill"
	"rulph/internal/skillscore"
	"rulph/internal/ui"
)

// newSkillScoreCmd is the trial of a skill: one verb a step, each ending with the next one.
func newSkillScoreCmd(io ui.IO) *cobra.Command {
	g := group("skill-score", "Try a skill on a real input, with and without one proposed change",
		newTrialStartCmd(io), newGateCmd(io), newInputCmd(io), newTrialPromptCmd(io), newTrialSubmitCmd(io), newTableCmd(io),
		newDecideCmd(io), newTrialNextCmd(io), newBaselineCmd(io))
	g.Long = `One run of /skill-score: the skill is run dry on a real input, one small change of its SKILL.md is proposed
and run dry too, both outputs are scored against the skill's rubric by scorers that do not know which is
which, and a person decides: apply, ignore or relaunch. Every decision is a record in the skill's runs.jsonl.

The session is --sid, else $CLAUDE_CODE_SESSION_ID, else $CODEX_SESSION_ID.

Exit status: 0 done, 1 failed, 2 bad input (nothing was changed), 4 no usable score.`
	g.Example = `  hoyeon-cli skill-score start release-notes
  hoyeon-cli skill-score next
  hoyeon-cli skill-score decide apply`
	return named(g)
}

// trialFlags are the flags that every verb of a trial has.
type trialFlags struct{ sessionFlags }

// engine works on the session that the flags or the environment name.
func (f *trialFlags) engine(io ui.IO) (skillscore.Engine, error) {
	store, sid, err := f.session(io)
	if err != nil {
		return skillscore.Engine{}, err
	}
	e := trialEngine(io)
	e.Store, e.SID, e.CLI.SID = store, sid, f.sid.text
	return e, nil
}

// trialEngine is an engine without a session.
func trialEngine(io ui.IO) skillscore.Engine {
	return skillscore.Engine{CLI: prompt.CLI{Program: programPath(io)}, Roots: skill.RootsOf(io.Getenv, io.Cwd), Client: clientName(io), Now: time.Now}
}

// clientName is the client in whose shell we run, as a log names it.
func clientName(io ui.IO) string {
	switch clientOf(io) {
	case evaluator.Codex:
		return "codex"
	case evaluator.Claude:
		return "claude-code"
	}
	return "unknown client's"
}

// verb runs one use case and prints its view.
func (f *trialFlags) verb(io ui.IO, run func(skillscore.Engine) (skillscore.View, error)) error {
	e, err := f.engine(io)
	if err != nil {
		return err
	}
	v, err := run(e)
	if err != nil {
		return err
	}
	if f.json {
		return io.JSON(v)
	}
	return printTrial(io, v)
}

func printTrial(io ui.IO, v skillscore.View) error {
	var b strings.Builder
	look := io.Look(io.Out)
	head := "skill-score: " + ui.OneLine(v.Skill)
	if v.Plugin != "" {
		head += " of " + ui.OneLine(v.Plugin) + " " + ui.OneLine(v.Version)
	}
	if v.Phase != "" {
		head += fmt.Sprintf(", segment %d, mode %s, %s", v.Segment, ui.OneLine(v.Mode), v.Phase)
	}
	fmt.Fprintln(&b, head)
	for _, w := range v.Warnings {
		fmt.Fprintf(&b, "%s %s\n", look.Paint(ui.Warn, "warning:"), ui.OneLine(w))
	}
	if v.Message != "" {
		fmt.Fprintln(&b, ui.Printable(v.Message))
	}
	if v.Table != nil {
		b.WriteString(trialTable(*v.Table, v.Lang).Render(look))
		for _, line := range v.Table.Notes(v.Lang) {
			fmt.Fprintln(&b, ui.OneLine(line))
		}
	}
	fmt.Fprintf(&b, "next: %s\n", strings.TrimRight(ui.Printable(v.Next.Text), "\n"))
	_, err := fmt.Fprint(io.Out, b.String())
	return err
}

func trialTable(c skillscore.Comparison, lang string) ui.Table {
	rows := c.Rows(lang)
	return ui.Table{Columns: []ui.Column{{Title: rows[0][0]}, {Title: rows[0][1], Right: true}, {Title: rows[0][2], Right: true}}, Rows: rows[1:]}
}

// langOf is the language of the texts for the user: the flag, else that of the environment where we have it.
func langOf(io ui.IO, flag string) (string, error) {
	if flag != "" {
		if !slices.Contains(skillscore.Languages, flag) {
			return "", ui.Fail(ui.BadInput, fmt.Errorf("--lang %q: the texts are there in %s", flag, strings.Join(skillscore.Languages, " and ")), "take en and translate what is shown to the user")
		}
		return flag, nil
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := io.Getenv(name); v != "" {
			if strings.HasPrefix(v, "fr") {
				return "fr", nil
			}
			break
		}
	}
	return "en", nil
}

func newTrialStartCmd(io ui.IO) *cobra.Command {
	var tf trialFlags
	var lang string
	var o skillscore.StartOptions
	cmd := &cobra.Command{
		Use:   "start NAME",
		Short: "Begin a trial of a skill",
		Long: `Begin a trial of a skill, by its name, plugin:name or path. Five runs in a row without an applied change, or a
rubric that has changed, close the gate first.`,
		Example: `  hoyeon-cli skill-score start release-notes
  hoyeon-cli skill-score start starter:release-notes --lang fr`,
		Args: oneName("the skill"),
		RunE: func(_ *cobra.Command, args []string) error {
			var err error
			if o.Lang, err = langOf(io, lang); err != nil {
				return err
			}
			o.Name = args[0]
			return tf.verb(io, func(e skillscore.Engine) (skillscore.View, error) { return e.Start(o) })
		},
	}
	cmd.Flags().StringVar(&lang, "lang", "", "`LANGUAGE` of what is shown to the user: en or fr (default: the environment's)")
	cmd.Flags().BoolVar(&o.Replace, "replace", false, "drop a trial of this session that goes on")
	tf.add(cmd, "skill-score")
	return cmd
}

// oneName checks that a command has one operand, which names what.
func oneName(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 || args[0] == "" {
			return ui.Fail(ui.BadInput, fmt.Errorf("%s: name %s", name(cmd), what), "run '"+cmd.CommandPath()+" --help'")
		}
		if len(args) > 1 {
			return ui.Bad("%s: unexpected argument %q; it takes one", name(cmd), args[1])
		}
		return nil
	}
}
