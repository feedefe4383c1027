package loop

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"rulph/internal/prompt"
)

// Act is what has to be done next.
type Act string

const (
	Start   Act = "start"   // no loop is active, and none has ended here either
	Judge   Act = "judge"   // start the judges that have not answered
	Score   Act = "score"   // all have answered
	Improve Act = "improve" // change the artifact for one criterion
	Done    Act = "done"    // the loop is over
)

// Step is the next step of a loop, for a program in its fields and for an agent in its text.
type Step struct {
	Act       Act      `json:"act"`
	Round     int      `json:"round"` // the round it belongs to
	Judges    []string `json:"judges,omitempty"`
	Criterion string   `json:"criterion,omitempty"`
	Commands  []string `json:"commands,omitempty"` // in their order
	Text      string   `json:"text"`
}

// NextStep says what has to be done next. changed tells whether the artifact on disk differs from the
// version that is kept. The text is enough to go on from for an agent that remembers nothing else.
func NextStep(s State, changed bool, cli prompt.CLI) Step {
	switch {
	case !s.Live() || s.Result != "":
		return s.done(cli)
	case s.Rubric == nil:
		return Step{Act: Improve, Round: s.Round, Text: fmt.Sprintf(
			"The loop is still active (score %.1f of %s, round %d of %d). Improve the artifact, score it again and record the result with `%s session set`; to end the loop run `%s`.",
			s.Score, number(s.Threshold), s.Round, s.MaxRounds, cli.Program, cli.Rulph("cancel"))}
	case s.Headless:
		return s.toRun(changed, cli)
	case s.Pending != nil && len(s.Unanswered()) == 0:
		return s.toScore(cli)
	case s.Pending == nil && s.Void == 0 && s.scored() && !changed:
		return s.toImprove(cli)
	case len(s.Judges) == 0:
		return s.toScore(cli)
	}
	return s.toJudge(cli)
}

func (s State) scored() bool {
	_, ok := s.Kept()
	return ok
}

// open is the number of the round that is being judged or comes next.
func (s State) open() int {
	if s.Pending != nil {
		return s.Pending.Round
	}
	if last, ok := s.Last(); ok {
		return last.Number + 1
	}
	return 0
}

