package evaluator

import (
	"reflect"
	"strings"
	"testing"
)

func TestSpecsAreReadAndWrittenTheSame(t *testing.T) {
	for text, want := range map[string]Spec{
		"claude":                   {Kind: Claude},
		"codex:model=gpt-5.1":      {Kind: Codex, Model: "gpt-5.1"},
		"gemini:effort=low":        {Kind: Gemini, Effort: "low"},
		"claude:price=1.25/10":     {Kind: Claude, Price: &Price{In: 1.25, Out: 10}},
		"codex:price=0/0":          {Kind: Codex, Price: &Price{}},
		"claude:model=a:b/c@1[1m]": {Kind: Claude, Model: "a:b/c@1[1m]"},
		"codex:model=gpt-5.1,effort=high,price=0.05/1e+06": {Kind: Codex, Model: "gpt-5.1", Effort: "high", Price: &Price{In: 0.05, Out: 1e6}},
		"checks":                              {Kind: Checks},
		"command:judge":                       {Kind: CommandLine, Argv: []string{"judge"}},
		"command:./judge.sh --strict 'a b'":   {Kind: CommandLine, Argv: []string{"./judge.sh", "--strict", "a b"}},
		"command:/bin/x model=a,effort=high":  {Kind: CommandLine, Argv: []string{"/bin/x", "model=a,effort=high"}},
		"command:x '' 'it'\\''s' '$HOME' '*'": {Kind: CommandLine, Argv: []string{"x", "", "it's", "$HOME", "*"}},
	} {
		got, err := ParseJudge(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("ParseJudge(%q) = %+v, %v; want %+v", text, got, err, want)
		}
		if got.String() != text {
			t.Errorf("String of %q is %q", text, got.String())
		}
	}
	got, err := ParseJudge(" codex:price=1/2 , model=m ")
	if err != nil || got.String() != "codex:model=m,price=1/2" {
		t.Errorf("%q, %v", got.String(), err)
	}
	if got, err := ParseImprover("fix"); err != nil || got.Kind != Fix {
		t.Errorf("ParseImprover(fix) = %+v, %v", got, err)
	}
}

func TestSpecsThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                      `judge "" is not known; it is one of claude, codex, gemini, command:PROGRAM and checks`,
		"gpt":                   `judge "gpt" is not known; it is one of claude, codex, gemini, command:PROGRAM and checks`,
		"fix":                   `judge "fix" is not known; it is one of`,
		"checks:model=x":        "judge checks:model=x: checks takes no options",
		"codex:":                `judge codex:: "" is no option of it; the options are model, effort and price`,
		"codex:modle=x":         `judge codex:modle=x: "modle" is no option of it; the options are model, effort and price`,
		"codex:model=":          "model= is no name of a model",
		"codex:model=--yolo":    "model=--yolo is no name of a model",
		"codex:model=a\x1b[1m":  "is no name of a model",
		"codex:model=a,model=b": "model is given twice",
		"codex:effort=max":      "effort=max is not known to codex; it is one of none, minimal, low, medium, high, xhigh",
		"gemini:effort=xhigh":   "effort=xhigh is not known to gemini; it is one of minimal, low, medium, high",
		"codex:price=1":         "price=1 is not two amounts; write price=IN/OUT, in USD per million tokens, for instance price=1.25/10",
		"codex:price=-1/2":      "is not two amounts",
		"codex:price=1/NaN":     "is not two amounts",
		"codex:price=Inf/1":     "is not two amounts",
		"codex:price=1/2/3":     "is not two amounts",
		"command":               "it names no program; write command:PROGRAM ARGUMENT",
		"command: ":             "it names no program",
		"command:'' x":          "it names no program",
		"command:x 'y":          "a single quote is not closed",
		`command:x "y`:          "a double quote is not closed",
		`command:x y\`:          "it ends in a backslash",
		"command:x '\x00'":      "a word holds a NUL character",
	} {
		if got, err := ParseJudge(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseJudge(%q) = %+v, %v; want an error with %q", text, got, err, want)
		}
	}
	if _, err := ParseImprover("checks"); err == nil || !strings.Contains(err.Error(), `improver "checks" is not known; it is one of claude, codex, gemini, command:PROGRAM and fix`) {
		t.Errorf("ParseImprover(checks): %v", err)
	}
}

func TestWordsAreThoseOfAShellWithoutItsExpansions(t *testing.T) {
	for line, want := range map[string][]string{
		"":                         nil,
		" \t\n":                    nil,
		"a  b\tc\nd":               {"a", "b", "c", "d"},
		`a'b c'd`:                  {"ab cd"},
		`"a \"b\" \\ \$ \x"`:       {`a "b" \ $ \x`},
		`'a\'b`:                    {`a\b`},
		`a\ b \' \\`:               {"a b", "'", `\`},
		"a\\\nb \"c\\\nd\"":        {"ab", "cd"},
		`"" ''`:                    {"", ""},
		"$HOME *.md ~ `x` # a | b": {"$HOME", "*.md", "~", "`x`", "#", "a", "|", "b"},
	} {
		got, err := splitWords(line)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("splitWords(%q) = %q, %v; want %q", line, got, err, want)
		}
	}
}

func TestFamiliesAndNames(t *testing.T) {
	for kind, want := range map[Kind]string{Claude: "anthropic", Codex: "openai", Gemini: "google", CommandLine: "", Checks: "", Fix: ""} {
		s := Spec{Kind: kind}
		if s.Family() != want || s.Name() != string(kind) {
			t.Errorf("%s: family %q, name %q", kind, s.Family(), s.Name())
		}
	}
}

func FuzzSpec(f *testing.F) {
	for _, text := range []string{"claude", "codex:model=gpt-5.1,effort=high,price=1.25/10", "command:./judge.sh --strict 'a b'", `command:x "a\"b" c\ d '' $X`, "checks", "fix", "gemini:price=1e-9/0x1p3", "codex:model=é"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, parse := range []func(string) (Spec, error){ParseJudge, ParseImprover} {
			s, err := parse(text)
			if err != nil {
				continue
			}
			again, err := parse(s.String())
			if err != nil || !reflect.DeepEqual(again, s) {
				t.Errorf("%q is %+v, written as %q, which is %+v, %v", text, s, s.String(), again, err)
			}
		}
	})
}
