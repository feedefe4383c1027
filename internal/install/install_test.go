package install

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rulph/internal/version"
)

func (l *lab) install(o Options) Result {
	l.t.Helper()
	r, err := Install(context.Background(), l.Machine, o)
	if err != nil {
		l.t.Fatal(err)
	}
	fits(l.t, "install", r)
	return r
}

// outcomes are the steps and what they came to.
func outcomes(r Result) map[string]Status {
	got := map[string]Status{}
	for _, step := range r.Steps {
		got[step.ID] = step.Status
	}
	return got
}

func step(t *testing.T, r Result, id string) Step {
	t.Helper()
	for _, s := range r.Steps {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("no step %s: %+v", id, r.Steps)
	return Step{}
}

func want(t *testing.T, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("not as wanted (-want +got):\n%s", diff)
	}
}

func TestInstallPutsEverythingInPlace(t *testing.T) {
	l := newLab(t)
	l.withGo("one")
	l.withClaude("[]", "[]")
	l.withCodex(`{"marketplaces":[]}`, `{"installed":[],"available":[]}`, "")
	r := l.install(Options{})
	want(t, outcomes(r), map[string]Status{
		"binaries": Done, "link": Done,
		"claude.marketplace": Done, "claude.plugin": Done, "codex.marketplace": Done, "codex.plugin": Done,
	})
	if !r.OK || r.Version != version.Version || r.Root != l.root {
		t.Errorf("%+v", r)
	}
	want(t, l.calls("claude"), []string{"plugin marketplace add " + l.root, "plugin install rulph@hoyeon"})
	want(t, l.calls("codex"), []string{"plugin marketplace add " + l.root, "plugin add rulph@hoyeon"})
	want(t, r.Todo, []string{
		"put " + l.home + "/.local/bin on PATH: add `export PATH=\"$HOME/.local/bin:$PATH\"` to your shell's profile",
		"start Claude Code anew: running sessions do not see the plugin",
		"start Codex and trust the hooks of rulph when it asks (or open /hooks): until then no loop can keep a turn going. It asks again after each update of the plugin",
	})

	out, err := exec.Command(filepath.Join(l.home, ".local/bin/hoyeon-cli")).CombinedOutput()
	if string(out) != "hoyeon-cli v"+version.Version+"\n" || err != nil {
		t.Errorf("the link starts %q, %v", out, err)
	}
	launcher := exec.Command(filepath.Join(l.root, "bin/hoyeon-cli"))
	launcher.Env = []string{"HOME=" + l.home}
	out, err = launcher.CombinedOutput()
	if string(out) != "hoyeon-cli v"+version.Version+"\n" || err != nil {
		t.Errorf("the launcher does not find what was installed: %q, %v", out, err)
	}
}

func TestInstallingAgainChangesNothing(t *testing.T) {
	l := newLab(t)
	l.withGo("one")
	l.withClaude(claudeMarketsText(l.root), claudePluginsText(version.Version, true, ""))
	l.withCodex(codexMarketsText(l.root), codexPluginsText(version.Version, true), codexHooksText(true, nil))
	t.Setenv("PATH", filepath.Join(l.home, ".local/bin")+":"+os.Getenv("PATH"))
	l.install(Options{})
	r := l.install(Options{})
	want(t, outcomes(r), map[string]Status{
		"binaries": Unchanged, "link": Unchanged,
		"claude.marketplace": Unchanged, "claude.plugin": Unchanged, "codex.marketplace": Unchanged, "codex.plugin": Unchanged,
	})
	want(t, r.Todo, []string{})
	if l.calls("claude") != nil || l.calls("codex") != nil {
		t.Errorf("the clients were told %q, %q", l.calls("claude"), l.calls("codex"))
	}
	l.withGo("two")
	if got := step(t, l.install(Options{}), "binaries").Status; got != Done {
		t.Errorf("changed sources: binaries %s, want %s", got, Done)
	}
}