// toJudge starts the programs first, which answer by themselves, then the sub-agents, and then waits for
// the programs.
func (s State) toJudge(cli prompt.CLI) Step {
	step := Step{Act: Judge, Round: s.open(), Judges: s.Unanswered()}
	var agents, programs, asked []string
	for _, j := range step.Judges {
		switch {
		case s.Programs[j] == "":
			agents = append(agents, j)
		case slices.Contains(s.Asked(), j):
			asked = append(asked, j)
		default:
			programs = append(programs, j)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: judge %s. ", s.roundName(step.Round), s.label())
	if len(programs) > 0 {
		command, waits := cli.Rulph("evaluate --detach"), ""
		if s.Attached {
			command, waits = cli.Rulph("evaluate"), " and waits for them; give it all the time your shell allows"
		}
		step.Commands = append(step.Commands, command)
		fmt.Fprintf(&b, "Run `%s`, which asks %s%s. ", command, strings.Join(programs, ", "), waits)
	}
	if len(agents) > 0 {
		then := "In"
		if len(programs) > 0 {
			then = "Then, in"
		}
		fmt.Fprintf(&b, "%s one message and in the foreground, start one sub-agent for each line below (agent `rulph:judge` where it exists), with the line as its whole prompt:\n", then)
	}
	for _, j := range agents {
		command := cli.Rulph("prompt --judge " + j)
		step.Commands = append(step.Commands, command)
		fmt.Fprintf(&b, "  Run `%s` and answer exactly as its output says.\n", command)
	}
	if len(asked) > 0 || len(programs) > 0 && !s.Attached {
		command := cli.Rulph("wait --timeout 100s")
		step.Commands = append(step.Commands, command)
		fmt.Fprintf(&b, "Then run `%s`, again and again as long as it says so. ", command)
	}
	score := cli.Rulph("score")
	step.Commands = append(step.Commands, score)
	fmt.Fprintf(&b, "When all have answered, run `%s`.", score)
	step.Text = b.String()
	return step
}

func (s State) toScore(cli prompt.CLI) Step {
	command, why := cli.Rulph("score"), "every answer is in"
	if len(s.Judges) == 0 {
		why = "no judge is needed"
	}
	return Step{Act: Score, Round: s.open(), Commands: []string{command},
		Text: fmt.Sprintf("%s: %s. Run `%s`.", s.roundName(s.open()), why, command)}
}

// toRun is the step of a run that was interrupted: the run itself takes it.
func (s State) toRun(changed bool, cli prompt.CLI) Step {
	step := Step{Act: Score, Round: s.open(), Commands: []string{cli.Rulph("run --resume")}}
	if s.Pending == nil && s.Void == 0 && s.scored() && !changed {
		step.Act, step.Criterion = Improve, s.Next
	}
	step.Text = fmt.Sprintf("%s: this loop is driven by a run. Go on with `%s`.", s.roundName(step.Round), step.Commands[0])
	return step
}

func (s State) toImprove(cli prompt.CLI) Step {
	c, _ := s.Criterion(s.Next)
	brief, next := cli.Rulph("next --brief"), cli.Rulph("next")
	at := "no score"
	if c.Score != nil {
		at = fmt.Sprintf("%.1f", *c.Score)
	}
	return Step{Act: Improve, Round: s.open(), Criterion: s.Next, Commands: []string{brief, next},
		Text: fmt.Sprintf("%s: overall %.1f of %s. Improve one criterion of %s, %q (%s, floor %s): start one sub-agent (agent `rulph:improver` where it exists) with the prompt: Run `%s` and do what its output says. When it is done, run `%s`.",
			s.roundName(s.open()), s.Score, number(s.Threshold), s.label(), c.Name, at, number(c.Floor), brief, next)}
}

func (s State) done(cli prompt.CLI) Step {
	step := Step{Act: Done, Round: s.Round}
	ended, over := s.Ended()
	if !over {
		step.Act, step.Commands = Start, []string{cli.Rulph("start --target FILE --rubric RUBRIC")}
		step.Text = fmt.Sprintf("The loop is not active (status %q). Start one with `%s`.", s.Status, step.Commands[0])
		return step
	}
	step.Text = "The loop is over: " + ended + "."
	if s.Report != "" {
		step.Text += " Report: " + s.Report + "/report.md. Tell the user the result, the scores by round and where the report is."
	} else {
		step.Commands = []string{cli.Rulph("report")}
		step.Text += " Run `" + step.Commands[0] + "` and show the user what it prints."
	}
	return step
}

// Ended says in a few words how the loop ended; false when it has not. A status that was set by hand
// comes without a result.
func (s State) Ended() (how string, over bool) {
	switch {
	case s.Result != "" && s.Reason != "":
		return string(s.Result) + ", " + s.Reason, true
	case s.Result != "":
		return string(s.Result), true
	case s.Status == Cancelled, !s.CancelledAt.IsZero():
		return string(CancelledEnd) + ", it was cancelled", true
	case s.Status == Completed:
		return "its status was set to completed", true
	}
	return "", false
}

func (s State) roundName(n int) string {
	if n == 0 {
		return "rulph, baseline"
	}
	return fmt.Sprintf("rulph, round %d of %d", n, s.MaxRounds)
}

func (s State) label() string {
	if s.Target == nil {
		return "the artifact"
	}
	return s.Target.Label
}

// Mark is a fingerprint of everything that counts as a change between two stops: the loop's state
// without the counters of the stops themselves, and the signature of the artifact's files.
func Mark(doc []byte, sign string) string {
	h := sha256.New()
	gjson.GetBytes(doc, Key).ForEach(func(k, v gjson.Result) bool {
		switch k.Str {
		case "iteration", "idle_blocks", "mark", "progress_at":
		default:
			fmt.Fprintf(h, "%s\x00%s\x00", k.Raw, v.Raw)
		}
		return true
	})
	h.Write([]byte(sign))
	return hex.EncodeToString(h.Sum(nil)[:12])
}
