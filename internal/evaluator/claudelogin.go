package evaluator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// claudeLogin are the keys of a person's settings that say how to get a key or a token.
var claudeLogin = []string{
	"apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh", "forceLoginMethod", "forceLoginOrgUUID",
}

// claudeReach are the variables among a person's settings that say how to reach the model, beside those
// of the family.
var claudeReach = []string{
	"AWS_*", "GOOGLE_*", "CLOUD_ML_REGION", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS",
}

// claudeSettings are those of a person's settings that a run needs to reach the model. Someone who logs in
// with a helper, or reaches the model through a cloud or a proxy, may have said so there and nowhere else,
// and `--setting-sources ""` drops all of it. It is nil when there are none.
func claudeSettings(environ []string) ([]byte, error) {
	dir := personal(environ, "CLAUDE_CONFIG_DIR", ".claude")
	if dir == "" {
		return nil, nil
	}
	path := filepath.Join(dir, "settings.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		text, err = readClaudeSettings(text)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot tell how it reaches its model: %s: %w", path, err)
	}
	return text, nil
}

func readClaudeSettings(text []byte) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	kept := map[string]any{}
	for _, key := range claudeLogin {
		if v, ok := all[key]; ok {
			kept[key] = v
		}
	}
	var vars map[string]any // a value may be a number
	if raw, ok := all["env"]; ok {
		if err := json.Unmarshal(raw, &vars); err != nil {
			return nil, err
		}
	}
	env, elsewhere := map[string]any{}, false
	for name, v := range vars {
		if matches(sessions, name) || !matches(families["anthropic"], name) && !matches(claudeReach, name) {
			continue
		}
		env[name] = v
		elsewhere = elsewhere || name == "ANTHROPIC_BASE_URL" || strings.HasPrefix(name, "CLAUDE_CODE_USE_")
	}
	if len(env) > 0 {
		kept["env"] = env
	}
	if model, ok := all["model"]; ok && elsewhere { // another server need not have the client's default
		kept["model"] = model
	}
	if len(kept) == 0 {
		return nil, nil
	}
	return json.Marshal(kept)
}
