package hook

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"rulph/schemas/schematest"
)

func TestTheSchemaNamesTheKeysThatBothClientsTake(t *testing.T) {
	schematest.Matches(t, "hook", "", reflect.TypeFor[output](), true)
}

func TestAnswersThatAClientWouldRefuseDoNotFitTheSchema(t *testing.T) {
	w := newWorld(t)
	w.arm("s1", active)
	block := []byte(w.stop("s1"))
	for old, new := range map[string]string{
		`"decision":"block"`:  `"decision":"allow"`,
		`{"decision":"block"`: `{"continue":true,"decision":"block"`,
		`"decision":"block",`: ``,
		`"reason":"`:          `"hookSpecificOutput":{},"reason":"`,
	} {
		schematest.Refuses(t, "hook", block, old, new)
	}
	for _, doc := range []string{`{}`, `{"decision":"block"}`, `{"reason":"r"}`, `{"systemMessage":""}`, `{"decision":"block","reason":""}`} {
		if schematest.Check(t, "hook", []byte(doc)) == nil {
			t.Errorf("%s fits", doc)
		}
	}
}

func TestTheHeartbeatFitsItsSchema(t *testing.T) {
	w := newWorld(t)
	w.fire(w.event("UserPromptSubmit", "s1", map[string]any{"prompt": "/rulph"}))
	beat, err := os.ReadFile(filepath.Join(w.home, "heartbeat", "s1.json"))
	if err != nil {
		t.Fatal(err)
	}
	schematest.Refuses(t, "heartbeat", beat, `"at":"2026-01-02T12:00:00Z"`, `"at":"noon"`)
	schematest.Refuses(t, "heartbeat", beat, `"event":"UserPromptSubmit"`, `"event":"Stop"`)
}
