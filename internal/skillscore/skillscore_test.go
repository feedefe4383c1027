package skillscore

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"rulph/internal/prompt"
	"rulph/internal/runs"
	"rulph/internal/session"
	"rulph/internal/skill"
	"rulph/internal/trial"
	"rulph/internal/ui"
)

const (
	notes = "---\nname: notes\ndescription: \"Use when notes are wanted.\"\n---\n\n# notes\n\n## Steps\n\n1. Read the commits.\n2. Write the notes.\n"

	plugin = "{\n  \"name\": \"demo\",\n  \"version\": \"1.2.3\"\n}\n"

	rubricText = `---
version: 1
---

# Notes

## Completeness (50%)

- 0: Leaves commits out
- 1: Leaves small commits out
- 2: Has every commit

## Structure (50%)

- [ ] Has a heading
  - match: ` + "`(?m)^# `" + `
- [ ] Speaks of breaking changes
  - match: ` + "`Breaking`" + `
`
)

// bench is a project with one skill, and a session in it.
type bench struct {
	Engine
	t   *testing.T
	dir string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, dir: dir}
	for path, text := range map[string]string{
		"plugins/demo/skills/notes/SKILL.md": notes, "plugins/demo/.claude-plugin/plugin.json": plugin, "evals/demo/notes/rubric.md": rubricText,
		".git/HEAD": "ref: refs/heads/main\n"} {
		b.put(path, text)
	}
	getenv := func(name string) string {
		if name == "HOME" {
			return filepath.Join(dir, "home")
		}
		return ""
	}
	b.Engine = Engine{Store: session.Store{Home: filepath.Join(dir, "home", ".hoyeon")}, SID: "s1", CLI: prompt.CLI{Program: "hoyeon-cli"},
		Roots: skill.RootsOf(getenv, dir), Client: "test", Now: func() time.Time { return time.Now() },
		First: func() trial.Phase { return trial.Variant }}
	if err := os.MkdirAll(b.Store.Home, 0o700); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) put(path, text string) string {
	b.t.Helper()
	path = filepath.Join(b.dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
	return path
}

func (b *bench) read(path string) string {
	b.t.Helper()
	data, err := os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(path)))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		b.t.Fatal(err)
	}
	return string(data)
}

