package lint

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"rulph/internal/report"
)

// fakeEvaluate stands in for the command line: it keeps its arguments and leaves what it is told to leave.
const fakeEvaluate = `#!/bin/sh
for a in "$@"; do printf '%s\0' "$a" >>"$FAKE/argv"; done
env >"$FAKE/env"
echo "::error title=smuggled::from a judge" >&2
[ -z "${FAKE_WAIT-}" ] || { sleep 60 & sleep=$!; trap 'echo ended >"$FAKE/ended"; kill $sleep; exit 130' TERM; : >"$FAKE/started"; wait $sleep; }
for a in "$@"; do
    case $a in
    --output=*) form=${a#--output=}; [ ! -f "$FAKE/${form%%=*}" ] || cat "$FAKE/${form%%=*}" >"${form#*=}" ;;
    esac
done
[ ! -f "$FAKE/github" ] || cat "$FAKE/github"
exit "${FAKE_EXIT-0}"
`

// step is one run of scripts/action.sh with that stand-in.
type step struct {
	code                int
	out                 string
	argv                []string
	outputs             map[string]string
	summary, home, fake string
}

func evaluation() report.Evaluation {
	score := 66.666666667
	return report.Evaluation{Title: "T\n  \"passed\": true,", Target: "a.md", Rubric: "r.yaml", Threshold: 80, Overall: 79.96, Repeats: 1,
		Criteria: []report.EvalCriterion{{ID: "a", Name: "A", Weight: 100, Score: &score, Items: []report.EvalItem{{ID: "x", Text: "X", Outcome: "no", Why: "\n  \"overall\": 1,\n"}}}}}
}

// setUp lays the stand-in and what it leaves of an evaluation.
func setUp(t *testing.T, e *report.Evaluation) (fake, home string) {
	t.Helper()
	texts := map[string]string{"bin/hoyeon-cli": fakeEvaluate}
	if e != nil {
		encoded, err := e.JSON()
		if err != nil {
			t.Fatal(err)
		}
		junit, err := e.JUnit()
		if err != nil {
			t.Fatal(err)
		}
		texts["json"], texts["junit"], texts["md"], texts["github"] = string(encoded), string(junit), string(e.Markdown()), string(e.GitHub())
	}
	fake = lay(t, texts)
	if err := os.Chmod(filepath.Join(fake, "bin/hoyeon-cli"), 0o755); err != nil {
		t.Fatal(err)
	}
	return fake, t.TempDir()
}

func stepCommand(t *testing.T, shell, fake, home string, env ...string) *exec.Cmd {
	cmd := exec.Command(shell, filepath.Join(root(t), "scripts/action.sh"))
	cmd.Dir = home
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "RULPH_BIN=" + filepath.Join(fake, "bin"), "FAKE=" + fake, "RUNNER_TEMP=" + home,
		"GITHUB_OUTPUT=" + filepath.Join(home, "outputs"), "GITHUB_STEP_SUMMARY=" + filepath.Join(home, "summary")}, env...)
	return cmd
}

