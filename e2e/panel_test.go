//go:build unix

package e2e

import (
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/scripted"
)

// panelBench is a person's own shell, with hoyeon-cli and the real clients.
type panelBench struct {
	*clients.Trio
	model *scripted.Server
	cli   string
	file  string
}

func newPanel(t testing.TB, script scripted.Script, opts clients.TrioOptions) panelBench {
	t.Helper()
	b := panelBench{model: scripted.New(t, script)}
	opts.Model = b.model.URL
	b.Trio = clients.NewTrio(t, opts)
	b.cli = filepath.Join(plugin(t), "bin", ".build", runtime.GOOS+"-"+runtime.GOARCH, "hoyeon-cli")
	b.file = put(t, b.Dir, "NOTES.md", "# Notes\n")
	put(t, b.Dir, "rubric.yaml", threeWords)
	return b
}

// hoyeon runs hoyeon-cli, which has to exit with that code and leave no process of a client.
func (b panelBench) hoyeon(t testing.TB, code int, args ...string) clients.Result {
	t.Helper()
	res := b.Run(t, append([]string{b.cli}, args...)...)
	if res.Code != code {
		t.Fatalf("hoyeon-cli %s: exit %d, want %d\n%s%s", strings.Join(args, " "), res.Code, code, res.Stdout, res.Stderr)
	}
	if left := b.Left(t); len(left) > 0 {
		t.Errorf("hoyeon-cli %s left processes:\n%s", args[0], strings.Join(left, "\n"))
	}
	return res
}

// evaluate scores the file once.
func (b panelBench) evaluate(t testing.TB, code int, args ...string) (result gjson.Result, text string) {
	t.Helper()
	args = append([]string{"evaluate", "NOTES.md", "--rubric", "rubric.yaml", "--json", "--output", "text=result.txt"}, args...)
	res := b.hoyeon(t, code, args...)
	return gjson.Parse(res.Stdout), mustRead(filepath.Join(b.Dir, "result.txt"))
}

// tasks are those of a client that was called for an answer, in their order, without what the client adds.
func (b panelBench) tasks(client scripted.Client) (tasks []string) {
	for _, r := range b.model.Main() {
		if task := asked(r); task != "" && r.Client == client {
			tasks = append(tasks, strings.TrimSuffix(task, "\n\n\nDo what the text above asks for."))
		}
	}
	return tasks
}

func judgeIn(result gjson.Result, name string) gjson.Result {
	return result.Get(fmt.Sprintf(`judges.#(name==%q)`, name))
}

// near compares scores and prices, which are sums of fractions.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// allWords meets threeWords in full.
const allWords = "# Notes\n\nalpha beta gamma delta epsilon zeta\n"

// each tells what the clients use for one answer, in tokens.
var each = map[scripted.Client]scripted.Usage{
	scripted.Claude: {Input: 3000, Output: 70},
	scripted.Codex:  {Input: 1000, Output: 50},
	scripted.Gemini: {Input: 2000, Output: 60},
}

// metered is a script with the usage of each client.
func metered(script scripted.Script) scripted.Script {
	return func(turn scripted.Turn) scripted.Reply {
		r := script(turn)
		r.Usage = each[turn.Client]
		return r
	}
}

// misses is a judge that finds every word but these in the artifact.
func misses(words map[string]string) func(judge, item, artifact string) string {
	return func(judge, item, artifact string) string {
		word := lastWord(item)
		if strings.Contains(words[judge], word) || !strings.Contains(artifact, word) {
			return `"no"`
		}
		return fmt.Sprintf(`{"verdict":"yes","evidence":%q}`, word)
	}
}

