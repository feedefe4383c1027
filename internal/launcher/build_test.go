package launcher

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"rulph/internal/version"
)

func TestTheCommandLineBuildsItselfOnce(t *testing.T) {
	root := filepath.Join(t.TempDir(), "it's here")
	lay(t, root)
	env, cache := home(t)
	search, log := fakeGo(t)
	env = append(env, "PATH="+search, "GOFLAGS=-mod=vendor", "GOWORK=/elsewhere/go.work", "GOOS=plan9", "CGO_ENABLED=1")
	before := tree(t, root)
	first := run(t, env, "", "/", filepath.Join(root, "bin/hoyeon-cli"), "a", "b")
	if first.code != 0 || first.stdout != "built hoyeon-cli a b\n" {
		t.Fatalf("exit %d, stdout %q, stderr %q", first.code, first.stdout, first.stderr)
	}
	if want := "build: building rulph " + version.Version + ", once (about a minute)\n"; first.stderr != want {
		t.Errorf("stderr %q, want %q", first.stderr, want)
	}
	second := run(t, env, "", "/", filepath.Join(root, "bin/hoyeon-cli"), "c")
	if second.stdout != "built hoyeon-cli c\n" || second.stderr != "" {
		t.Errorf("the second call printed %q and %q", second.stdout, second.stderr)
	}
	got := builds(t, log)
	want := fmt.Sprintf("%s %s 0 off -mod=readonly build -trimpath -buildvcs=false -ldflags -s -w -o ", runtime.GOOS, runtime.GOARCH)
	if len(got) != 1 || !strings.HasPrefix(got[0], want) || !strings.HasSuffix(got[0], "./cmd/hoyeon-cli ./cmd/hoyeon-hook") {
		t.Errorf("builds: %q", got)
	}
	if after := tree(t, root); after != before {
		t.Errorf("the plugin's folder was changed:\n%s", after)
	}
	for file, want := range map[string]string{"version": version.Version, "source": physical(t, root)} {
		data, err := os.ReadFile(filepath.Join(cacheBuild(cache), file))
		if err != nil {
			t.Fatal(err)
		}
		if string(data) != want+"\n" {
			t.Errorf("%s: %q, want %q", file, data, want)
		}
	}
	left, err := filepath.Glob(cacheBuild(cache) + ".*")
	if err != nil || left != nil {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

func physical(t *testing.T, path string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return real
}

func TestManyFirstCallsBuildOnce(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	lay(t, root)
	env, _ := home(t)
	search, log := fakeGo(t)
	write(t, held(log), "", 0o644)
	env = append(env, "PATH="+search)
	var done sync.WaitGroup
	for i := range 6 {
		done.Go(func() {
			r := run(t, env, "", "/", filepath.Join(root, "bin/hoyeon-cli"), fmt.Sprint(i))
			if want := fmt.Sprintf("built hoyeon-cli %d\n", i); r.code != 0 || r.stdout != want {
				t.Errorf("exit %d, stdout %q, stderr %q; want %q", r.code, r.stdout, r.stderr, want)
			}
		})
	}
	appear(t, log)
	time.Sleep(time.Second) // for the others to come to the lock
	remove(t, held(log))
	done.Wait()
	if n := len(builds(t, log)); n != 1 {
		t.Errorf("built %d times, want 1", n)
	}
}

func TestALockLeftBehindIsTakenAway(t *testing.T) {
	t.Parallel()
	dead := exec.Command("/bin/sh", "-c", "exit 0")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	for what, pid := range map[string]string{"its owner is gone": fmt.Sprintln(dead.Process.Pid), "it has no owner": ""} {
		root := t.TempDir()
		lay(t, root)
		env, cache := home(t)
		search, log := fakeGo(t)
		lock := cacheBuild(cache) + ".lock"
		write(t, filepath.Join(lock, "pid"), pid, 0o644)
		r := run(t, append(env, "PATH="+search), "", "/", filepath.Join(root, "bin/hoyeon-cli"))
		if r.stdout != "built hoyeon-cli \n" || len(builds(t, log)) != 1 {
			t.Errorf("%s: stdout %q, stderr %q, builds %q", what, r.stdout, r.stderr, builds(t, log))
		}
		if left, err := filepath.Glob(cacheBuild(cache) + ".*"); err != nil || left != nil {
			t.Errorf("%s: left behind: %q, %v", what, left, err)
		}
	}
}

func TestABuildWaitsForTheOneThatHoldsTheLock(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	lay(t, root)
	env, cache := home(t)
	search, log := fakeGo(t)
	lock := cacheBuild(cache) + ".lock"
	write(t, filepath.Join(lock, "pid"), fmt.Sprintln(os.Getpid()), 0o644)
	early := make(chan int, 1)
	go func() {
		time.Sleep(2 * time.Second)
		early <- len(builds(t, log))
		if err := os.RemoveAll(lock); err != nil {
			t.Error(err)
		}
	}()
	r := run(t, append(env, "PATH="+search), "", "/", filepath.Join(root, "bin/hoyeon-cli"))
	if n := <-early; n != 0 {
		t.Errorf("built %d times while another held the lock", n)
	}
	if r.stdout != "built hoyeon-cli \n" || len(builds(t, log)) != 1 {
		t.Errorf("stdout %q, stderr %q, builds %q", r.stdout, r.stderr, builds(t, log))
	}
}

func TestACommandLineThatCannotBeBuiltSaysWhatToDo(t *testing.T) {
	root := filepath.Join(t.TempDir(), "it's here")
	lay(t, root)
	again := "run: sh '" + strings.ReplaceAll(physical(t, root), "'", `'\''`) + "/bin/hoyeon-cli' install\n"
	search, _ := fakeGo(t)
	failing := t.TempDir()
	write(t, filepath.Join(failing, "go"), "#!/bin/sh\necho 'go: no network' >&2\nexit 1\n", 0o755)
	env, _ := home(t)
	blocked, cache := home(t)
	write(t, cache, "a file where the folder should be", 0o644)
	for what, test := range map[string]struct {
		env  []string
		want []string
	}{
		"no Go": {append(env, "HOYEON_GO="), []string{
			"hoyeon-cli: it is not built for " + platform + ", and Go, which would build it, is not installed\n",
			"hint: install Go 1.26 or newer (https://go.dev/dl/), then " + again,
		}},
		"no cache": {append(blocked, "PATH="+search), []string{
			"hoyeon-cli: it is not built for " + platform + ", and nothing may be written where it would be kept\n",
			"hint: in a terminal outside this sandbox, " + again,
		}},
		"no home": {[]string{"PATH=" + search}, []string{
			"nothing may be written where it would be kept\n", again,
		}},
		"a build that fails": {append(env, "PATH="+failing+":/usr/bin:/bin"), []string{
			"go: no network\n",
			"hoyeon-cli: it is not built for " + platform + ", and building it failed (see above)\n",
			"hint: in a terminal with network access, outside any sandbox, " + again,
		}},
	} {
		for shell, words := range shells() {
			r := run(t, test.env, "", "/", words[0], append(words[1:len(words):len(words)], filepath.Join(root, "bin/hoyeon-cli"), "rulph", "status")...)
			if r.code != 1 || r.stdout != "" {
				t.Errorf("%s by %s: exit %d, stdout %q; want 1 and nothing", what, shell, r.code, r.stdout)
			}
			for _, want := range test.want {
				if !strings.Contains(r.stderr, want) {
					t.Errorf("%s by %s: stderr lacks %q:\n%s", what, shell, want, r.stderr)
				}
			}
		}
	}
}

func TestAFailedBuildLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	lay(t, root)
	env, cache := home(t)
	failing := t.TempDir()
	write(t, filepath.Join(failing, "go"), "#!/bin/sh\necho 'go: no network' >&2\nexit 1\n", 0o755)
	r := run(t, append(env, "PATH="+failing+":/usr/bin:/bin"), input("SessionStart"), "/", filepath.Join(root, "bin/hoyeon-hook"))
	silent(t, "SessionStart", r)
	log := cacheBuild(cache) + ".log"
	appear(t, log)
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		left, err := filepath.Glob(cacheBuild(cache) + ".*")
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 1 && strings.HasSuffix(string(data), "go: no network\n") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("left behind: %q, log %q; want the log alone, with the reason in it", left, data)
		}
	}
}

