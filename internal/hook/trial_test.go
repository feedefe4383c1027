package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulph/internal/prompt"
	"rulph/internal/trial"
)

// trying has a trial in s1 whose dry run of the original holds a ticket.
func (w *world) trying() (ticket, word string) {
	w.t.Helper()
	ticket, word = prompt.TicketPrefix+strings.Repeat("d", 20), "BLOCK-1"
	s := trial.State{Schema: trial.Schema, Phase: trial.Original, StartedAt: noon, Skill: trial.Subject{Name: "notes"}}
	s, _, err := trial.Sit(s, trial.PartOriginal, ticket, func(string) string { return word })
	if err != nil {
		w.t.Fatal(err)
	}
	doc, err := s.Write(nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.arm("s1", string(doc))
	return ticket, word
}

func dryRun(ticket, word string) string {
	return fmt.Sprintf("[%s BEGIN OUTPUT]\n# Notes\n[%s END OUTPUT]\n{\"ticket\":%q,\"tool_calls\":9,\"withheld_calls\":0,\"questions\":0,\"steps_completed\":\"2/2\",\"input_summary\":\"x\"}", word, word, ticket)
}

// trial is the trial of s1 as it is on disk.
func (w *world) trial() (trial.State, string) {
	w.t.Helper()
	found, _ := filepath.Glob(filepath.Join(w.home, "s1", "state.json"))
	if len(found) != 1 {
		w.t.Fatalf("states: %q", found)
	}
	doc, err := os.ReadFile(found[0])
	if err != nil {
		w.t.Fatal(err)
	}
	s, err := trial.Parse(doc)
	if err != nil {
		w.t.Fatal(err)
	}
	return s, filepath.Dir(found[0])
}

func TestADryRunIsTakenInWithWhatTheClientCounted(t *testing.T) {
	claude := func(text string) string {
		return `{"type":"user","message":{"content":"hi"}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"hoyeon-cli skill-score prompt --part original"}}],"usage":{"input_tokens":10}}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"Read","input":{"file_path":"x"}}],"usage":{"input_tokens":10,"cache_read_input_tokens":90}}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t2","name":"Read","input":{"file_path":"x"}}],"usage":{"input_tokens":10,"cache_read_input_tokens":90}}}
{"type":"assistant","message":{"content":[{"type":"text","text":"` + text + `"}],"usage":{"input_tokens":20,"cache_creation_input_tokens":300}}}
`
	}
	codex := func(text string) string {
		return `{"type":"session_meta","payload":{}}
{"type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"c1","arguments":"{\"cmd\":\"/x/hoyeon-cli skill-score prompt --part original\"}"}}
{"type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"c2","arguments":"{\"cmd\":\"ls\"}"}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + text + `"}]}}
{"type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":320}}}}
`
	}
	for name, c := range map[string]struct {
		record        func(string) string
		calls, tokens int
		estimated     bool
	}{
		"Claude Code":          {claude, 1, 320, false},
		"Codex":                {codex, 1, 320, false},
		"no record":            {nil, 9, 0, true},
		"an unknown record":    {func(string) string { return "{\"kind\":1}\nnot JSON\n" }, 9, 0, true},
		"an unfinished record": {func(string) string { return claude("") }, 1, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			ticket, word := w.trying()
			path := filepath.Join(t.TempDir(), "agent.jsonl")
			if c.record != nil {
				if err := os.WriteFile(path, []byte(c.record(ticket)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if out := w.subagent("s1", dryRun(ticket, word), map[string]any{"agent_transcript_path": path}); out != "" {
				t.Errorf("got %s", out)
			}
			s, folder := w.trial()
			if s.Phase != trial.Change || s.Original.Calls != c.calls || s.Original.Tokens != c.tokens || s.Original.Estimated != c.estimated {
				t.Errorf("%s: %+v", s.Phase, s.Original)
			}
			if got, err := os.ReadFile(filepath.Join(folder, s.Original.File)); err != nil || string(got) != "# Notes\n" {
				t.Errorf("output %q %v", got, err)
			}
		})
	}
}

func TestADryRunThatCannotBeUsedIsSentBackOnce(t *testing.T) {
	w := newWorld(t)
	ticket, word := w.trying()
	out := w.subagent("s1", ticket+": done.", nil)
	if !blocked(out) || !strings.Contains(out, word+" BEGIN OUTPUT") || !strings.Contains(out, ticket) {
		t.Fatalf("first: %s", out)
	}
	if out = w.subagent("s1", ticket+": done.", map[string]any{"stop_hook_active": true}); out != "" {
		t.Errorf("second: %s", out)
	}
	if s, _ := w.trial(); s.Phase != trial.Original || s.Seats[trial.PartOriginal] != nil {
		t.Errorf("%+v", s)
	}
}

func TestOthersSubagentsAreNoneOfATrial(t *testing.T) {
	w := newWorld(t)
	_, word := w.trying()
	before, _ := w.trial()
	for _, message := range []string{"hello", dryRun(prompt.TicketPrefix+strings.Repeat("e", 20), word)} {
		if out := w.subagent("s1", message, nil); out != "" {
			t.Errorf("got %s", out)
		}
	}
	if after, _ := w.trial(); after.Phase != before.Phase || after.Seats[trial.PartOriginal].Answered {
		t.Errorf("%+v", after)
	}
}

func TestASessionWithATrialIsToldHowToGoOn(t *testing.T) {
	w := newWorld(t)
	w.trying()
	if out := w.fire(w.event("UserPromptSubmit", "s1", map[string]any{"prompt": "hello"})); !strings.Contains(out, "a trial of the skill notes is open (original)") || !strings.Contains(out, "skill-score next") {
		t.Errorf("got %s", out)
	}
	if out := w.fire(w.event("Stop", "s1", nil)); out != "" {
		t.Errorf("a trial has people in it, and blocks no stop: %s", out)
	}
}

func FuzzARecordOfASubagentIsCountedOrNot(f *testing.F) {
	f.Add(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}],"usage":{"input_tokens":-1}}}`)
	f.Add(`{"type":"response_item","payload":{"type":"function_call","call_id":1}}` + "\n{")
	f.Fuzz(func(t *testing.T, record string) {
		path := filepath.Join(t.TempDir(), "r")
		if err := os.WriteFile(path, []byte(record), 0o600); err != nil {
			t.Fatal(err)
		}
		u, err := count(path, "ticket")
		if err != nil || u.Calls < 0 || u.Tokens < 0 || u.Questions < 0 {
			t.Errorf("%+v %v", u, err)
		}
	})
}
