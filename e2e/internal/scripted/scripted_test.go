//go:build unix

package scripted

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// verdictTB takes the failures of code under test, so that a test can ask for them.
type verdictTB struct {
	testing.TB
	mu       sync.Mutex
	failures []string
}

func (v *verdictTB) Errorf(f string, a ...any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.failures = append(v.failures, fmt.Sprintf(f, a...))
}

// post sends a request as Claude Code does and returns the answer's body.
func post(t *testing.T, s *Server, agent string, body string) string {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, s.URL+"/v1/messages?beta=true", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Claude-Code-Session-Id", "s1")
	if agent != "" {
		req.Header.Set("X-Claude-Code-Agent-Id", agent)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const hello = `{"model": "m", "tools": [{"name": "Bash"}], "messages": [{"role": "user", "content": "hello"}]}`

func TestARequestBeyondTheScriptFailsTheTest(t *testing.T) {
	t.Parallel()
	tb := &verdictTB{TB: t}
	s := New(tb, Steps(Say("one")))
	post(t, s, "", hello)
	if len(tb.failures) != 0 {
		t.Fatalf("failures before the script ended: %q", tb.failures)
	}
	post(t, s, "", hello)
	if len(tb.failures) != 1 || !strings.Contains(tb.failures[0], `no reply for request 2: claude main, step 1, model m: user "hello"`) {
		t.Errorf("failures: %q", tb.failures)
	}
}

func TestAPanicInAScriptFailsTheTest(t *testing.T) {
	t.Parallel()
	tb := &verdictTB{TB: t}
	s := New(tb, func(turn Turn) Reply { return Say(turn.History[7].Text) })
	post(t, s, "", hello)
	if len(tb.failures) != 1 || !strings.Contains(tb.failures[0], "the script panicked on request 1") {
		t.Errorf("failures: %q", tb.failures)
	}
}

func TestAnInputThatIsNotJSONFailsTheTest(t *testing.T) {
	t.Parallel()
	tb := &verdictTB{TB: t}
	s := New(tb, Steps(Do(Use("Bash", func() {}))))
	post(t, s, "", hello)
	if len(tb.failures) != 1 || !strings.Contains(tb.failures[0], "the input of Bash is not JSON") {
		t.Errorf("failures: %q", tb.failures)
	}
}

func TestEachConversationHasItsOwnSteps(t *testing.T) {
	t.Parallel()
	s := New(t, func(turn Turn) Reply { return Sayf("%s step %d", turn.Agent, turn.Step) })
	for _, agent := range []string{"", "a1", "a2", "a1", ""} {
		post(t, s, agent, hello)
	}
	var got []string
	for _, r := range s.Requests() {
		got = append(got, r.Reply.Text)
	}
	want := []string{" step 0", "a1 step 0", "a2 step 0", "a1 step 1", " step 1"}
	if strings.Join(got, ",") != strings.Join(want, ",") {
		t.Errorf("replies %q, want %q", got, want)
	}
	if len(s.Main()) != 2 || len(s.Agents()) != 3 {
		t.Errorf("%d main and %d sub-agent requests, want 2 and 3", len(s.Main()), len(s.Agents()))
	}
}

func TestSideCallsNeverReachTheScript(t *testing.T) {
	t.Parallel()
	s := New(t, Steps(Say("the script's only reply")))
	s.OnSide(func(Turn) Reply { return Say("a title") })
	side := post(t, s, "", `{"model": "claude-haiku-9", "messages": [{"role": "user", "content": "Write a title"}]}`)
	if !strings.Contains(side, "a title") {
		t.Errorf("the side call got %s", side)
	}
	if main := post(t, s, "", hello); !strings.Contains(main, "the script's only reply") {
		t.Errorf("the main call got %s", main)
	}
	if !s.Requests()[0].Side || s.Requests()[1].Side || s.Requests()[1].Step != 0 {
		t.Error("the side call counts as a turn of the conversation")
	}
}

func TestAnAnswerComesWholeOrStreamed(t *testing.T) {
	t.Parallel()
	s := New(t, func(Turn) Reply {
		r := Do(Shell("ls"))
		r.Text = "looking"
		return r
	})
	var whole struct {
		Stop    string `json:"stop_reason"`
		Content []struct {
			Type, Text, Name, ID string
			Input                map[string]any
		}
	}
	if err := json.Unmarshal([]byte(post(t, s, "", hello)), &whole); err != nil {
		t.Fatal(err)
	}
	if whole.Stop != "tool_use" || len(whole.Content) != 2 || whole.Content[0].Text != "looking" || whole.Content[1].Name != "Bash" || whole.Content[1].ID != "call_1_0" || whole.Content[1].Input["command"] != "ls" {
		t.Errorf("the whole answer is %+v", whole)
	}
	stream := post(t, s, "", strings.Replace(hello, "{", `{"stream": true, `, 1))
	for _, want := range []string{"event: message_start\n", `"text":"looking"`, `"name":"Bash"`, `\"command\":\"ls\"`, `"stop_reason":"tool_use"`, "event: message_stop\n"} {
		if !strings.Contains(stream, want) {
			t.Errorf("the stream lacks %s:\n%s", want, stream)
		}
	}
}

func TestResultsComeInTheOrderOfTheLastCalls(t *testing.T) {
	t.Parallel()
	var got []string
	s := New(t, func(turn Turn) Reply {
		for _, r := range turn.Results() {
			got = append(got, r.Tool+" "+r.Output())
		}
		return Do(Shell("a"), Read("b"))
	})
	post(t, s, "", hello)
	post(t, s, "", `{"model": "m", "messages": [{"role": "user", "content": "hello"},
		{"role": "assistant", "content": [{"type": "tool_use", "id": "call_1_0", "name": "Bash", "input": {}}, {"type": "tool_use", "id": "call_1_1", "name": "Read", "input": {}}]},
		{"role": "user", "content": [
			{"type": "tool_result", "tool_use_id": "call_1_1", "content": [{"type": "text", "text": "second"}]},
			{"type": "tool_result", "tool_use_id": "call_1_0", "content": "first"}]}]}`)
	if strings.Join(got, ", ") != "Bash first, Read second" {
		t.Errorf("results %q", got)
	}
}

func TestOutputAndExitComeOutOfEachClientsFrame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		m    Message
		out  string
		exit int
	}{
		{"Claude Code", Message{Text: "hi"}, "hi", 0},
		{"Claude Code, failed", Message{Text: "Exit code 3\nno such file", Error: true}, "no such file", 3},
		{"Claude Code, denied", Message{Text: "This command requires approval", Error: true}, "This command requires approval", -1},
		{"Codex", Message{Text: "Chunk ID: ddccd0\nWall time: 0.6735 seconds\nProcess exited with code 3\nOriginal token count: 122\nOutput:\nhi\nOutput:\n"}, "hi\nOutput:\n", 3},
		{"Codex in code mode", Message{Text: "Script completed\nWall time 0.3 seconds\nOutput:\n\n{\"chunk_id\":\"a2\",\"exit_code\":3,\"output\":\"hi\\n\"}"}, "hi\n", 3},
		{"a text that looks alike", Message{Text: "See below. Output:\nhi"}, "See below. Output:\nhi", 0},
	} {
		if out, exit := c.m.Output(), c.m.Exit(); out != c.out || exit != c.exit {
			t.Errorf("%s: %q, %d; want %q, %d", c.name, out, exit, c.out, c.exit)
		}
	}
}

