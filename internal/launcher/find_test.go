package launcher

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"rulph/internal/version"
)

var launchers = []string{"hoyeon-cli", "hoyeon-hook"}

// A client's cache, a home and a checkout can have any of these in their paths; a hook may be started with
// an empty environment.
func TestTheBinaryIsFoundWhateverThePathAndTheEnvironment(t *testing.T) {
	args := []string{"score", "two words", "", "*", "--", "$HOME", "it's", `"`}
	for _, folder := range []string{"plugin", "with space", "it's", `a "quote"`, "$HOME", "`id`", "-n", "a;b&c", "üñí", "*", `back\slash`, "a:b"} {
		root := filepath.Join(t.TempDir(), folder)
		lay(t, root)
		build(t, checkoutBuild(root), version.Version)
		for shell, words := range shells() {
			for _, name := range launchers {
				script := filepath.Join(root, "bin", name)
				r := run(t, []string{"PATH=", reporter}, "", "/", words[0], append(append(words[1:len(words):len(words)], script), args...)...)
				got := reported(t, r)
				if want := filepath.Join(checkoutBuild(root), name); got.Binary != want {
					t.Errorf("%s in %q by %s: started %s, want %s", name, folder, shell, got.Binary, want)
				}
				if !reflect.DeepEqual(got.Args, args) {
					t.Errorf("%s in %q by %s: arguments %q, want %q", name, folder, shell, got.Args, args)
				}
			}
		}
		for _, name := range launchers {
			reported(t, run(t, []string{"PATH=", reporter}, "", "/", filepath.Join(root, "bin", name)))
		}
	}
}

func TestTheBinaryIsFoundThroughSymbolicLinks(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "the plugin")
	lay(t, root)
	build(t, checkoutBuild(root), version.Version)
	for _, name := range launchers {
		dir := filepath.Join(base, "links of "+name)
		absolute := filepath.Join(dir, "absolute")
		link(t, filepath.Join(root, "bin", name), absolute)
		relative := filepath.Join(dir, "deep/relative")
		link(t, "../absolute", relative)
		chained := filepath.Join(dir, "it's chained")
		link(t, "deep/relative", chained)
		folder := filepath.Join(dir, "folder")
		link(t, filepath.Join(root, "bin"), folder)
		dashed := filepath.Join(dir, "-e")
		link(t, "it's chained", dashed)
		for _, path := range []string{absolute, relative, chained, filepath.Join(folder, name), dashed} {
			got := reported(t, run(t, []string{"PATH=", reporter}, "", "/", path))
			if !strings.HasSuffix(got.Binary, filepath.Join("/.build", platform, name)) {
				t.Errorf("%s: started %s", path, got.Binary)
			}
		}
		for shell, words := range shells() {
			r := run(t, []string{"PATH=", reporter}, "", "/", words[0], append(words[1:len(words):len(words)], chained)...)
			if got := reported(t, r); filepath.Base(got.Binary) != name {
				t.Errorf("%s by %s: started %s", chained, shell, got.Binary)
			}
		}
	}
}

