//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/scripted"
	"rulph/internal/evaluator"
)

const fine = `{"verdict": "fine"}`

var threeClients = []string{"claude", "codex", "gemini"}

func found(t *testing.T, env []string, spec string) evaluator.Program {
	t.Helper()
	s, err := evaluator.ParseJudge(spec)
	if err != nil {
		t.Fatal(err)
	}
	p, err := evaluator.Find(s, env, "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func asks(t *testing.T, env []string, spec string, req evaluator.Request) evaluator.Reply {
	t.Helper()
	reply, err := found(t, env, spec).Judge(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s: %+v\nstandard error:\n%s", spec, reply, reply.Stderr)
		}
	})
	return reply
}

// nothingLeft holds after every call: no process of the clients, and none of our folders.
func nothingLeft(t *testing.T, trio *clients.Trio) {
	t.Helper()
	if left := trio.Left(t); len(left) > 0 {
		t.Errorf("processes are left: %q", left)
	}
	if left, _ := filepath.Glob(filepath.Join(trio.Home, ".cache", "hoyeon", "calls", "*")); len(left) > 0 {
		t.Errorf("folders are left: %q", left)
	}
}

func TestEachClientJudgesWithoutToolsAndTellsWhatItTook(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string]evaluator.Usage{
		"claude:model=claude-opus-4-8": {Calls: 1, Input: 1000, Output: 50, USD: 0.00625, Model: "claude-opus-4-8"},
		"codex":                        {Calls: 1, Input: 1000, Output: 50, Unpriced: 1050},
		"codex:price=2/10":             {Calls: 1, Input: 1000, Output: 50, USD: 0.0025},
		// Its router asked a small model first, for 100 and 10 tokens.
		"gemini":                              {Calls: 1, Input: 1100, Output: 60, Unpriced: 1160, Model: "gemini-3.8-flash"},
		"gemini:model=gemini-3.1-pro-preview": {Calls: 1, Input: 1000, Output: 50, Unpriced: 1050, Model: "gemini-3.1-pro-preview"},
	} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			model := scripted.New(t, func(scripted.Turn) scripted.Reply {
				return scripted.Reply{Text: fine, Usage: scripted.Usage{Input: 1000, Output: 50}}
			})
			trio := clients.NewTrio(t, clients.TrioOptions{Model: model.URL})
			reply := asks(t, trio.Env(), spec, evaluator.Request{Prompt: "the whole task"})
			if reply.Text != fine || reply.Fault != "" || reply.Usage != want {
				t.Errorf("text %q, fault %q, usage %+v; want %+v", reply.Text, reply.Fault, reply.Usage, want)
			}
			main := model.Main()
			if len(main) != 1 {
				t.Fatalf("%d requests, want 1", len(main))
			}
			if prompt := main[0].LastUser(); !strings.HasPrefix(prompt, "the whole task") {
				t.Errorf("the prompt is %q", prompt)
			}
			// Codex keeps the question to the person, which nobody answers here.
			tools := slices.DeleteFunc(slices.Clone(main[0].Tools), func(name string) bool { return name == "" || name == "request_user_input" })
			if len(tools) > 0 {
				t.Errorf("it has the tools %q", tools)
			}
			nothingLeft(t, trio)
		})
	}
}

// Codex's own models get an interpreter that no option takes away. It has no shell in it.
func TestCodexsOwnModelsJudgeWithoutAShell(t *testing.T) {
	t.Parallel()
	model := scripted.New(t, nil)
	trio := clients.NewTrio(t, clients.TrioOptions{Model: model.URL, Codex: clients.CodexOptions{Name: "gpt-6.2-sol"}})
	mark := filepath.Join(trio.Home, "mark")
	model.Play(scripted.Steps(scripted.Do(scripted.Shell("touch '"+mark+"'; cat /etc/passwd")), scripted.Say(fine)))
	reply := asks(t, trio.Env(), "codex", evaluator.Request{Prompt: "judge"})
	if reply.Fault != "" || reply.Text != fine {
		t.Errorf("fault %q, text %q", reply.Fault, reply.Text)
	}
	if out := model.Main()[1].Output(); strings.Contains(out, "root:") || !strings.Contains(out, "exec_command is not a function") {
		t.Errorf("the shell says %q", out)
	}
	for _, tool := range model.Main()[0].Tools {
		if strings.Contains(tool, "agent") {
			t.Errorf("it has the tool %s", tool)
		}
	}
}