func TestTheBuildScriptReplacesABuild(t *testing.T) {
	root := t.TempDir()
	lay(t, root)
	env, _ := home(t)
	search, log := fakeGo(t)
	env = append(env, "PATH="+search)
	for n := 1; n <= 2; n++ {
		if r := run(t, env, "", "/", filepath.Join(root, "scripts/build")); r.code != 0 || r.stdout != "" || r.stderr != "" {
			t.Fatalf("exit %d, %q, %q", r.code, r.stdout, r.stderr)
		}
		if got := len(builds(t, log)); got != n {
			t.Errorf("built %d times, want %d", got, n)
		}
	}
	if r := run(t, env, "", "/", filepath.Join(root, "bin/hoyeon-hook"), "x"); r.stdout != "built hoyeon-hook x\n" {
		t.Errorf("the launcher does not find the build: %q, %q", r.stdout, r.stderr)
	}
	other := append(env, "GOOS=linux", "GOARCH=riscv64")
	dir := filepath.Join(t.TempDir(), "elsewhere")
	if r := run(t, other, "", "/", filepath.Join(root, "scripts/build"), dir); r.code != 0 {
		t.Fatalf("exit %d, %q", r.code, r.stderr)
	}
	if got := builds(t, log); !strings.HasPrefix(got[2], "linux riscv64 ") {
		t.Errorf("builds: %q", got)
	}
	for _, name := range launchers {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if r := run(t, env, "", "/", filepath.Join(root, "scripts/build"), "--onec"); r.code != 2 || !strings.Contains(r.stderr, "unknown option --onec") {
		t.Errorf("a wrong option: exit %d, %q", r.code, r.stderr)
	}
}

// The sources, the real Go and the real script: what a user's first call does.
func TestTheSourcesBuild(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "both binaries")
	cmd := exec.Command(filepath.Join(repository(t), "scripts/build"), dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(filepath.Join(dir, "hoyeon-cli"), "--version").CombinedOutput()
	if want := "hoyeon-cli v" + version.Version + "\n"; err != nil || string(out) != want {
		t.Errorf("%q, %v; want %q", out, err, want)
	}
	hook := exec.Command(filepath.Join(dir, "hoyeon-hook"))
	hook.Env = []string{"HOME=" + t.TempDir()}
	hook.Stdin = strings.NewReader(input("Stop"))
	if out, err := hook.CombinedOutput(); err != nil || len(out) != 0 {
		t.Errorf("a stop with nothing armed: %q, %v; want nothing", out, err)
	}
}
