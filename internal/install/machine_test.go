package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"rulph/internal/version"
	"rulph/schemas/schematest"
)

// lab is a machine in a temporary folder: a home, a plugin, a Go that makes binaries of nothing, and clients
// that keep what they are told in files.
type lab struct {
	Machine
	t    *testing.T
	home string
	bin  string // the folder on PATH
	root string // the plugin
}

func newLab(t *testing.T) *lab {
	t.Helper()
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		for _, prefix := range []string{"CLAUDE", "CODEX_", "HOYEON_", "XDG_"} {
			if strings.HasPrefix(name, prefix) {
				t.Setenv(name, "") // restored after the test
				os.Unsetenv(name)
			}
		}
	}
	base := t.TempDir()
	l := &lab{t: t, home: filepath.Join(base, "home"), bin: filepath.Join(base, "tools"), root: filepath.Join(base, "it's the plugin")}
	l.mkdir(l.home)
	l.mkdir(l.bin)
	t.Setenv("HOME", l.home)
	t.Setenv("PATH", l.bin+":/usr/bin:/bin")
	t.Setenv("HOYEON_PLUGIN_ROOT", l.root)
	l.Machine = Machine{Getenv: os.Getenv, Cwd: base, OS: runtime.GOOS, Arch: runtime.GOARCH}

	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"scripts/build", "bin/hoyeon-cli", "bin/hoyeon-hook", "go.mod", "internal/version/version.go", ".claude-plugin/plugin.json"} {
		data, err := os.ReadFile(filepath.Join(repository, file))
		if err != nil {
			t.Fatal(err)
		}
		mode := fs.FileMode(0o644)
		if bytes.HasPrefix(data, []byte("#!")) {
			mode = 0o755
		}
		l.write(filepath.Join(l.root, file), string(data), mode)
	}
	return l
}

