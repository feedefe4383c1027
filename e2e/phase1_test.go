//go:build unix

package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/scripted"
	"rulph/e2e/internal/tty"
)

// interviewer plays the first phase of the skill: it asks what the skill says, writes the rubric file,
// and lets `rubric check` judge it. What it does next follows from what the person chose.
type interviewer struct {
	rubric string // path of the rubric file
	stage  string
	bar    string
}

// words is the rubric file with these weights and this pass bar.
func words(weights [3]string, threshold, floor string) string {
	text := threeWords
	for i, old := range []string{"weight: 40", "weight: 30", "weight: 30"} {
		before, after, _ := strings.Cut(text, old)
		text = before + "weight: #" + weights[i] + after
	}
	text = strings.ReplaceAll(text, "weight: #", "weight: ")
	return strings.NewReplacer("threshold: 90", "threshold: "+threshold, "floor: 60", "floor: "+floor).Replace(text)
}

func (p *interviewer) turn(t scripted.Turn) (scripted.Reply, bool) {
	out := t.Output()
	check := scripted.Shell("hoyeon-cli rubric check NOTES.rubric.yaml")
	weights := func(question string) scripted.Reply {
		return scripted.Do(scripted.Ask(scripted.Question{Header: "Weights", Text: question, Options: []string{"fifty-thirty-thirty", "forty-thirty-thirty"}}))
	}
	switch p.stage {
	case "":
		if !strings.Contains(out, "has no loop") {
			return scripted.Reply{}, false
		}
		p.stage = "criteria"
		return scripted.Do(scripted.Ask(scripted.Question{Header: "Criteria", Text: "What matters in NOTES.md?", Options: []string{"three kinds of words", "something else"}})), true
	case "criteria":
		p.stage = "check"
		return scripted.Do(scripted.Write(p.rubric, words([3]string{"40", "30", "30"}, "70", "60")), check), true
	case "check":
		if strings.Contains(out, "Weights must sum to 100%. Current sum: 110%.") {
			p.stage = "weights"
			return weights("Weights must sum to 100%. Current sum: 110%. Please redistribute."), true
		}
		p.stage = "draft"
		return scripted.Do(scripted.Shell("hoyeon-cli rubric show NOTES.rubric.yaml --format draft")), true
	case "draft":
		p.stage = "confirm"
		return scripted.Do(scripted.Ask(scripted.Question{Header: "Rubric", Text: "Accept this rubric?", Options: []string{"accept", "adjust weights", "edit criteria", "start over"}})), true
	case "confirm":
		if strings.Contains(out, `="adjust weights"`) {
			p.stage = "weights"
			return weights("Which weights?"), true
		}
		p.stage = "bar"
		return scripted.Do(scripted.Ask(
			scripted.Question{Header: "Threshold", Text: "Which overall score passes?", Options: []string{"seventy", "eighty", "ninety"}},
			scripted.Question{Header: "Floor", Text: "Which score does every criterion need?", Options: []string{"fifty", "sixty", "off"}})), true
	case "weights":
		p.stage = "check"
		w := [3]string{"40", "30", "30"}
		if strings.Contains(out, `="fifty-thirty-thirty"`) {
			w[0] = "50"
		}
		return scripted.Do(scripted.Write(p.rubric, words(w, "70", "60")), check), true
	case "bar":
		p.stage = "contract"
		numbers := map[string]string{"seventy": "70", "eighty": "80", "ninety": "90", "fifty": "50", "sixty": "60", "off": "0"}
		pick := func(question string) string {
			_, rest, _ := strings.Cut(out, question+`"="`)
			word, _, _ := strings.Cut(rest, `"`)
			return numbers[word]
		}
		return scripted.Do(
			scripted.Write(p.rubric, words([3]string{"40", "30", "30"}, pick("passes?"), pick("need?"))), check,
			scripted.Shell("hoyeon-cli rubric show NOTES.rubric.yaml --format contract --target NOTES.md")), true
	case "contract":
		p.stage = "loop"
		p.bar = t.Results()[2].Output()
		return scripted.Do(scripted.Shell("hoyeon-cli rulph start --target NOTES.md --rubric NOTES.rubric.yaml")), true
	}
	return scripted.Reply{}, false
}

// A person answers the questions of phase 1 with keys in the real client: accepts only after weights
// that do not sum to 100% were refused and mended, sets both bars, sees the contract, and asks nothing more.
func TestAPersonBuildsTheRubricWithKeysAndTheLoopRuns(t *testing.T) {
	t.Parallel()
	p := &interviewer{}
	m := &obedient{instead: p.turn}
	b := rulphBench[*clients.ClaudeProfile]{model: scripted.New(t, m.script)}
	b.client = clients.Claude(t, clients.ClaudeOptions{Model: b.model.URL, Plugins: []string{plugin(t)}})
	b.file = put(t, b.client.Dir, "NOTES.md", "# Notes\n")
	p.rubric = filepath.Join(b.client.Dir, "NOTES.rubric.yaml")

	s := tty.Start(t, tty.Options{Argv: b.client.Interactive(), Env: b.client.Env(), Dir: b.client.Dir, Width: 140, Height: 50})
	s.Wait(`❯`, soon)
	s.Type("/rulph NOTES.md")
	s.Wait(`/rulph NOTES\.md`, soon)
	s.Keys("Enter")
	choose := func(question, answer string) {
		t.Helper()
		s.Wait(question, soon)
		s.Select(answer, soon)
	}
	choose(`What matters in NOTES\.md\?`, "three kinds of words")
	choose(`Accept this rubric\?`, "adjust weights")
	choose(`Which weights\?`, "fifty-thirty-thirty")
	choose(`Current sum: 110%\. Please redistribute\.`, "forty-thirty-thirty")
	choose(`Accept this rubric\?`, "accept")
	choose(`Which overall score passes\?`, "ninety")
	choose(`Which score does every criterion need\?`, "sixty")
	choose(`Submit answers`, "Submit answers")
	s.Wait(`The loop is over\.`, 2*soon)

	for _, line := range []string{"## Evaluation Contract", "**Target**: NOTES.md", "**Threshold**: 90/100", "**Per-criterion floor**: 60/100", "Rubric locked. Starting evaluation."} {
		holds(t, "the contract", p.bar, line)
	}
	equal(t, "the rubric file", mustRead(p.rubric), words([3]string{"40", "30", "30"}, "90", "60"))
	session := b.model.Main()[0].Session
	home := filepath.Join(b.client.Home, ".hoyeon")
	passed(t, home, session, b.file, 3)
	equal(t, "threshold", stateOf(t, home, session).Get("threshold").Num, 90)
	asked := 0
	for _, r := range b.model.Main() {
		if strings.Contains(fmt.Sprint(r.Reply), "AskUserQuestion") {
			asked++
		}
	}
	equal(t, "questions to the person", asked, 6)
}
