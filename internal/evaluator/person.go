package evaluator

import (
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
)

// accountHome is the home that the system's accounts give whoever runs us; "" where they tell none.
var accountHome = func() string {
	account, err := user.Current()
	if err != nil {
		return ""
	}
	return account.HomeDir
}

// homeOf is the home of the person whose environment it is, absolute: HOME, or without one (env -i, some
// services) that of their account. It is "" where nobody tells one. A relative one is none: from the folder
// of a project it would lead to settings that the project brings.
func homeOf(environ []string) string {
	for _, home := range []string{value(environ, "HOME"), accountHome()} {
		if filepath.IsAbs(home) {
			return home
		}
	}
	return ""
}

// personal is the folder that a client keeps a person's settings in, absolute: what the variable names, or
// without it the folder of that name in their home. It is "" where they have no home: then nothing is
// anybody's settings.
func personal(environ []string, variable, inHome string) string {
	if dir := value(environ, variable); dir != "" {
		return absolute(dir)
	}
	if home := homeOf(environ); home != "" {
		return filepath.Join(home, inHome)
	}
	return ""
}

// absolute is a path as whoever set it meant it: seen from our working folder, which is theirs. It is ""
// where that folder is gone.
func absolute(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	return path
}

// paths are variables that lead a client to its settings, its login or the certificates it trusts.
var paths = []string{
	"CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME",
	"GOOGLE_APPLICATION_CREDENTIALS", "CLOUDSDK_CONFIG", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_WEB_IDENTITY_TOKEN_FILE",
	"CLAUDE_CODE_CLIENT_CERT", "CLAUDE_CODE_CLIENT_KEY", "CODEX_CA_CERTIFICATE", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR",
}

// searched are lists of folders in which programs and parts of programs are looked for. An empty entry
// means the working folder.
var searched = []string{"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "NODE_PATH", "PYTHONPATH"}

// settled is an environment for a program that runs in another folder than ours, one whose files nobody
// vouches for: an improver's is a copy of the artifact. What is relative would mean something else there.
// Paths become absolute; relative folders of a list go, since Find does not look there either; a home that
// is not absolute gives way to that of the account, and the folders of XDG to those in the home, as its
// specification has it.
func settled(environ []string) []string {
	var env []string
	for _, kv := range environ {
		name, v, _ := strings.Cut(kv, "=")
		switch {
		case isVariable(name, "HOME"):
			if v = homeOf([]string{kv}); v == "" {
				continue
			}
		case strings.HasPrefix(name, "XDG_") && strings.HasSuffix(name, "_HOME"):
			if !filepath.IsAbs(v) {
				continue
			}
		case anyVariable(name, searched):
			// An empty list would mean the working folder too.
			if v = absolutes(v); v == "" {
				continue
			}
		case v != "" && anyVariable(name, paths):
			if v = absolute(v); v == "" {
				continue
			}
		default:
			env = append(env, kv)
			continue
		}
		env = append(env, name+"="+v)
	}
	return env
}

// absolutes are the absolute folders of a list, "" if it has none.
func absolutes(list string) string {
	var kept []string
	for _, dir := range filepath.SplitList(list) {
		if filepath.IsAbs(dir) {
			kept = append(kept, dir)
		}
	}
	return strings.Join(kept, string(filepath.ListSeparator))
}

// isVariable says whether a variable has that name.
func isVariable(name, wanted string) bool {
	return name == wanted || runtime.GOOS == "windows" && strings.EqualFold(name, wanted)
}

func anyVariable(name string, wanted []string) bool {
	for _, w := range wanted {
		if isVariable(name, w) {
			return true
		}
	}
	return false
}
