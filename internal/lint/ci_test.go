package lint

import (
	"bytes"
	"context"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"rulph/internal/cli"
	"rulph/internal/ui"
)

// action is a composite GitHub Action.
type action struct {
	Name, Description, Author string
	Branding                  map[string]string
	Inputs                    map[string]struct {
		Description, Default string
		Required             bool
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	Name, ID, If, Shell, Run, Uses string
	Env, With                      map[string]string
}

// strict reads YAML that has no key which the target does not know.
func strict(data []byte, into any) error {
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	return d.Decode(into)
}

// The runner puts an expression's value into the text it stands in.
var (
	inputUsed  = regexp.MustCompile(`\binputs\.([a-z-]+)`)
	stepOutput = regexp.MustCompile(`\bsteps\.([a-z-]+)\.outputs\.([a-z-]+)`)
	pinned     = regexp.MustCompile(`^[A-Za-z0-9-]+/[A-Za-z0-9-]+@v[0-9]+$`)
	flagUsed   = regexp.MustCompile(`(?:^|[\s"'\[(,|` + "`" + `])--([a-z][a-z-]*)`)
	calledFile = regexp.MustCompile(`\$GITHUB_ACTION_PATH/([a-z0-9/.-]+)`)
)

// actions checks action.yml and the script of each of its steps, given by path.
func actions(data []byte, scripts map[string]string) (faults []string) {
	var a action
	if err := strict(data, &a); err != nil {
		faultf(&faults, "action.yml: %v", err)
		return faults
	}
	if a.Name == "" || a.Description == "" {
		faultf(&faults, "action.yml: no name or no description")
	}
	if a.Runs.Using != "composite" {
		faultf(&faults, "action.yml: runs.using is %q, want composite", a.Runs.Using)
	}
	outputs := map[string]string{} // step id: the script that writes its outputs
	var used []string
	for i, s := range a.Runs.Steps {
		where := s.Name
		if where == "" {
			faultf(&faults, "action.yml: step %d has no name", i+1)
		}
		if (s.Run == "") == (s.Uses == "") {
			faultf(&faults, "action.yml: step %q either runs something or uses an action", where)
		}
		if s.Uses != "" && !pinned.MatchString(s.Uses) {
			faultf(&faults, "action.yml: step %q uses %s, which is not pinned to a major version", where, s.Uses)
		}
		if s.Run != "" && s.Shell == "" {
			faultf(&faults, "action.yml: step %q has no shell, which a composite action needs", where)
		}
		if strings.Contains(s.Run, "${{") {
			faultf(&faults, "action.yml: step %q pastes a value into a command; give it through env", where)
		}
		texts := []string{s.If}
		texts = append(texts, slices.Collect(maps.Values(s.With))...)
		texts = append(texts, slices.Collect(maps.Values(s.Env))...)
		for _, text := range texts {
			for _, m := range inputUsed.FindAllStringSubmatch(text, -1) {
				used = append(used, m[1])
			}
		}
		for _, m := range calledFile.FindAllStringSubmatch(s.Run, -1) {
			script, there := scripts[m[1]]
			if !there {
				faultf(&faults, "action.yml: step %q runs %s, which is not there", where, m[1])
			}
			outputs[s.ID] += script
			for name := range s.Env {
				if strings.HasPrefix(name, "RULPH_") && !strings.Contains(script, name) {
					faultf(&faults, "action.yml: step %q sets %s, which %s never reads", where, name, m[1])
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Inputs)) {
		if a.Inputs[name].Description == "" {
			faultf(&faults, "action.yml: the input %s has no description", name)
		}
		if !slices.Contains(used, name) {
			faultf(&faults, "action.yml: the input %s is used nowhere", name)
		}
	}
	for _, name := range used {
		if _, known := a.Inputs[name]; !known {
			faultf(&faults, "action.yml: inputs.%s is no input", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Outputs)) {
		m := stepOutput.FindStringSubmatch(a.Outputs[name].Value)
		switch {
		case a.Outputs[name].Description == "":
			faultf(&faults, "action.yml: the output %s has no description", name)
		case m == nil:
			faultf(&faults, "action.yml: the output %s has no value of a step", name)
		case !regexp.MustCompile(`output ` + m[2] + ` |:` + m[2] + `\b`).MatchString(outputs[m[1]]):
			faultf(&faults, "action.yml: no script of the step %s writes the output %s", m[1], m[2])
		}
	}
	return faults
}

// hook is one entry of .pre-commit-hooks.yaml.
type hook struct {
	ID, Name, Description, Language, Entry, Files, Exclude string
	Args, Types                                            []string
	PassFilenames                                          *bool  `yaml:"pass_filenames"`
	RequireSerial                                          bool   `yaml:"require_serial"`
	Minimum                                                string `yaml:"minimum_pre_commit_version"`
}

// commitHooks checks .pre-commit-hooks.yaml; programs are the commands that go install makes of this module.
func commitHooks(data []byte, programs, flags []string) (faults []string) {
	var hooks []hook
	if err := strict(data, &hooks); err != nil {
		faultf(&faults, ".pre-commit-hooks.yaml: %v", err)
		return faults
	}
	if len(hooks) == 0 {
		faultf(&faults, ".pre-commit-hooks.yaml: no hook")
	}
	for _, h := range hooks {
		if h.ID == "" || h.Name == "" || h.Description == "" {
			faultf(&faults, ".pre-commit-hooks.yaml: a hook without id, name or description: %q", h.ID)
		}
		if h.Language != "golang" {
			faultf(&faults, ".pre-commit-hooks.yaml: %s: language is %q, want golang", h.ID, h.Language)
		}
		if program, rest, _ := strings.Cut(h.Entry, " "); !slices.Contains(programs, program) || rest != "evaluate" {
			faultf(&faults, ".pre-commit-hooks.yaml: %s: the entry %q is not evaluate of a program of this module", h.ID, h.Entry)
		}
		if h.PassFilenames == nil || !*h.PassFilenames || !h.RequireSerial {
			faultf(&faults, ".pre-commit-hooks.yaml: %s: all files have to go into one evaluation: pass_filenames and require_serial", h.ID)
		}
		faults = append(faults, knownFlags(".pre-commit-hooks.yaml: "+h.ID, strings.Join(h.Args, "\n"), flags)...)
	}
	return faults
}

// knownFlags finds flags in a text that the command does not have.
func knownFlags(where, text string, flags []string) (faults []string) {
	for _, m := range flagUsed.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(flags, m[1]) {
			faultf(&faults, "%s: hoyeon-cli evaluate has no flag --%s", where, m[1])
		}
	}
	return faults
}

// evaluateFlags asks the command itself which flags it has.
func evaluateFlags(t *testing.T) []string {
	t.Helper()
	var out, stderr bytes.Buffer
	code := cli.Run(context.Background(), ui.IO{In: strings.NewReader(""), Out: &out, Err: &stderr, Getenv: func(string) string { return "" }, Cwd: t.TempDir()}, []string{"evaluate", "--help"})
	if code != ui.OK {
		t.Fatalf("evaluate --help exits %d: %s", code, stderr.String())
	}
	_, list, found := strings.Cut(out.String(), "\nFlags:\n")
	if !found {
		t.Fatalf("evaluate --help lists no flags:\n%s", out.String())
	}
	var flags []string
	for _, m := range regexp.MustCompile(`(?m)^\s+(?:-[a-z], )?--([a-z-]+)`).FindAllStringSubmatch(list, -1) {
		flags = append(flags, m[1])
	}
	return flags
}

// scriptsOf reads every file of scripts/ that is no Go.
func scriptsOf(t *testing.T) map[string]string {
	scripts := map[string]string{}
	for _, entry := range list(path.Join(root(t), "scripts")) {
		if !entry.IsDir() {
			scripts["scripts/"+entry.Name()] = string(read(t, "scripts/"+entry.Name()))
		}
	}
	return scripts
}

func programsOf(t *testing.T) []string {
	var names []string
	for _, entry := range list(path.Join(root(t), "cmd")) {
		names = append(names, entry.Name())
	}
	return names
}

func TestTheActionIsOneThatRuns(t *testing.T) {
	clean(t, actions(read(t, "action.yml"), scriptsOf(t)))
}

func TestTheCommitHookIsOneThatRuns(t *testing.T) {
	clean(t, commitHooks(read(t, ".pre-commit-hooks.yaml"), programsOf(t), evaluateFlags(t)))
}

func TestScriptsAndDocumentsNameFlagsThatAreThere(t *testing.T) {
	flags := evaluateFlags(t)
	_, call, found := strings.Cut(string(read(t, "scripts/action.sh")), "\nset -- evaluate ")
	if !found {
		t.Fatal("scripts/action.sh does not begin its arguments with evaluate")
	}
	call, _, _ = strings.Cut(call, "\nset -- \"$@\" --\n")
	clean(t, knownFlags("scripts/action.sh", call, flags))
	if n := len(flagUsed.FindAllString(call, -1)); n != 15 {
		t.Errorf("scripts/action.sh uses %d flags, 15 are meant", n)
	}
	guide := string(read(t, "docs/ci.md"))
	others := regexp.MustCompile(`command:[^'\n]*|npm install [^\n]*`) // programs with flags of their own
	clean(t, knownFlags("docs/ci.md", others.ReplaceAllString(guide, ""), flags))
	var a action
	if err := strict(read(t, "action.yml"), &a); err != nil {
		t.Fatal(err)
	}
	for _, kind := range [][]string{slices.Sorted(maps.Keys(a.Inputs)), slices.Sorted(maps.Keys(a.Outputs))} {
		for _, name := range kind {
			if !strings.Contains(guide, "\n| `"+name+"` |") {
				t.Errorf("docs/ci.md has no row for %s of action.yml", name)
			}
		}
	}
}

func TestTheRulesForCICanFail(t *testing.T) {
	data, scripts := string(read(t, "action.yml")), scriptsOf(t)
	for what, c := range map[string]struct{ old, new, want string }{
		"an unknown key":       {"author:", "writer:", "field writer not found"},
		"no description":       {"description: true or false", "description: ''", "the output passed has no description"},
		"another kind":         {"using: composite", "using: node24", "want composite"},
		"a pasted value":       {`run: sh "$GITHUB_ACTION_PATH/scripts/action.sh"`, `run: sh "$GITHUB_ACTION_PATH/scripts/action.sh" ${{ inputs.files }}`, "pastes a value into a command"},
		"no shell":             {"shell: sh\n      run: sh \"$GITHUB_ACTION_PATH/scripts/build\"", "run: sh \"$GITHUB_ACTION_PATH/scripts/build\"", "has no shell"},
		"not pinned":           {"actions/setup-go@v6", "actions/setup-go@main", "not pinned"},
		"no such script":       {"scripts/action.sh", "scripts/evaluate.sh", "scripts/evaluate.sh, which is not there"},
		"an unused input":      {"RULPH_TIMEOUT: ${{ inputs.timeout }}", "RULPH_TIMEOUT: 5m", "the input timeout is used nowhere"},
		"an unknown input":     {"inputs.max-usd }}", "inputs.max-cost }}", ""},
		"an unread variable":   {"RULPH_REPEAT:", "RULPH_REPEATS:", "RULPH_REPEATS, which scripts/action.sh never reads"},
		"an output of nothing": {"outputs.overall }}", "outputs.score }}", "no script of the step evaluate writes the output score"},
	} {
		if !strings.Contains(data, c.old) {
			t.Fatalf("action.yml has no %q", c.old)
		}
		faults := actions([]byte(strings.Replace(data, c.old, c.new, 1)), scripts)
		switch what {
		case "an unknown input": // the one that is no input, and the one that is not used any more
			if len(faults) != 2 {
				t.Errorf("%s: %q", what, faults)
			}
		case "no such script": // and so nothing reads its variables or writes its outputs
			if len(faults) == 0 || !strings.Contains(faults[0], c.want) {
				t.Errorf("%s: %q", what, faults)
			}
		default:
			caught(t, what, faults, c.want)
		}
	}

	data = string(read(t, ".pre-commit-hooks.yaml"))
	programs, flags := programsOf(t), evaluateFlags(t)
	for what, c := range map[string]struct{ old, new, want string }{
		"an unknown key":    {"entry:", "entries:", "field entries not found"},
		"another language":  {"golang", "system", `language is "system"`},
		"another program":   {"hoyeon-cli evaluate", "rulph evaluate", "not evaluate of a program"},
		"another command":   {"hoyeon-cli evaluate", "hoyeon-cli rulph evaluate", "not evaluate of a program"},
		"several at a time": {"require_serial: true", "require_serial: false", "one evaluation"},
		"no files":          {"pass_filenames: true", "pass_filenames: false", "one evaluation"},
		"an unknown flag":   {"--judge=checks", "--judges=checks", "no flag --judges"},
		"no name":           {"name: rulph evaluate", "name: ''", "without id, name or description"},
		"no hook":           {data, "[]", "no hook"},
	} {
		caught(t, what, commitHooks([]byte(strings.Replace(data, c.old, c.new, 1)), programs, flags), c.want)
	}
	caught(t, "flags", knownFlags("x", "a --judge=x (--repeat 3) `--output` -- -x a--b", flags), "")
	caught(t, "an unknown flag in a text", knownFlags("x", "use `--loud`", flags), "x: hoyeon-cli evaluate has no flag --loud")
	if !slices.Contains(flags, "rubric") || slices.Contains(flags, "clear") {
		t.Errorf("flags: %v", flags)
	}
	if err := strict(nil, &action{}); err != io.EOF {
		t.Errorf("an empty file: %v", err)
	}
}