func must[T any](t *testing.T) func(T, error) T {
	t.Helper()
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// start is a trial that waits for its input.
func (b *bench) start() View {
	b.t.Helper()
	return must[View](b.t)(b.Start(StartOptions{Name: "notes", Lang: "fr"}))
}

var blockWord = regexp.MustCompile(`\[(BLOCK-[0-9A-F]+) BEGIN`)

func (b *bench) ask(part string) (p Prompt, word string) {
	b.t.Helper()
	p = must[Prompt](b.t)(b.Prompt(part))
	return p, blockWord.FindStringSubmatch(p.Text)[1]
}

func (b *bench) answer(text string) Submission {
	b.t.Helper()
	return must[Submission](b.t)(b.Submit("", []byte(text)))
}

// run answers a dry run with this output.
func (b *bench) run(part, output string) Submission {
	b.t.Helper()
	p, word := b.ask(part)
	return b.answer(fmt.Sprintf("[%s BEGIN OUTPUT]\n%s[%s END OUTPUT]\n{\"ticket\":%q,\"tool_calls\":2,\"withheld_calls\":1,\"questions\":1,\"steps_completed\":\"2/2\",\"input_summary\":\"two commits\",\"weak\":[{\"criterion\":\"structure\",\"missing\":\"breaking changes\"}]}",
		word, output, word, p.Ticket))
}

func (b *bench) propose(old, fresh string) Submission {
	b.t.Helper()
	p, _ := b.ask("change")
	text, err := json.Marshal(map[string]string{"ticket": p.Ticket, "section": "Steps", "old": old, "new": fresh, "rationale": "say what breaks", "idea": "one pass"})
	if err != nil {
		b.t.Fatal(err)
	}
	return b.answer("Here it is:\n```json\n" + string(text) + "\n```")
}

func (b *bench) score(part string, points int) Submission {
	b.t.Helper()
	p, _ := b.ask(part)
	return b.answer(fmt.Sprintf(`{"ticket":%q,"piste_efficience":"read once","levels":{"completeness":%d},"suggestions":{"completeness":"name all"}}`, p.Ticket, points))
}

// compared is a trial that waits for a decision: 1 + 1 points for the original, 2 + 2 for the variant.
func (b *bench) compared() {
	b.t.Helper()
	b.start()
	must[View](b.t)(b.Input([]byte("fix: a\nfeat: b\n"), false))
	b.run("original", "# Notes\na\n")
	b.toDecision()
}

func (b *bench) toDecision() {
	b.t.Helper()
	b.propose("2. Write the notes.", "2. Write the notes. Breaking changes first.")
	b.run("variant", "# Notes\nBreaking: b\na\n")
	b.score("score-1", 2) // the variant, see newBench
	b.score("score-2", 1)
}

func (b *bench) log() []runs.Record {
	b.t.Helper()
	var out []runs.Record
	for line := range strings.Lines(b.read("evals/demo/notes/runs.jsonl")) {
		var r runs.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			b.t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func TestAnAppliedChangeIsInAllThreeFiles(t *testing.T) {
	b := newBench(t)
	b.compared()
	v := must[View](t)(b.Table())
	if o := v.Table.Original; o.Quality != 2 || o.QualityMax != 4 || o.Calls != 3 || o.Questions != 1 || !o.Estimated || o.Tokens != (len(notes)+15+2)/4 {
		t.Errorf("original %+v", o)
	}
	if x := v.Table.Variant; x == nil || x.Quality != 4 || x.Idea != "read once" {
		t.Errorf("variant %+v", x)
	}
	rows := v.Table.Rows("fr")
	if got := strings.Join(rows[1], "|"); got != "Qualité|2/4|4/4" {
		t.Error(got)
	}
	if notes := v.Table.Notes("fr"); !strings.HasPrefix(notes[len(notes)-1], "Qualité : +2 pts. Efficience : 0 calls, 0 questions, +") {
		t.Error(notes[len(notes)-1])
	}
	v = must[View](t)(b.Decide("apply", ""))
	if v.Phase != trial.Done || v.Applied == nil || v.Applied.To != "1.2.4" || v.Run != 1 {
		t.Errorf("%+v", v)
	}
	if got, want := b.read("plugins/demo/skills/notes/SKILL.md"), strings.Replace(notes, "2. Write the notes.", "2. Write the notes. Breaking changes first.", 1); got != want {
		t.Errorf("SKILL.md:\n%s", got)
	}
	if got := b.read("plugins/demo/.claude-plugin/plugin.json"); got != strings.Replace(plugin, "1.2.3", "1.2.4", 1) {
		t.Errorf("plugin.json: %s", got)
	}
	r := b.log()[0]
	if r.Decision != "applied" || r.Scores.Quality != 4 || r.Scores.QualityMax != 4 || *r.Change != "Steps: say what breaks" || r.InputSummary != "two commits" || r.Piste != "one pass" || r.Judge != "test sub-agent, blind" || r.SkillVersion != "1.2.3" {
		t.Errorf("record %+v", r)
	}
	if _, err := os.Stat(filepath.Join(b.Store.Dir("s1"), "skill-score")); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(b.Store.Dir("s1"), "skill-score", "*", "input.txt")); len(left) > 0 {
		t.Errorf("the input is still there: %s", left)
	}
	if _, err := b.Decide("apply", ""); err == nil {
		t.Error("it was applied twice")
	}
}

func TestAnIgnoredChangeChangesNothingAndHasAReason(t *testing.T) {
	b := newBench(t)
	b.compared()
	if _, err := b.Decide("ignore", " \n"); err == nil || len(b.log()) > 0 {
		t.Fatalf("ignored without a reason: %v", err)
	}
	must[View](t)(b.Decide("ignore", "too\nlong"))
	if got := b.read("plugins/demo/skills/notes/SKILL.md"); got != notes {
		t.Errorf("SKILL.md:\n%s", got)
	}
	if r := b.log()[0]; r.Decision != "ignored" || r.Reason != "too long" || r.Scores.Quality != 2 {
		t.Errorf("record %+v", r)
	}
}

func TestARelaunchGoesOnFromTheOriginalAndNamesWhatWasTurnedDown(t *testing.T) {
	b := newBench(t)
	b.compared()
	v := must[View](t)(b.Decide("relaunch", "not that"))
	if v.Phase != trial.Change || v.Run != 1 || b.log()[0].Decision != "relaunched" {
		t.Errorf("%+v", v)
	}
	p, _ := b.ask("change")
	if !strings.Contains(p.Text, "turned down in this run: Steps: say what breaks (not that)") || strings.Contains(p.Text, "Breaking changes first") {
		t.Error(p.Text)
	}
	b.toDecision()
	must[View](t)(b.Decide("apply", ""))
	if log := b.log(); len(log) != 2 || log[1].Run != 2 || log[1].Decision != "applied" || log[1].InputHash != log[0].InputHash {
		t.Errorf("%+v", log)
	}
}

func TestScorersLearnNeitherWhichOutputTheyReadNorOtherRuns(t *testing.T) {
	b := newBench(t)
	b.put("evals/demo/notes/runs.jsonl", `{"run":1,"date":"2026-01-02","segment":1,"input_summary":"old","scores":{"quality":1,"quality_max":4},"change":"OLDCHANGE","decision":"ignored","reason":"OLDREASON"}`+"\n")
	b.start()
	must[View](t)(b.Input([]byte("fix: a\n"), false))
	first, _ := b.ask("original")
	b.run("original", "# Notes\na\n")
	change, _ := b.ask("change")
	if !strings.Contains(change.Text, "OLDCHANGE") || !strings.Contains(change.Text, "structure: breaking changes") {
		t.Errorf("the proposer does not know the history:\n%s", change.Text)
	}
	b.propose("2. Write the notes.", "2. Write the notes. Breaking changes first.")
	second, _ := b.ask("variant")
	b.run("variant", "# Notes\nBreaking: b\n")
	var texts []string
	for _, part := range []string{"score-1", "score-2"} {
		p, word := b.ask(part)
		texts = append(texts, strings.NewReplacer(p.Ticket, "T", word, "W").Replace(p.Text))
	}
	if !strings.Contains(texts[0], "Breaking: b") || strings.Contains(texts[1], "Breaking: b") {
		t.Error("each scorer has to read one output, here the variant's first")
	}
	for _, text := range append(texts, first.Text, second.Text) {
		for _, no := range []string{"riant", "original", "score-1", "score-2", "OLDCHANGE", "OLDREASON", "say what breaks"} {
			if strings.Contains(text, no) {
				t.Errorf("the prompt says %q:\n%s", no, text)
			}
		}
	}
	if strip := strings.NewReplacer("Breaking: b\n", "", "a\n", ""); strip.Replace(texts[0]) != strip.Replace(texts[1]) {
		t.Error("the two prompts differ in more than the output")
	}
}

func TestAChangeThatCannotBeMadeIsMendedOnceAndThenLeftToAPerson(t *testing.T) {
	for name, old := range map[string]string{"absent": "3. Sleep.", "twice": "notes", "frontmatter": "name: notes", "whole": notes} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.start()
			must[View](t)(b.Input([]byte("fix: a\n"), false))
			b.run("original", "# Notes\na\n")
			got := b.propose(old, "name: other\n")
			if got.Intake != prompt.Mend || got.Reason == "" {
				t.Fatalf("%+v", got)
			}
			if got = b.propose(old, "name: other\n"); got.Intake != prompt.Degraded || !strings.Contains(got.Next.Text, "score-1") || strings.Contains(got.Next.Text, "score-2") {
				t.Fatalf("%+v", got)
			}
			b.score("score-1", 1)
			v := must[View](t)(b.Table())
			if v.Table.Variant != nil {
				t.Error("there is a variant")
			}
			if _, err := b.Decide("apply", ""); err == nil {
				t.Error("nothing was applied")
			}
			must[View](t)(b.Decide("ignore", ""))
			if r := b.log()[0]; r.Change != nil || !strings.Contains(r.Reason, "no change could be made") || b.read("plugins/demo/skills/notes/SKILL.md") != notes {
				t.Errorf("%+v", r)
			}
		})
	}
}

