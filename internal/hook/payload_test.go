package hook

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"rulph/internal/score"
)

// recorded are the documents that the real clients sent, as the e2e tests recorded them.
func recorded(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "e2e", "testdata", "payloads", "*", "*.json"))
	if err != nil || len(files) < 15 {
		t.Fatalf("%d payloads, %v", len(files), err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		doc, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(filepath.Dir(f))+"/"+strings.TrimSuffix(filepath.Base(f), ".json")] = doc
	}
	return out
}

// with sets a value in a recorded document.
func with(t *testing.T, doc []byte, path string, value any) string {
	t.Helper()
	out, err := sjson.SetBytes(doc, path, value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestWhatTheClientsSendIsSilentWithoutALoop(t *testing.T) {
	for name, doc := range recorded(t) {
		w := newWorld(t)
		out := w.fire(with(t, doc, "cwd", w.cwd))
		if speaks := strings.Contains(name, "/SessionStart"); (out != "") != speaks {
			t.Errorf("%s: got %q", name, out)
		}
	}
}

func TestTheClientsStopsAreBlockedWhileALoopIsActive(t *testing.T) {
	for name, doc := range recorded(t) {
		if gjson.GetBytes(doc, "hook_event_name").Str != "Stop" {
			continue
		}
		w := newWorld(t)
		w.arm(gjson.GetBytes(doc, "session_id").Str, active)
		out := w.fire(with(t, doc, "cwd", w.cwd))
		if want := !strings.HasSuffix(name, ".background"); blocked(out) != want {
			t.Errorf("%s: got %q", name, out)
		}
		if codex := strings.HasPrefix(name, "codex/"); out != "" && codex != strings.Contains(out, "/plugins/rulph/bin/hoyeon-cli") {
			t.Errorf("%s names the command as %s", name, out)
		}
	}
}

func TestTheClientsSubAgentsHandTheirVerdictsIn(t *testing.T) {
	for _, name := range []string{"claude/SubagentStop", "codex/SubagentStop"} {
		doc := recorded(t)[name]
		w := newWorld(t)
		sid := gjson.GetBytes(doc, "session_id").Str
		ticket := w.judging(sid, true)
		if out := w.fire(with(t, []byte(with(t, doc, "cwd", w.cwd)), "last_assistant_message", answer(ticket))); out != "" {
			t.Errorf("%s: %s", name, out)
		}
		if seat := w.state(sid).Pending.Seats["j1"]; seat.State != score.Available {
			t.Errorf("%s: %+v", name, seat)
		}
	}
}

func TestASummaryThatQuotesAVerdictIsNone(t *testing.T) {
	doc := recorded(t)["claude/SubagentStop.compaction"]
	w := newWorld(t)
	sid := gjson.GetBytes(doc, "session_id").Str
	ticket := w.judging(sid, false)
	before, _ := os.ReadFile(w.store().StatePath(sid))
	if out := w.fire(with(t, []byte(with(t, doc, "cwd", w.cwd)), "last_assistant_message", "<summary>"+answer(ticket)+"</summary>")); out != "" {
		t.Errorf("got %s", out)
	}
	if after, _ := os.ReadFile(w.store().StatePath(sid)); !bytes.Equal(before, after) {
		t.Error("the state was written")
	}
}
