package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulph/internal/evaluator"
	"rulph/internal/rulph"
	"rulph/internal/ui"
)

// newAskCmd is `rulph evaluate`.
func newAskCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	o := rulph.EvaluateOptions{Timeout: evaluator.DefaultAskTimeout}
	var away bool
	cmd := &cobra.Command{
		Use:   "evaluate [--judges NAME,NAME]",
		Short: "Have the judges of this loop that are programs answer, all at once",
		Long: `Have the judges of this loop that are programs answer, all at once; those that have answered in this round are
left alone. Each answer is stored as it comes, and 'rulph score' takes it together with those of the sub-agents.

A client ends a long command. --detach leaves the judges to themselves and comes back at once; then run
'rulph wait' until it says that all have answered. In Codex's sandbox nothing outlives a command, so there
--detach waits too.`,
		Example: `  hoyeon-cli rulph evaluate --detach
  hoyeon-cli rulph wait --timeout 100s
  hoyeon-cli rulph evaluate --judges codex,gemini --timeout 5m`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := lf.engine(io)
			if err != nil {
				return err
			}
			var v rulph.View
			if away && !endsWithCommand(io) {
				v, err = leave(cmd, e)
			} else {
				watch := watching(io, &e)
				e.Notef = watch.progress.Livef // an agent has no use for the rest
				v, err = e.Evaluate(cmd.Context(), o)
				watch.close()
			}
			if err != nil {
				return err
			}
			if err := lf.print(io, v); err != nil {
				return err
			}
			return exitOf(v)
		},
	}
	cmd.Flags().StringSliceVar(&o.Judges, "judges", nil, "only these `NAMES`, separated by commas (default: all that have not answered)")
	cmd.Flags().Var(spanFlag{&o.Timeout}, "timeout", "end each call after this `TIME`")
	cmd.Flags().BoolVar(&o.Again, "again", false, "open a round although the artifact has not changed; it counts as one")
	cmd.Flags().BoolVar(&away, "detach", false, "come back at once and leave the judges to themselves")
	lf.add(cmd, "rulph")
	return cmd
}

// endsWithCommand says whether all that a command has started ends with it: Codex's sandbox is a process
// namespace of each command on Linux, whether it has a network or not.
func endsWithCommand(io ui.IO) bool {
	if io.Getenv("CODEX_SANDBOX_NETWORK_DISABLED") == "1" {
		return true
	}
	first, err := os.ReadFile("/proc/1/cmdline")
	name, _, _ := strings.Cut(string(first), "\x00")
	return err == nil && filepath.Base(name) == "codex-linux-sandbox"
}

func newWaitCmd(io ui.IO) *cobra.Command {
	var lf loopFlags
	timeout := 100 * time.Second
	cmd := &cobra.Command{
		Use:   "wait [--timeout TIME]",
		Short: "Wait for the judges that 'rulph evaluate --detach' has left to themselves",
		Long: `Wait for the judges that 'rulph evaluate --detach' has left to themselves, until all have answered or the time
is over. What comes next is said in both cases: to score, or to wait once more. Where nobody asks them any
more, because the machine was restarted for instance, it says to ask again.`,
		Example: `  hoyeon-cli rulph wait
  hoyeon-cli rulph wait --timeout 100s --json`,
		Args: noOperands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return lf.verb(io, func(e rulph.Engine) (rulph.View, error) {
				return e.Await(cmd.Context(), timeout)
			})
		},
	}
	cmd.Flags().Var(spanFlag{&timeout}, "timeout", "come back after this `TIME` at the latest")
	lf.add(cmd, "rulph")
	return cmd
}

// plan says before a run who judges, who improves, and what that takes at most.
func plan(v rulph.View) (lines []string) {
	var judges []string
	for _, name := range v.Judges {
		judge := name
		if p := v.Programs[name]; p != "" && p != name {
			judge = fmt.Sprintf("%s (%s)", name, p)
		}
		judges = append(judges, judge)
	}
	if len(judges) > 0 {
		lines = append(lines, "judged by "+strings.Join(judges, ", "))
	}
	if v.Improver != "" {
		lines = append(lines, "improved by "+v.Improver)
	}
	if e := v.Estimate; e != nil {
		line := fmt.Sprintf("estimate: %s", e)
		if l := v.Limits; l != nil && l.Tokens > 0 && l.Tokens < e.Scoring {
			line += fmt.Sprintf("; the budget of %s tokens does not last for one scoring", thousands(l.Tokens))
		}
		lines = append(lines, line)
	}
	return lines
}

// dollars is an amount that somebody gave, to the cent or as exact as they gave it.
func dollars(v float64) string {
	if text := strconv.FormatFloat(v, 'f', -1, 64); len(text)-strings.IndexByte(text+".", '.') > 3 {
		return text
	}
	return fmt.Sprintf("%.2f", v)
}

// spentLine is what programs have used, and how much is left of a budget; "" where there were none.
func spentLine(v rulph.View) string {
	s := v.Spent
	if s == nil || s.Calls == 0 {
		return ""
	}
	line := fmt.Sprintf("spent: %s, %s", plural(s.Calls, "call"), cost(s.Tokens, s.USD, s.Unpriced))
	if s.Unpriced > 0 && s.Unpriced == s.Tokens {
		line += " of unknown price"
	}
	if s.Silent > 0 {
		line += fmt.Sprintf(" (%s told nothing)", plural(s.Silent, "call"))
	}
	if l := v.Limits; l != nil {
		if l.Tokens > 0 {
			line += fmt.Sprintf("; left: %s of %s tokens", thousands(max(0, l.Tokens-s.Tokens)), thousands(l.Tokens))
		}
		if l.USD > 0 {
			line += fmt.Sprintf("; left: %.4f of %s USD", max(0, l.USD-s.USD), dollars(l.USD))
		}
	}
	return line
}