// The hook takes a change in without looking into SKILL.md, so that staging may refuse it.
func TestAChangeThatStagingRefusesIsAskedForOnceMore(t *testing.T) {
	b := newBench(t)
	b.start()
	must[View](t)(b.Input([]byte("fix: a\n"), false))
	b.run("original", "# Notes\na\n")
	for range 2 {
		p, _ := b.ask("change")
		_, err := b.update(func(s trial.State) (trial.State, error) {
			s, got, err := trial.Take(s, "change", []byte(fmt.Sprintf(`{"ticket":%q,"old":"3. Sleep.","new":"x","rationale":"r"}`, p.Ticket)), nil, nil)
			if got.Intake != prompt.Taken {
				t.Errorf("%+v", got)
			}
			return s, err
		})
		if err != nil {
			t.Fatal(err)
		}
		must[View](t)(b.Next())
	}
	v := must[View](t)(b.Next())
	if v.Phase != trial.Scores || len(v.Warnings) != 1 || !strings.Contains(v.Warnings[0], "old does not occur") {
		t.Errorf("%+v", v)
	}
}

func TestAWholeFileInThePlaceOfAChangeIsRefused(t *testing.T) {
	b := newBench(t)
	b.start()
	must[View](t)(b.Input([]byte("fix: a\n"), false))
	b.run("original", "# Notes\na\n")
	b.ask("change")
	if got := b.answer(notes); got.Part != "change" || got.Intake != prompt.Mend || !strings.Contains(got.Reason, "this is a whole file") {
		t.Errorf("%+v", got)
	}
}