// Codex takes the variables of its .env over those of its environment, and so it has to be in the home of
// ours, where that file is not.
func TestCodexFindsItsKeyInItsDotenv(t *testing.T) {
	t.Parallel()
	model := scripted.New(t, func(scripted.Turn) scripted.Reply { return scripted.Say(fine) })
	trio := clients.NewTrio(t, clients.TrioOptions{Model: model.URL})
	if err := os.WriteFile(filepath.Join(trio.Codex.Config, ".env"), []byte("export SCRIPTED_KEY='of the file' # mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	trio.Codex.Prompt(t, "as a person asks")
	bare := slices.DeleteFunc(slices.Clone(trio.Env()), func(kv string) bool { return strings.HasPrefix(kv, "SCRIPTED_KEY=") })
	for _, env := range [][]string{trio.Env(), bare} {
		if reply := asks(t, env, "codex", evaluator.Request{Prompt: "judge"}); reply.Fault != "" {
			t.Error(reply.Fault)
		}
	}
	main := model.Main()
	if len(main) != 3 {
		t.Fatalf("%d requests, want 3", len(main))
	}
	for i, turn := range main {
		if got := turn.Header.Get("Authorization"); got != "Bearer of the file" {
			t.Errorf("request %d has the key %q", i+1, got)
		}
	}
}

func TestEffortReachesTheModel(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string]string{
		"claude:effort=low":                    `"effort":"low"`,
		"codex:model=gpt-6.2-sol,effort=xhigh": `"effort":"xhigh"`,
		"gemini:effort=low":                    `"thinkingLevel":"LOW"`,
	} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			model := scripted.New(t, scripted.Steps(scripted.Say(fine)))
			trio := clients.NewTrio(t, clients.TrioOptions{Model: model.URL})
			if reply := asks(t, trio.Env(), spec, evaluator.Request{Prompt: "judge"}); reply.Fault != "" {
				t.Fatal(reply.Fault)
			}
			holds(t, "the request", string(model.Main()[0].Body), want)
		})
	}
}

// Claude Code and Gemini CLI start in seconds: one after the other they would not meet.
func TestThreeJudgesAreInFlightTogetherAndEachMendsItsAnswer(t *testing.T) {
	t.Parallel()
	first, second := scripted.Meet(3), scripted.Meet(3)
	model := scripted.New(t, func(turn scripted.Turn) scripted.Reply {
		if !strings.Contains(turn.LastUser(), "was refused") {
			if !first.Wait() {
				t.Errorf("%s was alone", turn.Client)
			}
			return scripted.Say("It looks fine to me.")
		}
		if !second.Wait() {
			t.Errorf("%s was alone at the retry", turn.Client)
		}
		return scripted.Say(fine)
	})
	trio := clients.NewTrio(t, clients.TrioOptions{Model: model.URL, Env: []string{"CLAUDECODE=1"}})
	task := "Judge this.\n" + strings.Repeat("A line of the artifact.\n", 3000) + "The last line."
	var all sync.WaitGroup
	for _, client := range threeClients {
		all.Go(func() {
			reply, err := found(t, trio.Env(), client).Judge(t.Context(), evaluator.Request{Prompt: task, Accept: func(text string) error {
				if text != fine {
					return os.ErrInvalid
				}
				return nil
			}})
			if err != nil || reply.Fault != "" || reply.Attempts != 2 || reply.Usage.Calls != 2 {
				t.Errorf("%s: error %v, fault %q, %d calls\n%s", client, err, reply.Fault, reply.Attempts, reply.Stderr)
			}
		})
	}
	all.Wait()
	seen := map[scripted.Client]int{}
	for _, turn := range model.Main() {
		if !strings.Contains(turn.LastUser(), "was refused") {
			continue
		}
		seen[turn.Client]++
		if prompt := turn.LastUser(); !strings.HasPrefix(prompt, task) || !strings.Contains(prompt, "\nIt looks fine to me.\n") || !strings.Contains(prompt, "was refused: invalid argument.") {
			t.Errorf("%s: the retry of %d bytes does not hold the whole task, the answer and the reason", turn.Client, len(prompt))
		}
	}
	if len(seen) != 3 {
		t.Errorf("retries: %v", seen)
	}
	nothingLeft(t, trio)
}

func TestFailureOfTheServerIsToldAndNotAskedAgain(t *testing.T) {
	t.Parallel()
	fail := func(scripted.Turn) scripted.Reply { return scripted.Fail(400) }
	model := scripted.New(t, fail)
	model.OnSide(fail)
	trio := clients.NewTrio(t, clients.TrioOptions{Model: model.URL})
	for client, want := range map[string]string{
		"claude": "failed: API Error: 400 scripted failure",
		"codex":  "failed: scripted failure",
		"gemini": "failed: scripted failure",
	} {
		if reply := asks(t, trio.Env(), client, evaluator.Request{Prompt: "judge"}); reply.Fault != want || reply.Attempts != 1 {
			t.Errorf("%s: fault %q after %d calls, want %q", client, reply.Fault, reply.Attempts, want)
		}
	}
}

func TestClaudeIsHeldToItsBudgetAndItsCostIsCountedAllTheSame(t *testing.T) {
	t.Parallel()
	model := scripted.New(t, func(scripted.Turn) scripted.Reply {
		return scripted.Reply{Text: fine, Usage: scripted.Usage{Input: 100000, Output: 5000}}
	})
	trio := clients.NewTrio(t, clients.TrioOptions{Model: model.URL})
	reply := asks(t, trio.Env(), "claude:model=claude-opus-4-8", evaluator.Request{Prompt: "judge", MaxUSD: 0.01})
	want := evaluator.Usage{Calls: 1, Input: 100000, Output: 5000, USD: 0.625, Model: "claude-opus-4-8"}
	if reply.Fault != "failed: error_max_budget_usd: Reached maximum budget ($0.01)" || reply.Usage != want {
		t.Errorf("fault %q, usage %+v, want %+v", reply.Fault, reply.Usage, want)
	}
}