func runStep(t *testing.T, shell string, e *report.Evaluation, env ...string) step {
	t.Helper()
	fake, home := setUp(t, e)
	out, err := stepCommand(t, shell, fake, home, env...).CombinedOutput()
	s := step{out: string(out), outputs: map[string]string{}, home: home, fake: fake}
	if exit, ok := err.(*exec.ExitError); ok {
		s.code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if argv, err := os.ReadFile(filepath.Join(fake, "argv")); err == nil {
		s.argv = strings.Split(strings.TrimSuffix(string(argv), "\x00"), "\x00")
	}
	for _, line := range strings.Split(contents(filepath.Join(home, "outputs")), "\n") {
		if name, value, ok := strings.Cut(line, "="); ok {
			s.outputs[name] = value
		}
	}
	s.summary = contents(filepath.Join(home, "summary"))
	return s
}

func contents(path string) string {
	data, _ := os.ReadFile(path)
	return string(data)
}

func TestTheActionPassesEachValueAsItIs(t *testing.T) {
	evil := "it's \"$(touch owned)\" `touch owned` ; touch owned & \\ * ?"
	for _, shell := range shells() {
		e := evaluation()
		s := runStep(t, shell, &e,
			"RULPH_FILES=  a b.md  \n\n  \n-x.md\r\nEND\n\t"+evil+" \n", "RULPH_RUBRIC= -r "+evil+" \r\n",
			"RULPH_JUDGES= codex:model=m,effort=high \nclaude:model=m, effort=low\t\r\ncommand:./judge.sh --strict 'a b, codex'\n--trust-checks", "RULPH_INCLUDE=  **/*.md \n!x ",
			"RULPH_THRESHOLD= 90 \n", "RULPH_FLOOR=0", "RULPH_REPEAT=3", "RULPH_TIMEOUT=5m", "RULPH_MAX_TOKENS=1000", "RULPH_MAX_USD=0.5", "RULPH_MAX_TIME=20m", "RULPH_TRUST_CHECKS=true ")
		if len(s.argv) < 6 {
			t.Fatalf("%s: %q\n%s", shell, s.argv, s.out)
		}
		dir := filepath.Dir(strings.TrimPrefix(s.argv[2], "--output=json="))
		want := []string{"evaluate", "--format=github", "--output=json=" + dir + "/evaluation.json", "--output=md=" + dir + "/evaluation.md", "--output=junit=" + dir + "/evaluation.xml",
			"--trust-checks", "--rubric=-r " + evil, "--threshold=90", "--floor=0", "--repeat=3", "--timeout=5m", "--max-tokens=1000", "--max-usd=0.5", "--max-time=20m",
			"--judge=codex:model=m,effort=high", "--judge=claude:model=m, effort=low", "--judge=command:./judge.sh --strict 'a b, codex'", "--judge=--trust-checks", "--include=**/*.md", "--include=!x",
			"--", "a b.md", "-x.md", "END", evil}
		if !slices.Equal(s.argv, want) {
			t.Errorf("%s:\n%q\nwant\n%q", shell, s.argv, want)
		}
		if left := list(s.home); slices.ContainsFunc(left, func(e os.DirEntry) bool { return e.Name() == "owned" }) {
			t.Errorf("%s ran a value", shell)
		}
		bare := runStep(t, shell, &e, "RULPH_FILES=docs")
		if want := []string{"--", "docs"}; !slices.Equal(bare.argv[5:], want) {
			t.Errorf("%s, no other input: %q, want %q", shell, bare.argv[5:], want)
		}
	}
}

func TestTheActionEndsAsTheCommandDoesAndSaysWhatCameOfIt(t *testing.T) {
	for _, shell := range shells() {
		for code := range 6 {
			e := evaluation()
			e.Passed = code == 0
			s := runStep(t, shell, &e, "RULPH_FILES=a.md", "RULPH_SUMMARY=true", fmt.Sprintf("FAKE_EXIT=%d", code))
			if s.code != code {
				t.Errorf("%s: exit %d, want %d", shell, s.code, code)
			}
			want := map[string]string{"passed": fmt.Sprint(code == 0), "overall": "79.96", "status": fmt.Sprint(code)}
			for form, name := range map[string]string{"json": "json", "md": "markdown", "junit": "junit"} {
				if got := contents(s.outputs[name]); got == "" || got != contents(filepath.Join(s.fake, form)) {
					t.Errorf("%s: the output %s names %q with %q", shell, name, s.outputs[name], got)
				}
			}
			for name, value := range want {
				if s.outputs[name] != value {
					t.Errorf("%s, exit %d: %s is %q, want %q", shell, code, name, s.outputs[name], value)
				}
			}
			if s.summary != string(e.Markdown()) {
				t.Errorf("%s: the summary is %q", shell, s.summary)
			}
			if !strings.Contains(s.out, string(e.GitHub())) || strings.Contains(s.out, "ended with exit status") {
				t.Errorf("%s: the log is %s", shell, s.out)
			}
		}
		e := evaluation()
		if s := runStep(t, shell, &e, "RULPH_FILES=a.md", "RULPH_SUMMARY=false"); s.summary != "" {
			t.Errorf("%s: a summary that nobody wanted: %q", shell, s.summary)
		}
		e.Void = true
		if s := runStep(t, shell, &e, "RULPH_FILES=a.md", "FAKE_EXIT=4"); s.outputs["overall"] != "" || s.outputs["passed"] != "false" || s.outputs["json"] == "" {
			t.Errorf("%s, nothing scored: %v", shell, s.outputs)
		}
		s := runStep(t, shell, nil, "RULPH_FILES=a.md", "RULPH_SUMMARY=true", "FAKE_EXIT=2")
		if want := map[string]string{"passed": "false", "overall": "", "status": "2", "json": "", "markdown": "", "junit": ""}; s.code != 2 || fmt.Sprint(s.outputs) != fmt.Sprint(want) || s.summary != "" {
			t.Errorf("%s, no result: exit %d, %v, %q", shell, s.code, s.outputs, s.summary)
		}
		if !strings.Contains(s.out, "\n::error title=rulph::hoyeon-cli evaluate ended with exit status 2;") {
			t.Errorf("%s, no result: %s", shell, s.out)
		}
	}
}

// What a judge's client writes to standard error stands where the runner has been told to stop.
func TestTheActionLetsNoJudgeSpeakToTheRunner(t *testing.T) {
	e := evaluation()
	words := map[string]bool{}
	for range 2 {
		s := runStep(t, "sh", &e, "RULPH_FILES=a.md")
		rest, found := strings.CutPrefix(s.out, "::stop-commands::")
		word, rest, _ := strings.Cut(rest, "\n")
		silent, after, resumed := strings.Cut(rest, "\n::"+word+"::\n")
		if !found || len(word) != 32 || words[word] || !resumed || !strings.Contains(silent, "::error title=smuggled::") || strings.Contains(after, "smuggled") {
			t.Errorf("the log is %s", s.out)
		}
		words[word] = true
		if env := contents(filepath.Join(s.fake, "env")); strings.Contains(env, word) {
			t.Errorf("the command knows the word: %s", env)
		}
	}
}

func TestTheActionRefusesInputsThatSayNothing(t *testing.T) {
	for _, shell := range shells() {
		for want, env := range map[string][]string{
			"the input files is empty":                {"RULPH_FILES= \n\n"},
			"the input trust-checks is true or false": {"RULPH_FILES=a", "RULPH_TRUST_CHECKS=yes"},
			"the input summary is true or false":      {"RULPH_FILES=a", "RULPH_SUMMARY=1"},
		} {
			if s := runStep(t, shell, nil, env...); s.code != 2 || s.out != "::error title=rulph::"+want+"\n" || s.argv != nil {
				t.Errorf("%s, %q: exit %d, %q, %q", shell, env, s.code, s.out, s.argv)
			}
		}
	}
}

func TestTheActionTakesOneJudgeALine(t *testing.T) {
	for _, shell := range shells() {
		for _, judges := range []string{"codex, gemini", "codex,gemini", "codex gemini", "claude\ncodex:model=m,effort=high , checks", "codex; claude", "codex, command:./judge.sh"} {
			s := runStep(t, shell, nil, "RULPH_FILES=a", "RULPH_JUDGES="+judges)
			if want := "::error title=rulph::the input judges has several judges in a line; write one a line\n"; s.code != 2 || s.out != want || s.argv != nil {
				t.Errorf("%s, %q: exit %d, %q, %q", shell, judges, s.code, s.out, s.argv)
			}
		}
	}
}

func TestACancelledActionEndsTheCommand(t *testing.T) {
	for _, shell := range shells() {
		for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
			fake, home := setUp(t, nil)
			cmd := stepCommand(t, shell, fake, home, "RULPH_FILES=a.md", "FAKE_WAIT=1")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for !isFile(filepath.Join(fake, "started")) {
				time.Sleep(5 * time.Millisecond)
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != 130 || contents(filepath.Join(fake, "ended")) != "ended\n" {
				t.Errorf("%s, %v: exit %d", shell, signal, code)
			}
		}
	}
}

const fakeGH = `#!/bin/sh
printf '%s\0' "$@" >>"$FAKE/gh"
printf '\n' >>"$FAKE/gh"
case $* in
*--paginate*) [ ! -f "$FAKE/found" ] || cat "$FAKE/found" ;;
*) for a in "$@"; do case $a in body=@*) cp "${a#body=@}" "$FAKE/body" ;; esac; done; exit "${FAKE_EXIT-0}" ;;
esac
`

func TestTheCommentIsWrittenOnceAndChangedAfterwards(t *testing.T) {
	comment := func(shell string, texts map[string]string, env ...string) (out string, calls []string, body string) {
		fake := lay(t, with(map[string]string{"bin/gh": fakeGH, "result.md": "## T: PASSED\n"}, texts))
		if texts["bin/gh"] != "" || isFile(filepath.Join(fake, "bin/gh")) {
			if err := os.Chmod(filepath.Join(fake, "bin/gh"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(shell, filepath.Join(root(t), "scripts/action-comment.sh"))
		cmd.Env = append([]string{"PATH=" + filepath.Join(fake, "bin") + ":" + os.Getenv("PATH"), "FAKE=" + fake, "GITHUB_REPOSITORY=o/r",
			"RULPH_PULL_REQUEST=12", "RULPH_MARKDOWN=" + filepath.Join(fake, "result.md"), "RULPH_FILES=a.md", "RULPH_RUBRIC=r.yaml"}, env...)
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v: %s", shell, err, text)
		}
		calls = strings.Split(strings.TrimSuffix(contents(filepath.Join(fake, "gh")), "\n"), "\n")
		return string(text), calls, contents(filepath.Join(fake, "body"))
	}
	for _, shell := range shells() {
		out, calls, body := comment(shell, nil)
		mark, rest, _ := strings.Cut(body, "\n")
		if out != "" || len(calls) != 2 || rest != "## T: PASSED\n" || !strings.HasPrefix(mark, "<!-- rulph-evaluate ") {
			t.Errorf("%s, a first one: %q, %q, %q", shell, out, calls, body)
		}
		if want := "api\x00--silent\x00--method\x00POST\x00-F\x00body=@"; !strings.HasPrefix(calls[1], want) || !strings.HasSuffix(calls[1], "\x00repos/o/r/issues/12/comments\x00") {
			t.Errorf("%s: %q", shell, calls[1])
		}
		if !strings.Contains(calls[0], `select(.user.type == "Bot" and (.body | startswith("`+mark+`")))`) {
			t.Errorf("%s looks for %q", shell, calls[0])
		}
		out, calls, _ = comment(shell, map[string]string{"found": "4711\n4712\n"})
		if want := "api\x00--silent\x00--method\x00PATCH\x00-F\x00body=@"; out != "" || !strings.HasPrefix(calls[1], want) || !strings.HasSuffix(calls[1], "\x00repos/o/r/issues/comments/4711\x00") {
			t.Errorf("%s, a further one: %q, %q", shell, out, calls)
		}
		if _, _, other := comment(shell, nil, "RULPH_FILES=b.md"); strings.HasPrefix(other, mark) {
			t.Errorf("%s: two evaluations share a comment", shell)
		}
		for want, env := range map[string]string{"this is no pull request": "RULPH_PULL_REQUEST=1;2", "there is no result": "RULPH_MARKDOWN=", "pull-requests: write": "FAKE_EXIT=1"} {
			if out, _, _ := comment(shell, nil, env); !strings.HasPrefix(out, "::warning title=rulph::no comment was written") || !strings.Contains(out, want) {
				t.Errorf("%s, %s: %q", shell, env, out)
			}
		}
		if out, _, _ := comment(shell, map[string]string{"found": "no number\n"}); !strings.HasPrefix(out, "::warning ") {
			t.Errorf("%s, an answer that is none: %q", shell, out)
		}
	}
}
