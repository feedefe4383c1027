package evaluator

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Kind is what a judge or an improver is.
type Kind string

// The kinds. Checks judges and Fix improves with the commands of the rubric itself (see Run);
// they are no programs that Find could find.
const (
	Claude      Kind = "claude"
	Codex       Kind = "codex"
	Gemini      Kind = "gemini"
	CommandLine Kind = "command"
	Checks      Kind = "checks"
	Fix         Kind = "fix"
)

// Models are the clients of a model, in the order in which they are asked when nobody says whom to ask.
var Models = []Kind{Codex, Gemini, Claude}

// Spec is a judge or an improver as a person names it. The zero values of Model, Effort and Price leave
// the choice to the client.
type Spec struct {
	Kind   Kind
	Argv   []string // of CommandLine: the program and its arguments
	Model  string
	Effort string // one of the client's own words for it
	Price  *Price
}

// Price is what a million tokens cost, in USD. Tokens read from a cache count as input: they cost less,
// so that a sum is never too low.
type Price struct{ In, Out float64 }

// efforts are the words that each client takes.
var efforts = map[Kind][]string{
	Claude: {"low", "medium", "high", "xhigh", "max"},
	Codex:  {"none", "minimal", "low", "medium", "high", "xhigh"},
	Gemini: {"minimal", "low", "medium", "high"},
}

// ParseJudge reads the name of a judge:
//
//	claude | codex | gemini             the client, with its default model
//	codex:model=M,effort=E,price=IN/OUT with any of the three; the price is in USD per million tokens
//	command:PROGRAM ARGUMENT...         words as a POSIX shell splits them, see splitWords; no shell runs
//	checks                              the commands of the rubric alone
func ParseJudge(text string) (Spec, error) { return parse("judge", text, Checks) }

// ParseImprover reads the name of an improver: as ParseJudge, with fix (the rubric's fix commands) in the
// place of checks.
func ParseImprover(text string) (Spec, error) { return parse("improver", text, Fix) }

func parse(role, text string, own Kind) (Spec, error) {
	name, rest, found := strings.Cut(strings.TrimSpace(text), ":")
	s := Spec{Kind: Kind(name)}
	switch {
	case s.Kind == CommandLine:
		argv, err := splitWords(rest)
		if err != nil {
			return Spec{}, fmt.Errorf("%s %s: %w", role, text, err)
		}
		if len(argv) == 0 || argv[0] == "" {
			return Spec{}, fmt.Errorf("%s %s: it names no program; write command:PROGRAM ARGUMENT", role, text)
		}
		s.Argv = argv
		return s, nil
	case s.Kind == own && !found:
		return s, nil
	case s.Kind == own:
		return Spec{}, fmt.Errorf("%s %s: %s takes no options", role, text, own)
	case !slices.Contains(Models, s.Kind):
		return Spec{}, fmt.Errorf("%s %q is not known; it is one of claude, codex, gemini, command:PROGRAM and %s", role, name, own)
	case !found:
		return s, nil
	}
	seen := map[string]bool{}
	for _, option := range strings.Split(rest, ",") {
		key, value, _ := strings.Cut(option, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if seen[key] {
			return Spec{}, fmt.Errorf("%s %s: %s is given twice", role, text, key)
		}
		seen[key] = true
		if err := s.set(key, value); err != nil {
			return Spec{}, fmt.Errorf("%s %s: %w", role, text, err)
		}
	}
	return s, nil
}

func (s *Spec) set(key, value string) error {
	switch key {
	case "model":
		// A client must not take it for an option, and it ends up on screens and in reports.
		if value == "" || value[0] == '-' || strings.ContainsFunc(value, func(r rune) bool { return !unicode.IsGraphic(r) || r == ' ' || r == unicode.ReplacementChar }) {
			return fmt.Errorf("model=%s is no name of a model", value)
		}
		s.Model = value
	case "effort":
		if known := efforts[s.Kind]; !slices.Contains(known, value) {
			return fmt.Errorf("effort=%s is not known to %s; it is one of %s", value, s.Kind, strings.Join(known, ", "))
		}
		s.Effort = value
	case "price":
		in, out, ok := strings.Cut(value, "/")
		p := Price{amount(in), amount(out)}
		if !ok || p.In < 0 || p.Out < 0 {
			return fmt.Errorf("price=%s is not two amounts; write price=IN/OUT, in USD per million tokens, for instance price=1.25/10", value)
		}
		s.Price = &p
	default:
		return fmt.Errorf("%q is no option of it; the options are model, effort and price", key)
	}
	return nil
}

// amount is a finite number of dollars, or -1.
func amount(text string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return -1
	}
	return math.Abs(v) // "-0" is 0
}

// String is the text from which ParseJudge or ParseImprover reads the same Spec.
func (s Spec) String() string {
	if s.Kind == CommandLine {
		return string(s.Kind) + ":" + joinWords(s.Argv)
	}
	var options []string
	if s.Model != "" {
		options = append(options, "model="+s.Model)
	}
	if s.Effort != "" {
		options = append(options, "effort="+s.Effort)
	}
	if s.Price != nil {
		options = append(options, fmt.Sprintf("price=%s/%s", strconv.FormatFloat(s.Price.In, 'g', -1, 64), strconv.FormatFloat(s.Price.Out, 'g', -1, 64)))
	}
	if len(options) == 0 {
		return string(s.Kind)
	}
	return string(s.Kind) + ":" + strings.Join(options, ",")
}

// Family is who makes the model, as far as the client tells: two judges of one family share its blind
// spots. It is "" for commands, which could ask anyone.
func (s Spec) Family() string {
	return map[Kind]string{Claude: "anthropic", Codex: "openai", Gemini: "google"}[s.Kind]
}

// Name is what a judge is called when nobody gave it a name.
func (s Spec) Name() string { return string(s.Kind) }
