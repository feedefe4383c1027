package evaluator

import (
	"slices"
	"strings"
)

// sessions are variables that belong to the session of a client which runs us, or to one of our own.
// A client that gets them takes itself for a part of that session. An entry that ends in * is a start.
var sessions = []string{
	"CLAUDECODE", "CLAUDE_CODE_SESSION_*", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_EXECPATH",
	"CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_TMUX_SESSION", "CLAUDE_CODE_REMOTE*", "CLAUDE_CODE_AGENT*", "CLAUDE_CODE_RESUME_FROM_SESSION",
	"CLAUDE_CODE_FORCE_SESSION_PERSISTENCE", "CLAUDE_CODE_SIMPLE*", "CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD",
	"CLAUDE_SESSION_*", "CLAUDE_PROJECT_*", "CLAUDE_PLUGIN_*", "CLAUDE_EFFORT", "CLAUDE_ENV_FILE", "CLAUDE_MEMORY_STORES", "CLAUDE_COWORK_*", "ANTHROPIC_SESSION_ID",
	"CODEX_SESSION_ID", "CODEX_THREAD_ID", "CODEX_SANDBOX*", "CODEX_CI", "CODEX_INTERNAL_*", "PLUGIN_ROOT", "PLUGIN_DATA",
	"GEMINI_CLI", "GEMINI_SESSION_ID", "GEMINI_PROJECT_DIR", "GEMINI_CWD", "GEMINI_PLANS_DIR", "GEMINI_PTY_INFO",
	"GEMINI_SYSTEM_MD", "GEMINI_WRITE_SYSTEM_MD", "GEMINI_CLI_IDE_*", "GEMINI_CLI_ACTIVITY_LOG_TARGET",
	"HOYEON_*",
}

// families are the variables in which the clients of a family find their login and their server. The
// Google Cloud ones are not among them: other clients reach their models through it.
var families = map[string][]string{
	"anthropic": {"ANTHROPIC_*", "CLAUDE_*"},
	"openai":    {"OPENAI_*", "CODEX_*", "AZURE_OPENAI_*"},
	"google":    {"GEMINI_*", "GOOGLE_API_KEY", "GOOGLE_GEMINI_*", "GOOGLE_GENAI_*", "GOOGLE_VERTEX_*"},
}

// clientEnv is what a client gets of an environment: no variable of a session, no key of another family
// but those in keep, and set last. Nothing in it is relative, see settled.
func clientEnv(environ []string, family string, keep []string, set ...string) []string {
	var env []string
	for _, kv := range settled(environ) {
		name, _, _ := strings.Cut(kv, "=")
		if slices.Contains(keep, name) || !matches(sessions, name) && !foreign(name, family) {
			env = append(env, kv)
		}
	}
	return append(env, set...)
}

// programEnv is what a program gets that somebody named with `command:`: their own environment, keys
// included, without what belongs to a session and without what is relative, see settled. A rubric comes
// from anybody, and its lines get less: see environment.
func programEnv(environ []string, set ...string) []string {
	env := slices.DeleteFunc(settled(environ), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return matches(sessions, name)
	})
	return append(env, set...)
}

func foreign(name, family string) bool {
	for other, patterns := range families {
		if other != family && matches(patterns, name) {
			return true
		}
	}
	return false
}

func matches(patterns []string, name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(patterns, func(p string) bool {
		start, open := strings.CutSuffix(p, "*")
		return name == p || open && strings.HasPrefix(name, start)
	})
}
