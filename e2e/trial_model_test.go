//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"rulph/e2e/internal/scripted"
)

// trialist is what a good model does with /skill-score: it calls the command line, does what each output says, and
// asks the user where it says so. What it does follows from the conversation alone.
type trialist struct {
	// output is what a dry run of a skill's text puts out.
	output func(skill string) string
	// change is the n-th (from 0) proposal: old and new.
	change func(n int) (old, fresh string)
	// points is what a scorer gives each criterion with marks.
	points func(output string) int

	mu        sync.Mutex
	programs  obedient // knows how a client reaches the command line
	proposals int
	spoken    []string
	files     int
	turns     inTurn
}

var (
	partLine   = regexp.MustCompile("(?m)^  (Run `[^`]+skill-score prompt [^`]+` and answer exactly as its output says\\.)$")
	inputFile  = regexp.MustCompile("word for word to the file (\\S+) and run `([^`]+)`")
	reasonFile = regexp.MustCompile(`A reason goes into the file (\S+)\. Then run`)
	rubricFile = regexp.MustCompile("write the rubric (\\S+) from [^`]+`([^`]+)`, `([^`]+)` and `([^`]+)`")
	blockOf    = regexp.MustCompile(`\[(BLOCK-[0-9A-F]+) BEGIN`)
	ticketIs   = regexp.MustCompile(`rulph-[a-z2-7]{20}`)
)

// newRubric is what the model writes for a skill that has none.
const newRubric = "---\nversion: 1\n---\n\n# Notes\n\n## Completeness (50%)\n\n- 0: none\n- 1: some\n- 2: all\n\n## Structure (50%)\n\n- [ ] Has a heading\n  - match: `^# `\n- [ ] Is no code block\n  - lacks: `\\A~~~`\n"

func (m *trialist) script(t scripted.Turn) scripted.Reply {
	if t.Agent != "" {
		return m.agent(t)
	}
	if t.Step > 80 {
		return scripted.Say("This goes on for ever.")
	}
	if r, ok := m.turns.next(); ok {
		return r
	}
	if results := t.AgentResults(); len(results) > 0 {
		m.mu.Lock()
		m.spoken = results
		m.mu.Unlock()
		return m.verb(t, "next")
	}
	if len(t.Results()) == 0 {
		return m.verb(t, "next")
	}
	return m.obey(t, t.Output())
}

func (m *trialist) verb(t scripted.Turn, verb string) scripted.Reply {
	return scripted.Do(scripted.Shell(m.programs.program(t) + " skill-score " + verb))
}

// called says whether the model has called one of these verbs since the user last spoke.
func called(t scripted.Turn, verbs ...string) bool {
	for i := len(t.History) - 1; i >= 0; i-- {
		h := t.History[i]
		if h.Kind == scripted.User && h.Text == t.LastUser() {
			return false
		}
		for _, v := range verbs {
			if h.Kind == scripted.Called && strings.Contains(h.Text, "skill-score "+v) {
				return true
			}
		}
	}
	return false
}

// word is what the user said last, where nothing has been made of it yet.
func word(t scripted.Turn) (string, bool) {
	said := strings.TrimSpace(t.LastUser())
	return said, !strings.Contains(said, "skill-score") && !called(t, "gate", "input", "decide")
}

func (m *trialist) obey(t scripted.Turn, text string) scripted.Reply {
	switch {
	case strings.Contains(text, "has no trial"), strings.Contains(text, "this run is over") && strings.Contains(t.LastUser(), "skill-score") && !called(t, "start"):
		return m.verb(t, "start release-notes --lang fr")
	case rubricFile.MatchString(text):
		found := rubricFile.FindStringSubmatch(text)
		return m.turns.do(scripted.Shell("mkdir -p "+filepath.Dir(found[1])), scripted.Write(found[1], newRubric), scripted.Shell(found[2]), scripted.Shell(found[3]), scripted.Shell(found[4]+" --lang fr"))
	case strings.Contains(text, "this run is over"):
		return scripted.Say(text)
	case strings.Contains(text, "message above"): // the gate
		if letter, ok := word(t); ok {
			return m.verb(t, "gate "+letter)
		}
		return scripted.Say(text)
	case inputFile.MatchString(text):
		if input, ok := word(t); ok && strings.HasPrefix(input, "input:") {
			found := inputFile.FindStringSubmatch(text)
			return m.turns.do(scripted.Write(found[1], input), scripted.Shell(found[2]))
		}
		return scripted.Say(text)
	case strings.Contains(text, "has not answered") && len(m.spoken) > 0:
		return m.handIn(t)
	case partLine.MatchString(text):
		var agents []scripted.Agent
		for _, line := range partLine.FindAllStringSubmatch(text, -1) {
			agents = append(agents, scripted.Agent{Type: "general-purpose", Prompt: line[1]})
		}
		return scripted.Do(scripted.Spawn(agents...))
	case reasonFile.MatchString(text):
		return m.decide(t, text)
	}
	return scripted.Sayf("I do not know what to do with: %s", text)
}

