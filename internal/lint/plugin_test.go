package lint

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"rulph/internal/version"
)

// document reads a JSON file of the plugin: one object, no key twice, nothing behind it.
func document(dir, path string) (map[string]any, error) {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
	if err != nil {
		return nil, err
	}
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	if err := unique(decoder); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return object, nil
}

// unique reads one value and returns an error for a key that occurs twice in an object.
func unique(decoder *json.Decoder) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	delim, _ := token.(json.Delim)
	if delim != '{' && delim != '[' {
		return nil
	}
	seen := map[any]bool{}
	for decoder.More() {
		if delim == '{' {
			key, err := decoder.Token()
			if err != nil {
				return err
			}
			if seen[key] {
				return fmt.Errorf("the key %q occurs twice", key)
			}
			seen[key] = true
		}
		if err := unique(decoder); err != nil {
			return err
		}
	}
	_, err = decoder.Token()
	return err
}

// manifests checks the three manifests against each other, the version, and what the clients do with them.
func manifests(dir, version string) (faults []string) {
	docs := map[string]map[string]any{}
	for _, path := range []string{".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", ".codex-plugin/plugin.json"} {
		doc, err := document(dir, path)
		if err != nil {
			faultf(&faults, "%v", err)
			return faults
		}
		docs[path] = doc
	}
	claude, codex, market := docs[".claude-plugin/plugin.json"], docs[".codex-plugin/plugin.json"], docs[".claude-plugin/marketplace.json"]
	entries, _ := market["plugins"].([]any)
	if len(entries) != 1 {
		faultf(&faults, "marketplace.json: %d plugins, want 1", len(entries))
		return faults
	}
	entry, _ := entries[0].(map[string]any)
	for where, doc := range map[string]map[string]any{"the Claude manifest": claude, "the Codex manifest": codex, "the marketplace": entry} {
		for key, want := range map[string]any{"name": "rulph", "version": version, "description": claude["description"], "license": "MIT"} {
			if doc[key] != want {
				faultf(&faults, "%s: %s is %v, want %v", where, key, doc[key], want)
			}
		}
		if text, _ := doc["description"].(string); text == "" {
			faultf(&faults, "%s: no description", where)
		}
	}
	if market["name"] != "hoyeon" {
		faultf(&faults, "marketplace.json: name is %v, want hoyeon, which the installer and the trust in Codex go by", market["name"])
	}
	if entry["source"] != "./" {
		faultf(&faults, "marketplace.json: source is %v, want ./", entry["source"])
	}
	// Claude Code finds these in their default places. Named a second time, the hooks make the plugin fail to
	// load, and its own validator does not say so.
	for _, key := range []string{"hooks", "skills", "agents", "commands"} {
		if _, named := claude[key]; named {
			faultf(&faults, "the Claude manifest names %s, which Claude Code finds by itself", key)
		}
	}
	if codex["hooks"] != "./hooks/hooks.json" {
		faultf(&faults, "the Codex manifest: hooks is %v, want ./hooks/hooks.json", codex["hooks"])
	}
	if isFile(filepath.Join(dir, "plugin.json")) {
		faultf(&faults, "plugin.json at the root hides the Codex manifest from Codex, and the hooks with it")
	}
	face, _ := codex["interface"].(map[string]any)
	prompts, _ := face["defaultPrompt"].([]any)
	if len(prompts) > 3 {
		faultf(&faults, "the Codex manifest: %d default prompts, at most 3 are shown", len(prompts))
	}
	for _, prompt := range prompts {
		if text, _ := prompt.(string); text == "" || utf8.RuneCountInString(text) > 128 {
			faultf(&faults, "the Codex manifest: a default prompt has 1 to 128 characters: %v", prompt)
		}
	}
	for _, key := range []string{"displayName", "shortDescription", "longDescription", "developerName", "category"} {
		if text, _ := face[key].(string); text == "" {
			faultf(&faults, "the Codex manifest: interface.%s is missing", key)
		}
	}
	for _, name := range []string{"hoyeon-cli", "hoyeon-hook"} {
		data, err := os.ReadFile(filepath.Join(dir, "bin", name))
		if err != nil {
			faultf(&faults, "%v", err)
			continue
		}
		found := regexp.MustCompile(`(?m)^version=(.*)$`).FindSubmatch(data)
		if found == nil || string(found[1]) != version {
			faultf(&faults, "bin/%s: no line version=%s", name, version)
		}
	}
	return faults
}