// Copies of a plugin have lost their mode bits in several releases of the clients.
func TestALostExecutableBitDoesNotMatterWhereAShellIsNamed(t *testing.T) {
	root := t.TempDir()
	lay(t, root)
	build(t, checkoutBuild(root), version.Version)
	for _, name := range launchers {
		if err := os.Chmod(filepath.Join(root, "bin", name), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, words := range shells() {
			reported(t, run(t, []string{"PATH=", reporter}, "", root, words[0], append(words[1:len(words):len(words)], "bin/"+name)...))
			reported(t, run(t, []string{"PATH=", reporter}, "", filepath.Join(root, "bin"), words[0], append(words[1:len(words):len(words)], name)...))
		}
	}
}

func TestTheLauncherIsFoundOnPath(t *testing.T) {
	root := t.TempDir()
	lay(t, root)
	build(t, checkoutBuild(root), version.Version)
	env := []string{"PATH=" + filepath.Join(root, "bin"), reporter}
	for shell, words := range shells() {
		r := run(t, env, "", "/", words[0], append(words[1:len(words):len(words)], "-c", "hoyeon-cli one")...)
		if got := reported(t, r); !reflect.DeepEqual(got.Args, []string{"one"}) {
			t.Errorf("%s: arguments %q", shell, got.Args)
		}
	}
}

func TestTheCommandLineIsToldItsPlugin(t *testing.T) {
	root := t.TempDir()
	lay(t, root)
	build(t, checkoutBuild(root), version.Version)
	for _, path := range []string{filepath.Join(root, "bin/hoyeon-cli"), "bin/hoyeon-cli"} {
		got := reported(t, run(t, []string{"PATH=", reporter}, "", root, "/bin/sh", path))
		if !filepath.IsAbs(got.Root) {
			t.Errorf("%s: root %q is not absolute", path, got.Root)
		}
		a, err := os.Stat(got.Root)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.Stat(root)
		if err != nil {
			t.Fatal(err)
		}
		if !os.SameFile(a, b) {
			t.Errorf("%s: root %s, want %s", path, got.Root, root)
		}
	}
}

func TestABuildOfAnotherVersionIsPassedOver(t *testing.T) {
	root := t.TempDir()
	lay(t, root)
	build(t, checkoutBuild(root), "0.0.1")
	env, cache := home(t)
	build(t, cacheBuild(cache), version.Version)
	for _, name := range launchers {
		got := reported(t, run(t, env, "", "/", filepath.Join(root, "bin", name)))
		if want := filepath.Join(cacheBuild(cache), name); got.Binary != want {
			t.Errorf("started %s, want %s", got.Binary, want)
		}
	}
}

func TestTheCheckoutGoesBeforeTheCache(t *testing.T) {
	root := t.TempDir()
	lay(t, root)
	build(t, checkoutBuild(root), version.Version)
	env, cache := home(t)
	build(t, cacheBuild(cache), version.Version)
	for _, name := range launchers {
		got := reported(t, run(t, env, "", "/", filepath.Join(root, "bin", name)))
		if want := filepath.Join(checkoutBuild(root), name); got.Binary != want {
			t.Errorf("started %s, want %s", got.Binary, want)
		}
	}
}

func TestTheCacheIsTheSystemsOne(t *testing.T) {
	root := t.TempDir()
	lay(t, root)
	env, cache := home(t)
	build(t, cacheBuild(cache), version.Version)
	xdg := filepath.Join(t.TempDir(), "xdg cache")
	build(t, cacheBuild(xdg), version.Version)
	type test struct {
		env  []string
		want string
	}
	tests := []test{
		{env, cache},
		{append([]string{"XDG_CACHE_HOME="}, env...), cache},
		{append([]string{"XDG_CACHE_HOME=relative"}, env...), cache}, // the specification has such a one ignored
	}
	if runtime.GOOS != "darwin" {
		tests = append(tests, test{append([]string{"XDG_CACHE_HOME=" + xdg}, env...), xdg})
	}
	for _, test := range tests {
		for _, name := range launchers {
			got := reported(t, run(t, test.env, "", "/", filepath.Join(root, "bin", name)))
			if want := filepath.Join(cacheBuild(test.want), name); got.Binary != want {
				t.Errorf("%q: started %s, want %s", test.env, got.Binary, want)
			}
		}
	}
}

// A hook runs at every stop and every prompt, so the way to the binary must not start a process. The kernel
// tells the machine's architecture from Linux 6.1 on; elsewhere uname is asked.
func TestTheHookStartsNoProcessOnItsWay(t *testing.T) {
	_, err := os.Stat("/proc/sys/kernel/arch")
	tells := err == nil
	root := t.TempDir()
	lay(t, root)
	build(t, checkoutBuild(root), version.Version)
	path := filepath.Join(root, "bin/hoyeon-hook")
	for shell, words := range shells() {
		r := run(t, []string{"PATH=/usr/bin:/bin", reporter}, "", "/", words[0], append(words[1:len(words):len(words)], path)...)
		if got := reported(t, r); (got.Children == 0) != tells {
			t.Errorf("%s: %d page faults in processes that the launcher started; the kernel tells the architecture: %v", shell, got.Children, tells)
		}
	}

	// Through a symbolic link it has to ask readlink, and that shows.
	linked := filepath.Join(t.TempDir(), "hook")
	link(t, path, linked)
	if got := reported(t, run(t, []string{"PATH=/usr/bin:/bin", reporter}, "", "/", linked)); got.Children == 0 {
		t.Error("a process that the launcher did start was not seen")
	}
}

// Both find the binary by the same lines; `.` of a shared file could end the hook with status 2, a block.
func TestBothLaunchersLookInTheSamePlaces(t *testing.T) {
	var blocks []string
	for _, name := range launchers {
		data, err := os.ReadFile(filepath.Join(repository(t), "bin", name))
		if err != nil {
			t.Fatal(err)
		}
		_, after, found := strings.Cut(string(data), "# --- where")
		block, _, closed := strings.Cut(after, "# --- end of where")
		if !found || !closed {
			t.Fatalf("bin/%s has no block between '# --- where' and '# --- end of where'", name)
		}
		blocks = append(blocks, block)
	}
	if blocks[0] != blocks[1] {
		t.Error("bin/hoyeon-cli and bin/hoyeon-hook look for the binary in different ways")
	}
}
