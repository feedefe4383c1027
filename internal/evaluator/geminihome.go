package evaluator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
)

// geminiLogin are the files of a person's ~/.gemini, and one beside it, in which the login is kept.
var geminiLogin = []string{
	".gemini/oauth_creds.json", ".gemini/google_accounts.json", ".gemini/gemini-credentials.json", ".gemini/.env", ".env",
}

// geminiHome makes a home (GEMINI_CLI_HOME) that has the login and settings of ours, and nothing of the
// person's GEMINI.md, skills, extensions, policies, hooks and servers. Settings that go before a person's
// would do for most of it, but gemini takes those from files of the system's administrator alone. The
// login files are links, through which gemini renews them in their place.
func geminiHome(environ []string, p place, settings map[string]any) (string, error) {
	old := personal(environ, "GEMINI_CLI_HOME", "")
	auth, err := geminiAuth(old)
	if err != nil {
		return "", fmt.Errorf("cannot tell how it reaches its model: %w", err)
	}
	if auth != nil {
		settings = maps.Clone(settings)
		settings["security"] = map[string]any{"auth": auth}
	}
	home := p.file("gemini-home")
	if err := os.MkdirAll(filepath.Join(home, ".gemini"), 0o700); err != nil {
		return "", fmt.Errorf("got no temporary folder: %w", err)
	}
	text, err := json.MarshalIndent(settings, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(home, ".gemini", "settings.json"), text, 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("cannot be given its settings: %w", err)
	}
	if old == "" {
		return home, nil
	}
	for _, name := range geminiLogin {
		target := filepath.Join(old, filepath.FromSlash(name))
		if !readable(target) {
			continue
		}
		if err := os.Symlink(target, filepath.Join(home, filepath.FromSlash(name))); err != nil {
			return "", fmt.Errorf("cannot be given its login: %w", err)
		}
	}
	return home, nil
}

// geminiAuth is security.auth of the settings in a person's home: which of the ways to log in they have
// chosen. It is nil where they have not, or have no home ("").
func geminiAuth(home string) (map[string]any, error) {
	if home == "" {
		return nil, nil
	}
	path := filepath.Join(home, ".gemini", "settings.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var settings struct {
		Security struct{ Auth map[string]any }
		Old      string `json:"selectedAuthType"` // where earlier versions had it
	}
	if err == nil {
		err = json.Unmarshal(withoutComments(text), &settings)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if settings.Security.Auth == nil && settings.Old != "" {
		return map[string]any{"selectedType": settings.Old}, nil
	}
	return settings.Security.Auth, nil
}

// withoutComments blanks the comments that gemini allows in its JSON.
func withoutComments(text []byte) []byte {
	out := make([]byte, 0, len(text))
	inString := false
	for i := 0; i < len(text); i++ {
		two := string(text[i:min(i+2, len(text))])
		switch {
		case inString && text[i] == '\\' && len(two) == 2:
			out = append(out, two...)
			i++
			continue
		case text[i] == '"':
			inString = !inString
		case !inString && two == "//":
			for i < len(text) && text[i] != '\n' {
				i++
			}
			out = append(out, '\n')
			continue
		case !inString && two == "/*":
			for i += 2; i+1 < len(text) && (text[i] != '*' || text[i+1] != '/'); i++ {
			}
			i++
			out = append(out, ' ')
			continue
		}
		out = append(out, text[i])
	}
	return out
}