// frozen is the hash of hooks/hooks.json.
const frozen = "f759393bf8e5339a472accf5a798f49b918e1e83cf20b9c7d652e1855015b414"

const whyFrozen = `hooks/hooks.json has changed. Codex runs a hook only after its user has trusted its definition, and
older clients trust nothing but that definition: a changed one is passed over in silence until the user finds /hooks.
Put what you need into the hook binary instead. Where the file itself has to change, change the hash here with it and
say so in the release notes.`

const hookCommand = `test ! -f "${CLAUDE_PLUGIN_ROOT}/bin/hoyeon-hook" || exec /bin/sh "${CLAUDE_PLUGIN_ROOT}/bin/hoyeon-hook"`

// timeouts are the events the hook answers, with the seconds it may take. Codex cuts SessionEnd down to 3 and
// warns at each start about more.
var timeouts = map[string]float64{"SessionStart": 10, "UserPromptSubmit": 10, "SubagentStop": 30, "Stop": 60, "SessionEnd": 3}

// hooks checks hooks/hooks.json: an event that one of the clients does not know keeps the whole plugin from
// loading, and a key that one does not know is dropped without a word.
func hooks(dir string) (faults []string) {
	doc, err := document(dir, "hooks/hooks.json")
	if err != nil {
		faultf(&faults, "%v", err)
		return faults
	}
	events, _ := doc["hooks"].(map[string]any)
	if len(doc) != 1 || events == nil {
		faultf(&faults, "hooks.json: want one key, hooks")
		return faults
	}
	for event := range events {
		if _, known := timeouts[event]; !known {
			faultf(&faults, "hooks.json: the event %s is not for us", event)
		}
	}
	for event, timeout := range timeouts {
		want := []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": hookCommand, "timeout": timeout}}}}
		got, _ := json.Marshal(events[event])
		if wanted, _ := json.Marshal(want); !bytes.Equal(got, wanted) {
			faultf(&faults, "hooks.json: %s is %s, want %s", event, got, wanted)
		}
	}
	if !isFile(filepath.Join(dir, "bin/hoyeon-hook")) {
		faultf(&faults, "hooks.json: bin/hoyeon-hook is not there")
	}
	return faults
}

func TestTheManifestsAgree(t *testing.T) { clean(t, manifests(root(t), version.Version)) }

func TestTheHooksAreWhatBothClientsTake(t *testing.T) { clean(t, hooks(root(t))) }

func TestTheHooksAreFrozen(t *testing.T) {
	sum := sha256.Sum256(read(t, "hooks/hooks.json"))
	if got := hex.EncodeToString(sum[:]); got != frozen {
		t.Errorf("%s\ngot  %s\nwant %s", whyFrozen, got, frozen)
	}
}

func TestTheVersionIsOne(t *testing.T) {
	if !regexp.MustCompile(`^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?$`).MatchString(version.Version) {
		t.Errorf("%q is no semantic version without a v", version.Version)
	}
	// scripts/build cuts it out of the source by this form.
	if want := "\nconst Version = \"" + version.Version + "\"\n"; !strings.Contains(string(read(t, "internal/version/version.go")), want) {
		t.Errorf("internal/version/version.go has no line %q", strings.TrimSpace(want))
	}
}

