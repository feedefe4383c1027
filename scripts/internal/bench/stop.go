package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
)

// The limits of the Stop hook, launcher included.
const (
	mostOfEmpty  = 4.0  // times the processor time of an empty Go program
	leastOfShell = 60.0 // times less than the same work in bash and jq
)

const (
	session = "bench"
	// armed is a loop that blocks: the score is below the threshold and rounds are left.
	armed = `{"cwd":"/","rulph":{"status":"active","round":1,"max_rounds":5,"score":61.5,"threshold":80,"iteration":0,"max_iterations":15}}` + "\n"
)

// bed is a home, a copy of the launcher with a fresh build, and the programs it is compared with.
type bed struct {
	dir, home, empty, launcher string
	same, brief                string // scripts: the same work, and the few questions of the hook that this one grew from
}

// stopHook measures the Stop hook with a loop armed and without, prints the ratios, and says whether they are
// within the limits.
func stopHook(out io.Writer, runs int) (within bool, err error) {
	dir, err := os.MkdirTemp("", "rulph-bench-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	b, err := lay(dir)
	if err != nil {
		return false, err
	}
	silent := func(stdout, stderr []byte) error {
		if len(stdout)+len(stderr) > 0 {
			return fmt.Errorf("printed %q and %q where nothing is armed", stdout, stderr)
		}
		return nil
	}
	blocks := func(stdout, stderr []byte) error {
		if !strings.Contains(strings.ReplaceAll(string(stdout), " ", ""), `"decision":"block"`) || len(stderr) > 0 {
			return fmt.Errorf("printed %q and %q where a loop is armed", stdout, stderr)
		}
		return nil
	}
	subjects := []subject{
		{"an empty Go program", b.command(b.empty), b.disarm, silent},
		{"the hook, nothing armed", b.command("/bin/sh", b.launcher), b.disarm, silent},
		{"the hook, blocking", b.command("/bin/sh", b.launcher), b.arm, blocks},
	}
	_, noJQ := exec.LookPath("jq")
	_, noBash := exec.LookPath("bash")
	comparable := noJQ == nil && noBash == nil
	if comparable {
		subjects = append(subjects,
			subject{"the same work in bash and jq, nothing armed", b.command("bash", b.same), b.disarm, silent},
			subject{"the same work in bash and jq, blocking", b.command("bash", b.same), b.arm, blocks},
			subject{"eight jq calls, nothing armed", b.command("bash", b.brief), b.disarm, silent},
			subject{"eight jq calls, blocking", b.command("bash", b.brief), b.arm, blocks},
		)
	}
	times, err := measure(subjects, runs)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(out, "Stop hook, launcher included: processor time, median of %d runs in turn\n\n", runs)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\tx an empty Go program\tx less than the same work in bash and jq\tx less than eight jq calls alone\n")
	within = true
	for i, name := range []string{"nothing armed", "blocking"} {
		hook := float64(times[1+i])
		over := hook / float64(times[0])
		less, brief := "not measured", "not measured"
		within = within && over <= mostOfEmpty
		if comparable {
			ratio := float64(times[3+i]) / hook
			less, brief = fmt.Sprintf("%.0f", ratio), fmt.Sprintf("%.0f", float64(times[5+i])/hook)
			if name == "blocking" { // with nothing armed a script has little to do either
				within = within && ratio >= leastOfShell
			}
		}
		fmt.Fprintf(table, "%s\t%.1f\t%s\t%s\n", name, over, less, brief)
	}
	fmt.Fprintf(table, "limit\tat most %.0f\tblocking: at least %.0f\tnone\n", mostOfEmpty, leastOfShell)
	if err := table.Flush(); err != nil {
		return false, err
	}
	fmt.Fprintln(out)
	for i, s := range subjects {
		fmt.Fprintf(out, "%s: %v\n", s.name, times[i].Round(10*time.Microsecond))
	}
	if !comparable {
		fmt.Fprintln(out, "\njq or bash is not installed, so the comparison with a script is left out")
		within = false
	}
	return within, nil
}

// lay builds what is measured, the same way the launchers do.
func lay(dir string) (bed, error) {
	root, err := os.Getwd()
	if err != nil {
		return bed{}, err
	}
	for !exists(filepath.Join(root, "scripts", "build")) {
		if root == filepath.Dir(root) {
			return bed{}, errors.New("run it in the source tree")
		}
		root = filepath.Dir(root)
	}
	b := bed{
		dir: dir, home: filepath.Join(dir, "home"), empty: filepath.Join(dir, "empty", "empty"),
		launcher: filepath.Join(dir, "plugin", "bin", "hoyeon-hook"),
	}
	scripts := filepath.Join(root, "scripts", "internal", "bench", "testdata")
	b.same, b.brief = filepath.Join(scripts, "same.sh"), filepath.Join(scripts, "eight.sh")
	launcher, err := os.ReadFile(filepath.Join(root, "bin", "hoyeon-hook"))
	if err != nil {
		return bed{}, err
	}
	for path, text := range map[string]string{
		b.launcher:                             string(launcher),
		filepath.Join(dir, "empty", "main.go"): "package main\n\nfunc main() {}\n",
		filepath.Join(dir, "empty", "go.mod"):  "module empty\n\ngo 1.26\n",
		filepath.Join(b.home, ".keep"):         "",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return bed{}, err
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			return bed{}, err
		}
	}
	build := exec.Command(filepath.Join(root, "scripts", "build"), filepath.Join(dir, "plugin", "bin", ".build", runtime.GOOS+"-"+runtime.GOARCH))
	if out, err := build.CombinedOutput(); err != nil {
		return bed{}, fmt.Errorf("scripts/build: %w\n%s", err, out)
	}
	empty := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.empty, ".")
	empty.Dir = filepath.Dir(b.empty)
	empty.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := empty.CombinedOutput(); err != nil {
		return bed{}, fmt.Errorf("the empty program: %w\n%s", err, out)
	}
	return b, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// command starts a program as a client does at the end of a turn.
func (b bed) command(program string, args ...string) func() *exec.Cmd {
	event := fmt.Sprintf(`{"session_id":%q,"transcript_path":"/t.jsonl","cwd":%q,"permission_mode":"default","hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":%q}`,
		session, b.home, strings.Repeat("I have improved the set-up instructions. ", 20)) + "\n"
	return func() *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Dir = b.home
		cmd.Env = []string{"HOME=" + b.home, "PATH=" + os.Getenv("PATH"), "CLAUDE_PLUGIN_ROOT=" + filepath.Join(b.dir, "plugin")}
		cmd.Stdin = strings.NewReader(event)
		return cmd
	}
}

func (b bed) state() string { return filepath.Join(b.home, ".hoyeon", session, "state.json") }

func (b bed) arm() error {
	if err := os.MkdirAll(filepath.Dir(b.state()), 0o700); err != nil {
		return err
	}
	return os.WriteFile(b.state(), []byte(armed), 0o600)
}

func (b bed) disarm() error { return os.RemoveAll(filepath.Dir(b.state())) }
