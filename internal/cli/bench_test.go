package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"rulph/internal/hook"
	"rulph/internal/ui"
	"rulph/schemas/schematest"
)

// handRubric has a criterion that judges answer and one that the text and a command answer.
const handRubric = `version: 1
title: Notes
threshold: 80
floor: 50
max_rounds: 3
criteria:
  - id: setup
    name: Set-up
    weight: 60
    items:
      - {id: os, text: Names the operating system}
      - {id: install, text: Gives an install command}
  - id: style
    name: Style
    weight: 40
    items:
      - {id: short, text: Is short, max_words: 50}
      - {id: done, text: Leaves nothing to be done, check: '! grep -q TODO "$TARGET"'}
`

// bench is a folder with NOTES.md and rubric.yaml, and a session in it. Every document that its commands
// print and every state that they leave is held to its schema.
type bench struct {
	t         *testing.T
	dir, home string
	env       map[string]string
}

func newBench(t *testing.T, text string) *bench {
	t.Helper()
	dir := t.TempDir()
	b := &bench{t: t, dir: dir, home: filepath.Join(dir, "home")}
	b.env = map[string]string{"HOYEON_HOME": b.home, "CLAUDE_CODE_SESSION_ID": "s1"}
	b.write("NOTES.md", text)
	b.write("rubric.yaml", handRubric)
	return b
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) mkdir(name string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Join(b.dir, name), 0o755); err != nil {
		b.t.Fatal(err)
	}
}

// do runs a command line that must exit with this code and returns what it printed.
func (b *bench) do(want ui.Code, stdin string, args ...string) string {
	b.t.Helper()
	var out, errs bytes.Buffer
	getenv := func(name string) string { return b.env[name] }
	code := Run(b.t.Context(), ui.IO{In: strings.NewReader(stdin), Out: &out, Err: &errs, Getenv: getenv, Cwd: b.dir}, args)
	if code != want {
		b.t.Fatalf("%v exits with %d, want %d\n%s%s", args, code, want, out.String(), errs.String())
	}
	return out.String()
}

// json runs a verb of the loop with --json, and holds what it prints, and the state, to their schemas.
func (b *bench) json(want ui.Code, args ...string) gjson.Result {
	b.t.Helper()
	return b.document("rulph", want, "", args...)
}

func (b *bench) document(schema string, want ui.Code, stdin string, args ...string) gjson.Result {
	b.t.Helper()
	out := b.do(want, stdin, append([]string{"rulph", args[0], "--json"}, args[1:]...)...)
	schematest.Fits(b.t, schema, []byte(out))
	doc := gjson.Parse(out)
	schematest.Fits(b.t, "state", b.state(doc.Get("session").Str))
	return doc
}

func (b *bench) state(sid string) []byte {
	b.t.Helper()
	state, err := os.ReadFile(filepath.Join(b.home, sid, "state.json"))
	if err != nil {
		b.t.Fatal(err)
	}
	return state
}

// judge lets a judge answer; an answer is "yes", "no" or "unsure".
func (b *bench) judge(name, os, install string) {
	b.t.Helper()
	p := b.document("rulph-prompt", ui.OK, "", "prompt", "--judge", name)
	answer := fmt.Sprintf(`{"ticket": %q, "checklist": {"setup": {"os": %q, "install": %q}}, "suggestions": {"setup": "Name it"}}`, p.Get("ticket").Str, os, install)
	if got := b.document("rulph-submit", ui.OK, answer, "submit"); got.Get("intake").Str != "taken" {
		b.t.Fatalf("got %s", got)
	}
}

func (b *bench) judges(os, install string) {
	b.t.Helper()
	b.judge("judge-1", os, install)
	b.judge("judge-2", os, install)
}

func (b *bench) trust() {
	b.t.Helper()
	b.do(ui.OK, "", "rubric", "trust", "rubric.yaml")
}

func (b *bench) start(args ...string) gjson.Result {
	b.t.Helper()
	return b.json(ui.OK, append([]string{"start", "--target", "NOTES.md", "--rubric", "rubric.yaml"}, args...)...)
}

// stop lets the session end its turn, as a client does, and holds the hook's answer to its schema.
func (b *bench) stop() gjson.Result {
	b.t.Helper()
	event := fmt.Sprintf(`{"hook_event_name": "Stop", "session_id": "s1", "cwd": %q}`, b.dir)
	out := hook.Run(strings.NewReader(event), hook.Env{
		Getenv: func(name string) string { return b.env[name] }, Executable: "/cache/hoyeon-hook", Now: time.Now,
		Report: func(_, _, sid, _ string) error {
			b.do(ui.OK, "", "rulph", "report", "--sid", sid)
			return nil
		},
	})
	if len(out) > 0 {
		schematest.Fits(b.t, "hook", out)
	}
	schematest.Fits(b.t, "state", b.state("s1"))
	return gjson.ParseBytes(out)
}
