//go:build unix

package evaluator

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEachClientIsLookedUpAloneOnThePathOfTheEnvironment(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	installFake(t, dir, "gemini")
	env := []string{"PATH=relative:" + elsewhere + ":" + dir}
	for _, kind := range Models {
		p, err := Find(Spec{Kind: kind}, env, "")
		if kind == Gemini {
			if err != nil || p.Path != filepath.Join(dir, "gemini") {
				t.Errorf("gemini is found at %q, %v", p.Path, err)
			}
			continue
		}
		var u *Unusable
		if !errors.As(err, &u) || u.Reason != string(kind)+" is not installed" || !strings.HasPrefix(u.Hint, "npm install -g @") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestFileThatCannotBeRunIsNoProgram(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "claude"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := Find(Spec{Kind: Claude}, []string{"PATH=" + dir}, ""); err == nil {
		t.Errorf("found %s", p.Path)
	}
}

func TestClientsAreOfNoUseWithoutANetwork(t *testing.T) {
	dir := t.TempDir()
	installFake(t, dir, "codex")
	installFake(t, dir, "fake")
	env := []string{"PATH=" + dir, "CODEX_SANDBOX_NETWORK_DISABLED=1"}
	_, err := Find(Spec{Kind: Codex}, env, "")
	var u *Unusable
	if !errors.As(err, &u) || u.Reason != "codex cannot reach its model: this is Codex's sandbox, which has no network" || !strings.Contains(u.Hint, "network_access = true") {
		t.Errorf("codex: %v", err)
	}
	if _, err := Find(Spec{Kind: CommandLine, Argv: []string{"fake"}}, env, ""); err != nil {
		t.Errorf("a command may not need one: %v", err)
	}
	if _, err := Find(Spec{Kind: Checks}, env, ""); err != nil {
		t.Errorf("checks: %v", err)
	}
}

func TestRelativeCommandIsLookedForFromTheFolderThatIsGiven(t *testing.T) {
	dir := t.TempDir()
	installFake(t, dir, "judge.sh")
	p, err := Find(Spec{Kind: CommandLine, Argv: []string{"./judge.sh", "-v"}}, nil, dir)
	if err != nil || p.Path != filepath.Join(dir, "judge.sh") {
		t.Errorf("found at %q, %v", p.Path, err)
	}
	_, err = Find(Spec{Kind: CommandLine, Argv: []string{"./other.sh"}}, nil, dir)
	var u *Unusable
	if !errors.As(err, &u) || u.Reason != "there is no program "+filepath.Join(dir, "other.sh") {
		t.Errorf("%v", err)
	}
	_, err = Find(Spec{Kind: CommandLine, Argv: []string{"judge.sh"}}, []string{"PATH=/no/such/folder"}, dir)
	if !errors.As(err, &u) || u.Reason != "there is no program judge.sh on PATH" || u.Hint != "write ./judge.sh for a program of this folder" {
		t.Errorf("%v", err)
	}
}

func TestClientsGetTheirOwnLoginAndNothingOfASession(t *testing.T) {
	session := []string{
		"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=a", "CLAUDE_CODE_ENTRYPOINT=cli", "CLAUDE_PROJECT_DIR=/p", "CLAUDE_PLUGIN_ROOT=/r", "CLAUDE_PLUGIN_OPTION_X=1",
		"CODEX_SESSION_ID=b", "CODEX_THREAD_ID=c", "CODEX_SANDBOX=seatbelt", "CODEX_SANDBOX_NETWORK_DISABLED=1", "GEMINI_SESSION_ID=d", "GEMINI_CLI=1", "GEMINI_SYSTEM_MD=/x.md",
		"HOYEON_HOME=/h", "PLUGIN_ROOT=/r",
	}
	shared := []string{"PATH=/bin", "HOME=/home/x", "HTTPS_PROXY=http://p", "AWS_PROFILE=q", "GOOGLE_CLOUD_PROJECT=r", "GOOGLE_APPLICATION_CREDENTIALS=/s.json", "MY_CLAUDE=kept"}
	own := map[string][]string{
		"anthropic": {"ANTHROPIC_API_KEY=1", "ANTHROPIC_BASE_URL=2", "CLAUDE_CONFIG_DIR=/3", "CLAUDE_CODE_OAUTH_TOKEN=4", "CLAUDE_CODE_USE_BEDROCK=1"},
		"openai":    {"OPENAI_API_KEY=5", "CODEX_HOME=/6", "CODEX_API_KEY=7", "AZURE_OPENAI_API_KEY=8"},
		"google":    {"GEMINI_API_KEY=9", "GOOGLE_API_KEY=10", "GOOGLE_GEMINI_BASE_URL=11", "GOOGLE_GENAI_USE_VERTEXAI=true"},
	}
	all := append(append([]string{}, session...), shared...)
	for _, vars := range own {
		all = append(all, vars...)
	}
	for family, vars := range own {
		got := strings.Join(clientEnv(all, family, nil, "PWD=/empty"), " ")
		if want := strings.Join(append(append(append([]string{}, shared...), vars...), "PWD=/empty"), " "); got != want {
			t.Errorf("%s\n got %s\nwant %s", family, got, want)
		}
	}
	if got := strings.Join(clientEnv([]string{"GEMINI_API_KEY=9", "GOOGLE_API_KEY=10"}, "openai", []string{"GEMINI_API_KEY"}), " "); got != "GEMINI_API_KEY=9" {
		t.Errorf("a key that the provider reads: got %s", got)
	}
}

// A judge that somebody named may ask a model by itself; what a rubric says may not.
func TestProgramsThatSomebodyNamedGetTheKeysAndNothingOfASession(t *testing.T) {
	own := []string{
		"ANTHROPIC_API_KEY=1", "OPENAI_API_KEY=2", "GEMINI_API_KEY=3", "CLAUDE_CODE_OAUTH_TOKEN=4", "CODEX_HOME=/c", "CLAUDE_CONFIG_DIR=/d", "TARGET=mine", "HOME=/home/x",
	}
	session := []string{
		"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=a", "CLAUDE_PLUGIN_ROOT=/r", "CODEX_THREAD_ID=b", "CODEX_SANDBOX_NETWORK_DISABLED=1", "GEMINI_CLI=1", "HOYEON_HOME=/h", "PLUGIN_ROOT=/r",
	}
	for _, improve := range []bool{false, true} {
		p := command(t, "where")
		p.Env = append(append(p.Env, own...), session...)
		ask := p.Judge
		if improve {
			ask = p.Improve
		}
		dir := real(t, t.TempDir())
		reply, err := ask(t.Context(), Request{Prompt: "do", Dir: dir})
		if err != nil || reply.Fault != "" {
			t.Fatalf("%v %s", err, reply.Fault)
		}
		got := "\n" + reply.Text + "\n"
		for _, kv := range append([]string{"PWD=" + dir}, own...) {
			if !strings.Contains(got, "\n"+kv+"\n") {
				t.Errorf("%s does not reach it (improver: %v)", kv, improve)
			}
		}
		for _, kv := range session {
			if strings.Contains(got, "\n"+kv+"\n") {
				t.Errorf("%s reaches it (improver: %v)", kv, improve)
			}
		}
	}
}