func (m *trialist) decide(t scripted.Turn, text string) scripted.Reply {
	said, ok := word(t)
	file := reasonFile.FindStringSubmatch(text)[1]
	switch {
	case ok && (said == "apply" || said == "relaunch"):
		return m.verb(t, "decide "+said)
	case ok && strings.HasPrefix(said, "ignore: "):
		return m.turns.do(scripted.Write(file, strings.TrimPrefix(said, "ignore: ")), scripted.Shell(m.programs.program(t)+" skill-score decide ignore --reason-file "+file))
	case !strings.Contains(text, "── Efficience"):
		return m.verb(t, "table")
	}
	return scripted.Say(text)
}

// handIn does what the skill says where no hook takes an answer in.
func (m *trialist) handIn(t scripted.Turn) scripted.Reply {
	m.mu.Lock()
	defer m.mu.Unlock()
	var calls []scripted.Call
	for _, answer := range m.spoken {
		m.files++
		name := fmt.Sprintf("answer-%d.txt", m.files)
		calls = append(calls, scripted.Write(name, answer), scripted.Shell(m.programs.program(t)+" skill-score submit --file "+name))
	}
	m.spoken = nil
	return m.turns.do(append(calls, scripted.Shell(m.programs.program(t)+" skill-score next"))...)
}

func (m *trialist) agent(t scripted.Turn) scripted.Reply {
	if t.Step == 0 {
		if found := command.FindStringSubmatch(t.LastUser()); found != nil {
			return scripted.Do(scripted.Shell(found[1]))
		}
		return scripted.Sayf("No command in: %s", t.LastUser())
	}
	if found := nextPart.FindStringSubmatch(t.Output()); found != nil {
		return scripted.Do(scripted.Shell(found[1]))
	}
	prompt := outputs(t)
	ticket, word := ticketIs.FindString(prompt), ""
	if found := blockOf.FindStringSubmatch(prompt); found != nil {
		word = found[1]
	}
	block := func(name string) string {
		_, rest, _ := strings.Cut(prompt, "["+word+" BEGIN "+name+"]\n")
		text, _, _ := strings.Cut(rest, "["+word+" END "+name+"]")
		return text
	}
	var reply scripted.Reply
	switch {
	case strings.HasPrefix(prompt, "Run a skill dry"):
		reply = scripted.Sayf("[%s BEGIN OUTPUT]\n%s[%s END OUTPUT]\n{\"ticket\":%q,\"tool_calls\":7,\"withheld_calls\":0,\"questions\":0,\"references\":[],\"steps_completed\":\"4/4\",\"input_summary\":\"two commits\",\"weak\":[{\"criterion\":\"hand-over\",\"missing\":\"what was left out\"}]}", word, m.output(block("SKILL")), word, ticket)
	case strings.HasPrefix(prompt, "You improve the text of a skill"):
		m.mu.Lock()
		old, fresh := m.change(m.proposals)
		m.proposals++
		m.mu.Unlock()
		object, _ := json.Marshal(map[string]string{"ticket": ticket, "section": "4. Hand over", "old": old, "new": fresh, "rationale": "say what was left out", "idea": "read git once"})
		reply = scripted.Say(string(object))
	case strings.HasPrefix(prompt, "You are a strict evaluator"):
		reply = scripted.Say(m.card(block("RUBRIC"), block("OUTPUT"), ticket))
	default:
		reply = scripted.Sayf("An unknown task: %s", prompt)
	}
	reply.Usage = scripted.Usage{Input: 4321, Output: 10}
	return reply
}

func (m *trialist) card(rubric, output, ticket string) string {
	var levels []string
	for _, q := range questions.FindAllStringSubmatch(rubric, -1) {
		if q[1] != "" {
			levels = append(levels, fmt.Sprintf("%q:%d", q[1], m.points(output)))
		}
	}
	return fmt.Sprintf(`{"ticket":%q,"piste_efficience":"read git once","levels":{%s},"suggestions":{}}`, ticket, strings.Join(levels, ","))
}
