package install

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestTheHooksAreThoseOfThisPluginEachOnce(t *testing.T) {
	text := codexHooksText(true, map[string]string{"stop": "modified", "sessionEnd": "untrusted"})
	var asked bytes.Buffer
	list, err := askHooks(&asked, strings.NewReader(`{"method":"x","params":{"id":1}}
not JSON
{"id":"1","result":{"wrong":true}}
{"id":1,"result":{}}
`+text))
	if err != nil {
		t.Fatal(err)
	}
	var events []string
	for _, h := range list {
		events = append(events, h.event)
	}
	want(t, events, []string{"sessionStart", "sessionEnd", "userPromptSubmit", "subagentStop", "stop"})
	want(t, list.untrusted(), []string{"sessionEnd", "stop"})
	want(t, list.disabled(), []string(nil))
	want(t, list.trusted(), true)
	var methods []string
	for line := range strings.Lines(asked.String()) {
		_, after, _ := strings.Cut(line, `"method":"`)
		method, _, _ := strings.Cut(after, `"`)
		methods = append(methods, method)
	}
	want(t, methods, []string{"initialize", "initialized", "hooks/list"})
}

func TestAnAppServerThatDoesNotAnswerIsAnError(t *testing.T) {
	for what, test := range map[string]struct{ answers, want string }{
		"it ends at once":           {"", "it ended without an answer"},
		"it ends after a greeting":  {`{"id":1,"result":{}}` + "\n", "it ended without an answer"},
		"it refuses":                {`{"id":1,"error":{"code":-32601,"message":"no such\nthing"}}` + "\n", "thing"},
		"it does not know hooks":    {`{"id":1,"result":{}}` + "\n" + `{"id":2,"error":{"code":-32601,"message":"unknown method hooks/list"}}` + "\n", "unknown method hooks/list"},
		"its answer is not a list":  {`{"id":1,"result":{}}` + "\n" + `{"id":2,"result":{"data":"none"}}` + "\n", "its answer is not understood: "},
		"a line that does not stop": {strings.Repeat("x", maxAnswer+1), "token too long"},
	} {
		list, err := askHooks(io.Discard, strings.NewReader(test.answers))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, %v; want an error with %q", what, list, err, test.want)
		}
	}
}

func FuzzReadHooks(f *testing.F) {
	_, result, _ := strings.Cut(codexHooksText(true, nil), `"result":`)
	f.Add([]byte(strings.TrimSuffix(strings.TrimSpace(result), "}")))
	for _, seed := range []string{"", "null", "{}", `{"data":[{"hooks":null}]}`, `{"data":[{"hooks":[{"pluginId":"rulph@hoyeon"}]}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, result []byte) {
		list, err := readHooks(result)
		if err != nil && list != nil {
			t.Errorf("%v beside %v", list, err)
		}
		if n := len(list.untrusted()); n > len(list) {
			t.Errorf("%d of %d are not trusted", n, len(list))
		}
	})
}

func FuzzClientLists(f *testing.F) {
	for _, seed := range []string{
		claudeMarketsText("/x"), claudePluginsText("1.0.0", true, `,"errors":["a"]`), codexMarketsText("/x"), codexPluginsText("1.0.0", false),
		"", "null", "[]", "{}", "[null]", `{"installed":[null]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, c := range clients {
			if markets, err := c.readMarkets(text); err != nil && markets != nil {
				t.Errorf("%s: markets %v beside %v", c.id, markets, err)
			}
			if plugins, err := c.readPlugins(text); err != nil && plugins != nil {
				t.Errorf("%s: plugins %v beside %v", c.id, plugins, err)
			}
		}
		hooksOff(text)
	})
}

func FuzzHeartbeat(f *testing.F) {
	for _, seed := range []string{`{"at":"2026-11-30T19:00:00Z","event":"UserPromptSubmit","version":"0.1.0"}`, `{"at":""}`, `{"at":"2026`, "", "null"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if beat, ok := readHeartbeat(data); ok && beat.At.IsZero() {
			t.Error("a sign without a time")
		}
	})
}
