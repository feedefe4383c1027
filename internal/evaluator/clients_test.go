//go:build unix

package evaluator

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// client is a fake client in a home of its own; files are of that home.
func client(t *testing.T, spec string, answer string, files map[string]string, vars ...string) Program {
	t.Helper()
	home := real(t, t.TempDir())
	for name, text := range files {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := ParseJudge(spec)
	if err != nil {
		t.Fatal(err)
	}
	installFake(t, home, string(s.Kind))
	env := append([]string{"HOME=" + home, "PATH=" + home, "FAKE_RECORD=" + filepath.Join(home, "record"), "FAKE_ANSWER=" + answer, "FAKE_LAST=" + good}, vars...)
	p, err := Find(s, env, "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// record is how the client was called.
func record(t *testing.T, p Program) called {
	t.Helper()
	var c called
	if err := json.Unmarshal([]byte(read(t, value(p.Env, "FAKE_RECORD"))), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c called) value(name string) string { return value(c.Env, name) }

// shape is the arguments with the folders of the call named.
func (c called) shape() string {
	line := strings.Join(c.Args, " ")
	root := filepath.Dir(c.Dir)
	if filepath.Base(c.Dir) != "empty" {
		root = filepath.Dir(c.value("TMPDIR"))
	}
	return strings.ReplaceAll(strings.ReplaceAll(line, root, "ROOT"), c.Dir, "DIR")
}

const (
	claudeAnswer = `{"type":"result","subtype":"success","is_error":false,"result":"{\"verdict\": \"good\"}","total_cost_usd":0.25,
		"usage":{"input_tokens":1},"modelUsage":{"big":{"inputTokens":700,"outputTokens":50,"cacheReadInputTokens":200,"cacheCreationInputTokens":100,"costUSD":0.2},"small":{"inputTokens":10,"outputTokens":5,"costUSD":0.05}}}`
	codexAnswer = `{"type":"thread.started","thread_id":"1"}
		{"type":"item.completed","item":{"id":"0","type":"error","message":"a warning"}}
		{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"thinking aloud"}}
		{"type":"item.completed","item":{"id":"2","type":"agent_message","text":"{\"verdict\": \"good\"}"}}
		{"type":"turn.completed","usage":{"input_tokens":1000,"cached_input_tokens":200,"cache_write_input_tokens":0,"output_tokens":50,"reasoning_output_tokens":20}}`
	geminiAnswer = `{"session_id":"1","response":"{\"verdict\": \"good\"}","stats":{"models":{
		"lite":{"tokens":{"input":100,"prompt":100,"candidates":10,"total":110,"cached":0,"thoughts":0,"tool":0},"roles":{"utility_router":{}}},
		"flash":{"tokens":{"input":700,"prompt":900,"candidates":40,"total":970,"cached":200,"thoughts":30,"tool":0},"roles":{"main":{}}}}}}`
)

var answers = map[Kind]string{Claude: claudeAnswer, Codex: codexAnswer, Gemini: geminiAnswer}

func TestClientsGetTheTaskOnStandardInputInAnEmptyFolder(t *testing.T) {
	for _, kind := range Models {
		p := client(t, string(kind), answers[kind], nil, "CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=mine", "CODEX_THREAD_ID=mine", "GEMINI_SESSION_ID=mine")
		reply := judge(t, p, Request{Prompt: "a secret task", Accept: isGood})
		c := record(t, p)
		if reply.Fault != "" || c.Stdin != "a secret task" || strings.Contains(strings.Join(c.Args, " "), "secret") {
			t.Errorf("%s: fault %q, standard input %q, arguments %q", kind, reply.Fault, c.Stdin, c.Args)
		}
		if len(c.Files) != 0 || c.value("PWD") != c.Dir || !strings.HasPrefix(c.Dir, filepath.Join(value(p.Env, "HOME"), ".cache", "hoyeon", "calls")) {
			t.Errorf("%s: folder %s with %q, PWD %s", kind, c.Dir, c.Files, c.value("PWD"))
		}
		if strings.Contains(strings.Join(c.Env, "\n"), "mine") || c.value("CLAUDECODE") != "" {
			t.Errorf("%s: it got the session of another: %q", kind, c.Env)
		}
		if _, err := os.Stat(filepath.Dir(c.Dir)); err == nil {
			t.Errorf("%s: %s is left behind", kind, filepath.Dir(c.Dir))
		}
	}
}

func TestArgumentsOfEachClient(t *testing.T) {
	const claudeBase = "-p --output-format json --safe-mode --setting-sources  --strict-mcp-config --disable-slash-commands --no-session-persistence --no-chrome"
	const codexBase = "exec --json --ephemeral --skip-git-repo-check --ignore-rules --color never -s "
	const geminiBase = "-p " + geminiOrder + " -o json --skip-trust --approval-mode "
	for _, c := range []struct {
		spec    string
		improve bool
		usd     float64
		want    string
	}{
		{"claude", false, 0, claudeBase + " --tools  --system-prompt " + judgeRole},
		{"claude:model=m,effort=max", false, 0.5, claudeBase + " --tools  --system-prompt " + judgeRole + " --model m --effort max --max-budget-usd 0.5"},
		{"claude", true, 0, claudeBase + " --tools Read,Edit,Write,Glob,Grep --permission-mode acceptEdits"},
		{"codex", false, 0.5, codexBase + "read-only -C ROOT/empty -o ROOT/private/last-message -"},
		{"codex:model=m,effort=xhigh", true, 0, codexBase + `workspace-write -C DIR -o ROOT/private/last-message -m m -c model_reasoning_effort="xhigh" -`},
		{"gemini", false, 0.5, geminiBase + "plan -e hoyeon-none --allowed-mcp-server-names hoyeon-none"},
		{"gemini:model=m,effort=low", true, 0, geminiBase + "auto_edit -e hoyeon-none --allowed-mcp-server-names hoyeon-none -m m"},
	} {
		kind, _, _ := strings.Cut(c.spec, ":")
		p := client(t, c.spec, answers[Kind(kind)], nil)
		ask, req := p.Judge, Request{Prompt: "task", MaxUSD: c.usd}
		if c.improve {
			ask, req.Dir = p.Improve, real(t, t.TempDir())
		}
		if reply, err := ask(t.Context(), req); err != nil || reply.Fault != "" {
			t.Errorf("%s: %v, %q", c.spec, err, reply.Fault)
			continue
		}
		if got := record(t, p).shape(); got != c.want {
			t.Errorf("%s, improve %v:\n got %s\nwant %s", c.spec, c.improve, got, c.want)
		}
	}
}

func TestUsageAsEachClientTellsIt(t *testing.T) {
	for spec, want := range map[string]Usage{
		"claude":             {Calls: 1, Input: 1010, Cached: 200, Output: 55, USD: 0.25, Model: "big"},
		"claude:price=100/0": {Calls: 1, Input: 1010, Cached: 200, Output: 55, USD: 0.101, Model: "big"},
		"codex":              {Calls: 1, Input: 1000, Cached: 200, Output: 50, Unpriced: 1050},
		"codex:price=2/10":   {Calls: 1, Input: 1000, Cached: 200, Output: 50, USD: 0.0025},
		"gemini":             {Calls: 1, Input: 1000, Cached: 200, Output: 80, Unpriced: 1080, Model: "flash"},
		"gemini:price=1/10":  {Calls: 1, Input: 1000, Cached: 200, Output: 80, USD: 0.0018, Model: "flash"},
	} {
		kind, _, _ := strings.Cut(spec, ":")
		reply := judge(t, client(t, spec, answers[Kind(kind)], nil), Request{Prompt: "task", Accept: isGood})
		if reply.Fault != "" || reply.Usage != want {
			t.Errorf("%s: fault %q, usage %+v, want %+v", spec, reply.Fault, reply.Usage, want)
		}
	}
}

// Codex prints an event for each step of an improver, and what counts comes last.
func TestManyEventsOfCodexAreNoFlood(t *testing.T) {
	for kind, want := range map[Kind]string{Codex: "", Claude: "more than the 4 MiB that are read"} {
		reply := judge(t, client(t, string(kind), answers[kind], nil, "FAKE_FLOOD=1"), Request{Prompt: "task", Accept: isGood})
		if !strings.HasSuffix(reply.Fault, want) || (reply.Fault == "") != (want == "") || kind == Codex && reply.Usage.Input != 1000 {
			t.Errorf("%s: fault %q, want %q; usage %+v", kind, reply.Fault, want, reply.Usage)
		}
	}
}

func TestCodexRunsInAHomeWithTheLoginAndTheProviderAlone(t *testing.T) {
	p := client(t, "codex", codexAnswer, map[string]string{
		".codex/auth.json": `{"tokens": 1}`,
		".codex/AGENTS.md": "mine",
		".codex/config.toml": `model = "gpt-mine"
model_provider = "azure"
notify = ["say"]
[mcp_servers.mine]
command = "x"
[features]
hooks = true
[model_providers.azure]
base_url = "https://azure"
env_key = "GEMINI_API_KEY"
http_headers = { "X-Team" = "secret" }
env_http_headers = { "X-Key" = "ANTHROPIC_API_KEY" }
[model_providers.other]
base_url = "https://other"
`}, "GEMINI_API_KEY=of-the-provider", "ANTHROPIC_API_KEY=of-a-header", "GOOGLE_API_KEY=not-of-codex")
	judge(t, p, Request{Prompt: "task"})
	c := record(t, p)
	config := c.Private["config.toml"]
	for _, want := range []string{`model = "gpt-mine"`, `model_provider = "azure"`, `base_url = "https://azure"`, `X-Team = "secret"`, "shell_tool = false", "hooks = false", `cli_auth_credentials_store = "file"`} {
		if !strings.Contains(config, want) {
			t.Errorf("config.toml does not hold %s:\n%s", want, config)
		}
	}
	for _, not := range []string{"notify", "mcp_servers", "https://other"} {
		if strings.Contains(config, not) {
			t.Errorf("config.toml holds %s:\n%s", not, config)
		}
	}
	if want := filepath.Join(value(p.Env, "HOME"), ".codex", "auth.json"); c.Links["auth.json"] != want {
		t.Errorf("the login is linked to %q, want %s", c.Links["auth.json"], want)
	}
	if c.Private["AGENTS.md"] != "" || strings.Contains(strings.Join(c.Args, " "), "secret") {
		t.Errorf("AGENTS.md %q, arguments %q", c.Private["AGENTS.md"], c.Args)
	}
	if c.value("GEMINI_API_KEY") == "" || c.value("ANTHROPIC_API_KEY") == "" || c.value("GOOGLE_API_KEY") != "" {
		t.Errorf("keys of the provider: %q", c.Env)
	}
}

func TestCodexKeepsItsOwnHomeWhereTheLoginIsInTheKeyring(t *testing.T) {
	config := map[string]string{".codex/config.toml": `cli_auth_credentials_store = "keyring"
model_provider = "mine"
[model_providers.mine]
name = "it's \"mine\""
retries = 3
wait = 2.0
[model_providers.mine.query_params]
api-version = "2025"
`}
	p := client(t, "codex", codexAnswer, config)
	judge(t, p, Request{Prompt: "task"})
	c := record(t, p)
	if c.value("CODEX_HOME") != "" || !slices.Contains(c.Args, "--ignore-user-config") {
		t.Errorf("home %q, arguments %q", c.value("CODEX_HOME"), c.Args)
	}
	for _, want := range []string{
		`cli_auth_credentials_store="keyring"`, `model_provider="mine"`, "project_doc_max_bytes=0", `web_search="disabled"`,
		`model_providers={"mine" = {"name" = "it's \"mine\"", "query_params" = {"api-version" = "2025"}, "retries" = 3, "wait" = 2.0}}`,
	} {
		if at := slices.Index(c.Args, want); at < 1 || c.Args[at-1] != "-c" {
			t.Errorf("no option %s among %q", want, c.Args)
		}
	}

	config[".codex/config.toml"] += "[model_providers.mine.http_headers]\nkey = \"secret\"\n"
	reply := judge(t, client(t, "codex", codexAnswer, config), Request{Prompt: "task"})
	if !strings.HasPrefix(reply.Fault, "cannot be asked without showing a secret: http_headers of the provider mine") {
		t.Errorf("fault %q", reply.Fault)
	}
}

func TestGeminiRunsInAHomeWithTheLoginAlone(t *testing.T) {
	p := client(t, "gemini:effort=high", geminiAnswer, map[string]string{
		".gemini/settings.json": `{"mcpServers": {"mine": {}}, // a comment
			"security": {"auth": {"selectedType": "oauth-personal"}}, "hooks": {"BeforeAgent": []}}`,
		".gemini/oauth_creds.json": "{}", ".gemini/.env": "GEMINI_API_KEY=k", ".gemini/GEMINI.md": "mine",
	})
	judge(t, p, Request{Prompt: "task"})
	c := record(t, p)
	var settings struct {
		Security     struct{ Auth struct{ SelectedType string } }
		Tools        struct{ Core []string }
		HooksConfig  struct{ Enabled *bool }
		ModelConfigs json.RawMessage
		McpServers   any
	}
	if err := json.Unmarshal([]byte(c.Private["settings.json"]), &settings); err != nil {
		t.Fatal(err)
	}
	if settings.Security.Auth.SelectedType != "oauth-personal" || settings.McpServers != nil || settings.HooksConfig.Enabled == nil || *settings.HooksConfig.Enabled {
		t.Errorf("settings %s", c.Private["settings.json"])
	}
	if len(settings.Tools.Core) != 1 || !strings.Contains(string(settings.ModelConfigs), `"HIGH"`) {
		t.Errorf("tools %q, model %s", settings.Tools.Core, settings.ModelConfigs)
	}
	home := filepath.Join(value(p.Env, "HOME"), ".gemini")
	if c.Links["oauth_creds.json"] != filepath.Join(home, "oauth_creds.json") || c.Links[".env"] != filepath.Join(home, ".env") {
		t.Errorf("links %q", c.Links)
	}
	if c.Private["GEMINI.md"] != "" || c.Private["system.md"] != judgeRole+"\n" {
		t.Errorf("memory %q, system prompt %q", c.Private["GEMINI.md"], c.Private["system.md"])
	}
}

func TestGeminiDoesNotImproveWhereAFolderWouldConfigureIt(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".gemini"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := client(t, "gemini", geminiAnswer, nil)
	reply, err := p.Improve(t.Context(), Request{Prompt: "improve", Dir: dir})
	if err != nil || !strings.Contains(reply.Fault, "leave that folder out of the copy") || reply.Usage.Calls != 0 {
		t.Errorf("error %v, fault %q, usage %+v", err, reply.Fault, reply.Usage)
	}
}

func TestClaudeGetsOfItsSettingsWhatReachesTheModel(t *testing.T) {
	p := client(t, "claude", claudeAnswer, map[string]string{"config/settings.json": `{"apiKeyHelper": "./key", "model": "proxy-model", "hooks": {"Stop": []},
		"env": {"ANTHROPIC_BASE_URL": "https://proxy", "AWS_REGION": "eu", "CLAUDE_PROJECT_DIR": "/x", "MINE": "1", "ANTHROPIC_TIMEOUT": 3}}`})
	p.Env = append(p.Env, "CLAUDE_CONFIG_DIR="+filepath.Join(value(p.Env, "HOME"), "config"))
	judge(t, p, Request{Prompt: "task"})
	c := record(t, p)
	if want := `{"apiKeyHelper":"./key","env":{"ANTHROPIC_BASE_URL":"https://proxy","ANTHROPIC_TIMEOUT":3,"AWS_REGION":"eu"},"model":"proxy-model"}`; c.Private["settings.json"] != want {
		t.Errorf("settings %s, want %s", c.Private["settings.json"], want)
	}
	for text, want := range map[string]string{
		`{"model": "mine", "env": {"MINE": "1"}}`:                     "",
		`{"env": {"CLAUDE_CODE_USE_VERTEX": "1"}, "model": "vertex"}`: `{"env":{"CLAUDE_CODE_USE_VERTEX":"1"},"model":"vertex"}`,
	} {
		if got, err := readClaudeSettings([]byte(text)); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", text, got, err, want)
		}
	}
}

func TestSettingsThatCannotBeReadAreAFault(t *testing.T) {
	for spec, file := range map[string]string{"claude": ".claude/settings.json", "codex": ".codex/config.toml", "gemini": ".gemini/settings.json"} {
		p := client(t, spec, "", map[string]string{file: "{ = broken"})
		reply := judge(t, p, Request{Prompt: "task"})
		if !strings.HasPrefix(reply.Fault, "cannot tell how it reaches its model: ") || !strings.Contains(reply.Fault, file) || reply.Attempts != 1 {
			t.Errorf("%s: fault %q after %d calls", spec, reply.Fault, reply.Attempts)
		}
	}
}

// What a first call took is not there for the second: with nothing left nobody is asked again.
func TestTheSecondTryHasWhatTheFirstLeftOfTheBudget(t *testing.T) {
	for _, c := range []struct {
		cost, flag, fault string
		attempts          int
	}{
		{"0.25", "--max-budget-usd 0.75", "is not the JSON that was asked for", 2},
		{"1", "--max-budget-usd 1", "is not the JSON that was asked for, and nothing is left of the budget to ask again", 1},
	} {
		p := client(t, "claude", `{"type":"result","subtype":"success","result":"prose","total_cost_usd":`+c.cost+`,"modelUsage":{"m":{"inputTokens":1,"outputTokens":1}}}`, nil)
		reply := judge(t, p, Request{Prompt: "judge", Accept: isGood, MaxUSD: 1})
		if reply.Attempts != c.attempts || reply.Fault != c.fault {
			t.Errorf("after %s USD: fault %q after %d calls", c.cost, reply.Fault, reply.Attempts)
		}
		if got := record(t, p).shape(); !strings.Contains(got, c.flag) {
			t.Errorf("after %s USD the last call was %s, want %s", c.cost, got, c.flag)
		}
	}
}
