package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rulph/internal/ui"
	"rulph/schemas/schematest"
)

// A whole trial at the command line, with each document it prints held to its schema.
func TestWhatSkillScorePrintsAsJSONFitsItsSchema(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".git/HEAD":                            "x",
		"plugins/p/.claude-plugin/plugin.json": `{"name": "p", "version": "1.0.0"}`,
		"plugins/p/skills/notes/SKILL.md":      "---\nname: notes\ndescription: \"Use when notes are needed.\"\n---\nWrite them.\nBe short.\n",
		"in.txt":                               "fix: a\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	call := func(schema, stdin string, args ...string) []byte {
		t.Helper()
		var out, errs bytes.Buffer
		io := ui.IO{In: strings.NewReader(stdin), Out: &out, Err: &errs, Cwd: dir, Getenv: func(name string) string {
			return map[string]string{"HOYEON_HOME": filepath.Join(dir, "home"), "CLAUDE_CODE_SESSION_ID": "s1"}[name]
		}}
		if got := Run(context.Background(), io, append([]string{"skill-score"}, append(args, "--json")...)); got != ui.OK {
			t.Fatalf("%q: exit status %d\n%s%s", args, got, errs.String(), out.String())
		}
		schematest.Fits(t, schema, out.Bytes())
		return out.Bytes()
	}
	word := regexp.MustCompile(`BLOCK-[0-9A-F]+`)
	answer := func(part, form string) {
		t.Helper()
		var p struct{ Prompt, Ticket string }
		if err := json.Unmarshal(call("skill-score-prompt", "", "prompt", "--part", part), &p); err != nil {
			t.Fatal(err)
		}
		call("skill-score-submit", strings.NewReplacer("TICKET", p.Ticket, "WORD", word.FindString(p.Prompt)).Replace(form), "submit")
	}
	const run = "[WORD BEGIN OUTPUT]\n# Notes\n[WORD END OUTPUT]\n{\"ticket\":\"TICKET\",\"tool_calls\":0,\"questions\":0,\"steps_completed\":\"1/1\",\"input_summary\":\"x\"}"

	call("skill-score", "", "start", "notes")
	var io ui.IO
	io.Out, io.Err, io.Cwd, io.Getenv = &bytes.Buffer{}, &bytes.Buffer{}, dir, func(string) string { return "" }
	if got := Run(context.Background(), io, []string{"runs", "init", "evals/p/notes"}); got != ui.OK {
		t.Fatal(io.Err)
	}
	call("skill-score", "", "start", "notes")
	call("skill-score", "", "next")
	call("skill-score", "", "input", "--file", "in.txt")
	answer("original", run)
	answer("change", `{"ticket":"TICKET","section":"s","old":"Write them.","new":"Write.","rationale":"shorter"}`)
	answer("variant", run)
	for _, part := range []string{"score-1", "score-2"} {
		answer(part, `{"ticket":"TICKET","levels":{`+levelsOf(t, call, part)+`}}`)
	}
	call("skill-score", "", "table")
	call("skill-score", "", "decide", "relaunch")
	answer("change", `{"ticket":"TICKET","section":"s","old":"Be short.","new":"Be brief.","rationale":"other"}`)
	answer("variant", run)
	for _, part := range []string{"score-1", "score-2"} {
		answer(part, `{"ticket":"TICKET","levels":{`+levelsOf(t, call, part)+`}}`)
	}
	call("skill-score", "", "decide", "apply")
}

// levelsOf gives each criterion of a scorer's prompt one point.
func levelsOf(t *testing.T, call func(schema, stdin string, args ...string) []byte, part string) string {
	t.Helper()
	var p struct{ Prompt string }
	if err := json.Unmarshal(call("skill-score-prompt", "", "prompt", "--part", part), &p); err != nil {
		t.Fatal(err)
	}
	var levels []string
	for _, c := range regexp.MustCompile(`(?m)^criterion (\S+):`).FindAllStringSubmatch(p.Prompt, -1) {
		levels = append(levels, fmt.Sprintf("%q:1", c[1]))
	}
	return strings.Join(levels, ",")
}