func TestThreeClientsJudgeSideBySide(t *testing.T) {
	t.Parallel()
	m := &obedient{judge: misses(map[string]string{"codex": "epsilon zeta", "gemini": "alpha beta gamma"})}
	all := scripted.Meet(3)
	b := newPanel(t, metered(func(turn scripted.Turn) scripted.Reply {
		if !all.Wait() {
			t.Errorf("%s waited in vain: the judges are not asked side by side", turn.Client)
		}
		return m.script(turn)
	}), clients.TrioOptions{})
	put(t, b.Dir, "NOTES.md", allWords)
	got, text := b.evaluate(t, 3, "--judge", "codex:price=1.25/10", "--judge", "gemini", "--judge", "claude")

	// Of weights 40, 30 and 30: claude finds all, codex nothing of the third, gemini a half of the second and of the third all.
	near(t, "claude", judgeIn(got, "claude").Get("overall").Num, 100)
	near(t, "codex", judgeIn(got, "codex").Get("overall").Num, 70)
	near(t, "gemini", judgeIn(got, "gemini").Get("overall").Num, 45)
	near(t, "overall", got.Get("overall").Num, (100.+70+45)/3)
	near(t, "first", got.Get("criteria.0.score").Num, 200./3)
	equal(t, "passed", got.Get("passed").Bool(), false)
	equal(t, "low confidence", got.Get("low_confidence").Bool(), false)
	gaps := map[string]float64{}
	for _, d := range got.Get("disagreements").Array() {
		gaps[d.Get("criterion").Str+": "+d.Get("low").Str] = d.Get("gap").Num
	}
	equal(t, "disagreements", fmt.Sprint(gaps), "map[first: gemini:100 second: gemini:50 third: codex:100]")
	holds(t, "the text", text, "disagreement: third: codex and claude are 100.0 apart\n")

	for name, tokens := range map[string]int64{"claude": 3070, "codex": 1050, "gemini": 2060 + 110} { // gemini asks first which model shall answer
		j := judgeIn(got, name)
		equal(t, name, j.Get("state").Str, "AVAILABLE")
		equal(t, "calls of "+name, j.Get("calls").Int(), 1)
		equal(t, "tokens of "+name, j.Get("tokens").Int(), tokens)
		if s := j.Get("seconds").Num; s <= 0 || s > got.Get("seconds").Num {
			t.Errorf("%s took %v s of %v", name, s, got.Get("seconds").Num)
		}
		equal(t, "starts of "+name, b.Starts(name), 1)
	}
	usd := judgeIn(got, "claude").Get("usd").Num // as the client reckons
	if usd <= 0 {
		t.Error("claude has no price")
	}
	near(t, "price of codex", judgeIn(got, "codex").Get("usd").Num, (1000*1.25+50*10)/1e6)
	near(t, "price", got.Get("usd").Num, usd+(1000*1.25+50*10)/1e6)
	equal(t, "unpriced tokens of gemini", judgeIn(got, "gemini").Get("unpriced").Int(), 2170)
	equal(t, "tokens", got.Get("tokens").Int(), 3070+1050+2170)
	equal(t, "model of gemini", judgeIn(got, "gemini").Get("model").Str, "gemini-3.8-flash")
	holds(t, "model of claude", judgeIn(got, "claude").Get("model").Str, "claude-")
}

func TestTwoOfThreeClientsThatKeepToProseLeaveLowConfidence(t *testing.T) {
	t.Parallel()
	const prose = "I think that the notes are rather good."
	m := &obedient{judge: misses(map[string]string{"codex": "zeta"})}
	m.answers = func(judge string, _ int, good string) string {
		if judge == "codex" {
			return good
		}
		return prose
	}
	b := newPanel(t, m.script, clients.TrioOptions{})
	put(t, b.Dir, "NOTES.md", allWords)
	got, text := b.evaluate(t, 3, "--judge", "codex", "--judge", "gemini", "--judge", "claude")

	near(t, "overall", got.Get("overall").Num, 85)
	equal(t, "low confidence", got.Get("low_confidence").Bool(), true)
	holds(t, "the text", text, "LOW CONFIDENCE: one judge alone has scored it\n")
	for _, client := range []scripted.Client{scripted.Claude, scripted.Gemini} {
		j := judgeIn(got, string(client))
		equal(t, string(client), j.Get("state").Str, "DEGRADED")
		equal(t, "calls", j.Get("calls").Int(), 2)
		const wrong = "no JSON object found"
		holds(t, "the reason", j.Get("reason").Str, wrong)
		tasks := b.tasks(client)
		if len(tasks) != 2 {
			t.Fatalf("%s was asked %d times, want twice", client, len(tasks))
		}
		rest, whole := strings.CutPrefix(tasks[1], strings.TrimSpace(tasks[0]))
		if !whole || !strings.Contains(rest, "\n"+prose+"\n") || !strings.Contains(rest, wrong) {
			t.Errorf("the second task of %s does not hold the first, the answer to it and what was wrong (%s):\n%s", client, j.Get("reason"), tasks[1])
		}
	}
	equal(t, "codex", judgeIn(got, "codex").Get("state").Str, "AVAILABLE")
	equal(t, "requests of codex", len(b.tasks(scripted.Codex)), 1)
}

