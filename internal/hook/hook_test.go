package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"rulph/internal/artifact"
	"rulph/internal/loop"
	"rulph/internal/prompt"
	"rulph/internal/rubric"
	"rulph/internal/score"
	"rulph/internal/session"
	"rulph/schemas/schematest"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// world is a home, a project and a clock for hooks to run in.
type world struct {
	t       *testing.T
	home    string
	cwd     string
	now     time.Time
	reports []string // sessions for which a report was asked for
	fail    error    // what writing a report fails with
	env     map[string]string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t: t, home: filepath.Join(dir, "home"), cwd: filepath.Join(dir, "project"), now: noon}
	if err := os.MkdirAll(w.cwd, 0o755); err != nil {
		t.Fatal(err)
	}
	w.env = map[string]string{"HOYEON_HOME": w.home, "CLAUDE_PLUGIN_ROOT": "/plugins/rulph"}
	return w
}

func (w *world) store() session.Store { return session.Store{Home: w.home} }

func (w *world) arm(sid, doc string) {
	w.t.Helper()
	err := w.store().Transform(sid, func([]byte) ([]byte, error) { return []byte(doc), nil })
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) state(sid string) loop.State {
	w.t.Helper()
	doc, err := w.store().Load(sid)
	if err != nil {
		w.t.Fatal(err)
	}
	s, err := loop.Parse(doc)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// fire runs the hook on a document as a client sends it. Whatever it answers to a stop fits the schema.
func (w *world) fire(event string) string {
	w.t.Helper()
	out := string(Run(strings.NewReader(event), Env{
		Getenv: func(k string) string { return w.env[k] }, Executable: "/cache/hoyeon-hook", Now: func() time.Time { return w.now },
		Report: func(_, _, sid, _ string) error {
			w.reports = append(w.reports, sid)
			return w.fail
		},
	}))
	if name := gjson.Get(event, "hook_event_name").Str; out != "" && (name == "Stop" || name == "SubagentStop") {
		schematest.Fits(w.t, "hook", []byte(out))
	}
	return out
}

func (w *world) event(name, sid string, more map[string]any) string {
	doc := map[string]any{"hook_event_name": name, "session_id": sid, "cwd": w.cwd}
	for k, v := range more {
		doc[k] = v
	}
	b, err := json.Marshal(doc)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(b)
}

func (w *world) stop(sid string) string { return w.fire(w.event("Stop", sid, nil)) }

const active = `{"rulph":{"round":0,"max_rounds":5,"score":10,"threshold":70,"status":"active","iteration":0,"max_iterations":15}}`

func blocked(out string) bool { return gjson.Get(out, "decision").Str == "block" }

func TestAnActiveLoopBlocksWithItsNextStepAndNothingElse(t *testing.T) {
	w := newWorld(t)
	w.arm("s1", active)
	out := w.stop("s1")
	if !blocked(out) || !strings.Contains(gjson.Get(out, "reason").Str, "hoyeon-cli") {
		t.Fatalf("got %s", out)
	}
	gjson.Parse(out).ForEach(func(k, _ gjson.Result) bool {
		if k.Str != "decision" && k.Str != "reason" {
			t.Errorf("key %q; Codex refuses unknown ones", k.Str)
		}
		return true
	})
	if s := w.state("s1"); s.Iteration != 1 || s.IdleBlocks != 1 {
		t.Errorf("iteration %d, idle %d", s.Iteration, s.IdleBlocks)
	}
}

func TestAStopIsAllowedAndNotCounted(t *testing.T) {
	for name, c := range map[string]struct {
		doc  string
		more map[string]any
	}{
		"no loop":              {`{"skill":"x"}`, nil},
		"phase 1":              {`{"rulph":{"status":"init"}}`, nil},
		"completed":            {`{"rulph":{"status":"completed"}}`, nil},
		"cancelled":            {`{"rulph":{"status":"active","cancelled_at":"2026-01-01T00:00:00Z"}}`, nil},
		"a person was asked":   {`{"rulph":{"status":"active","waiting":true}}`, nil},
		"a sub-agent":          {active, map[string]any{"agent_id": "a1"}},
		"background work":      {active, map[string]any{"background_tasks": []any{map[string]any{"id": "x"}}}},
		"a scheduled wake-up":  {active, map[string]any{"session_crons": []any{map[string]any{"id": "x"}}}},
		"a newer schema":       {`{"rulph":{"schema":9,"status":"active"}}`, nil},
		"fractional iteration": {`{"rulph":{"status":"active","iteration":2.5}}`, nil},
		"score as text":        {`{"rulph":{"status":"active","score":"iteration[$(touch X)]"}}`, nil},
		"the loop is a text":   {`{"rulph":"active"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.arm("s1", c.doc)
			before, _ := os.ReadFile(w.store().StatePath("s1"))
			if out := w.fire(w.event("Stop", "s1", c.more)); out != "" {
				t.Errorf("got %s", out)
			}
			if after, _ := os.ReadFile(w.store().StatePath("s1")); !bytes.Equal(before, after) {
				t.Errorf("the state was written: %s", after)
			}
			if len(w.reports) > 0 {
				t.Error("a report was asked for")
			}
		})
	}
}

func TestEmptyListsOfBackgroundWorkDoNotLetGo(t *testing.T) {
	w := newWorld(t)
	w.arm("s1", active)
	if out := w.fire(w.event("Stop", "s1", map[string]any{"background_tasks": []any{}, "session_crons": []any{}})); !blocked(out) {
		t.Errorf("got %q", out)
	}
}

func TestAnotherSessionInTheSameFolderIsUntouched(t *testing.T) {
	w := newWorld(t)
	w.arm("s1", active)
	if out := w.stop("s2"); out != "" {
		t.Errorf("got %s", out)
	}
	if _, err := os.Stat(w.store().Dir("s2")); !errors.Is(err, os.ErrNotExist) {
		t.Error("a folder was made for a session without a loop")
	}
}

func TestHostileInputAllowsSilently(t *testing.T) {
	w := newWorld(t)
	w.arm("s1", active)
	for name, event := range map[string]string{
		"empty": "", "not json": "hello", "half": `{"hook_event_name":"Stop"`, "a list": `[]`, "a number": `7`, "null": `null`,
		"no session": `{"hook_event_name":"Stop"}`, "session is a number": `{"hook_event_name":"Stop","session_id":1}`,
		"traversal": w.event("Stop", "../s1", nil), "empty session": w.event("Stop", "", nil), "null word": w.event("Stop", "null", nil),
		"unknown event": w.event("Explode", "s1", nil), "event is an object": `{"hook_event_name":{},"session_id":"s1"}`,
		"deleted cwd": `{"hook_event_name":"SubagentStop","session_id":"s1","cwd":"/nowhere/at/all","last_assistant_message":7}`,
		"nul bytes":   "\x00\x00", "huge": `{"hook_event_name":"Stop","session_id":"s1","x":"` + strings.Repeat("y", maxInput) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			if out := w.fire(event); out != "" {
				t.Errorf("got %.200s", out)
			}
		})
	}
	if s := w.state("s1"); s.Iteration != 0 {
		t.Errorf("iteration %d", s.Iteration)
	}
}

func TestADamagedStateAllowsAndIsLeftAlone(t *testing.T) {
	for _, damaged := range []string{"", "{", "[]", "\"x\"", "{\"rulph\":", strings.Repeat("[", 100000)} {
		w := newWorld(t)
		w.arm("s1", active)
		path := w.store().StatePath("s1")
		if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if out := w.stop("s1"); out != "" {
			t.Errorf("%.20q: got %s", damaged, out)
		}
		if got, _ := os.ReadFile(path); string(got) != damaged {
			t.Errorf("%.20q was rewritten as %q", damaged, got)
		}
	}
}

func TestABlockThatCannotBeCountedIsNone(t *testing.T) {
	w := newWorld(t)
	w.arm("s1", active)
	// A folder in the way of the lock stands for a home that cannot be written, also for root.
	breakHome(t, w)
	if out := w.stop("s1"); out != "" {
		t.Errorf("got %s", out)
	}
}

func TestALoopThatIsOverIsReportedBeforeItIsCompleted(t *testing.T) {
	w := newWorld(t)
	w.arm("s1", `{"rulph":{"score":91.65,"threshold":90,"status":"active"}}`)
	out := w.stop("s1")
	if blocked(out) || !strings.Contains(gjson.Get(out, "systemMessage").Str, "PASSED") {
		t.Errorf("got %s", out)
	}
	if len(w.reports) != 1 || w.reports[0] != "s1" {
		t.Errorf("reports %v", w.reports)
	}
	if s := w.state("s1"); s.Status != loop.Completed || s.Result != loop.Passed {
		t.Errorf("got %s %s", s.Status, s.Result)
	}
	if again := w.stop("s1"); again != "" || len(w.reports) != 1 {
		t.Errorf("a second stop: %q, %d reports", again, len(w.reports))
	}
}

func TestAReportThatFailsLetsTheSessionStopAllTheSame(t *testing.T) {
	w := newWorld(t)
	w.fail = errors.New("no space left")
	w.arm("s1", `{"rulph":{"score":91,"threshold":90,"status":"active"}}`)
	out := w.stop("s1")
	if blocked(out) || !strings.Contains(out, "rulph report") || w.state("s1").Status != loop.Completed {
		t.Errorf("got %s, %s", out, w.state("s1").Status)
	}
	log, err := os.ReadFile(filepath.Join(w.home, "hook.log"))
	if err != nil || !strings.Contains(string(log), "no space left") {
		t.Errorf("log %q, %v", log, err)
	}
}

func TestAFractionalScoreAtTheThresholdPasses(t *testing.T) {
	w := newWorld(t)
	w.arm("s1", `{"rulph":{"score":70.5,"threshold":70.5,"status":"active"}}`)
	if out := w.stop("s1"); blocked(out) {
		t.Errorf("got %s", out)
	}
}

func TestAModelThatStopsAtOnceIsLetGoAfterIdleBlocks(t *testing.T) {
	w := newWorld(t)
	w.arm("s1", active)
	for i := range 5 {
		if out := w.stop("s1"); !blocked(out) {
			t.Fatalf("stop %d: %s", i+1, out)
		}
	}
	out := w.stop("s1")
	if blocked(out) || !strings.Contains(gjson.Get(out, "systemMessage").Str, "5 stops in a row") || w.state("s1").Result != loop.Capped {
		t.Errorf("got %s", out)
	}
}

func TestAFloorViolationAt92Of90GoesOn(t *testing.T) {
	w := newWorld(t)
	s := loop.New()
	s.Threshold, s.StartedAt, s.ProgressAt = 90, noon, noon
	low, high := 52.0, 100.0
	s.Rubric = &loop.Locked{Path: "/r.yaml", Hash: "sha256:x"}
	s.Target = &loop.Target{Spec: artifact.Spec{Root: w.cwd}, Label: "F", Sign: artifact.Signature(nil)}
	s.Judges = []string{"j1"}
	s.Best, s.Next = 0, "b"
	s.History = []loop.Round{{Kept: true, Result: score.Result{Overall: 92, Criteria: []score.Criterion{
		{ID: "a", Name: "A", Weight: 83, Floor: 60, Score: &high}, {ID: "b", Name: "B", Weight: 17, Floor: 60, Score: &low, Below: true}}}}}
	doc, err := s.Write(nil)
	if err != nil {
		t.Fatal(err)
	}
	w.arm("s1", string(doc))
	if out := w.stop("s1"); !blocked(out) || !strings.Contains(out, "rulph next --brief") {
		t.Errorf("got %s", out)
	}
}

// judging arms a loop in which judge j1 holds a ticket and, where two is set, j2 another.
func (w *world) judging(sid string, two bool) (ticket string) {
	w.t.Helper()
	s := loop.New()
	s.StartedAt, s.ProgressAt = noon, noon
	s.Judges = []string{"j1", "j2"}
	s.Rubric = &loop.Locked{Path: "/r.yaml", Hash: "sha256:x", Body: rubric.Rubric{Criteria: []rubric.Criterion{
		{ID: "a", Name: "A", Weight: 50, Items: []rubric.Item{{ID: "one", Text: "One"}, {ID: "two", Text: "Two"}}},
		{ID: "b", Name: "B", Weight: 50, Items: []rubric.Item{{ID: "three", Text: "Three"}, {ID: "four", Text: "Four"}}}}}}
	s.Target = &loop.Target{Spec: artifact.Spec{Root: w.cwd}, Label: "F"}
	s, err := loop.Open(s, "A", false, noon)
	if err != nil {
		w.t.Fatal(err)
	}
	ticket = prompt.TicketPrefix + strings.Repeat("b", 20)
	if s, _, err = loop.Sit(s, "j1", ticket); err != nil {
		w.t.Fatal(err)
	}
	if two {
		if s, _, err = loop.Sit(s, "j2", prompt.TicketPrefix+strings.Repeat("c", 20)); err != nil {
			w.t.Fatal(err)
		}
	}
	doc, err := s.Write(nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.arm(sid, string(doc))
	return ticket
}

func answer(ticket string) string {
	return fmt.Sprintf(`{"ticket":%q,"checklist":{"a":{"one":"yes","two":"no"},"b":{"three":"yes","four":"no"}}}`, ticket)
}

func (w *world) subagent(sid, message string, more map[string]any) string {
	all := map[string]any{"agent_id": "a1", "agent_type": "default", "last_assistant_message": message}
	for k, v := range more {
		all[k] = v
	}
	return w.fire(w.event("SubagentStop", sid, all))
}

func TestAVerdictIsTakenInByItsTicket(t *testing.T) {
	w := newWorld(t)
	ticket := w.judging("s1", true)
	if out := w.subagent("s1", "Here it is:\n```json\n"+answer(ticket)+"\n```", nil); out != "" {
		t.Errorf("got %s", out)
	}
	if seat := w.state("s1").Pending.Seats["j1"]; seat.State != score.Available || seat.Verdict.Items["a"]["one"].Word != "yes" {
		t.Errorf("got %+v", seat)
	}
}

func TestProseIsCorrectedInPlaceOnceThenDegraded(t *testing.T) {
	w := newWorld(t)
	ticket := w.judging("s1", true)
	out := w.subagent("s1", ticket+": I think that it is quite good.", nil)
	if !blocked(out) || !strings.Contains(out, ticket) {
		t.Fatalf("first: %s", out)
	}
	if out = w.subagent("s1", ticket+": Really, it is.", map[string]any{"stop_hook_active": true}); out != "" {
		t.Errorf("second: %s", out)
	}
	if seat := w.state("s1").Pending.Seats["j1"]; seat.State != score.Degraded || seat.Reason == "" {
		t.Errorf("got %+v", seat)
	}
}

func TestAMendedAnswerIsTaken(t *testing.T) {
	w := newWorld(t)
	ticket := w.judging("s1", true)
	w.subagent("s1", ticket+" prose", nil)
	w.subagent("s1", answer(ticket), map[string]any{"stop_hook_active": true})
	if seat := w.state("s1").Pending.Seats["j1"]; seat.State != score.Available {
		t.Errorf("got %+v", seat)
	}
}

func TestForeignSubAgentsAreLeftAlone(t *testing.T) {
	old := prompt.TicketPrefix + strings.Repeat("z", 20)
	for name, c := range map[string]struct{ sid, message, agent string }{
		"another plugin's agent":         {"s1", "All tests pass.", "other:tester"},
		"a general agent without ticket": {"s1", answer(""), "general-purpose"},
		"an old ticket":                  {"s1", answer(old), "rulph:judge"},
		"a ticket in another session":    {"s2", answer(prompt.TicketPrefix + strings.Repeat("b", 20)), "rulph:judge"},
		"an empty message":               {"s1", "", "other:tester"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.judging("s1", true)
			before, _ := os.ReadFile(w.store().StatePath("s1"))
			if out := w.subagent(c.sid, c.message, map[string]any{"agent_type": c.agent}); out != "" {
				t.Errorf("got %s", out)
			}
			if after, _ := os.ReadFile(w.store().StatePath("s1")); !bytes.Equal(before, after) {
				t.Error("the state was written")
			}
		})
	}
}

func TestOurOwnJudgeWithoutItsTicket(t *testing.T) {
	ours := map[string]any{"agent_type": "rulph:judge"}
	w := newWorld(t)
	ticket := w.judging("s1", false)
	if out := w.subagent("s1", "It is good.", ours); !blocked(out) || !strings.Contains(out, ticket) {
		t.Errorf("one judge out: %s", out)
	}
	w.judging("s2", true)
	if out := w.subagent("s2", "It is good.", ours); !blocked(out) || !strings.Contains(out, "ticket") {
		t.Errorf("two judges out: %s", out)
	}
	if out := w.subagent("s2", "It is good.", map[string]any{"agent_type": "rulph:judge", "stop_hook_active": true}); out != "" {
		t.Errorf("the second time: %s", out)
	}
}

func TestSessionStartAlwaysSaysWhereTheCommandLineIs(t *testing.T) {
	w := newWorld(t)
	if out := w.fire(w.event("SessionStart", "s1", map[string]any{"source": "startup"})); out != "rulph: session s1, hoyeon-cli is /plugins/rulph/bin/hoyeon-cli\n" {
		t.Errorf("got %q", out)
	}
	w.arm("s1", active)
	out := w.fire(w.event("SessionStart", "s1", map[string]any{"source": "compact"}))
	if !strings.Contains(out, "`hoyeon-cli rulph next`") || strings.Count(out, "\n") != 1 {
		t.Errorf("after a compaction: %q", out)
	}
}

func TestAPromptIsAnsweredOnlyWhenItConcernsUs(t *testing.T) {
	for prompt, want := range map[string]bool{
		"/rulph README.md": true, "/rulph:rulph x": true, "$rulph HANDBOOK.md": true, "please run `/rulph` on this": true, "$rulph:rulph": true,
		"fix the bug": false, "/usr/bin/rulph is broken": false, "my-rulph-notes": false, "/other:rulph": false, "rulph is nice": false, "/rulphs": false, "": false, "/": false, "$": false,
	} {
		w := newWorld(t)
		out := w.fire(w.event("UserPromptSubmit", "s1", map[string]any{"prompt": prompt}))
		if (out != "") != want {
			t.Errorf("%q: got %q", prompt, out)
		}
		_, err := os.Stat(filepath.Join(w.home, "heartbeat", "s1.json"))
		if (err == nil) != want {
			t.Errorf("%q: heartbeat: %v", prompt, err)
		}
	}
}

func TestAPromptWithALiveLoopIsRemindedButASubAgentIsNot(t *testing.T) {
	w := newWorld(t)
	w.arm("s1", active)
	if out := w.fire(w.event("UserPromptSubmit", "s1", map[string]any{"prompt": "go on"})); !strings.Contains(out, "rulph next") {
		t.Errorf("got %q", out)
	}
	if out := w.fire(w.event("UserPromptSubmit", "s1", map[string]any{"prompt": "judge it", "agent_id": "a1"})); out != "" {
		t.Errorf("a sub-agent was told %q", out)
	}
}

func TestCodexIsGivenAnAbsolutePath(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDE_PLUGIN_ROOT"] = "/my plugins/rulph"
	w.arm("s1", active)
	out := w.fire(w.event("Stop", "s1", map[string]any{"turn_id": "t1"}))
	if want := "'/my plugins/rulph/bin/hoyeon-cli'"; !strings.Contains(gjson.Get(out, "reason").Str, want) {
		t.Errorf("%s is not in %s", want, out)
	}
}

func TestAnUnarmedSessionCostsNoWrite(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"Stop", "SubagentStop", "UserPromptSubmit", "SessionEnd"} {
		if out := w.fire(w.event(name, "s1", map[string]any{"prompt": "hello", "last_assistant_message": "done"})); out != "" {
			t.Errorf("%s: %s", name, out)
		}
	}
	if _, err := os.Stat(w.home); !errors.Is(err, os.ErrNotExist) {
		t.Error("a home was made")
	}
}

