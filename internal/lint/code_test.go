package lint

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os/exec"
	"strings"
	"testing"
)

// formatted is what gofmt has to say of a Go file.
func formatted(path string, source []byte) (faults []string) {
	want, err := format.Source(source)
	if err != nil {
		faultf(&faults, "%s: %v", path, err)
	} else if !bytes.Equal(want, source) {
		faultf(&faults, "%s: not formatted; run gofmt -w on it", path)
	}
	return faults
}

// unskipped finds tests that step aside: a test that did not run has proved nothing and looks as if it had.
func unskipped(path string, source []byte) (faults []string) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil {
		faultf(&faults, "%s: %v", path, err)
		return faults
	}
	ast.Inspect(parsed, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		if name, ok := call.Fun.(*ast.SelectorExpr); ok {
			switch name.Sel.Name {
			case "Skip", "Skipf", "SkipNow":
				faultf(&faults, "%s: a test is skipped", set.Position(call.Pos()))
			case "Short":
				faultf(&faults, "%s: a test does less than it could", set.Position(call.Pos()))
			}
		}
		return true
	})
	return faults
}

// unskippedScript finds the same in a test script.
func unskippedScript(path string, source []byte) (faults []string) {
	script, _, _ := bytes.Cut(source, []byte("\n-- "))
	for i, line := range strings.Split(string(script), "\n") {
		words := strings.Fields(line)
		for len(words) > 0 && strings.HasPrefix(words[0], "[") && strings.HasSuffix(words[0], "]") {
			words = words[1:]
		}
		if len(words) > 0 && (words[0] == "skip" || words[0] == "stop") {
			faultf(&faults, "%s:%d: a script is skipped", path, i+1)
		}
	}
	return faults
}

// vetted runs go vet on the module in dir.
func vetted(dir string) (faults []string) {
	cmd := exec.Command("go", "vet", "./...")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		faultf(&faults, "go vet: %v\n%s", err, out)
	}
	return faults
}

func TestTheCodeIsFormattedAndNoTestIsSkipped(t *testing.T) {
	for _, f := range files(t) {
		switch {
		case strings.HasSuffix(f.path, "_test.go"):
			clean(t, formatted(f.path, f.data))
			clean(t, unskipped(f.path, f.data))
		case strings.HasSuffix(f.path, ".go"):
			clean(t, formatted(f.path, f.data))
		case strings.HasSuffix(f.path, ".txtar"):
			clean(t, unskippedScript(f.path, f.data))
		}
	}
}

func TestGoVetIsContent(t *testing.T) { clean(t, vetted(root(t))) }

func TestTheRulesForCodeCanFail(t *testing.T) {
	good := "package p\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { t.Log(1) }\n"
	caught(t, "formatted", formatted("a.go", []byte(good)), "")
	caught(t, "not formatted", formatted("a.go", []byte("package p\nvar  x = 1\n")), "a.go: not formatted")
	caught(t, "no Go", formatted("a.go", []byte("package\n")), "a.go: ")
	caught(t, "no skip", unskipped("a_test.go", []byte(good)), "")
	for _, call := range []string{"t.Skip(1)", "t.Skipf(\"x\")", "t.SkipNow()", "testing.Short()"} {
		caught(t, call, unskipped("a_test.go", []byte(strings.Replace(good, "t.Log(1)", call, 1))), "a_test.go:5:28: a test ")
	}
	caught(t, "a script", unskippedScript("a.txtar", []byte("# no skip here\nexec skip\n-- file --\nskip\n")), "")
	caught(t, "a skipped script", unskippedScript("a.txtar", []byte("exec true\n[!exec:jq] [linux] skip 'no jq'\n")), "a.txtar:2: ")
	caught(t, "a script that stops", unskippedScript("a.txtar", []byte("stop\nexec false\n")), "a.txtar:1: ")
	module := map[string]string{"go.mod": "module p\n\ngo 1.26\n", "p.go": "package p\n"}
	caught(t, "vet is content", vetted(lay(t, module)), "")
	caught(t, "vet is not", vetted(lay(t, with(module, map[string]string{"p.go": "package p\n\nimport \"fmt\"\n\nfunc F() { fmt.Printf(\"%d\", \"x\") }\n"}))), "Printf format %d")
}