func TestADryRunChangesNothing(t *testing.T) {
	l := newLab(t)
	l.withGo("one")
	l.withClaude("[]", claudePluginsText("0.0.1", true, ""))
	before := tree(t, filepath.Dir(l.root))
	r := l.install(Options{DryRun: true})
	if after := tree(t, filepath.Dir(l.root)); after != before {
		t.Errorf("changed:\n%s\nwas:\n%s", after, before)
	}
	want(t, outcomes(r), map[string]Status{"binaries": Planned, "link": Planned, "claude.marketplace": Planned, "claude.plugin": Planned, "codex": Skipped})
	quoted := "'" + strings.ReplaceAll(l.root, "'", `'\''`)
	want(t, step(t, r, "binaries").Commands, []string{"sh " + quoted + "/scripts/build' " + l.cache()})
	want(t, step(t, r, "claude.marketplace").Commands, []string{"claude plugin marketplace add " + quoted + "'"})
	want(t, step(t, r, "claude.plugin").Commands, []string{"claude plugin update rulph@hoyeon"})
}

func TestWhatIsNotOursIsNotOverwritten(t *testing.T) {
	for what, put := range map[string]func(l *lab, path string){
		"a file":         func(l *lab, path string) { l.write(path, "mine", 0o755) },
		"a folder":       func(l *lab, path string) { l.mkdir(path) },
		"a link":         func(l *lab, path string) { l.link("/usr/lib/node_modules/hoyeon-cli", path) },
		"a dangling one": func(l *lab, path string) { l.link("../nowhere", path) },
		"a near miss":    func(l *lab, path string) { l.link(l.home+"/.cache/hoyeon-other/hoyeon-cli", path) },
	} {
		t.Run(what, func(t *testing.T) {
			l := newLab(t)
			l.withGo("one")
			path := filepath.Join(l.home, ".local/bin/hoyeon-cli")
			l.mkdir(filepath.Dir(path))
			put(l, path)
			before := tree(t, filepath.Dir(path))
			r := l.install(Options{})
			if s := step(t, r, "link"); s.Status != Failed || r.OK || !strings.Contains(s.Detail, path) || !strings.Contains(s.Detail, "not ours") {
				t.Errorf("%+v", s)
			}
			if after := tree(t, filepath.Dir(path)); after != before {
				t.Errorf("changed:\n%s\nwas:\n%s", after, before)
			}
		})
	}
}

func (l *lab) link(target, path string) {
	l.t.Helper()
	if err := os.Symlink(target, path); err != nil {
		l.t.Fatal(err)
	}
}