func TestALongPromptComesInPagesThatAreTheWholePrompt(t *testing.T) {
	b := newBench(t)
	b.start()
	must[View](t)(b.Input([]byte(strings.Repeat("fix: a line of a long input\n", 2000)), false))
	p, _ := b.ask("original")
	var whole strings.Builder
	for n := 1; ; n++ {
		text := must[string](t)(p.Show(n, 9000, b.CLI))
		head, more, found := strings.Cut(text, "[part ")
		whole.WriteString(head)
		if !found {
			break
		}
		if !strings.Contains(more, fmt.Sprintf("run `hoyeon-cli skill-score prompt --part original --page %d`", n+1)) {
			t.Fatal(more)
		}
	}
	if whole.String() != p.Text {
		t.Error("the pages are not the prompt")
	}
	if _, err := p.Show(99, 9000, b.CLI); err == nil || !strings.Contains(err.Error(), "--page 99") {
		t.Error(err)
	}
}

const five = `{"date":"2026-01-02","segment":1,"input_summary":"x","scores":{"quality":%s,"quality_max":4},"change":"c","decision":"ignored","reason":"r","run":%d}` + "\n"

func (b *bench) stagnant(quality string) {
	log := ""
	for n := range 5 {
		log += fmt.Sprintf(five, quality, n+1)
	}
	b.put("evals/demo/notes/runs.jsonl", log)
}

func TestTheGateSpeaksAfterFiveRunsWithoutImprovement(t *testing.T) {
	for quality, want := range map[string]string{"4": plateau["fr"], "3": exhausted["fr"]} {
		b := newBench(t)
		b.stagnant(quality)
		v := b.start()
		if v.Phase != trial.Gate || v.Message != want+"\n"+gateQuestion["fr"] {
			t.Errorf("quality %s: %+v", quality, v)
		}
		if _, err := b.Input([]byte("x"), false); err == nil {
			t.Error("the gate was passed without an answer")
		}
	}
}

