package rulph

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"rulph/internal/evaluator"
	"rulph/internal/loop"
	"rulph/internal/rubric"
	"rulph/internal/ui"
)

// DefaultJudges are asked where `rulph start` names none. Two, since one alone is LOW CONFIDENCE.
var DefaultJudges = []string{"judge-1", "judge-2"}

// Auto stands for the judges that are there: of a session its own sub-agents and the installed clients of
// the other families, of a run the installed clients that do not improve.
const Auto = "auto"

// mostJudges is how many are asked side by side at most.
const mostJudges = 9

var judgeName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,31}$`)

// panel is who judges: names in the order of asking, and those of them that are programs.
type panel struct {
	names    []string
	programs map[string]string // name -> evaluator.Spec as text
}

// addProgram seats a program under a name that is free: codex, codex-2.
func (p *panel) addProgram(s evaluator.Spec) {
	name := s.Name()
	for n := 2; slices.Contains(p.names, name); n++ {
		name = fmt.Sprintf("%s-%d", s.Name(), n)
	}
	if p.programs == nil {
		p.programs = map[string]string{}
	}
	p.names, p.programs[name] = append(p.names, name), s.String()
}

// located is a program whose paths are not relative any more: its own, and arguments that begin with ./ or
// ../. It works elsewhere, and the loop may be driven from another folder.
func (e Engine) located(s evaluator.Spec) evaluator.Spec {
	s.Argv = slices.Clone(s.Argv)
	for i, arg := range s.Argv {
		if i == 0 && strings.ContainsRune(arg, '/') || strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "../") {
			s.Argv[i] = absolute(e.Dir, arg)
		}
	}
	return s
}

// isProgram says whether a judge is named as a program, and not as a sub-agent of a session.
func isProgram(text string) bool {
	kind, _, _ := strings.Cut(text, ":")
	k := evaluator.Kind(strings.TrimSpace(kind))
	return slices.Contains(evaluator.Models, k) || k == evaluator.CommandLine || k == evaluator.Checks || strings.Contains(text, ":")
}

// sessionPanel reads the judges of a loop in a session. Programs and sub-agents may sit side by side.
func (e Engine) sessionPanel(texts []string) (p panel, err error) {
	for _, text := range texts {
		switch {
		case text == Auto:
			e.autoPanel(&p)
		case isProgram(text):
			s, err := evaluator.ParseJudge(text)
			if err != nil {
				return p, ui.Fail(ui.BadInput, err)
			}
			if s.Kind != evaluator.Checks {
				p.addProgram(e.located(s))
			}
		case !judgeName.MatchString(text) || slices.Contains(p.names, text):
			return p, ui.Bad("--judge %q: a judge is named once, with a-z, 0-9, dot, dash or underscore, 32 at most", text)
		default:
			p.names = append(p.names, text)
		}
	}
	return p, p.check()
}

// autoPanel seats a sub-agent and the installed clients of the families that are not the session's own. A
// client that is installed and of no use here keeps its seat, so that each round says why; then a second
// sub-agent makes up for it.
func (e Engine) autoPanel(p *panel) {
	own := evaluator.Spec{Kind: e.Client}
	others := withoutFamily(installed(outside(e.Environ)), own)
	agents := DefaultJudges
	if usable := withoutFamily(installed(e.Environ), own); len(usable) > 0 {
		agents = DefaultJudges[:1]
	}
	for _, name := range agents {
		if !slices.Contains(p.names, name) {
			p.names = append(p.names, name)
		}
	}
	for _, s := range others {
		if p.programs[s.Name()] != s.String() {
			p.addProgram(s)
		}
	}
}

// outside is the environment as it is outside of Codex's sandbox: what is installed there.
func outside(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(kv string) bool { return strings.HasPrefix(kv, "CODEX_SANDBOX") })
}

// runPanel reads the judges of a run, which are programs all. improver is who improves, or "".
func (e Engine) runPanel(texts []string, improver evaluator.Spec) (p panel, caveat string, err error) {
	if len(texts) == 0 {
		texts = []string{Auto}
	}
	for _, text := range texts {
		if text == Auto {
			for _, s := range e.independent(improver) {
				p.addProgram(s)
			}
			continue
		}
		s, err := evaluator.ParseJudge(text)
		if err != nil {
			return p, "", ui.Fail(ui.BadInput, err)
		}
		if s.Kind != evaluator.Checks {
			p.addProgram(e.located(s))
		}
	}
	for _, name := range p.names {
		if s, err := evaluator.ParseJudge(p.programs[name]); err == nil && s.Family() != "" && s.Family() == improver.Family() {
			caveat = fmt.Sprintf("%s judges what %s has improved: a model favours the writing of its own family", name, improver.Kind)
		}
	}
	return p, caveat, p.check()
}

// installed lists the model clients that can be asked with this environment.
func installed(environ []string) (out []evaluator.Spec) {
	for _, kind := range evaluator.Models {
		s := evaluator.Spec{Kind: kind}
		if _, err := evaluator.Find(s, environ, ""); err == nil {
			out = append(out, s)
		}
	}
	return out
}

// independent lists the installed clients of another family than the improver's, or where there are none
// those that are there. One that is of no use in Codex's sandbox is among them, so that it says why.
func (e Engine) independent(improver evaluator.Spec) []evaluator.Spec {
	all := installed(outside(e.Environ))
	if others := withoutFamily(all, improver); len(others) > 0 {
		return others
	}
	return all
}

// withoutFamily lists those of another family than this one's.
func withoutFamily(specs []evaluator.Spec, one evaluator.Spec) []evaluator.Spec {
	return slices.DeleteFunc(slices.Clone(specs), func(s evaluator.Spec) bool { return s.Family() == one.Family() })
}

func (p panel) check() error {
	if len(p.names) > mostJudges {
		return ui.Bad("%d judges; at most %d are asked side by side", len(p.names), mostJudges)
	}
	return nil
}

// improverOf reads who improves in a run. Without a word it is the rubric's fix commands, and where a
// rubric has questions for judges also an installed client.
func (e Engine) improverOf(text string, r rubric.Rubric) (evaluator.Spec, error) {
	if text != "" {
		s, err := evaluator.ParseImprover(text)
		if err != nil {
			return s, ui.Fail(ui.BadInput, err)
		}
		if s.Kind == evaluator.Fix {
			return s, nil
		}
		s = e.located(s)
		if _, err := evaluator.Find(s, e.Environ, e.Dir); err != nil {
			return s, unusable("the improver", s, err)
		}
		return s, nil
	}
	if all := installed(e.Environ); hasJudgeItems(r) && len(all) > 0 {
		return all[len(all)-1], nil // the last, so that the first are left to judge
	}
	return evaluator.Spec{Kind: evaluator.Fix}, nil
}

// unusable is the error for a program that somebody named and that cannot be asked here.
func unusable(role string, s evaluator.Spec, err error) error {
	var u *evaluator.Unusable
	if errors.As(err, &u) && u.Hint != "" {
		return ui.Fail(ui.NoJudge, fmt.Errorf("%s %s cannot be asked: %s", role, s, u.Reason), u.Hint)
	}
	return ui.Fail(ui.NoJudge, fmt.Errorf("%s %s cannot be asked: %w", role, s, err))
}

// someUsable makes sure that at least one of the programs can be asked, where nobody else is.
func (e Engine) someUsable(s loop.State) error {
	if len(s.Judges) == 0 || len(s.Programs) < len(s.Judges) {
		return nil
	}
	var reasons, hints []string
	for _, name := range s.Judges {
		_, err := e.find(s.Programs[name])
		if err == nil {
			return nil
		}
		var u *evaluator.Unusable
		if errors.As(err, &u) {
			reasons = append(reasons, name+": "+u.Reason)
			if !slices.Contains(hints, u.Hint) && u.Hint != "" {
				hints = append(hints, u.Hint)
			}
			continue
		}
		reasons = append(reasons, name+": "+err.Error())
	}
	return ui.Fail(ui.NoJudge, fmt.Errorf("no judge can be asked (%s)", strings.Join(reasons, "; ")), hints...)
}