func TestTheRulesForThePluginCanFail(t *testing.T) {
	good := map[string]string{}
	for _, path := range []string{".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", ".codex-plugin/plugin.json", "hooks/hooks.json", "bin/hoyeon-cli", "bin/hoyeon-hook"} {
		good[path] = string(read(t, path))
	}
	caught(t, "the manifests", manifests(lay(t, good), version.Version), "")
	caught(t, "the hooks", hooks(lay(t, good)), "")

	replace := func(path, old, new string) map[string]string {
		if !strings.Contains(good[path], old) {
			t.Fatalf("%s has no %q", path, old)
		}
		return with(good, map[string]string{path: strings.Replace(good[path], old, new, 1)})
	}
	const claude, market, codex = ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", ".codex-plugin/plugin.json"
	for what, test := range map[string]struct {
		texts map[string]string
		want  string
	}{
		"a trailing comma":        {replace(claude, "}\n", "},\n"), ".claude-plugin/plugin.json: "},
		"a key twice":             {replace(claude, `"name"`, `"name": "x", "name"`), `the key "name" occurs twice`},
		"a missing manifest":      {with(good, map[string]string{codex: ""}), "no such file"},
		"an old version":          {replace(codex, `"version": "`+version.Version, `"version": "0.0.9`), "the Codex manifest: version is 0.0.9, want " + version.Version},
		"an old marketplace":      {replace(market, `"version": "`+version.Version, `"version": "0.0.9`), "the marketplace: version is 0.0.9"},
		"an old launcher":         {replace("bin/hoyeon-cli", "version="+version.Version, "version=0.0.9"), "bin/hoyeon-cli: no line version="},
		"another name":            {replace(market, `"name": "hoyeon"`, `"name": "rulph-marketplace"`), "name is rulph-marketplace"},
		"another source":          {replace(market, `"./"`, `"./rulph"`), "source is ./rulph"},
		"the default hooks named": {replace(claude, `"license"`, `"hooks": "./hooks/hooks.json", "license"`), "names hooks, which Claude Code finds by itself"},
		"no hooks for Codex":      {replace(codex, `"hooks": "./hooks/hooks.json"`, `"keywords2": []`), "the Codex manifest: hooks is <nil>"},
		"a manifest at the root":  {with(good, map[string]string{"plugin.json": "{}"}), "plugin.json at the root"},
		"a long prompt":           {replace(codex, "Use $rulph to", strings.Repeat("x", 128)), "1 to 128 characters"},
		"no face":                 {replace(codex, `"displayName"`, `"displayname"`), "interface.displayName is missing"},
	} {
		caught(t, what, manifests(lay(t, test.texts), version.Version), test.want)
	}
	const file = "hooks/hooks.json"
	for what, test := range map[string]struct {
		texts map[string]string
		want  string
	}{
		"an unknown event": {replace(file, `"Stop": [`, `"PreToolUse": [], "Stop": [`), "the event PreToolUse is not for us"},
		"a missing event":  {replace(file, `"SubagentStop": [`, `"Stop2": [`), ""},
		"another command":  {replace(file, "|| exec /bin/sh", "|| exec sh"), "SessionStart is "},
		"a field too many": {replace(file, `"timeout": 60`, `"args": [], "timeout": 60`), "Stop is "},
		"a timeout":        {replace(file, `"timeout": 3 `, `"timeout": 5 `), "SessionEnd is "},
		"a key at the top": {replace(file, `"hooks": {`, `"description": "x", "hooks": {`), "want one key, hooks"},
		"no hook to call":  {with(good, map[string]string{"bin/hoyeon-hook": ""}), "bin/hoyeon-hook is not there"},
		"no file":          {with(good, map[string]string{file: ""}), "no such file"},
		"no JSON":          {with(good, map[string]string{file: "{"}), "hooks/hooks.json: "},
		"something else":   {with(good, map[string]string{file: `{"hooks": []}`}), "want one key, hooks"},
		"an event twice":   {replace(file, `"Stop": [`, `"Stop": [], "Stop": [`), `the key "Stop" occurs twice`},
	} {
		if what == "a missing event" {
			if faults := hooks(lay(t, test.texts)); len(faults) != 2 { // the one that is missing, the one that is not ours
				t.Errorf("%s: %q", what, faults)
			}
			continue
		}
		caught(t, what, hooks(lay(t, test.texts)), test.want)
	}
}
