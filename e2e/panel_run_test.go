//go:build unix

package e2e

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/scripted"
	"rulph/internal/rubric/rubricfile"
)

// heldBack keeps one of the three items of each criterion from the improver, so that 66.7 is the most that
// an improver reaches who adds what it is told.
const heldBack = `version: 1
title: Words
threshold: 60
floor: 50
holdout: 0.3
criteria:
  - {id: first, name: First, weight: 50, items: [Mentions alpha, Mentions beta, Mentions gamma]}
  - {id: second, name: Second, weight: 50, items: [Mentions delta, Mentions epsilon, Mentions zeta]}
`

// heldItems are the texts that an improver must not see.
func heldItems(t *testing.T) (texts []string) {
	t.Helper()
	r, err := rubricfile.Parse("rubric.yaml", []byte(heldBack))
	if err != nil {
		t.Fatal(err)
	}
	held := r.Held()
	for _, c := range r.Criteria {
		for _, it := range c.Items {
			if held[c.ID][it.ID] {
				texts = append(texts, it.Text)
			}
		}
	}
	if len(texts) != 2 {
		t.Fatalf("%q are held out, want one item of each criterion", texts)
	}
	return texts
}

// tree is what lies in a folder.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %x\n", path, sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// newRun is a bench on which codex, who improves, also touches what is none of its business.
func newRun(t *testing.T) panelBench {
	t.Helper()
	m := &obedient{}
	b := newPanel(t, metered(m.script), clients.TrioOptions{})
	outside := filepath.Join(t.TempDir(), "outside")
	t.Cleanup(func() {
		if _, err := os.Lstat(outside); err == nil {
			t.Error("codex wrote outside of its copy")
		}
	})
	m.beside = fmt.Sprintf("; ls -a . ..; echo more >> LICENSE; touch scratch.txt; rm OLD.md; touch '%s' '%s'", outside, filepath.Join(b.Dir, "outside"))
	put(t, b.Dir, "rubric.yaml", heldBack)
	put(t, b.Dir, "LICENSE", "Do what you like.\n")
	put(t, b.Dir, "OLD.md", "An old page.\n")
	put(t, b.Dir, "REVIEW.md", "The reviewers ask for these: "+strings.Join(heldItems(t), ", ")+".\n")
	return b
}

// run improves the file and gives the result, the report, and what was printed.
func (b panelBench) run(t *testing.T, code int, args ...string) (result, report gjson.Result, res clients.Result) {
	t.Helper()
	before := tree(t, b.Dir)
	args = append([]string{"rulph", "run", "NOTES.md", "--rubric", "rubric.yaml", "--sid", "r1", "--judge", "gemini", "--judge", "claude", "--json"}, args...)
	res = b.hoyeon(t, code, args...)
	if after := tree(t, b.Dir); after != before {
		t.Errorf("the run changed the folder that it made a copy of:\n%s\n%s", before, after)
	}
	result = gjson.Parse(res.Stdout)
	for _, name := range []string{"report.md", "report.html"} {
		if _, err := os.Stat(filepath.Join(result.Get("report").Str, name)); err != nil {
			t.Error(err)
		}
	}
	return result, gjson.Parse(mustRead(filepath.Join(result.Get("report").Str, "report.json"))), res
}

func overalls(result gjson.Result) string {
	var all []string
	for _, r := range result.Get("rounds").Array() {
		all = append(all, fmt.Sprintf("%.1f", r.Get("overall").Num))
	}
	return strings.Join(all, " ")
}