func TestTheGateKeepsANewSegmentAtOnce(t *testing.T) {
	b := newBench(t)
	b.stagnant("4")
	if v := b.start(); v.Mode != "efficience" {
		t.Errorf("mode %s", v.Mode)
	}
	v := must[View](t)(b.Gate("A"))
	if v.Phase != trial.Input || v.Segment != 2 || v.Mode != "qualite" {
		t.Errorf("%+v", v)
	}
	other := *b
	other.SID = "s2"
	if v := other.start(); v.Phase != trial.Input || v.Segment != 2 {
		t.Errorf("another session: %+v", v)
	}
}

func TestTheGateLetsGoOnOrStops(t *testing.T) {
	b := newBench(t)
	b.stagnant("3")
	b.start()
	if v := must[View](t)(b.Gate("B")); v.Phase != trial.Input || v.Segment != 1 {
		t.Errorf("%+v", v)
	}
	must[View](t)(b.Start(StartOptions{Name: "notes", Lang: "en", Replace: true}))
	if _, err := b.Gate("D"); err == nil {
		t.Error("D is no answer")
	}
	if v := must[View](t)(b.Gate("C")); v.Phase != trial.Done || len(b.log()) != 5 {
		t.Errorf("%+v", v)
	}
}

func TestAChangedRubricAsksForANewSegment(t *testing.T) {
	b := newBench(t)
	b.compared()
	must[View](t)(b.Decide("ignore", "no"))
	b.put("evals/demo/notes/rubric.md", strings.Replace(rubricText, "Breaking", "Broken", 1))
	if v := b.start(); v.Phase != trial.Gate || v.Message != rubricChanged["fr"] {
		t.Fatalf("%+v", v)
	}
	if _, err := b.Gate("B"); err == nil {
		t.Error("B would compare what cannot be compared")
	}
	if v := must[View](t)(b.Gate("A")); v.Segment != 2 || v.Phase != trial.Input {
		t.Errorf("%+v", v)
	}
}

func TestARubricThatChangesDuringATrialStopsIt(t *testing.T) {
	b := newBench(t)
	b.start()
	must[View](t)(b.Input([]byte("fix: a\n"), false))
	b.put("evals/demo/notes/rubric.md", strings.Replace(rubricText, "Breaking", "Broken", 1))
	if _, err := b.Prompt("original"); err == nil || !strings.Contains(err.Error(), "was changed during the trial") {
		t.Error(err)
	}
}

func TestARepeatedInputIsNoticed(t *testing.T) {
	b := newBench(t)
	b.compared()
	must[View](t)(b.Decide("ignore", "no"))
	b.start()
	if _, err := b.Input([]byte("fix: a\nfeat: b\n"), false); err == nil || ui.CodeOf(err) != ui.BadInput {
		t.Error(err)
	}
	must[View](t)(b.Input([]byte("fix: a\nfeat: b\n"), true))
}

func TestASkillWithoutARubricIsToldHowToGetOne(t *testing.T) {
	b := newBench(t)
	if err := os.Remove(filepath.Join(b.dir, "evals/demo/notes/rubric.md")); err != nil {
		t.Fatal(err)
	}
	v := b.start()
	if v.Phase != "" || !strings.Contains(v.Next.Text, "evals/demo/notes/rubric.md") || len(v.Next.Commands) != 3 {
		t.Errorf("%+v", v)
	}
	if _, err := b.Next(); err == nil {
		t.Error("a trial was begun")
	}
}

func TestTheEmbeddedJudgeSaysThatItWasAlone(t *testing.T) {
	b := newBench(t)
	r := must[runs.Record](t)(b.Baseline(BaselineOptions{Name: "notes", Input: []byte("fix: a\n"), Output: []byte("# Notes\na\n"), Summary: "one commit"}))
	if r.Decision != "baseline" || r.Judge != "embedded" || r.Scores.Quality != 1 || r.Scores.QualityMax != 2 || !r.Scores.Estimated || r.Change != nil || !strings.Contains(r.Reason, "1 questions") {
		t.Errorf("%+v", r)
	}
}