func TestAClientThatIsNotInstalledDoesNotHideTheOthers(t *testing.T) {
	t.Parallel()
	m := &obedient{judge: misses(map[string]string{"claude": "alpha"})}
	b := newPanel(t, m.script, clients.TrioOptions{Without: []string{"gemini"}})
	put(t, b.Dir, "NOTES.md", allWords)
	got, text := b.evaluate(t, 0, "--judge", "gemini", "--judge", "codex", "--judge", "claude", "--threshold", "85")
	const reason = "gemini is not installed; npm install -g @google/gemini-cli, then log in once by starting gemini"
	equal(t, "state", judgeIn(got, "gemini").Get("state").Str, "SKIPPED")
	equal(t, "reason", judgeIn(got, "gemini").Get("reason").Str, reason)
	holds(t, "the text", text, "gemini SKIPPED ("+reason+")\n")
	near(t, "claude", judgeIn(got, "claude").Get("overall").Num, 80)
	near(t, "codex", judgeIn(got, "codex").Get("overall").Num, 100)
	near(t, "overall", got.Get("overall").Num, 90)
	equal(t, "low confidence", got.Get("low_confidence").Bool(), false)

	res := b.hoyeon(t, 4, "evaluate", "NOTES.md", "--rubric", "rubric.yaml", "--judge", "gemini")
	holds(t, "the error", res.Stderr, "no judge can be asked (gemini: gemini is not installed)")
}

func TestWhereEveryClientFailsNothingIsScored(t *testing.T) {
	t.Parallel()
	b := newPanel(t, func(turn scripted.Turn) scripted.Reply {
		if turn.Client == scripted.Codex {
			return scripted.Say("The notes are fine.")
		}
		return scripted.Fail(400)
	}, clients.TrioOptions{})
	got, _ := b.evaluate(t, 4) // every client that is installed
	equal(t, "void", got.Get("void").Bool(), true)
	equal(t, "judges", got.Get("judges.#").Int(), 3)
	for name, calls := range map[string]int64{"claude": 1, "gemini": 1, "codex": 2} { // a failure of the server is not asked again
		j := judgeIn(got, name)
		equal(t, name, j.Get("state").Str, "DEGRADED")
		equal(t, "calls of "+name, j.Get("calls").Int(), calls)
		if name != "codex" {
			holds(t, "the reason of "+name, j.Get("reason").Str, "scripted failure")
		}
	}
}

// The model of one client never answers. That client has started itself again as a child by then.
func TestAClientThatHangsIsEndedWithItsChildren(t *testing.T) {
	t.Parallel()
	m := &obedient{}
	var b panelBench
	running := make(chan []string, 1)
	b = newPanel(t, func(turn scripted.Turn) scripted.Reply {
		if turn.Client == scripted.Gemini {
			running <- b.Left(t)
			return scripted.Reply{Text: "too late", Delay: time.Hour}
		}
		return m.script(turn)
	}, clients.TrioOptions{Env: []string{"GEMINI_CLI_NO_RELAUNCH="}})
	put(t, b.Dir, "NOTES.md", allWords)
	got, _ := b.evaluate(t, 0, "--judge", "gemini", "--judge", "codex", "--judge", "claude", "--timeout", "40s")
	j := judgeIn(got, "gemini")
	equal(t, "gemini", j.Get("state").Str, "DEGRADED")
	equal(t, "calls", j.Get("calls").Int(), 1)
	holds(t, "the reason", j.Get("reason").Str, "did not end within its time limit (stopped after 40")
	if hung := strings.Count(strings.Join(<-running, "\n"), "gemini.js"); hung != 2 {
		t.Errorf("%d processes of gemini hung, want it and its child", hung)
	}
	for _, name := range []string{"codex", "claude"} {
		equal(t, name, judgeIn(got, name).Get("state").Str, "AVAILABLE")
	}
	near(t, "overall", got.Get("overall").Num, 100)
}

// What a panel takes beside its slowest judge, as the evaluation tells both. The clients' own time is in both
// figures, so that the difference is what we add.
func BenchmarkPanelOfRealClients(b *testing.B) {
	m := &obedient{}
	p := newPanel(b, m.script, clients.TrioOptions{})
	put(b, p.Dir, "NOTES.md", allWords)
	var over, share float64
	for b.Loop() {
		got, _ := p.evaluate(b, 0, "--judge", "gemini", "--judge", "codex", "--judge", "claude")
		slowest := 0.0
		for _, j := range got.Get("judges").Array() {
			slowest = max(slowest, j.Get("seconds").Num)
		}
		extra := got.Get("seconds").Num - slowest
		over += extra
		share += extra / slowest
	}
	b.ReportMetric(1000*over/float64(b.N), "ms-over-slowest/op")
	b.ReportMetric(100*share/float64(b.N), "%-over-slowest/op")
}
