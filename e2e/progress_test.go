//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/tty"
)

// At a terminal each judge has a line that moves, with a total below, and what stays at the end is what happened
// and the result.
func TestAPersonAtATerminalSeesTheJudgesAtWork(t *testing.T) {
	t.Parallel()
	cli := filepath.Join(plugin(t), "bin", "hoyeon-cli")
	dir := clients.Scratch(t, "")
	gate := filepath.Join(dir, "gate")
	const judge = `#!/bin/sh
ticket=$(grep -o 'rulph-[a-z2-7]\{20\}' | head -n 1)
test "$1" = quick || while ! test -e gate_file; do sleep 0.1; done
echo "{\"ticket\": \"$ticket\", \"checklist\": {\"a\": {\"x\": \"yes\", \"y\": \"yes\"}, \"b\": {\"x\": \"no\", \"y\": \"yes\"}}}"
`
	for name, text := range map[string]string{
		"NOTES.md": "Notes.\n",
		"judge.sh": strings.Replace(judge, "gate_file", "'"+gate+"'", 1),
		"rubric.yaml": `version: 1
evidence: off
criteria:
  - {id: a, name: First, items: [{id: x, text: Names the system}, {id: y, text: Gives a command}]}
  - {id: b, name: Second, items: [{id: x, text: Thanks the reader}, {id: y, text: Ends with a full stop}]}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := tty.Start(t, tty.Options{Argv: []string{cli, "evaluate", "NOTES.md", "--rubric", "rubric.yaml", "--judge", "command:./judge.sh quick", "--judge", "command:./judge.sh slow"},
		Env: []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color"}, Dir: dir})
	s.Wait(`command +done +[0-9.]+ s\s+command-2 +reading +[0-9.]+ s\s+\[#{10}\.{10}\] 1 of 2, [0-9.]+ s`, soon)
	s.Wait(`1 of 2, [1-9][0-9]*\.[0-9] s`, soon) // the clock goes on
	if err := os.WriteFile(gate, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s.Wait(`NOT PASSED: 75\.0 of 70`, soon)
	equal(t, "exit status", s.WaitExit(soon), 3)
	if text := s.Text(); strings.Contains(text, "of 2,") || !strings.Contains(text, "command is done after") || !strings.Contains(text, "command-2 is done after") {
		t.Errorf("the screen is left as\n%s", text)
	}
}
