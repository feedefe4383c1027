package trial

import (
	"fmt"
	"slices"
	"strings"

	"rulph/internal/prompt"
)

// Step is the next step of a trial, for a program in its fields and for an agent in its text.
type Step struct {
	Phase    Phase    `json:"phase"`
	Parts    []string `json:"parts,omitempty"`    // what sub-agents have to answer
	Commands []string `json:"commands,omitempty"` // in their order
	Text     string   `json:"text"`
}

// Open are the parts that wait for an answer, in their order.
func (s State) Open() (parts []string) {
	switch s.Phase {
	case Original, Change, Variant:
		parts = []string{string(s.Phase)}
	case Scores:
		parts = []string{PartScore1, PartScore2}
		if s.Variant == nil { // no change could be made: the original alone is scored
			parts = parts[:1]
		}
		if len(s.Form(PartScore1).Criteria) == 0 {
			return nil // the text itself answers all
		}
	}
	return slices.DeleteFunc(parts, func(p string) bool { return s.Seats[p] != nil && s.Seats[p].Answered })
}

// NextStep says what has to be done next. folder is the session's. The text is enough to go on from for an agent
// that remembers nothing else.
func NextStep(s State, folder string, cli prompt.CLI) Step {
	step := Step{Phase: s.Phase, Parts: s.Open()}
	add := func(verb string) string {
		step.Commands = append(step.Commands, cli.SkillScore(verb))
		return step.Commands[len(step.Commands)-1]
	}
	file := func(name string) string { return prompt.Quote(folder + "/" + s.Folder() + "/" + name) }
	var b strings.Builder
	fmt.Fprintf(&b, "skill-score %s: ", s.Skill.Name)
	switch {
	case s.Phase == "" || s.Phase == Done:
		fmt.Fprintf(&b, "this run is over. Tell the user what was decided. Another one begins with `%s`.", add("start "+prompt.Quote(name(s))))
	case s.Phase == Gate && s.GateFor == NewRubric:
		fmt.Fprintf(&b, "show the user the message above and ask: A or C. Then run `%s` or `%s`.", add("gate A"), add("gate C"))
	case s.Phase == Gate:
		fmt.Fprintf(&b, "show the user the message above as it is and ask: A, B or C. Then run `%s`, `%s` or `%s`.", add("gate A"), add("gate B"), add("gate C"))
	case s.Phase == Input:
		in := file("input.txt")
		fmt.Fprintf(&b, "ask the user for a real input, exactly what they would hand to the skill. Write it word for word to the file %s and run `%s`.", in, add("input --file "+in))
	case len(step.Parts) > 0:
		b.WriteString(s.ask(step.Parts, add))
	case s.Phase == Decision || s.Phase == Scores:
		fmt.Fprintf(&b, "run `%s` and show the user what it prints as it is. "+toDecide,
			add("table"), file("reason.txt"), add("decide apply"), add("decide ignore --reason-file "+file("reason.txt")), add("decide relaunch"))
	default:
		fmt.Fprintf(&b, "run `%s`.", add("next"))
	}
	step.Text = b.String()
	return step
}

const toDecide = "Ask: apply, ignore (and why), or relaunch. A reason goes into the file %s. Then run `%s`, `%s` or `%s`."

// Shown is the next step once the user has the table before them.
func Shown(step Step) Step {
	if step.Phase == Decision && len(step.Commands) > 0 {
		head, ask, _ := strings.Cut(step.Text, "run `"+step.Commands[0]+"` and show the user what it prints as it is. ")
		step.Text, step.Commands = head+"show the user this table as it is. "+ask, step.Commands[1:]
	}
	return step
}

func (s State) ask(parts []string, add func(string) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. In one message and in the foreground, start one sub-agent for each line below, with the line as its whole prompt:\n", task(s.Phase))
	asked := false
	for _, p := range parts {
		fmt.Fprintf(&b, "  Run `%s` and answer exactly as its output says.\n", add("prompt --part "+p))
		asked = asked || s.Seats[p] != nil
	}
	fmt.Fprintf(&b, "When all have answered, run `%s`.", add("next"))
	if asked {
		fmt.Fprintf(&b, " (%s has not answered, or its answer was not taken in: write the answer to a file and run `%s`, or start it again.)", strings.Join(parts, ", "), add("submit --file FILE"))
	}
	if s.Note != "" {
		b.WriteString(" Last time: " + s.Note + ".")
	}
	return b.String()
}

func task(p Phase) string {
	switch p {
	case Original:
		return "dry run of the skill as it is"
	case Change:
		return "propose one change"
	case Variant:
		return "dry run of the staged variant"
	}
	return "score both outputs"
}

func name(s State) string {
	if s.Skill.Ref != "" {
		return s.Skill.Ref
	}
	if s.Skill.Name != "" {
		return s.Skill.Name
	}
	return "NAME"
}