func TestTheLinkOfAnEarlierVersionIsReplaced(t *testing.T) {
	l := newLab(t)
	l.withGo("one")
	path := filepath.Join(l.home, ".local/bin/hoyeon-cli")
	l.mkdir(filepath.Dir(path))
	old, err := l.cached("0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	l.link(filepath.Join(old, "hoyeon-cli"), path) // its build is gone
	if s := step(t, l.install(Options{}), "link"); s.Status != Done {
		t.Errorf("%+v", s)
	}
	if target, err := os.Readlink(path); err != nil || target != filepath.Join(l.cache(), "hoyeon-cli") {
		t.Errorf("links to %s, %v", target, err)
	}
}

func TestAnotherProgramOfTheSameNameIsPointedOut(t *testing.T) {
	l := newLab(t)
	l.withGo("one")
	l.tool("hoyeon-cli", "echo v1.7.1\n")
	bin := filepath.Join(l.home, ".local/bin")
	t.Setenv("PATH", os.Getenv("PATH")+":"+bin)
	r := l.install(Options{})
	want(t, r.Todo, []string{filepath.Join(l.bin, "hoyeon-cli") + " comes before " + bin + "/hoyeon-cli on PATH: remove it, or put " + bin + " first"})
}

func TestOnlyTheClientsAskedForAreTouched(t *testing.T) {
	l := newLab(t)
	l.withGo("one")
	l.withClaude("[]", "[]")
	r := l.install(Options{Clients: []string{"claude"}})
	want(t, outcomes(r), map[string]Status{"binaries": Done, "link": Done, "claude.marketplace": Done, "claude.plugin": Done})

	r = l.install(Options{Clients: []string{"codex"}})
	s := step(t, r, "codex")
	if s.Status != Failed || s.Detail != "Codex is not on PATH" || r.OK {
		t.Errorf("a client that was asked for and is not there: %+v", s)
	}
	if _, err := Install(context.Background(), l.Machine, Options{Clients: []string{"gemini"}}); err == nil || err.Error() != `unknown client "gemini"` {
		t.Errorf("error %v", err)
	}
}

func TestAnInstalledPluginIsUpdatedOrLeftOff(t *testing.T) {
	l := newLab(t)
	l.withGo("one")
	l.withClaude(claudeMarketsText(l.root), claudePluginsText("0.0.9", true, ""))
	l.withCodex(codexMarketsText(l.root), codexPluginsText("0.0.9", true), codexHooksText(true, nil))
	r := l.install(Options{})
	want(t, l.calls("claude"), []string{"plugin update rulph@hoyeon"})
	want(t, l.calls("codex"), []string{"plugin add rulph@hoyeon"})
	if s := step(t, r, "claude.plugin"); s.Status != Done || s.Detail != "rulph@hoyeon "+version.Version+", was 0.0.9" {
		t.Errorf("%+v", s)
	}

	l = newLab(t)
	l.withGo("one")
	l.withClaude(claudeMarketsText(l.root), claudePluginsText("0.0.9", false, ""))
	l.withCodex(codexMarketsText(l.root), codexPluginsText("0.0.9", false), codexHooksText(true, nil))
	r = l.install(Options{})
	if l.calls("claude") != nil || l.calls("codex") != nil {
		t.Errorf("a plugin that was switched off was touched: %q, %q", l.calls("claude"), l.calls("codex"))
	}
	if !reflect.DeepEqual(r.Todo[1], "switch the plugin on in Claude Code: `claude plugin enable rulph@hoyeon`") {
		t.Errorf("%q", r.Todo)
	}
}

func TestAMarketplaceFromElsewhereIsLeftAloneUnlessItIsGone(t *testing.T) {
	l := newLab(t)
	l.withGo("one")
	elsewhere := t.TempDir()
	l.withClaude(claudeMarketsText(elsewhere), claudePluginsText(version.Version, true, ""))
	l.withCodex(codexMarketsText(filepath.Join(elsewhere, "gone")), codexPluginsText(version.Version, true), codexHooksText(true, nil))
	r := l.install(Options{})
	s := step(t, r, "claude.marketplace")
	if s.Status != Unchanged || !strings.HasPrefix(s.Detail, "hoyeon comes from "+elsewhere+"; to take it from "+l.root+" instead, run `claude plugin marketplace remove hoyeon`") {
		t.Errorf("%+v", s)
	}
	want(t, l.calls("codex"), []string{"plugin marketplace remove hoyeon", "plugin marketplace add " + l.root})

	l = newLab(t)
	l.withGo("one")
	l.withClaude(`[{"name":"hoyeon","source":"github","repo":"someone/rulph"}]`, claudePluginsText(version.Version, true, ""))
	r = l.install(Options{})
	if s := step(t, r, "claude.marketplace"); s.Status != Unchanged || !strings.HasPrefix(s.Detail, "hoyeon comes from someone/rulph;") {
		t.Errorf("%+v", s)
	}
}

func TestAClientThatFailsDoesNotStopTheRest(t *testing.T) {
	l := newLab(t)
	l.withGo("one")
	l.tool("claude", "echo 'some noise' >&2; echo \"error: unknown command 'plugin'\" >&2; exit 1\n")
	l.withCodex(`{"marketplaces":[]}`, `{"installed":[]}`, "")
	r := l.install(Options{})
	want(t, outcomes(r), map[string]Status{"binaries": Done, "link": Done, "claude.marketplace": Failed, "codex.marketplace": Done, "codex.plugin": Done})
	if s := step(t, r, "claude.marketplace"); s.Detail != "claude plugin marketplace list --json: exit status 1: error: unknown command 'plugin'" || s.Fix == "" || r.OK {
		t.Errorf("%+v", s)
	}
	l.tool("claude", "echo 'not JSON'\n")
	if s := step(t, l.install(Options{}), "claude.marketplace"); s.Status != Failed || !strings.HasPrefix(s.Detail, "claude plugin marketplace list --json: its answer is not understood: ") {
		t.Errorf("%+v", s)
	}
}

func TestWithoutGoAReleaseIsCopied(t *testing.T) {
	l := newLab(t)
	l.withoutGo()
	r := l.install(Options{})
	if s := step(t, r, "binaries"); s.Status != Failed || s.Detail != "there is neither Go to build the binaries with nor a build to copy" || !strings.Contains(s.Fix, "https://go.dev/dl/") {
		t.Errorf("%+v", s)
	}
	l.release("0.0.1")
	if s := step(t, l.install(Options{}), "binaries"); s.Status != Failed {
		t.Errorf("a build of another version: %+v", s)
	}
	l.release(version.Version)
	if s := step(t, l.install(Options{}), "binaries"); s.Status != Done || s.Commands != nil {
		t.Errorf("%+v", s)
	}
	if s := step(t, l.install(Options{}), "binaries"); s.Status != Unchanged {
		t.Errorf("again: %+v", s)
	}
	if !built(l.cache(), version.Version) {
		t.Error("the cache has no complete build")
	}
	// In a checkout the sources may be newer than the build beside them.
	l.mkdir(filepath.Join(l.root, ".git"))
	l.withGo("built anew")
	if s := step(t, l.install(Options{}), "binaries"); s.Status != Done || len(s.Commands) != 1 {
		t.Errorf("a checkout: %+v", s)
	}
}

func TestABuildThatFailsSaysHowToSeeWhy(t *testing.T) {
	l := newLab(t)
	l.withGo("one")
	l.tool("go", "echo 'go: no network' >&2; exit 1\n")
	s := step(t, l.install(Options{}), "binaries")
	if s.Status != Failed || s.Detail != "building: exit status 1: go: no network" || !strings.Contains(s.Fix, "scripts/build' "+l.cache()) {
		t.Errorf("%+v", s)
	}
	t.Setenv("CODEX_SANDBOX_NETWORK_DISABLED", "1")
	if s := step(t, l.install(Options{}), "binaries"); s.Fix != "run `hoyeon-cli install` in a terminal of your own: this is Codex's sandbox" {
		t.Errorf("in a sandbox: %+v", s)
	}
}

func TestThePluginIsFoundFromItsBinaries(t *testing.T) {
	l := newLab(t)
	os.Unsetenv("HOYEON_PLUGIN_ROOT")
	if _, err := l.Machine.root(); err == nil {
		t.Error("a plugin was found where there is none")
	}
	l.release(version.Version)
	own := filepath.Join(l.root, "bin/.build", l.platform(), "hoyeon-cli")
	cached := filepath.Join(l.cache(), "hoyeon-cli")
	l.write(cached, "", 0o755)
	l.write(filepath.Join(l.cache(), "source"), l.root+"\n", 0o644)
	linked := filepath.Join(l.home, "linked")
	l.link(cached, linked)
	for _, path := range []string{own, cached, linked} {
		m := l.Machine
		m.Executable = path
		if got, err := m.root(); got != l.root || err != nil {
			t.Errorf("%s: %s, %v; want %s", path, got, err, l.root)
		}
	}
	m := l.Machine
	m.Cwd = filepath.Join(l.root, "internal/version")
	if got, err := m.root(); got != l.root || err != nil {
		t.Errorf("from the working folder: %s, %v; want %s", got, err, l.root)
	}
}

func TestTheCacheIsWhereTheLaunchersLook(t *testing.T) {
	for _, test := range []struct {
		os   string
		env  map[string]string
		want string
	}{
		{"linux", map[string]string{"HOME": "/h"}, "/h/.cache/hoyeon/1.2.3-linux-arm64"},
		{"linux", map[string]string{"HOME": "/h", "XDG_CACHE_HOME": "/x"}, "/x/hoyeon/1.2.3-linux-arm64"},
		{"linux", map[string]string{"HOME": "/h", "XDG_CACHE_HOME": "x"}, "/h/.cache/hoyeon/1.2.3-linux-arm64"},
		{"linux", map[string]string{"XDG_CACHE_HOME": "/x"}, "/x/hoyeon/1.2.3-linux-arm64"},
		{"darwin", map[string]string{"HOME": "/h", "XDG_CACHE_HOME": "/x"}, "/h/Library/Caches/hoyeon/1.2.3-darwin-arm64"},
		{"linux", map[string]string{}, ""},
		{"linux", map[string]string{"HOME": "h"}, ""},
	} {
		m := Machine{Getenv: func(name string) string { return test.env[name] }, OS: test.os, Arch: "arm64"}
		got, err := m.cached("1.2.3")
		if got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%s %v: %q, %v; want %q", test.os, test.env, got, err, test.want)
		}
	}
}
