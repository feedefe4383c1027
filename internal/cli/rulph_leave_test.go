//go:build unix

package cli

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"rulph/internal/ui"
)

// A flag that is new has to be handed on, or to be named here.
func TestEachFlagOfAnEvaluationIsHandedOn(t *testing.T) {
	var all []string
	for line := range strings.Lines(newAskCmd(ui.IO{}).Flags().FlagUsages()) {
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "--"), " ")
		all = append(all, name)
	}
	want := slices.Sorted(slices.Values(append([]string{"detach", "json"}, handedOn...)))
	if slices.Sort(all); !slices.Equal(all, want) {
		t.Errorf("the flags are %q, and known are %q", all, want)
	}
	for want, given := range map[string][]string{
		"rulph evaluate": nil,
		"rulph evaluate --sid=s1 --judges=codex --judges=gemini --timeout=1h30m --again=true": {"--sid", "s1", "--detach", "--json", "--timeout", "90m", "--judges", "codex,gemini", "--again"},
	} {
		cmd := newAskCmd(ui.IO{})
		if err := cmd.ParseFlags(given); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(leaving(cmd), " "); got != want {
			t.Errorf("%v: it starts %q, want %q", given, got, want)
		}
	}
}

// says runs a command as a process and gives all that it says.
func (b *bench) says(args ...string) (code ui.Code, stdout, stderr string) {
	cmd := b.process(args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	return ui.Code(exitCode(cmd.Run())), out.String(), errs.String()
}

func TestAnEvaluationIsLeftWithEachOfItsFlags(t *testing.T) {
	b := panelBench(t)
	b.write("go", "")
	b.write("NOTES.md", "Linux.\n")
	b.start("--judge", "command:./quick.sh", "--judge", "command:./slow.sh")
	for _, c := range []struct {
		flags []string
		seats string
	}{
		{[]string{"--judges", "command"}, "command: AVAILABLE\ncommand-2: not started\n"},
		{[]string{"--timeout", "5m"}, "command: AVAILABLE\ncommand-2: AVAILABLE\n"},
	} {
		if code, out, errs := b.says(append([]string{"rulph", "evaluate", "--detach"}, c.flags...)...); code != ui.OK {
			t.Fatalf("%v: exit %d\n%s%s", c.flags, code, out, errs)
		}
		until(t, strings.Join(c.flags, " "), func() bool { return strings.Contains(b.output(ui.OK, "rulph", "status"), c.seats) })
	}
	b.output(ui.OK, "rulph", "score")
	if code, _, errs := b.says("rulph", "evaluate", "--detach"); code != ui.BadInput || !strings.Contains(errs, "--again") {
		t.Errorf("exit %d\n%s", code, errs)
	}
	if code, out, errs := b.says("rulph", "evaluate", "--detach", "--again"); code != ui.OK {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	b.output(ui.OK, "rulph", "wait")
}

// What ends at once says the same with --detach as without it.
func TestAnEvaluationThatEndsAtOnceSaysTheSameWhenItIsLeft(t *testing.T) {
	for name, c := range map[string]struct {
		start []string
		then  func(b *bench)
		args  []string
		code  ui.Code
		says  string
	}{
		"out of time":     {[]string{"--max-time", "1ms"}, nil, nil, ui.BudgetSpent, "BUDGET: the time limit of 1ms is reached"},
		"changed rubric":  {nil, func(b *bench) { b.write("rubric.yaml", strings.Replace(panelRubric, "Linux", "BSD", 1)) }, nil, ui.BadInput, "the loop is stopped: the rubric "},
		"nothing changed": {nil, func(b *bench) { b.output(ui.OK, "rulph", "evaluate"); b.output(ui.OK, "rulph", "score") }, nil, ui.BadInput, "the artifact has not changed since it was scored"},
	} {
		t.Run(name, func(t *testing.T) {
			said := map[bool]string{}
			for _, away := range []bool{false, true} {
				b := panelBench(t)
				b.write("go", "")
				b.write("NOTES.md", "Linux.\n")
				b.start(append([]string{"--judge", "command:./slow.sh"}, c.start...)...)
				if c.then != nil {
					c.then(b)
				}
				args := append([]string{"rulph", "evaluate"}, c.args...)
				if away {
					args = append(args, "--detach")
				}
				code, out, errs := b.says(args...)
				if code != c.code || strings.Count(out+errs, c.says) != 1 {
					t.Errorf("%v: exit %d, want %d and %q once\n%s%s", args, code, c.code, c.says, out, errs)
				}
				said[away] = strings.ReplaceAll(errs, b.dir, "DIR")
			}
			if said[true] != said[false] {
				t.Errorf("with --detach it fails with\n%s\nwithout it with\n%s", said[true], said[false])
			}
		})
	}
}

func TestJudgesThatAreAskedAlreadyAreNotAskedAgain(t *testing.T) {
	b := panelBench(t)
	b.start("--judge", "command:./slow.sh")
	if got := b.output(ui.OK, "rulph", "evaluate", "--detach"); !strings.Contains(got, "run `hoyeon-cli rulph wait") {
		t.Errorf("%s", got)
	}
	pids := waitForPIDs(t, filepath.Join(b.dir, "pids"))
	code, out, errs := b.says("rulph", "evaluate", "--detach")
	if want := "hoyeon-cli: rulph evaluate: the judges are being asked already\n  hint: wait for them with 'hoyeon-cli rulph wait'\n"; code != ui.BadInput || out != "" || errs != want {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	b.write("go", "")
	_ = syscall.Kill(pids[1], syscall.SIGKILL) // what the judge waits for
	if got := b.output(ui.OK, "rulph", "wait"); !strings.Contains(got, "\ncommand: AVAILABLE\n") {
		t.Errorf("%s", got)
	}
}

func TestAnErrorOfAnotherProcessIsReadAsItWasReported(t *testing.T) {
	for text, want := range map[string][]string{
		"": {""},
		"codex is asked\ncodex is done after 1 s\n":                                      {""},
		"hoyeon-cli: rulph evaluate: no\n":                                               {"no"},
		"codex is asked\nhoyeon-cli: rulph evaluate: one\ntwo\n  hint: a\n  hint: b c\n": {"one\ntwo", "a", "b c"},
		"hoyeon-cli: the working folder cannot be read\n":                                {"the working folder cannot be read"},
	} {
		message, hints := lastError(text)
		if got := append([]string{message}, hints...); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