func TestAFaultIsLoggedInOneLineAndAllows(t *testing.T) {
	w := newWorld(t)
	w.arm("s1", `{"rulph":{"status":"active","score":"high"}}`)
	if out := w.stop("s1"); out != "" {
		t.Errorf("got %s", out)
	}
	log, err := os.ReadFile(filepath.Join(w.home, "hook.log"))
	if err != nil || strings.Count(string(log), "\n") != 1 || !strings.Contains(string(log), "s1") {
		t.Errorf("log %q, %v", log, err)
	}
}

func FuzzRun(f *testing.F) {
	f.Add(`{"hook_event_name":"Stop","session_id":"s1","cwd":"/x"}`)
	f.Add(`{"hook_event_name":"SubagentStop","session_id":"s1","last_assistant_message":"rulph-bbbbbbbbbbbbbbbbbbbb {}"}`)
	f.Add(`{"hook_event_name":"UserPromptSubmit","session_id":"s1","prompt":"/rulph"}`)
	home := f.TempDir()
	f.Fuzz(func(t *testing.T, doc string) {
		out := Run(strings.NewReader(doc), Env{
			Getenv: func(k string) string { return map[string]string{"HOYEON_HOME": home}[k] }, Executable: "/x/hoyeon-hook", Now: func() time.Time { return noon },
			Report: func(_, _, _, _ string) error { return nil },
		})
		if blocked(string(out)) {
			t.Errorf("blocked without a loop: %s", out)
		}
	})
}

func breakHome(t *testing.T, w *world) {
	t.Helper()
	// The state stays readable, but nothing can be made beside it.
	dir := w.store().Dir("s1")
	if os.Geteuid() != 0 {
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "state.json" {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(path, "in the way"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}