func TestFeedbackIsFreshAndUnescaped(t *testing.T) {
	t.Parallel()
	claude := Message{Kind: User, Text: "Stop hook feedback:\ngo <on>"}
	codex := Message{Kind: User, Text: `<hook_prompt hook_run_id="stop:7:x">go &lt;on&gt; &amp; on</hook_prompt>`}
	for _, c := range []struct {
		name    string
		history []Message
		reason  string
		ok      bool
	}{
		{"Claude Code", []Message{{Kind: Said, Text: "done"}, claude}, "go <on>", true},
		{"Codex", []Message{{Kind: Said, Text: "done"}, codex}, "go <on> & on", true},
		{"answered already", []Message{claude, {Kind: Called, Tool: "Bash"}, {Kind: Result, Text: "ok"}}, "", false},
		{"quoted by a person", []Message{{Kind: User, Text: "It said: Stop hook feedback:\nx"}}, "", false},
	} {
		if reason, ok := (Turn{History: c.history}).Feedback(); reason != c.reason || ok != c.ok {
			t.Errorf("%s: %q, %v; want %q, %v", c.name, reason, ok, c.reason, c.ok)
		}
	}
}

func TestConversationsThatRunOneAfterTheOtherNeverMeet(t *testing.T) {
	t.Parallel()
	m := &Meeting{left: 2, full: make(chan struct{}), limit: 1}
	if m.Wait() {
		t.Error("one conversation met itself")
	}
	both := Meet(2)
	met := make(chan bool)
	go func() { met <- both.Wait() }()
	if !both.Wait() || !<-met {
		t.Error("two conversations did not meet")
	}
}

func TestAnUnknownEndpointIsRefusedAndNamedInTheTranscript(t *testing.T) {
	t.Parallel()
	s := New(t, Steps())
	res, err := http.Get(s.URL + "/v1/telemetry")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusNotFound {
		t.Errorf("status %d, want 404", res.StatusCode)
	}
	if text := s.Transcript(5); !strings.Contains(text, "no such endpoint: GET /v1/telemetry") {
		t.Errorf("the transcript is\n%s", text)
	}
}

func FuzzRequestsAreAnsweredOrRefused(f *testing.F) {
	f.Add("/v1/messages", hello)
	f.Add("/v1/messages", `{"messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": 1}]}]}`)
	f.Add("/v1/responses", `{"input": [{"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "x"}]}, {"type": "agent_message", "content": "Message Type: FINAL_ANSWER\nPayload:\nx"}]}`)
	f.Add("/v1/responses", `{"input": [{"type": "message", "role": "user", "content": [{"text": "<subagent_notification>{}"}]}], "tools": [{"type": "namespace", "tools": [{"type": "namespace"}]}]}`)
	f.Add("/v1beta/models/m:generateContent", `{"contents": [{"role": "model", "parts": [{"functionCall": {"name": "f", "args": []}}]}]}`)
	f.Fuzz(func(t *testing.T, path, body string) {
		s := &Server{t: t, side: harmless, convs: map[string]*conversation{}, script: func(turn Turn) Reply {
			turn.Feedback()
			turn.SkillText()
			turn.AgentResults()
			return Sayf("%s %s %v", turn.LastUser(), turn.Output(), turn.Results())
		}}
		req, err := http.NewRequest(http.MethodPost, "http://127.0.0.1"+path, strings.NewReader(body))
		if err != nil {
			return // no such request can be sent
		}
		w := httptest.NewRecorder()
		s.serve(w, req)
		if w.Code != http.StatusOK && w.Code != http.StatusBadRequest && w.Code != http.StatusNotFound {
			t.Errorf("status %d", w.Code)
		}
	})
}
