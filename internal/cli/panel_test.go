//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"rulph/internal/ui"
)

// A slow judge tells its process, the process that asked it and a child, and hangs until there is a file go.
const slowJudge = `#!/bin/sh
here=$(dirname "$0")
test -e "$here/go" || { sleep 300 & echo $$ $! $PPID > "$here/pids.new"; mv "$here/pids.new" "$here/pids"; wait; }
exec testmodel plain --
`

// panelRubric asks three things of a judge, and one of the text.
const panelRubric = `version: 1
threshold: 80
floor: 0
criteria:
  - {id: setup, name: Set-up, items: ["Names 'Linux'", "Names 'make'"]}
  - {id: style, name: Style, items: ["Says 'please'", {text: Is short, max_words: 50}]}
`

// panelBench has a quick judge, which counts how often it is asked, and a slow one.
func panelBench(t *testing.T) *bench {
	b := newBench(t, "Linux, make it please.\n")
	b.write("rubric.yaml", panelRubric)
	b.write("slow.sh", slowJudge)
	b.write("quick.sh", "#!/bin/sh\nexec testmodel plain log=\"$(dirname \"$0\")/asked.txt\" --\n")
	for _, name := range []string{"slow.sh", "quick.sh"} {
		if err := os.Chmod(filepath.Join(b.dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// process is the program as a process of its own, in the bench's folder.
func (b *bench) process(args ...string) *exec.Cmd {
	cmd := hoyeon(b.t, b.home, args...)
	cmd.Dir = b.dir
	cmd.Env = append(cmd.Env, "PATH="+os.Getenv("PATH"))
	for k, v := range b.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	return cmd
}

// output runs a command as a process that has to exit with this code.
func (b *bench) output(want ui.Code, args ...string) string {
	b.t.Helper()
	cmd := b.process(args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if code := exitCode(cmd.Run()); code != int(want) {
		b.t.Fatalf("%v: exit %d\n%s%s", args, code, &out, &errs)
	}
	return out.String()
}

// until waits for something that has to become true.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 1500 {
		if is() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("waited in vain: %s", what)
}

func (b *bench) seats() gjson.Result {
	return gjson.GetBytes(b.state("s1"), "rulph.pending.seats")
}

func TestCtrlCWhileJudgesAreAskedKeepsWhatIsDoneAndLeavesNoProcess(t *testing.T) {
	b := panelBench(t)
	b.start("--judge", "command:./quick.sh", "--judge", "command:./slow.sh")
	cmd := b.process("rulph", "evaluate")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pids := waitForPIDs(t, filepath.Join(b.dir, "pids"))
	until(t, "the quick judge's answer", func() bool { return b.seats().Get("command.state").Str == "AVAILABLE" })
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(cmd.Wait()); code != int(ui.Interrupted) {
		t.Errorf("exit %d\n%s", code, &errs)
	}
	for _, pid := range pids {
		if running(pid) {
			t.Errorf("process %d is still there", pid)
		}
	}
	if got := b.seats(); got.Get("command.state").Str != "AVAILABLE" || got.Get("command-2").Exists() {
		t.Errorf("the seats are %s", got)
	}
	b.write("go", "")
	b.output(ui.OK, "rulph", "evaluate")
	if got := b.output(ui.OK, "rulph", "score"); !strings.Contains(got, "command AVAILABLE 100.0, command-2 AVAILABLE 100.0") {
		t.Errorf("%s", got)
	}
	asked, err := os.ReadFile(filepath.Join(b.dir, "asked.txt"))
	if err != nil || strings.Count(string(asked), "BEGIN ARTIFACT]") != 1 {
		t.Errorf("%v: the judge that had answered was asked again", err)
	}
}

func TestARunThatIsInterruptedWhileItIsJudgedGoesOn(t *testing.T) {
	b := panelBench(t)
	cmd := b.process("rulph", "run", "NOTES.md", "--rubric", "rubric.yaml", "--judge", "command:./slow.sh", "--improver", "fix", "--sid", "r1")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pids := waitForPIDs(t, filepath.Join(b.dir, "pids"))
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(cmd.Wait()); code != int(ui.Interrupted) || !strings.Contains(errs.String(), "go on with 'hoyeon-cli rulph run --resume --sid r1'") {
		t.Errorf("exit %d\n%s", code, &errs)
	}
	for _, pid := range pids {
		if running(pid) {
			t.Errorf("process %d is still there", pid)
		}
	}
	b.write("go", "")
	if got := b.output(ui.OK, "rulph", "run", "--resume", "--sid", "r1"); !strings.Contains(got, "\nPASSED: ") {
		t.Errorf("%s", got)
	}
}

// A client's shell ends, the judges do not; and when somebody kills them, the next step asks them again.
func TestJudgesThatAreLeftToThemselvesOutliveTheirShell(t *testing.T) {
	b := panelBench(t)
	b.start("--judge", "judge-1", "--judge", "command:./slow.sh")
	cmd := b.process("rulph", "evaluate", "--detach")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // as a client clears up after a command
	pids := waitForPIDs(t, filepath.Join(b.dir, "pids"))
	asker := pids[2]
	if got := b.output(ui.OK, "rulph", "wait", "--timeout", "300ms"); !running(asker) || !strings.Contains(got, "run `hoyeon-cli rulph wait") || strings.Contains(got, "evaluate --detach") {
		t.Errorf("while they are asked, it says\n%s", got)
	}
	if code := exitCode(b.process("rulph", "evaluate").Run()); code != int(ui.BadInput) {
		t.Errorf("a second evaluation exits with %d", code)
	}
	for _, pid := range []int{asker, pids[0], pids[1]} {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && pid != pids[0] { // which may end with the one that asks
			t.Fatal(err)
		}
	}
	until(t, "the end of the process that asks", func() bool { return !running(asker) })
	if got := b.output(ui.OK, "rulph", "wait"); !strings.Contains(got, "Run `hoyeon-cli rulph evaluate`, which asks command and waits for them;") {
		t.Errorf("when nobody asks them, it says\n%s", got)
	}
	b.write("go", "")
	b.output(ui.OK, "rulph", "evaluate", "--detach")
	if got := b.output(ui.OK, "rulph", "wait"); !strings.Contains(got, "\ncommand: AVAILABLE\n") {
		t.Errorf("%s", got)
	}
}

// An artifact that was changed while it was judged is judged anew: what was said of the old one counts for
// nothing but its price.
func TestAnAnswerForAnOldVersionCountsForNothing(t *testing.T) {
	b := panelBench(t)
	b.start("--judge", "command:./slow.sh")
	cmd := b.process("rulph", "evaluate")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pids := waitForPIDs(t, filepath.Join(b.dir, "pids"))
	b.write("NOTES.md", "Linux.\n")
	b.write("go", "")
	_ = syscall.Kill(pids[1], syscall.SIGKILL) // what the judge waits for
	if code := exitCode(cmd.Wait()); code != 0 {
		t.Errorf("exit %d", code)
	}
	if got := b.process("rulph", "score").Run(); exitCode(got) != int(ui.BadInput) {
		t.Errorf("the old verdict was scored")
	}
	b.output(ui.OK, "rulph", "evaluate")
	var v struct{ Score float64 }
	if err := json.Unmarshal([]byte(b.output(ui.OK, "rulph", "score", "--json")), &v); err != nil || v.Score != 50 {
		t.Errorf("%v: the score is %v", err, v.Score)
	}
	if calls := gjson.GetBytes(b.state("s1"), "rulph.spent.calls").Int(); calls != 2 {
		t.Errorf("%d calls were counted", calls)
	}
}
