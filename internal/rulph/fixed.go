package rulph

import (
	"context"
	"errors"
	"fmt"
	"os"

	"rulph/internal/artifact"
	"rulph/internal/evaluator"
	"rulph/internal/loop"
	"rulph/internal/prompt"
	"rulph/internal/rubric"
	"rulph/internal/score"
	"rulph/internal/ui"
)

// answered are the answers that need no judge, and why each is what it is.
type answered struct {
	outcomes score.Fixed
	why      map[string]map[string]string
	unasked  int // items that only a judge could answer, in a run without one
	distrust int // commands that nobody trusted
	broken   []string
	rubric   string
	program  string
	seat     string // how to get a judge, where there is none
}

func (f *answered) set(criterion, item string, o score.Outcome, why string) {
	if f.outcomes[criterion] == nil {
		f.outcomes[criterion] = map[string]score.Outcome{}
		f.why[criterion] = map[string]string{}
	}
	f.outcomes[criterion][item] = o
	f.why[criterion][item] = why
}

func (f answered) warnings() (out []string) {
	if f.distrust > 0 {
		out = append(out, fmt.Sprintf("unknown answers: %d, since the commands of the rubric are not trusted; look at them, then run: %s rubric trust %s", f.distrust, f.program, prompt.Quote(f.rubric)))
	}
	for _, b := range f.broken {
		out = append(out, "unknown answer: "+b)
	}
	if f.unasked > 0 {
		out = append(out, fmt.Sprintf("unknown answers: %d, which only a judge could give, and this run has none; %s", f.unasked, f.seat))
	}
	return out
}

// fixed answers the items that the text itself or a command answers, for every judge alike. Commands
// run one after the other, in the rubric's folder, and must leave the artifact as it is.
func (e Engine) fixed(ctx context.Context, s loop.State, a artifact.Artifact) (answered, error) {
	f := answered{outcomes: score.Fixed{}, why: map[string]map[string]string{}, rubric: s.Rubric.Path, program: e.CLI.Program}
	trusted := e.trusted(s)
	ran := false
	for _, c := range s.Rubric.Body.Criteria {
		for _, it := range c.Items {
			switch {
			case it.Probe != nil:
				yes, why, err := it.Probe.Answer(a)
				if err != nil {
					return f, fmt.Errorf("rubric item %s/%s: %w", c.ID, it.ID, err)
				}
				f.set(c.ID, it.ID, yesNo(yes), why)
			case it.Check != "" && !trusted:
				f.distrust++
				f.set(c.ID, it.ID, score.Unknown, "the command is not trusted")
			case it.Check != "":
				e.Notef("check %s/%s", c.ID, it.ID)
				ran = true
				o, why, err := e.check(ctx, s, it)
				if err != nil {
					return f, err
				}
				f.set(c.ID, it.ID, o, why)
				if o == score.Unknown {
					f.broken = append(f.broken, fmt.Sprintf("%s/%s: %s", c.ID, it.ID, why))
				}
			case len(s.Judges) == 0:
				f.unasked++
				f.set(c.ID, it.ID, score.Unknown, "no judge was asked")
			}
		}
		if len(c.Items) == 0 && len(s.Judges) == 0 {
			f.unasked++
		}
	}
	if f.unasked > 0 {
		f.seat = howToSeat(e.Environ)
	}
	if ran {
		return f, unchanged(s, a)
	}
	return f, nil
}

// howToSeat is how to get a judge: by name, and where no client of a model is installed, how to install one.
func howToSeat(environ []string) string {
	how := "name one with --judge"
	environ = outside(environ)
	if len(installed(environ)) > 0 {
		return how
	}
	_, err := evaluator.Find(evaluator.Spec{Kind: evaluator.Models[0]}, environ, "")
	return how + "; no client of a model is installed here: " + skipped(err)
}

// unchanged makes sure that the checks left the artifact alone, and puts it back where they did not.
func unchanged(s loop.State, a artifact.Artifact) error {
	if after, err := artifact.Read(s.Target.Spec); err == nil && after.Hash() == a.Hash() {
		return nil
	}
	if _, err := artifact.Restore(s.Target.Spec, a); err != nil {
		return fmt.Errorf("a check of the rubric changed the artifact, and it could not be put back: %w", err)
	}
	return ui.Fail(ui.BadInput, errors.New("a check of the rubric changed the artifact, which was put back; a check only looks"), "mend the check commands in "+s.Rubric.Path)
}

func (e Engine) check(ctx context.Context, s loop.State, it rubric.Item) (score.Outcome, string, error) {
	out, err := evaluator.Run(ctx, e.command(s, it.Check))
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	if err != nil {
		return score.Unknown, err.Error(), nil
	}
	answer, why := evaluator.Answer(out)
	return score.Outcome(answer), why, nil
}

func (e Engine) command(s loop.State, line string) evaluator.Command {
	return evaluator.Command{Line: line, Dir: s.Rubric.Dir, Target: targetPath(s)}
}

// targetPath is $TARGET of a command: the file, or the folder that holds the files.
func targetPath(s loop.State) string {
	if len(s.Target.Targets) == 1 {
		return s.Target.Targets[0]
	}
	return s.Target.Root
}

// trusted says whether the commands may run: somebody allowed the file as it is now, and it still is
// the rubric that was locked.
func (e Engine) trusted(s loop.State) bool {
	data, err := os.ReadFile(s.Rubric.Path)
	return err == nil && e.Trusted != nil && e.Trusted(s.Rubric.Path, data) && e.locked(s) == nil
}

func yesNo(yes bool) score.Outcome {
	if yes {
		return score.Yes
	}
	return score.No
}
