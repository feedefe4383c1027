package lint

import (
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "rulph/"

// layers are the packages from the top down. A package imports only from the layers below its own; two of
// one layer do not know each other.
var layers = [][]string{
	{"cmd/hoyeon-cli", "cmd/hoyeon-hook"},
	{"internal/cli"},
	{"internal/hook"},
	{"internal/rulph", "internal/skillscore", "internal/tune", "internal/ralph", "internal/judge", "internal/install"},
	{"internal/loop", "internal/trial"},
	{"internal/score"},
	{"internal/rubric/rubricfile"},
	{"internal/rubric"},
	{"internal/verdict"},
	{"internal/evaluator"},
	{"internal/artifact"},
	{"internal/artifact/markdown"},
	{"internal/skill/skilllint"},
	{"internal/skill"},
	{"internal/runs"},
	{"internal/session"},
	{"internal/report"},
	{"internal/ui"},
	{"internal/version", "internal/prompt", "schemas"},
}

// outside are packages of tests and tools: nothing but one another may import them.
var outside = []string{"e2e", "internal/lint", "internal/launcher", "schemas/schematest", "scripts"}

func isOutside(name string) bool {
	return slices.ContainsFunc(outside, func(o string) bool { return name == o || strings.HasPrefix(name, o+"/") })
}

func layerOf(name string) int {
	return slices.IndexFunc(layers, func(layer []string) bool { return slices.Contains(layer, name) })
}

// arrows checks the imports of each package of the module, tests left out.
func arrows(imports map[string][]string) (faults []string) {
	for _, name := range sorted(imports) {
		if isOutside(name) {
			continue
		}
		from := layerOf(name)
		if from < 0 {
			faultf(&faults, "%s is in no layer: say in internal/lint which one it belongs to", name)
			continue
		}
		for _, imported := range imports[name] {
			imported, own := strings.CutPrefix(imported, module)
			if !own {
				continue
			}
			if isOutside(imported) {
				faultf(&faults, "%s imports %s, which is for tests", name, imported)
			} else if to := layerOf(imported); to >= 0 && to <= from {
				faultf(&faults, "%s imports %s, which is not below it", name, imported)
			}
		}
	}
	return faults
}

func sorted(m map[string][]string) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// heavy are packages that the hook binary must not hold: they cost start-up time at every prompt and stop.
var heavy = []string{
	"github.com/spf13/cobra", "gopkg.in/yaml.v3", "github.com/yuin/goldmark", "html/template", "text/template",
	"charm.land/lipgloss", "github.com/santhosh-tekuri/jsonschema", "net/http", "testing", "flag",
}

// light checks what a program is linked from.
func light(program string, deps []string) (faults []string) {
	for _, dep := range deps {
		for _, no := range heavy {
			if dep == no || strings.HasPrefix(dep, no+"/") {
				faultf(&faults, "%s links %s", program, dep)
			}
		}
	}
	return faults
}

func goList(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %s: %v", strings.Join(args, " "), err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func TestArrowsPointDown(t *testing.T) {
	imports := map[string][]string{}
	for _, line := range goList(t, "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...") {
		words := strings.Fields(line)
		imports[strings.TrimPrefix(words[0], module)] = words[1:]
	}
	clean(t, arrows(imports))
}

func TestTheHookIsLight(t *testing.T) {
	clean(t, light("cmd/hoyeon-hook", goList(t, "-deps", "./cmd/hoyeon-hook")))
}

func TestTheRulesForImportsCanFail(t *testing.T) {
	caught(t, "down", arrows(map[string][]string{"internal/hook": {"fmt", "rulph/internal/loop", "rulph/internal/version"}, "e2e": {"rulph/internal/cli"}}), "")
	caught(t, "up", arrows(map[string][]string{"internal/score": {"rulph/internal/loop"}}), "internal/score imports internal/loop, which is not below it")
	caught(t, "sideways", arrows(map[string][]string{"internal/judge": {"rulph/internal/ralph"}}), "internal/judge imports internal/ralph")
	caught(t, "unknown", arrows(map[string][]string{"internal/util": nil}), "internal/util is in no layer")
	caught(t, "tests", arrows(map[string][]string{"internal/cli": {"rulph/e2e/internal/clients"}}), "which is for tests")
	caught(t, "light", light("x", []string{"fmt", "nethttp", "net/httpx"}), "")
	caught(t, "heavy", light("x", []string{"fmt", "gopkg.in/yaml.v3"}), "x links gopkg.in/yaml.v3")
	caught(t, "a part of something heavy", light("x", []string{"net/http/internal"}), "x links net/http/internal")
	if faults := light("cmd/hoyeon-cli", goList(t, "-deps", "./cmd/hoyeon-cli")); len(faults) == 0 {
		t.Error("the command line, which is heavy, was found light")
	}
	for _, layer := range layers {
		for _, name := range layer {
			if path.Clean(name) != name || isOutside(name) {
				t.Errorf("layer %q", name)
			}
		}
	}
}
