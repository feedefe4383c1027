//go:build unix

package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"rulph/e2e/internal/scripted"
)

// obedient is what a good model does with /rulph: it reads the skill, calls the command line, and then
// does what each output says, word by word. It keeps no memory of its own between turns: everything it
// does follows from the newest text in front of it, as after a compaction.
type obedient struct {
	start string // arguments of `rulph start`
	// lazy makes it end its turn once, with a text, after this many scorings; 0 never.
	lazy int
	// judge answers one item of a rubric about the artifact in a prompt; nil looks for the item's last word.
	judge func(judge, item, artifact string) string
	// improve returns the text of the file that the improver writes; nil appends what is asked for.
	improve func(text string, open []string) string

	// answers, where set, replaces a judge's whole answer, the n-th (from 0) of this sub-agent.
	answers func(judge string, n int, good string) string
	// beside is what a client that improves does in its shell beside its task.
	beside string
	// instead is asked before anything else is done; a reply that is not empty is given instead.
	instead func(t scripted.Turn) (scripted.Reply, bool)

	mu     sync.Mutex
	cli    string
	scored int
	rested bool
	read   bool
	spoken []string // what the judges of the last message said, until it is handed in
	files  int
	turns  inTurn
}

var (
	cliLine    = regexp.MustCompile(`rulph: session \S+, hoyeon-cli is (.+?)(?:;|\n|$)`)
	skillPath  = regexp.MustCompile(`<path>(.+)/skills/[a-z-]+/SKILL\.md</path>`)
	skillFile  = regexp.MustCompile(`rulph:rulph: .*\(file: (r\d+)/(.*)SKILL\.md\)`)
	judgeLine  = regexp.MustCompile("(?m)^  (Run `[^`]+` and answer exactly as its output says\\.)$")
	thenScore  = regexp.MustCompile("When all have answered, run `([^`]+)`")
	scoreNow   = regexp.MustCompile("every answer is in\\. Run `([^`]+)`")
	evaluate   = regexp.MustCompile("Run `([^`]+ evaluate --detach)`, which asks ")
	thenWait   = regexp.MustCompile("(?i)run `([^`]+ wait [^`]+)`, again and again")
	improveNow = regexp.MustCompile("with the prompt: (Run `[^`]+` and do what its output says\\.) When it is done, run `([^`]+)`")
	command    = regexp.MustCompile("Run `([^`]+)`")
	nextPart   = regexp.MustCompile("Do not answer yet: run `([^`]+)`")
)

// inTurn makes calls one after the other, one a message: Codex runs the calls of one message side by side.
type inTurn struct{ waiting []scripted.Call }

func (q *inTurn) do(calls ...scripted.Call) scripted.Reply {
	q.waiting = calls[1:]
	return scripted.Do(calls[0])
}

func (q *inTurn) next() (scripted.Reply, bool) {
	if len(q.waiting) == 0 {
		return scripted.Reply{}, false
	}
	return q.do(q.waiting...), true
}

// script plays the main conversation and all sub-agents.
func (m *obedient) script(t scripted.Turn) scripted.Reply {
	if task := asked(t); task != "" {
		return m.called(t, task)
	}
	if t.Agent != "" {
		return m.agent(t)
	}
	return m.main(t)
}

// asked is the task of a client that was called for one answer, as a judge or to improve a file; "" in a session
// of a person, where such tasks are what a command has printed.
func asked(t scripted.Turn) string {
	for _, h := range t.History {
		if h.Kind == scripted.User && (strings.HasPrefix(h.Text, judgeTask) || strings.HasPrefix(h.Text, improveTask)) {
			return h.Text
		}
	}
	return ""
}

// called does such a task. Of a client it knows only what the task says: it works where it was started, and
// looks around there first.
func (m *obedient) called(t scripted.Turn, task string) scripted.Reply {
	if strings.HasPrefix(task, judgeTask) {
		good := m.verdict(task)
		if m.answers != nil {
			n := strings.Count(task, "The task above was given before")
			return scripted.Say(m.answers(judgeOf.FindStringSubmatch(task)[1], n, good))
		}
		return scripted.Say(good)
	}
	path := fileOf.FindStringSubmatch(task)[1]
	switch t.Step {
	case 0:
		return scripted.Do(scripted.Shell("find . -type f -exec cat {} +" + m.beside))
	case 1:
		return scripted.Do(scripted.Read(path))
	case 2:
		text := t.Output()
		return scripted.Do(scripted.Edit(path, text, m.added(text, openIn(task))))
	}
	return scripted.Say("Added what was missing.")
}

// shell calls the command line as the session says, where a step does not name it.
func (m *obedient) shell(t scripted.Turn, verb string) scripted.Reply {
	return scripted.Do(scripted.Shell(m.program(t) + " " + verb))
}

