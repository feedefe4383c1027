package evaluator

import (
	"encoding/json"
	"strings"
	"testing"
)

// failures are what the clients print when something fails, and how it is told.
var failures = []struct {
	read           func(Outcome) answer
	stdout, stderr string
	failure        string
	told           bool
}{
	{readClaude, `{"type":"result","subtype":"success","is_error":true,"result":"Failed to authenticate. API Error: 401 no","total_cost_usd":0,"modelUsage":{}}`, "",
		"Failed to authenticate. API Error: 401 no", true},
	{readClaude, `{"type":"result","subtype":"error_max_budget_usd","is_error":true,"modelUsage":{"m":{"inputTokens":5}},"errors":["Reached maximum budget ($0.01)"]}`, "",
		"error_max_budget_usd: Reached maximum budget ($0.01)", true},
	{readClaude, `{"type":"result","subtype":"error_during_execution","is_error":false}`, "", "error_during_execution", false},
	{readClaude, "Execution error\n", "", "it printed no result: Execution error", false},
	{readClaude, "[1]", "", "it printed no result: [1]", false},
	{readClaude, "", "error: unknown option '--safe-mode'", "", false},
	{readCodexText, `{"type":"turn.failed","error":{"message":"{\"error\":{\"message\":\"no such model\",\"type\":\"x\"}}\n"}}`, "", "no such model", false},
	{readCodexText, `{"type":"turn.failed","error":{"message":"exceeded retry limit, last status: 429 Too Many Requests"}}`, "",
		"exceeded retry limit, last status: 429 Too Many Requests", false},
	{readCodexText, `{"type":"turn.failed"}`, "", "the client told of a failure without saying which", false},
	{readCodexText, "", "Error loading config.toml", "", false},
	{readGemini, "", "Error when talking to Gemini API\n    at x (y.js:1)\n{\n  \"session_id\": \"1\",\n  \"error\": {\n    \"type\": \"Error\",\n    \"message\": \"{\\\"error\\\":{\\\"message\\\":\\\"{\\\\\\\"error\\\\\\\":{\\\\\\\"message\\\\\\\":\\\\\\\"quota\\\\\\\"}}\\\",\\\"code\\\":429}}\"\n  }\n}\n",
		"quota", false},
	{readGemini, `{"response":" ","stats":{"models":{"m":{"tokens":{"prompt":5}}}},"error":{"type":"INVALID_STREAM","message":"The model returned an empty response."}}`, "",
		"The model returned an empty response.", true},
	{readGemini, `{"response":"yes"}`, "", `it printed no result: {"response":"yes"}`, false},
	{readGemini, "", "a warning\n{\nnot json", "", false},
}

func readCodexText(o Outcome) answer { return readCodexEvents(o.Stdout) }

func TestFailuresThatClientsTellOf(t *testing.T) {
	for _, c := range failures {
		got := c.read(Outcome{Stdout: []byte(c.stdout), Stderr: []byte(c.stderr)})
		if got.failure != c.failure || got.told != c.told || got.text != "" {
			t.Errorf("%s%s:\n got %+v\nwant failure %q, usage told %v", c.stdout, c.stderr, got, c.failure, c.told)
		}
	}
}

func TestCodexAnswersWithItsLastMessage(t *testing.T) {
	got := readCodexEvents([]byte("cut off\"}\n" + codexSample))
	if got.text != "second" || got.failure != "" || got.usage != (Usage{Input: 10, Cached: 4, Output: 3}) || !got.told {
		t.Errorf("%+v", got)
	}
}

const codexSample = `{"type":"item.completed","item":{"type":"agent_message","text":"first"}}
{"type":"item.completed","item":{"type":"command_execution","text":"not a message"}}
{"type":"item.completed","item":{"type":"agent_message","text":"second"}}
{"type":"turn.completed","usage":{"input_tokens":10,"cached_input_tokens":4,"output_tokens":3}}
`

func TestLastWordsAreNotTheEndOfAStackTrace(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"one\ntwo\n\n":                     "two",
		"Error: quota\n    at x\n  b\n}\n": "Error: quota",
		"}\n  }\n":                         "}",
		"ok\n\x1b[31mred\x1b[0m\n":         "ok",
	} {
		if got := lastWords([]byte(text)); got != want {
			t.Errorf("lastWords(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestCommentsOfJSONAreBlanked(t *testing.T) {
	text := "{\"a\": \"// no /* comment\\\"\", // one\n/* two\n*/ \"b\": 1 /* three */}// four"
	var got struct {
		A string
		B int
	}
	if err := json.Unmarshal(withoutComments([]byte(text)), &got); err != nil || got.A != `// no /* comment"` || got.B != 1 {
		t.Errorf("%q is read as %+v, %v", withoutComments([]byte(text)), got, err)
	}
}

// sane holds whatever a client prints.
func sane(t *testing.T, ans answer) {
	if strings.ContainsAny(ans.failure, "\n\r\x1b\x00") {
		t.Errorf("failure %q", ans.failure)
	}
	if ans.failure != "" && ans.usage.Calls+ans.usage.Silent != 0 {
		t.Errorf("usage %+v", ans.usage)
	}
}

func FuzzReadClaude(f *testing.F) {
	for _, c := range failures {
		f.Add([]byte(c.stdout))
	}
	f.Add([]byte(`{"type":"result","subtype":"success","result":"ok","total_cost_usd":1e-3,"modelUsage":{"a":{"inputTokens":1},"b":null}}`))
	f.Fuzz(func(t *testing.T, out []byte) { sane(t, readClaude(Outcome{Stdout: out})) })
}

func FuzzReadCodex(f *testing.F) {
	for _, c := range failures {
		f.Add([]byte(c.stdout))
	}
	f.Add([]byte(codexSample))
	f.Fuzz(func(t *testing.T, out []byte) { sane(t, readCodexEvents(out)) })
}

func FuzzReadGemini(f *testing.F) {
	for _, c := range failures {
		f.Add([]byte(c.stdout), []byte(c.stderr))
	}
	f.Add([]byte(`{"response":"ok","stats":{"models":{"a":{"tokens":{"prompt":1},"roles":{"main":{}}},"b":null}}}`), []byte(nil))
	f.Fuzz(func(t *testing.T, out, errs []byte) { sane(t, readGemini(Outcome{Stdout: out, Stderr: errs})) })
}

func FuzzWithoutComments(f *testing.F) {
	f.Add([]byte(`{"a": "//", /* b */ "c": "\"/*"} // d`))
	f.Add([]byte(`/*/`))
	f.Add([]byte(`"\`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if json.Valid(text) && string(withoutComments(text)) != string(text) {
			t.Errorf("%q has no comments and becomes %q", text, withoutComments(text))
		}
	})
}

func FuzzReadCodexConfig(f *testing.F) {
	f.Add("model_provider = \"a.b\"\nmodel = \"m\"\n[model_providers.\"a.b\"]\nbase_url = 'http://x'\nenv_key = \"K\"\n[model_providers.\"a.b\".http_headers]\nx = \"y\"\n")
	f.Add("model_provider = 3\n[model_providers]\nx = 1\n")
	f.Add("model_provider = \"x\"\nmodel_providers.x = {n = [1, 2.5, true, {a = \"\\u007f\"}], t = 1979-05-27}\n")
	f.Fuzz(func(t *testing.T, text string) {
		config, _, err := readCodexConfig(text)
		if err != nil {
			return
		}
		for key, v := range config {
			if strings.ContainsAny(inline(v), "\n\r") {
				t.Errorf("%s is not on one line: %s", key, inline(v))
			}
		}
	})
}