func TestARealPanelRaisesAFileUntilItPasses(t *testing.T) {
	t.Parallel()
	b := newRun(t)
	result, report, res := b.run(t, 0, "--improver", "codex:price=10/10", "--max-usd", "5", "--max-tokens", "1000000", "--max-time", "10m")
	equal(t, "result", result.Get("result").Str, "PASSED")
	equal(t, "overalls", overalls(result), "0.0 33.3 66.7")
	file := mustRead(result.Get("files.0").Str)
	for round, r := range report.Get("rounds").Array() {
		for _, j := range r.Get("judges").Array() {
			equal(t, fmt.Sprintf("%s in round %d", j.Get("name").Str, round), j.Get("state").Str, "AVAILABLE")
		}
		if round > 0 {
			equal(t, "dropped", r.Get("dropped|@ugly").Raw, `["LICENSE","OLD.md (removed)","scratch.txt"]`)
		}
	}
	equal(t, "notes of what was dropped", strings.Count(res.Stderr, " touched: LICENSE, OLD.md (removed), scratch.txt\n"), 2)
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(result.Get("files.0").Str), "*"))
	for i := range left {
		left[i] = filepath.Base(left[i])
	}
	equal(t, "files of the copy", fmt.Sprint(left), "[LICENSE NOTES.md OLD.md REVIEW.md rubric.yaml]")

	held := heldItems(t)
	for _, text := range held {
		if strings.Contains(file, lastWord(text)) {
			t.Errorf("the improver knew of %q:\n%s", text, file)
		}
	}
	tasks := 0
	for _, r := range b.model.Main() {
		if r.Client != scripted.Codex {
			continue
		}
		tasks++
		for _, secret := range append([]string{judgeTask, "BEGIN RUBRIC", "threshold", "weight", "holdout"}, held...) {
			if r.Has(secret) {
				t.Errorf("a request of the improver holds %q:\n%s", secret, r.String())
			}
		}
	}
	equal(t, "requests of the improver", tasks, 2*4)
	// The judges read what codex wrote, and nothing of what it did.
	for client, requests := range map[scripted.Client][]string{scripted.Claude: b.tasks(scripted.Claude), scripted.Gemini: b.tasks(scripted.Gemini)} {
		equal(t, "times "+string(client)+" judged", len(requests), 3)
		_, last, _ := strings.Cut(requests[len(requests)-1], "BEGIN ARTIFACT]\n")
		holds(t, "what "+string(client)+" read last", last, file)
	}

	agents := map[string]gjson.Result{}
	for _, a := range report.Get("agents").Array() {
		agents[a.Get("role").Str+" "+a.Get("name").Str] = a
	}
	equal(t, "calls", fmt.Sprint(agents["improver codex"].Get("calls"), agents["judge gemini"].Get("calls"), agents["judge claude"].Get("calls")), "2 3 3")
	equal(t, "tokens of gemini", agents["judge gemini"].Get("tokens").Int(), 3*2170)
	equal(t, "tokens of claude", agents["judge claude"].Get("tokens").Int(), 3*3070)
	equal(t, "tokens of codex", agents["improver codex"].Get("tokens").Int(), 2*4*1050)
	near(t, "price of codex", agents["improver codex"].Get("usd").Num, 2*4*1050*10/1e6)
	equal(t, "program of codex", agents["improver codex"].Get("program").Str, "codex:price=10/10")
	text := mustRead(filepath.Join(result.Get("report").Str, "report.md"))
	for _, a := range []string{"codex", "gemini", "claude"} {
		holds(t, "the report", text, a)
	}
	near(t, "shown at the end", report.Get("rounds.2.shown").Num, 100)
	near(t, "held out at the end", report.Get("rounds.2.held").Num, 0)
}

// The second improvement spends the budget: nobody judges it any more, so it is taken back.
func TestARealPanelStopsAtItsBudgetWithTheBestVersionKept(t *testing.T) {
	t.Parallel()
	b := newRun(t)
	result, report, res := b.run(t, 5, "--improver", "codex:price=10/10", "--max-usd", "0.1")
	equal(t, "result", result.Get("result").Str, "BUDGET")
	equal(t, "overalls", overalls(result), "0.0 33.3")
	equal(t, "result in the report", report.Get("result").Str, "BUDGET")
	// Two scorings of claude, as it reckons itself, and two improvements.
	claude := report.Get(`agents.#(name=="claude").usd`).Num
	if claude <= 0 {
		t.Error("claude has no price")
	}
	near(t, "spent", result.Get("spent.usd").Num, claude+2*4*1050*10/1e6)
	file := mustRead(result.Get("files.0").Str)
	equal(t, "words that were added", strings.Count(file, "It mentions "), 2)
	tasks := b.tasks(scripted.Claude)
	_, last, _ := strings.Cut(tasks[len(tasks)-1], "BEGIN ARTIFACT]\n")
	holds(t, "what was judged last", last, file)
	holds(t, "progress", res.Stderr, "round 1, worked on ")
	if !slices.ContainsFunc(result.Get("warnings").Array(), func(w gjson.Result) bool { return strings.Contains(w.Str, "was taken back") }) {
		t.Errorf("warnings: %s", result.Get("warnings"))
	}
}
