package cli

import (
	"fmt"
	stdio "io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rulph/internal/ui"
)

// inTerminal starts a command as the first one of a terminal, which hangup closes.
func inTerminal(t *testing.T, cmd *exec.Cmd) (hangup func()) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	number := 0
	raw, err := screen.SyscallConn()
	if err == nil {
		err = raw.Control(func(fd uintptr) {
			if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
				number, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
			}
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	side, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer side.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = side, side, side
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = stdio.Copy(stdio.Discard, screen) }()
	return func() { screen.Close() }
}

// shell is a command line of the bench's folder.
func (b *bench) shell(line string) *exec.Cmd {
	cmd := b.process()
	sh := exec.Command("sh", "-c", line)
	sh.Dir, sh.Env = cmd.Dir, cmd.Env
	return sh
}

func TestAClosedTerminalEndsTheJudgesAndKeepsWhatIsDone(t *testing.T) {
	b := panelBench(t)
	b.start("--judge", "command:./quick.sh", "--judge", "command:./slow.sh")
	cmd := b.process("rulph", "evaluate")
	hangup := inTerminal(t, cmd)
	pids := waitForPIDs(t, filepath.Join(b.dir, "pids"))
	until(t, "the quick judge's answer", func() bool { return b.seats().Get("command.state").Str == "AVAILABLE" })
	hangup()
	if code := exitCode(cmd.Wait()); code != int(ui.Interrupted) {
		t.Errorf("exit %d", code)
	}
	for _, pid := range pids {
		if running(pid) {
			t.Errorf("process %d is still there", pid)
		}
	}
	if got := b.seats(); got.Get("command.state").Str != "AVAILABLE" || got.Get("command-2").Exists() {
		t.Errorf("the seats are %s", got)
	}
}

func TestAClosedTerminalLeavesAloneWhatIsLeftToItself(t *testing.T) {
	for name, line := range map[string]string{
		"detached": "hoyeon-cli rulph evaluate --detach; sleep 300",
		"nohup":    "trap '' HUP; hoyeon-cli rulph evaluate & trap - HUP; sleep 300",
	} {
		t.Run(name, func(t *testing.T) {
			b := panelBench(t)
			b.start("--judge", "command:./slow.sh")
			cmd := b.shell(line)
			hangup := inTerminal(t, cmd)
			pids := waitForPIDs(t, filepath.Join(b.dir, "pids"))
			hangup()
			_ = cmd.Wait()
			time.Sleep(300 * time.Millisecond) // as long as it would take to end
			for _, pid := range pids {
				if !running(pid) {
					t.Errorf("process %d was ended", pid)
				}
			}
			b.write("go", "")
			_ = syscall.Kill(pids[1], syscall.SIGKILL) // what the judge waits for
			if got := b.output(ui.OK, "rulph", "wait"); !strings.Contains(got, "\ncommand: AVAILABLE\n") {
				t.Errorf("%s", got)
			}
		})
	}
}
