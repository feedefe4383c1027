// Package launcher tests the shell scripts that stand between a client and the binaries: bin/hoyeon-cli,
// bin/hoyeon-hook and scripts/build. Each test lays out a plugin folder with copies of them and runs them as
// a client would, in every POSIX shell of the machine. The binary they find is this test itself, which
// reports how it was called; the Go that builds one is a script that counts.
package launcher

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"rulph/internal/version"
)

const reporter = "LAUNCHER_TEST_REPORT=1"

// report is what the binary that a launcher found says of its start.
type report struct {
	Binary   string   // the path it was started by
	Args     []string // without the program
	Root     string   // $HOYEON_PLUGIN_ROOT
	Children int64    // page faults of processes that the launcher started and waited for: 0 when it started none
}

func TestMain(m *testing.M) {
	if os.Getenv("LAUNCHER_TEST_REPORT") == "" {
		os.Exit(m.Run())
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage); err != nil {
		panic(err)
	}
	err := json.NewEncoder(os.Stdout).Encode(report{
		Binary:   os.Args[0],
		Args:     os.Args[1:],
		Root:     os.Getenv("HOYEON_PLUGIN_ROOT"),
		Children: int64(usage.Minflt + usage.Majflt),
	})
	if err != nil {
		panic(err)
	}
}

// repository is the top of the source tree.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var platform = runtime.GOOS + "-" + runtime.GOARCH

// lay makes a plugin folder at root with the launchers, the build script and what the script reads.
func lay(t *testing.T, root string) {
	t.Helper()
	from := repository(t)
	for _, file := range []string{"bin/hoyeon-cli", "bin/hoyeon-hook", "scripts/build", "internal/version/version.go"} {
		data, err := os.ReadFile(filepath.Join(from, file))
		if err != nil {
			t.Fatal(err)
		}
		mode := fs.FileMode(0o755)
		if strings.HasSuffix(file, ".go") {
			mode = 0o644
		}
		write(t, filepath.Join(root, file), string(data), mode)
	}
}

func write(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// build puts the reporting binaries of a version into dir, as scripts/build would.
func build(t *testing.T, dir, versionOf string) {
	t.Helper()
	write(t, filepath.Join(dir, "version"), versionOf+"\n", 0o644)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"hoyeon-cli", "hoyeon-hook"} {
		link(t, self, filepath.Join(dir, name))
	}
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

func checkoutBuild(root string) string { return filepath.Join(root, "bin/.build", platform) }

func cacheBuild(cache string) string {
	return filepath.Join(cache, "hoyeon", version.Version+"-"+platform)
}

// home is an environment with nothing in it but a home folder and the cache that belongs to it.
func home(t *testing.T) (env []string, cache string) {
	t.Helper()
	dir := t.TempDir()
	cache = filepath.Join(dir, ".cache")
	if runtime.GOOS == "darwin" {
		cache = filepath.Join(dir, "Library/Caches")
	}
	return []string{"HOME=" + dir, reporter}, cache
}

type result struct {
	stdout, stderr string
	code           int
}

// run starts a program as a client does: with the environment given and nothing else.
func run(t *testing.T, env []string, stdin, dir, program string, args ...string) result {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = env
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Minute
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s %q: %v", program, args, err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// reported is the report of the binary, which must be all that the launcher printed.
func reported(t *testing.T, r result) report {
	t.Helper()
	var got report
	if err := json.Unmarshal([]byte(r.stdout), &got); err != nil || r.stderr != "" || r.code != 0 {
		t.Fatalf("no binary was reached: exit %d\nstdout: %s\nstderr: %s", r.code, r.stdout, r.stderr)
	}
	return got
}

// shells are the POSIX shells of the machine, as the words that start a script.
func shells() map[string][]string {
	found := map[string][]string{"sh": {"/bin/sh"}}
	for name, words := range map[string][]string{
		"dash": {"dash"}, "bash": {"bash", "--posix"}, "busybox": {"busybox", "sh"}, "ksh": {"ksh"}, "mksh": {"mksh"},
	} {
		if path, err := exec.LookPath(words[0]); err == nil {
			found[name] = append([]string{path}, words[1:]...)
		}
	}
	return found
}

// fakeGo puts a `go` into a folder of its own that logs each build, waits while the file `held` is beside it,
// and leaves binaries that print their name. It returns a PATH with that go and the system's tools.
func fakeGo(t *testing.T) (path, log string) {
	t.Helper()
	dir := t.TempDir()
	log = filepath.Join(dir, "log")
	write(t, filepath.Join(dir, "go"), fmt.Sprintf(`#!/bin/sh
if [ "$1" = env ]; then
    case $2 in GOOS) echo %[3]s ;; GOARCH) echo %[4]s ;; esac
    exit 0
fi
echo "$GOOS $GOARCH $CGO_ENABLED $GOWORK $GOFLAGS $*" >>'%[1]s'
while [ -e '%[2]s' ]; do sleep 0.1; done
while [ "$1" != -o ]; do shift; done
for name in hoyeon-cli hoyeon-hook; do
    printf '#!/bin/sh\necho "built %%s $*"\n' "$name" >"$2/$name"
    chmod 755 "$2/$name"
done
`, log, held(log), runtime.GOOS, runtime.GOARCH), 0o755)
	return dir + ":/usr/bin:/bin", log
}

// held is the file that keeps the builds of a fake Go from ending.
func held(log string) string { return filepath.Join(filepath.Dir(log), "held") }

// builds is how often the fake Go has built.
func builds(t *testing.T, log string) []string {
	t.Helper()
	data, err := os.ReadFile(log)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// tree lists a folder with sizes and times, to see that nothing in it was touched.
func tree(t *testing.T, root string) string {
	t.Helper()
	var list strings.Builder
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&list, path, info.Mode(), info.Size(), info.ModTime().UnixNano())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list.String()
}
