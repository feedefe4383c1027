//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/scripted"
)

// The outputs of a dry run: good has all that the rubric of release-notes asks a text for.
const (
	poor = "# Notes\n\nThings changed.\n"
	good = "# 1.2.0 (2026-01-02)\n\n## New\n\n- `export --json` keeps the column order (a1b2c3d)\n\n---\n\nOne change was left out: tests.\n"
)

const (
	oldLine = "list the entries marked `(to check)` as questions, and say how many changes were left out and why."
	newLine = "list the entries marked `(to check)` as questions, and say how many changes were LEFT OUT and why, in one line."
)

// person is somebody at a client, in one conversation.
type person struct {
	t       *testing.T
	say     func(words string) clients.Result
	call    string // the words that call the skill
	dir     string // the project
	model   *scripted.Server
	reports bool // the client's hooks report what sub-agents did
}

// tell says something and fails the test unless the answer holds part.
func (p *person) tell(words, part string) string {
	p.t.Helper()
	res := p.say(words)
	if res.Code != 0 || !strings.Contains(res.Text, part) {
		p.t.Fatalf("after %q: exit %d, the answer lacks %q:\n%s\n%s\n%s", words, res.Code, part, res.Text, res.Stderr, p.model.Transcript(30))
	}
	return res.Text
}

// project puts the starter plugin and its rubric, with this log, into dir.
func project(t *testing.T, dir, log string) {
	t.Helper()
	for _, part := range []string{"plugins/starter", "evals/starter/release-notes/rubric.md"} {
		from := filepath.Join("..", filepath.FromSlash(part))
		to := filepath.Join(dir, filepath.FromSlash(part))
		if info, err := os.Stat(from); err != nil {
			t.Fatal(err)
		} else if info.IsDir() {
			if err := os.CopyFS(to, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Dir(to), filepath.Base(to), mustRead(from))
	}
	put(t, filepath.Join(dir, "evals/starter/release-notes"), "runs.jsonl", log)
}

// afterwards is what a person has to allow in print mode, where each answer is a new prompt: what a skill
// allows holds for the turn in which it was called.
var afterwards = []string{"Bash(hoyeon-cli skill-score *)", "Bash(mkdir *)", "Write", "Agent"}

// onBoth runs a test with Claude Code and with Codex, the latter with and without trusted hooks where hookless is set.
func onBoth(t *testing.T, model func() *trialist, log string, hookless bool, test func(p *person)) {
	t.Helper()
	t.Run("Claude", func(t *testing.T) {
		t.Parallel()
		server := scripted.New(t, model().script)
		c := clients.Claude(t, clients.ClaudeOptions{Model: server.URL, Plugins: []string{plugin(t)}, AllowedTools: afterwards})
		project(t, c.Dir, log)
		session := ""
		test(&person{t: t, dir: c.Dir, model: server, call: "/skill-score release-notes", reports: true, say: func(words string) clients.Result {
			if session == "" {
				res := c.Prompt(t, words)
				session = res.Session
				return res
			}
			return c.Prompt(t, words, "--resume", session)
		}})
	})
	codex := func(name string, trust bool) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := scripted.New(t, model().script)
			c := clients.Codex(t, clients.CodexOptions{Model: server.URL, Plugin: plugin(t), TrustHooks: trust})
			project(t, c.Dir, log)
			session := ""
			test(&person{t: t, dir: c.Dir, model: server, call: "$rulph:skill-score release-notes", reports: trust, say: func(words string) clients.Result {
				if session == "" {
					res := c.Prompt(t, words)
					session = res.Session
					return res
				}
				return c.Prompt(t, words, "resume", session)
			}})
		})
	}
	codex("Codex", true)
	if hookless {
		codex("Codex without trusted hooks", false)
	}
}

// tried is a model whose variant is better than the original.
func tried() *trialist {
	return &trialist{
		output: func(skill string) string {
			if strings.Contains(skill, "LEFT OUT") {
				return good
			}
			return poor
		},
		change: func(int) (string, string) { return oldLine, newLine },
		points: func(output string) int {
			if output == good {
				return 2
			}
			return 1
		},
	}
}