// program is the bare name in Claude Code, elsewhere the path from the hook's line, or else from the
// place of the skill.
func (m *obedient) program(t scripted.Turn) string {
	if t.Client == scripted.Claude {
		return "hoyeon-cli"
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, h := range t.History {
		if found := cliLine.FindStringSubmatch(h.Text); found != nil {
			m.cli = found[1]
		}
	}
	if m.cli == "" {
		m.cli = pluginOf(t) + "/bin/hoyeon-cli"
	}
	return m.cli
}

// pluginOf is the plugin's folder as Codex tells it: with the skill's text, or in the list of skills,
// which shortens folders to names that it explains above.
func pluginOf(t scripted.Turn) string {
	if found := skillPath.FindStringSubmatch(t.SkillText()); found != nil {
		return found[1]
	}
	for _, h := range t.History {
		if found := skillFile.FindStringSubmatch(h.Text); found != nil {
			_, rest, _ := strings.Cut(h.Text, "`"+found[1]+"` = `")
			root, _, _ := strings.Cut(rest, "`")
			return strings.TrimSuffix(root+"/"+found[2], "/skills/rulph/")
		}
	}
	return ""
}

func (m *obedient) main(t scripted.Turn) scripted.Reply {
	if t.Step > 60 {
		return scripted.Say("This goes on for ever.")
	}
	if r, ok := m.turns.next(); ok {
		return r
	}
	if strings.Contains(t.LastUser(), "summary of the conversation") {
		return scripted.Say("<summary>The user called a skill.</summary>")
	}
	if m.instead != nil {
		if r, ok := m.instead(t); ok {
			return r
		}
	}
	if reason, ok := t.Feedback(); ok {
		return m.obey(t, reason)
	}
	if len(t.Results()) == 0 { // a person has called the skill
		if t.Client == scripted.Codex && t.SkillText() == "" && !m.read {
			m.read = true
			return scripted.Do(scripted.Read(pluginOf(t) + "/skills/rulph/SKILL.md"))
		}
		return m.shell(t, "rulph next")
	}
	if results := t.AgentResults(); len(results) > 0 {
		m.spoken = results
		return m.after(t)
	}
	out := t.Output()
	if strings.Contains(out, "# rulph\n") { // the skill itself
		return m.shell(t, "rulph next")
	}
	if strings.Contains(out, "has not answered") && len(m.spoken) > 0 {
		return m.handIn(t)
	}
	if strings.Contains(out, "has no loop") {
		return m.shell(t, "rulph start "+m.start)
	}
	return m.obey(t, out)
}

// obey does what a text says is next.
func (m *obedient) obey(t scripted.Turn, text string) scripted.Reply {
	m.mu.Lock()
	if strings.Contains(text, "weight  score") {
		m.scored++
	}
	rest := m.lazy > 0 && m.scored >= m.lazy && !m.rested
	m.rested = m.rested || rest
	m.mu.Unlock()
	switch {
	case rest:
		return scripted.Say("That is enough for now.")
	case evaluate.MatchString(text):
		return scripted.Do(scripted.LongShell(evaluate.FindStringSubmatch(text)[1]))
	case judgeLine.MatchString(text):
		var agents []scripted.Agent
		for _, line := range judgeLine.FindAllStringSubmatch(text, -1) {
			agents = append(agents, scripted.Agent{Type: "rulph:judge", Prompt: line[1]})
		}
		return scripted.Do(scripted.Spawn(agents...))
	case thenWait.MatchString(text):
		return scripted.Do(scripted.LongShell(thenWait.FindStringSubmatch(text)[1]))
	case improveNow.MatchString(text):
		return scripted.Do(scripted.Spawn(scripted.Agent{Type: "rulph:improver", Prompt: improveNow.FindStringSubmatch(text)[1]}))
	case scoreNow.MatchString(text):
		return scripted.Do(scripted.Shell(scoreNow.FindStringSubmatch(text)[1]))
	case strings.Contains(text, "tell the user the result"), strings.Contains(text, "Tell the user the result"):
		return scripted.Say("The loop is over. " + lineWith(text, "report:"))
	}
	return scripted.Sayf("I do not know what to do with: %s", text)
}

// handIn does what the skill says where no hook takes a verdict in: one file for each answer.
func (m *obedient) handIn(t scripted.Turn) scripted.Reply {
	var calls []scripted.Call
	for _, answer := range m.spoken {
		m.files++
		name := fmt.Sprintf("verdict-%d.json", m.files)
		calls = append(calls, scripted.Write(name, answer), scripted.Shell(m.program(t)+" rulph submit --file "+name))
	}
	m.spoken = nil
	return m.turns.do(append(calls, scripted.Shell(m.program(t)+" rulph score"))...)
}

// after goes on when sub-agents have ended: the step that started them says with what.
func (m *obedient) after(t scripted.Turn) scripted.Reply {
	for i := len(t.History) - 1; i >= 0; i-- {
		text := t.History[i].Text
		if t.History[i].Kind == scripted.Called || t.History[i].Kind == scripted.Said {
			continue
		}
		if found := improveNow.FindStringSubmatch(text); found != nil {
			return scripted.Do(scripted.Shell(found[2]))
		}
		if found := thenWait.FindStringSubmatch(text); found != nil {
			return scripted.Do(scripted.LongShell(found[1]))
		}
		if found := thenScore.FindStringSubmatch(text); found != nil {
			return scripted.Do(scripted.Shell(found[1]))
		}
	}
	return scripted.Say("Nothing says what comes after the sub-agents.")
}

func (m *obedient) agent(t scripted.Turn) scripted.Reply {
	if t.Step == 0 {
		if found := command.FindStringSubmatch(t.LastUser()); found != nil {
			return scripted.Do(scripted.Shell(found[1]))
		}
		return scripted.Sayf("No command in: %s", t.LastUser())
	}
	out := t.Output()
	if found := nextPart.FindStringSubmatch(out); found != nil {
		return scripted.Do(scripted.Shell(found[1]))
	}
	whole := outputs(t)
	switch {
	case strings.Contains(whole, judgeTask):
		good := m.verdict(whole)
		if m.answers != nil {
			said := 0
			for _, h := range t.History {
				if h.Kind == scripted.Said {
					said++
				}
			}
			return scripted.Say(m.answers(judgeOf.FindStringSubmatch(whole)[1], said, good))
		}
		return scripted.Say(good)
	case strings.Contains(whole, improveTask):
		return m.work(t, whole)
	}
	return scripted.Say("done")
}

// How the two tasks begin.
const (
	judgeTask   = "You are a strict evaluator"
	improveTask = "Improve one criterion"
)

// outputs is what all shell calls of this conversation printed, in their order.
func outputs(t scripted.Turn) string {
	var b strings.Builder
	for _, h := range t.History {
		if h.Kind == scripted.Result {
			b.WriteString(h.Output())
		}
	}
	return b.String()
}

var (
	ticketOf  = regexp.MustCompile(`with ticket (\S+):`)
	judgeOf   = regexp.MustCompile(`strict evaluator \(([^)]+)\)`)
	questions = regexp.MustCompile(`(?m)^criterion (\S+): .*$|^  item (\S+): (.*)$`)
)

// verdict answers each item of a prompt from the artifact in it.
func (m *obedient) verdict(prompt string) string {
	judge := judgeOf.FindStringSubmatch(prompt)[1]
	ticket := ticketOf.FindStringSubmatch(prompt)[1]
	_, rest, _ := strings.Cut(prompt, "BEGIN RUBRIC]\n")
	rubric, rest, _ := strings.Cut(rest, "END RUBRIC]")
	_, rest, _ = strings.Cut(rest, "BEGIN ARTIFACT]\n")
	artifact, _, _ := strings.Cut(rest, "END ARTIFACT]")
	var criteria []string
	var items []string
	flush := func() {
		if len(items) > 0 {
			criteria[len(criteria)-1] += "{" + strings.Join(items, ",") + "}"
		}
		items = nil
	}
	for _, q := range questions.FindAllStringSubmatch(rubric, -1) {
		if q[1] != "" {
			flush()
			criteria = append(criteria, fmt.Sprintf("%q:", q[1]))
			continue
		}
		items = append(items, fmt.Sprintf("%q:%s", q[2], m.answer(judge, q[3], artifact)))
	}
	flush()
	return fmt.Sprintf(`{"ticket":%q,"checklist":{%s}}`, ticket, strings.Join(criteria, ","))
}

func (m *obedient) answer(judge, item, artifact string) string {
	if m.judge != nil {
		return m.judge(judge, item, artifact)
	}
	word := lastWord(item)
	if strings.Contains(artifact, word) {
		return fmt.Sprintf(`{"verdict":"yes","evidence":%q}`, word)
	}
	return `"no"`
}

func lastWord(item string) string {
	words := strings.Fields(item)
	return words[len(words)-1]
}

var (
	fileOf = regexp.MustCompile(`(?m)^Change only:\n  (.+)$`)
	openOf = regexp.MustCompile(`(?m)^  - (.+)$`)
)

// work reads the file and writes it anew.
func (m *obedient) work(t scripted.Turn, brief string) scripted.Reply {
	path := fileOf.FindStringSubmatch(brief)[1]
	switch t.Step {
	case 1:
		return scripted.Do(scripted.Read(path))
	case 2:
		return scripted.Do(scripted.Write(path, m.added(mustRead(path), openIn(brief))))
	}
	return scripted.Say("Added what was missing.")
}

// openIn lists what a task says is not met yet.
func openIn(brief string) (open []string) {
	for _, o := range openOf.FindAllStringSubmatch(brief, -1) {
		open = append(open, o[1])
	}
	return open
}

func (m *obedient) added(text string, open []string) string {
	if m.improve != nil {
		return m.improve(text, open)
	}
	for _, item := range open {
		text += "It mentions " + lastWord(item) + ".\n"
	}
	return text
}

func lineWith(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
