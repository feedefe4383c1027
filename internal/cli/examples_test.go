//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"rulph/internal/ui"
)

// What --help shows as an example has to work as it stands, for somebody who has the files it names and
// whose loop is where the verb belongs. Every line runs in a folder of its own.
func TestTheExamplesOfEveryVerbWork(t *testing.T) {
	started := func(b *bench) { b.start() }
	prompted := func(b *bench) { b.start(); b.do(ui.OK, "", "rulph", "prompt") }
	judged := func(b *bench) { b.start(); b.judges("no", "no") }
	scored := func(b *bench) { judged(b); b.do(ui.OK, "", "rulph", "score") }
	paneled := func(b *bench) { b.start("--judge", "codex", "--judge", "gemini") }
	before := map[string]func(*bench){
		"evaluate": paneled, "wait": paneled, "calibrate": paneled,
		"start": func(*bench) {}, "prompt": started, "submit": prompted, "score": judged, "next": scored,
		"status": scored, "cancel": scored, "resume": scored, "report": scored, "run": func(*bench) {},
	}
	special := map[string]func(*bench){
		"hoyeon-cli rulph resume --from OLD-SESSION": func(b *bench) {
			b.env["CLAUDE_CODE_SESSION_ID"] = "OLD-SESSION"
			scored(b)
			b.env["CLAUDE_CODE_SESSION_ID"] = "s1"
		},
		"hoyeon-cli rulph run --resume --sid run-20260102-150405-ab12cd34": func(b *bench) {
			b.do(ui.NotPassed, "", "rulph", "run", "examples/handbook", "--trust-checks", "--max-rounds", "0", "--sid", "run-20260102-150405-ab12cd34")
		},
		"hoyeon-cli rulph score --partial": prompted,
		"hoyeon-cli rulph prompt --judge judge-1 --part 2": func(b *bench) {
			b.write("NOTES.md", strings.Repeat("A line of a long file.\n", 2000))
			b.start()
			b.env["CLAUDECODE"] = "1"
		},
	}
	group := newRulphCmd(ui.IO{})
	lines := 0
	for _, c := range append(group.Commands(), group, newEvaluateCmd(ui.IO{})) {
		for _, line := range exampleLines(t, c) {
			lines++
			t.Run(line, func(t *testing.T) {
				b := exampleBench(t)
				verb := strings.Fields(line)[2]
				prepare := special[line]
				if prepare == nil {
					prepare = before[verb]
				}
				if c.Name() != "evaluate" || c.HasParent() {
					prepare(b)
				}
				b.sh(line)
			})
		}
	}
	if lines < 25 {
		t.Errorf("only %d examples were found", lines)
	}
}

// exampleLines are the commands of an example without their comments.
func exampleLines(t *testing.T, c *cobra.Command) (lines []string) {
	t.Helper()
	for line := range strings.Lines(c.Example) {
		command, _, _ := strings.Cut(line, "#")
		if command = strings.TrimSpace(command); command == "" {
			continue
		}
		if !strings.HasPrefix(command, "hoyeon-cli rulph ") && !strings.HasPrefix(command, "hoyeon-cli evaluate ") {
			t.Errorf("%s: the example %q does not call the program", c.Name(), command)
		}
		lines = append(lines, command)
	}
	if len(lines) == 0 {
		t.Errorf("%s has no example", c.Name())
	}
	return lines
}

// exampleBench has every file that an example names. Its examples/handbook stands for the real one.
func exampleBench(t *testing.T) *bench {
	b := newBench(t, "# Notes\nTODO\n")
	answer := `{"checklist": {"setup": {"os": "no", "install": "no"}}}`
	b.write("HANDBOOK.md", "# Handbook\nTODO\n")
	b.write("draft.txt", "A draft. TODO\n")
	b.write("verdict.json", answer)
	b.write("rubric.md", b.do(ui.OK, "", "rubric", "show", "--format", "md", "rubric.yaml"))
	b.write("README.md", "# Readme\n")
	b.write("judge.sh", "#!/bin/sh\nexec testmodel plain --\n")
	b.write("improve.sh", "#!/bin/sh\nexec testmodel plain --\n")
	b.mkdir("bin")
	for _, client := range []string{"codex", "gemini", "claude"} {
		b.write("bin/"+client, "#!/bin/sh\nexec testmodel "+client+" -- \"$@\"\n")
	}
	for _, script := range []string{"judge.sh", "improve.sh", "bin/codex", "bin/gemini", "bin/claude"} {
		if err := os.Chmod(filepath.Join(b.dir, script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b.env["PATH"] = filepath.Join(b.dir, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	b.mkdir("docs")
	b.write("docs/a.md", "# A\n")
	b.write("docs/a.bin", "\x00")
	b.mkdir("examples/handbook")
	b.write("examples/handbook/HANDBOOK.md", "# Handbook\nTODO\n")
	b.write("examples/handbook/rubric.yaml", strings.NewReplacer(
		"version: 1\n", "version: 1\ntarget: HANDBOOK.md\n",
		"text: Names the operating system", `text: Names it, match: Linux, fix: 'echo Linux >> "$TARGET"'`,
		"text: Gives an install command", `text: Gives one, match: make, fix: 'echo make >> "$TARGET"'`,
		`! grep -q TODO "$TARGET"'`, `! grep -q TODO "$TARGET"', fix: 'echo Done > "$TARGET"'`).Replace(handRubric))
	return b
}

// sh runs a line as a person types it. "Worked" is every exit status of a loop that was driven: a run may
// end without passing.
func (b *bench) sh(line string) {
	b.t.Helper()
	if strings.HasPrefix(line, "hoyeon-cli rulph submit --file") || strings.HasSuffix(line, "< answer.txt") {
		ticket := b.document("rulph-prompt", ui.OK, "", "prompt").Get("ticket").Str
		b.write("answer.txt", "Here it is.\n"+strings.Replace(`{"ticket": "T", "checklist": {"setup": {"os": "no", "install": "no"}}}`, "T", ticket, 1))
	}
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = b.dir
	cmd.Env = cmd.Environ()
	for k, v := range b.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	out, err := cmd.CombinedOutput()
	code := ui.Code(exitCode(err))
	if ok := code == ui.OK || (strings.Contains(line, "rulph run") || strings.Contains(line, "hoyeon-cli evaluate")) && (code == ui.NotPassed || code == ui.NoJudge); !ok {
		b.t.Errorf("exit %d\n%s", code, out)
	}
}
