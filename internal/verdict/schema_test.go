package verdict

import (
	"strings"
	"testing"

	"rulph/schemas/schematest"
)

// The form of both tests: one criterion of each kind.
var kinds = Form{Criteria: []FormCriterion{
	{ID: "setup", Name: "Set-up", Items: []FormItem{{"os", "Names the system"}, {"install", "Gives a command"}}},
	{ID: "tone", Name: "Tone", Levels: true},
	{ID: "fidelity", Name: "Fidelity", Points: true},
}}

func TestEveryFormOfAnAnswerFitsTheSchema(t *testing.T) {
	for _, answer := range []string{
		`{"ticket":"rulph-x","checklist":{"setup":{"install":{"verdict":"yes","evidence":"go install"},"os":{"verdict":"no"}}},"levels":{"tone":75,"fidelity":2},"suggestions":{"setup":"Add"}}`,
		`{"scores":{"Set-up":50,"Tone":75,"Fidelity":1},"checklist":{"Set-up":{"Names the system":true,"Gives a command":false}},"suggestions":{}}`,
		`{"items":{"setup":{"os":" YES ","install":"unsure"}},"points":{"fidelity":0},"levels":{"tone":100.0},"note":["passed over"]}`,
		`{"checklist":{"setup":{"os":{"verdict":true,"evidence":null},"install":"no"}},"levels":{"tone":25,"fidelity":0},"suggestions":{"tone":null},"scores":null}`,
	} {
		if _, err := Parse([]byte(answer), kinds); err != nil {
			t.Errorf("%v\n%s", err, answer)
		}
		schematest.Fits(t, "verdict", []byte(answer))
	}
}

func TestWhatTheSchemaRefusesIsMalformed(t *testing.T) {
	good := `{"checklist":{"setup":{"os":{"verdict":"yes","evidence":"Linux"},"install":"no"}},"levels":{"tone":75,"fidelity":2},"scores":{"setup":50},"suggestions":{"setup":"Add"}}`
	if _, err := Parse([]byte(good), kinds); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new string }{
		{`"verdict":"yes"`, `"verdict":"maybe"`},
		{`"verdict":"yes",`, ``},
		{`"evidence":"Linux"`, `"evidence":["Linux"]`},
		{`"install":"no"`, `"install":0`},
		{`"tone":75`, `"tone":60`},
		{`"tone":75`, `"tone":"75"`},
		{`"setup":50`, `"setup":"half"`},
		{`"setup":"Add"`, `"setup":{"do":"Add"}`},
		{`{"setup":{"os":{"verdict":"yes","evidence":"Linux"},"install":"no"}}`, `["yes","no"]`},
	} {
		schematest.Refuses(t, "verdict", []byte(good), c.old, c.new)
		bad := replaceOnce(t, good, c.old, c.new)
		if v, err := Parse([]byte(bad), kinds); err == nil {
			t.Errorf("Parse takes %s as %+v", bad, v)
		}
	}
	for _, none := range []string{`{}`, `[]`, `{"suggestions":{"setup":"Add"}}`} {
		if schematest.Check(t, "verdict", []byte(none)) == nil {
			t.Errorf("%s fits", none)
		}
	}
}

func replaceOnce(t *testing.T, s, old, new string) string {
	t.Helper()
	before, after, ok := strings.Cut(s, old)
	if !ok {
		t.Fatalf("no %s", old)
	}
	return before + new + after
}
