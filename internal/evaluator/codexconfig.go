package evaluator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// codexLogin are the keys of a person's config.toml that say where the login is kept and who may use it.
var codexLogin = []string{
	"cli_auth_credentials_store", "forced_login_method", "forced_chatgpt_workspace_id", "openai_base_url", "chatgpt_base_url",
}

// codexHome is what a person's CODEX_HOME tells of how they reach the model.
type codexHome struct {
	dir    string         // absolute; "" where there is none
	config map[string]any // of config.toml: the keys that a run of ours needs, nothing else
	keys   []string       // variables that the provider reads
	login  string         // path of the login; "" when it is in no file
	vars   []string       // of its .env: those that reach the model, "NAME=value"
}

// readCodexHome finds what a run needs of the CODEX_HOME of an environment. A person's config.toml holds
// settings that are not for a judge, and with them the provider of someone who reaches the model through
// Azure, a proxy or a server of their own. Of those this takes the provider, its table and the model that
// goes with it.
func readCodexHome(environ []string) (codexHome, error) {
	h := codexHome{dir: personal(environ, "CODEX_HOME", ".codex"), config: map[string]any{}}
	if h.dir == "" {
		return h, nil
	}
	path := filepath.Join(h.dir, "config.toml")
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return codexHome{}, fmt.Errorf("cannot tell how it reaches its model: %w", err)
	}
	if h.config, h.keys, err = readCodexConfig(string(text)); err != nil {
		return codexHome{}, fmt.Errorf("cannot tell how it reaches its model: %s: %w", path, err)
	}
	if login := filepath.Join(h.dir, "auth.json"); readable(login) {
		h.login = login
	}
	// Codex does without a .env that cannot be read, and says which variable it misses.
	if text, err := os.ReadFile(filepath.Join(h.dir, ".env")); err == nil {
		h.vars = codexVars(string(text), h.keys, environ)
	}
	return h, nil
}

// codexVars are the variables of a .env that reach the model: those that the provider reads, in keys, and
// OpenAI's. Codex itself takes all of them but its own, over those of its environment. The rest may be
// anything, and in a judge's or an improver's environment there is no use for it.
func codexVars(text string, keys, environ []string) (vars []string) {
	for _, kv := range readDotenv(text, environ) {
		name, _, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(strings.ToUpper(name), "CODEX_") && (slices.Contains(keys, name) || matches([]string{"OPENAI_*"}, name)) {
			vars = append(vars, kv)
		}
	}
	return vars
}

func readable(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// readCodexConfig takes the keys that a run needs out of a config.toml, and names the variables that the
// provider reads.
func readCodexConfig(text string) (config map[string]any, keys []string, err error) {
	var all map[string]any
	if _, err := toml.Decode(text, &all); err != nil {
		return nil, nil, err
	}
	config = map[string]any{}
	for _, key := range codexLogin {
		if v, ok := all[key]; ok {
			config[key] = v
		}
	}
	name, _ := all["model_provider"].(string)
	if name == "" {
		return config, nil, nil
	}
	config["model_provider"] = name
	if model, ok := all["model"].(string); ok {
		config["model"] = model
	}
	tables, _ := all["model_providers"].(map[string]any)
	table, ok := tables[name].(map[string]any)
	if !ok {
		return config, nil, nil
	}
	config["model_providers"] = map[string]any{name: table}
	if key, ok := table["env_key"].(string); ok {
		keys = append(keys, key)
	}
	headers, _ := table["env_http_headers"].(map[string]any)
	for _, header := range slices.Sorted(maps.Keys(headers)) {
		if key, ok := headers[header].(string); ok {
			keys = append(keys, key)
		}
	}
	return config, keys, nil
}

// inKeyring says that the login is in the system's keyring. Its entry there belongs to the path of
// CODEX_HOME, so that no other one finds it.
func (h codexHome) inKeyring() bool {
	store, _ := h.config["cli_auth_credentials_store"].(string)
	return h.login == "" && (store == "keyring" || store == "auto")
}

// private makes a CODEX_HOME that has the login and settings of ours, and nothing of the person's
// AGENTS.md, skills, plugins, hooks, servers and history: no option keeps that AGENTS.md out. The login is
// a link, through which Codex renews it in its place. A .env is not there: h.vars go into the environment.
func (h codexHome) private(p place, settings map[string]any) (dir string, err error) {
	dir = p.file("codex-home")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", fmt.Errorf("got no temporary folder: %w", err)
	}
	config := maps.Clone(h.config)
	maps.Copy(config, settings)
	if h.login != "" {
		config["cli_auth_credentials_store"] = "file"
		if err := os.Symlink(h.login, filepath.Join(dir, "auth.json")); err != nil {
			return "", fmt.Errorf("cannot be given its login: %w", err)
		}
	}
	text, err := toml.Marshal(config)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "config.toml"), text, 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("cannot be given its settings: %w", err)
	}
	return dir, nil
}

// options are the same settings as arguments, which every user of the machine can read: a secret among
// them is an error.
func (h codexHome) options(settings map[string]any) ([]string, error) {
	tables, _ := h.config["model_providers"].(map[string]any)
	for name, table := range tables {
		for _, key := range []string{"experimental_bearer_token", "http_headers"} {
			if t, _ := table.(map[string]any); t[key] != nil {
				return nil, fmt.Errorf("cannot be asked without showing a secret: %s of the provider %s would be an argument; name a variable with env_key or env_http_headers instead", key, name)
			}
		}
	}
	config := maps.Clone(h.config)
	maps.Copy(config, settings)
	var args []string
	for _, key := range slices.Sorted(maps.Keys(config)) {
		args = append(args, "-c", key+"="+inline(config[key]))
	}
	return args, nil
}

// inline is a value as TOML on one line.
func inline(v any) string {
	var parts []string
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, quoteTOML(key)+" = "+inline(v[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		for _, item := range v {
			parts = append(parts, inline(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []map[string]any:
		for _, item := range v {
			parts = append(parts, inline(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return quoteTOML(v)
	case float64:
		text := strings.ToLower(strconv.FormatFloat(v, 'g', -1, 64))
		if strings.Trim(text, "+-0123456789") == "" {
			text += ".0"
		}
		return text
	}
	return fmt.Sprint(v) // a boolean or an integer; no key that is taken holds a date
}

// quoteTOML is a basic string of TOML, which JSON's strings are but for one character.
func quoteTOML(s string) string {
	b, err := json.Marshal(strings.ToValidUTF8(s, "\uFFFD"))
	if err != nil {
		return `""`
	}
	return strings.ReplaceAll(string(b), "\x7f", `\u007f`)
}