func (p *person) log() (records []map[string]any) {
	p.t.Helper()
	for line := range bytes.Lines([]byte(mustRead(filepath.Join(p.dir, "evals/starter/release-notes/runs.jsonl")))) {
		var r map[string]any
		if err := json.Unmarshal(line, &r); err != nil {
			p.t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}

// untouched fails the test unless SKILL.md and the manifest are as they were.
func (p *person) untouched() {
	p.t.Helper()
	for _, name := range []string{"plugins/starter/skills/release-notes/SKILL.md", "plugins/starter/.claude-plugin/plugin.json"} {
		equal(p.t, name, mustRead(filepath.Join(p.dir, name)), mustRead(filepath.Join("..", name)))
	}
}

// applied fails the test unless the change is in SKILL.md and the version is one higher.
func (p *person) applied() {
	p.t.Helper()
	const file, manifest = "plugins/starter/skills/release-notes/SKILL.md", "plugins/starter/.claude-plugin/plugin.json"
	equal(p.t, file, mustRead(filepath.Join(p.dir, file)), strings.Replace(mustRead(filepath.Join("..", file)), oldLine, newLine, 1))
	before, after := version(p.t, filepath.Join("..", manifest)), version(p.t, filepath.Join(p.dir, manifest))
	if after[0] != before[0] || after[1] != before[1] || after[2] != before[2]+1 {
		p.t.Errorf("version %v became %v", before, after)
	}
}

func version(t *testing.T, manifest string) (v [3]int) {
	t.Helper()
	var m struct{ Version string }
	if err := json.Unmarshal([]byte(mustRead(manifest)), &m); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(m.Version, "%d.%d.%d", &v[0], &v[1], &v[2]); err != nil {
		t.Fatal(err)
	}
	return v
}

const history = `{"run":1,"date":"2026-01-02","segment":1,"input_summary":"old","scores":{"quality":8,"quality_max":12},"change":"OLDCHANGE","piste_efficience":"OLDIDEA","decision":"ignored","reason":"OLDREASON"}` + "\n"

// blind fails the test when a dry run or a scorer could know which text it has before it, or of other runs; and
// when the proposer does not know of them.
func (p *person) blind() {
	p.t.Helper()
	scorers, proposers := 0, 0
	for _, r := range p.model.Agents() {
		text := outputs(r)
		if text == "" {
			continue
		}
		all := text
		for _, m := range r.History {
			all += m.Text
		}
		switch {
		case strings.Contains(text, "You improve the text of a skill"):
			proposers++
			holds(p.t, "the proposer's prompt", text, "OLDCHANGE")
			holds(p.t, "the proposer's prompt", text, "OLDIDEA")
			continue
		case strings.Contains(text, "You are a strict evaluator"):
			scorers++
			for _, no := range []string{"riant", "Original", "original", oldLine, newLine} {
				if strings.Contains(text+r.LastUser(), no) {
					p.t.Errorf("a scorer reads %q", no)
				}
			}
		}
		for _, no := range []string{"OLDCHANGE", "OLDIDEA", "OLDREASON"} {
			if strings.Contains(all, no) {
				p.t.Errorf("somebody reads %q who must not know it", no)
			}
		}
	}
	if scorers < 2 || proposers < 1 {
		p.t.Errorf("%d scorers, %d proposers", scorers, proposers)
	}
}

func TestASkillIsTriedAndTheChangeApplied(t *testing.T) {
	t.Parallel()
	onBoth(t, tried, history, true, func(p *person) {
		p.tell(p.call, "Donne-moi un input réel pour [release-notes] — exactement ce que tu lui passerais.")
		table := p.tell("input: feat: export --json keeps the order (a1b2c3d)", "Tu appliques ?")
		holds(p.t, "the table", table, "Qualité")
		p.untouched()
		equal(p.t, "records before the decision", len(p.log()), 1)
		p.tell("apply", "Appliqué")
		p.applied()
		log := p.log()
		equal(p.t, "records", len(log), 2)
		r := log[1]
		equal(p.t, "decision", r["decision"], any("applied"))
		equal(p.t, "run", r["run"], any(2.0))
		scores := r["scores"].(map[string]any)
		equal(p.t, "quality", scores["quality"], any(12.0))
		equal(p.t, "quality_max", scores["quality_max"], any(12.0))
		equal(p.t, "change", r["change"], any("4. Hand over: say what was left out"))
		if p.reports {
			equal(p.t, "calls, counted by the client and not the 7 claimed", scores["mcp_calls"], any(0.0))
			equal(p.t, "estimated", scores["estimated"], nil)
			equal(p.t, "tokens", scores["tokens_injected"], any(4321.0))
		} else {
			equal(p.t, "calls, as claimed", scores["mcp_calls"], any(7.0))
			equal(p.t, "estimated", scores["estimated"], any(true))
		}
		p.blind()
	})
}

func TestAChangeIsRelaunchedAndThenIgnored(t *testing.T) {
	t.Parallel()
	onBoth(t, tried, history, false, func(p *person) {
		p.tell(p.call, "input réel")
		p.tell("input: feat: export --json keeps the order (a1b2c3d)", "Tu appliques ?")
		p.tell("relaunch", "Tu appliques ?")
		p.untouched()
		equal(p.t, "decision", p.log()[1]["decision"], any("relaunched"))
		p.tell("ignore: it says the same twice", "Tell the user what was decided")
		p.untouched()
		log := p.log()
		equal(p.t, "records", len(log), 3)
		equal(p.t, "decision", log[2]["decision"], any("ignored"))
		equal(p.t, "reason", log[2]["reason"], any("it says the same twice"))
		equal(p.t, "the same input", log[2]["input_hash"], log[1]["input_hash"])
		p.blind()
	})
}

// stagnant is a log of five runs without an applied change, the last two at this quality of 12.
func stagnant(quality int) string {
	var b strings.Builder
	for n := 1; n <= 5; n++ {
		fmt.Fprintf(&b, `{"run":%d,"date":"2026-01-02","segment":1,"input_summary":"old","scores":{"quality":%d,"quality_max":12},"change":"OLDCHANGE","piste_efficience":"OLDIDEA","decision":"ignored","reason":"OLDREASON"}`+"\n", n, quality)
	}
	return b.String()
}

func TestTheGateIsAnswered(t *testing.T) {
	t.Parallel()
	onBoth(t, tried, stagnant(12), false, func(p *person) {
		p.tell(p.call, "qualité à son maximum sur chaque run")
		p.tell("C", "this run is over")
		equal(p.t, "records after C", len(p.log()), 5)
		p.tell(p.call, "A) Continuer avec un nouvel input")
		p.tell("B", "segment 1, mode efficience")
		p.tell("input: feat: export --json keeps the order (a1b2c3d)", "Tu appliques ?")
		found := false
		for _, r := range p.model.Agents() {
			found = found || strings.Contains(outputs(r), "Aim: EFFICIENCY")
		}
		equal(p.t, "the proposer is asked for efficiency", found, true)
		p.tell("ignore: no gain", "Ignoré")
		equal(p.t, "segment after B", p.log()[5]["segment"], any(1.0))
		p.tell(p.call, "A) Continuer avec un nouvel input")
		p.tell("A", "segment 2, mode qualite")
		p.tell("input: fix: import reads CRLF (d4e5f6a)", "Tu appliques ?")
		p.tell("apply", "Appliqué")
		equal(p.t, "segment after A", p.log()[6]["segment"], any(2.0))
		p.applied()
	})
}

// Two runs at the top of the rubric, both made here, turn the next proposal to efficiency.
func TestTwoRunsAtTheTopSwitchToEfficiency(t *testing.T) {
	t.Parallel()
	perfect := func() *trialist {
		m := tried()
		m.output = func(string) string { return good }
		return m
	}
	onBoth(t, perfect, history, false, func(p *person) {
		for n := 1; n <= 2; n++ {
			holds(p.t, "the mode", p.tell(p.call, "input réel"), "mode qualite")
			p.tell(fmt.Sprintf("input: feat: number %d", n), "Tu appliques ?")
			p.tell("ignore: nothing is better", "Ignoré")
		}
		p.tell(p.call, "mode efficience")
		p.tell("input: feat: number 3", "Tu appliques ?")
		last := ""
		for _, r := range p.model.Agents() {
			if text := outputs(r); strings.Contains(text, "You improve the text of a skill") {
				last = text
			}
		}
		holds(p.t, "the proposer's prompt", last, "Aim: EFFICIENCY")
		p.tell("apply", "Appliqué")
		p.applied()
	})
}

// A proposal that cannot be made is sent back once; nothing is written.
func TestAProposalThatCannotBeMadeIsCorrected(t *testing.T) {
	t.Parallel()
	wrong := func() *trialist {
		m := tried()
		m.change = func(n int) (string, string) {
			if n == 0 {
				return "a line that is not there", "x"
			}
			return oldLine, newLine
		}
		return m
	}
	onBoth(t, wrong, history, false, func(p *person) {
		p.tell(p.call, "input réel")
		p.tell("input: feat: export --json keeps the order (a1b2c3d)", "Tu appliques ?")
		corrected := false
		for _, r := range p.model.Agents() {
			corrected = corrected || strings.Contains(outputs(r), "old does not occur in SKILL.md")
		}
		equal(p.t, "the second proposer knows what was wrong", corrected, true)
		p.untouched()
		p.tell("apply", "Appliqué")
		p.applied()
	})
}

// A skill without a rubric gets one first. An input that is longer than what a client shows of a command reaches
// whoever works on it to its last line.
func TestASkillWithoutARubricGetsOneAndALongInputIsReadWhole(t *testing.T) {
	t.Parallel()
	onBoth(t, tried, "", false, func(p *person) {
		if err := os.RemoveAll(filepath.Join(p.dir, "evals")); err != nil {
			t.Fatal(err)
		}
		p.tell(p.call, "input réel")
		p.tell("input: "+strings.Repeat("feat: one more of many lines (a1b2c3d)\n", 1000)+"THELASTLINE", "Tu appliques ?")
		for _, task := range []string{"Run a skill dry", "You improve the text of a skill", "You are a strict evaluator"} {
			found := false
			for _, r := range p.model.Agents() {
				text := outputs(r)
				found = found || strings.HasPrefix(text, task) && strings.Contains(text, "THELASTLINE") && strings.Contains(text, "\"ticket\"")
			}
			equal(p.t, task+": read to the end", found, true)
		}
		p.tell("apply", "Appliqué")
		p.applied()
		log := p.log()
		equal(p.t, "records", len(log), 1)
		equal(p.t, "quality_max", log[0]["scores"].(map[string]any)["quality_max"], any(4.0))
	})
}

// The scripts that the skill names call the command line wherever the plugin lies, without a PATH of its own.
func TestTheSkillsScriptsCallTheCommandLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	scripts := filepath.Join(plugin(t), "skills", "skill-score", "scripts")
	call := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command("/bin/sh", append([]string{filepath.Join(scripts, name)}, args...)...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	call("init-eval.sh", "evals/x/")
	call("append-run.sh", "evals/x/runs.jsonl", `{"input_summary":"it's one","scores":{"quality":3,"quality_max":12},"change":"c","decision":"ignored","reason":"r"}`)
	var context struct {
		Segment int `json:"segment"`
		Ignored []struct {
			Change string `json:"change"`
		} `json:"ignored_changes"`
	}
	if err := json.Unmarshal([]byte(call("get-context.sh", "evals/x/runs.jsonl")), &context); err != nil || context.Segment != 1 || len(context.Ignored) != 1 || context.Ignored[0].Change != "c" {
		t.Errorf("%+v %v", context, err)
	}
	if err := exec.Command("/bin/sh", filepath.Join(scripts, "append-run.sh"), "only-one").Run(); err == nil {
		t.Error("a missing argument is let through")
	}
}