func (l *lab) mkdir(dir string) {
	l.t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) write(path, text string, mode fs.FileMode) {
	l.t.Helper()
	l.mkdir(filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		l.t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) tool(name, script string) {
	l.write(filepath.Join(l.bin, name), "#!/bin/sh\n"+script, 0o755)
}

// binaryScripts are stand-ins for the two binaries.
func binaryScripts(version string) map[string]string {
	return map[string]string{
		"hoyeon-cli":  "#!/bin/sh\necho hoyeon-cli v" + version + "\n",
		"hoyeon-hook": "#!/bin/sh\nexit 0\n",
	}
}

// withGo puts a Go on the machine; text goes into each binary, so that another text is another build.
func (l *lab) withGo(text string) {
	scripts := binaryScripts(version.Version)
	l.tool("go", fmt.Sprintf(`while [ "$1" != -o ]; do shift; done
cat >"$2/hoyeon-cli" <<'END'
%[1]s# %[3]s
END
cat >"$2/hoyeon-hook" <<'END'
%[2]s# %[3]s
END
chmod 755 "$2/hoyeon-cli" "$2/hoyeon-hook"
`, scripts["hoyeon-cli"], scripts["hoyeon-hook"], text))
	l.t.Setenv("HOYEON_GO", filepath.Join(l.bin, "go"))
}

func (l *lab) withoutGo() { l.t.Setenv("HOYEON_GO", filepath.Join(l.bin, "no-such-go")) }

// release puts a build into the plugin's own folder, as an archive for users without Go has it.
func (l *lab) release(version string) {
	dir := filepath.Join(l.root, "bin", ".build", l.platform())
	for name, script := range binaryScripts(version) {
		l.write(filepath.Join(dir, name), script, 0o755)
	}
	l.write(filepath.Join(dir, "version"), version+"\n", 0o644)
}

// withClaude puts a Claude Code on the machine that has the marketplaces and plugins given, as it lists them.
func (l *lab) withClaude(markets, plugins string) { l.withClient("claude", markets, plugins, "") }

// withCodex does the same for Codex; hooks is what its app server answers to hooks/list.
func (l *lab) withCodex(markets, plugins, hooks string) {
	l.withClient("codex", markets, plugins, hooks)
}

func (l *lab) withClient(name, markets, plugins, hooks string) {
	dir := filepath.Join(l.home, name+"-state")
	l.write(filepath.Join(dir, "markets"), markets, 0o644)
	l.write(filepath.Join(dir, "plugins"), plugins, 0o644)
	l.write(filepath.Join(dir, "hooks"), hooks, 0o644)
	l.tool(name, fmt.Sprintf(`dir='%s'
case "$*" in
'plugin marketplace list --json') cat "$dir/markets" ;;
'plugin list --json') cat "$dir/plugins" ;;
--version) echo '%s 9.9.9' ;;
app-server)
    read -r line
    echo '{"method":"notice","params":{"id":1}}'
    echo '{"id":1,"result":{}}'
    read -r line
    read -r line
    [ -s "$dir/hooks" ] || exit 0
    cat "$dir/hooks"
    read -r line # it serves until its input ends
    ;;
*) echo "$*" >>"$dir/calls" ;;
esac
`, dir, name))
}

// calls are the commands that changed something in a client.
func (l *lab) calls(name string) []string {
	l.t.Helper()
	data, err := os.ReadFile(filepath.Join(l.home, name+"-state", "calls"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		l.t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

func (l *lab) cache() string {
	l.t.Helper()
	dir, err := l.cached(version.Version)
	if err != nil {
		l.t.Fatal(err)
	}
	return dir
}

// tree lists everything below a folder with what is in it, to see that nothing was changed.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, path, info.Mode(), info.ModTime().UnixNano())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// fits checks a document against its published schema.
func fits(t *testing.T, schema string, document any) {
	t.Helper()
	data, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	schematest.Fits(t, schema, data)
}

// The two clients' own words, from Claude Code 2.1.197 and Codex 0.171.0.
func claudeMarketsText(path string) string {
	return fmt.Sprintf(`[{"name":"other","source":"github","repo":"someone/else","installLocation":"/x"},{"name":"hoyeon","source":"directory","path":%q,"installLocation":%[1]q}]`, path)
}

func claudePluginsText(version string, enabled bool, faults string) string {
	return fmt.Sprintf(`[{"id":"rulph@other","version":"7.0.0","scope":"user","enabled":true,"installPath":"/x"},{"id":"rulph@hoyeon","version":%q,"scope":"user","enabled":%v,"installPath":"/y","installedAt":"2026-11-30T19:00:32.111Z","lastUpdated":"2026-11-30T19:00:32.111Z"%s}]`, version, enabled, faults)
}

func codexMarketsText(path string) string {
	return fmt.Sprintf(`{"marketplaces":[{"name":"hoyeon","root":%q,"marketplaceSource":{"sourceType":"local","source":%[1]q}}]}`, path)
}

func codexPluginsText(version string, enabled bool) string {
	return fmt.Sprintf(`{"installed":[{"pluginId":"rulph@hoyeon","name":"rulph","marketplaceName":"hoyeon","version":%q,"installed":true,"enabled":%v,"source":{"source":"local","path":"/x"},"installPolicy":"AVAILABLE","authPolicy":"ON_INSTALL"}],"available":[]}`, version, enabled)
}

// codexHooksText is an answer to hooks/list with one hook an event, and one of another plugin.
func codexHooksText(enabled bool, trust map[string]string) string {
	var hooks []string
	for _, event := range []string{"sessionStart", "sessionEnd", "userPromptSubmit", "subagentStop", "stop"} {
		hooks = append(hooks, fmt.Sprintf(`{"key":"rulph@hoyeon:hooks/hooks.json:%s:0:0","eventName":%[1]q,"handlerType":"command","command":"x","timeoutSec":10,"source":"plugin","pluginId":"rulph@hoyeon","enabled":%v,"isManaged":false,"trustStatus":%q}`, event, enabled, firstOf(trust[event], "trusted")))
	}
	hooks = append(hooks, `{"key":"other@x:hooks/hooks.json:stop:0:0","eventName":"stop","pluginId":"other@x","enabled":false,"trustStatus":"untrusted"}`)
	folder := `{"cwd":"/a","hooks":[` + strings.Join(hooks, ",") + `],"warnings":[],"errors":[]}`
	return `{"id":2,"result":{"data":[` + folder + "," + folder + `]}}` + "\n"
}
