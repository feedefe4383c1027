package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"rulph/internal/runs"
	"rulph/internal/ui"
)

// newRunsCmd is the history of a skill's trials: runs.jsonl, one record a line.
func newRunsCmd(io ui.IO) *cobra.Command {
	g := group("runs", "Keep and read the history of a skill's trials",
		newRunsInitCmd(io), newRunsContextCmd(io), newRunsAppendCmd(io), newRunsSegmentCmd(io), newRunsListCmd(io), newRunsChartCmd(io))
	g.Long = `The history of a skill is evals/<plugin>/<skill>/runs.jsonl, one JSON object a line. It is appended to and
never rewritten. 'context' prints what the next trial has to know of it, and is all that a model should read.`
	return g
}

// oneLog is the argument of a command that takes one log.
func oneLog(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return ui.Fail(ui.BadInput, fmt.Errorf("%s: name the log, such as evals/starter/release-notes/runs.jsonl", name(cmd)), "run '"+cmd.CommandPath()+" --help'")
	case len(args) > 1:
		return ui.Bad("%s: unexpected argument %q; it takes one file", name(cmd), args[1])
	}
	return nil
}

// logPath is the log that an argument names: a folder stands for the runs.jsonl in it.
func logPath(io ui.IO, arg string) string {
	path := absolute(io, arg)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, logName)
	}
	return path
}

const logName = "runs.jsonl"

// compact prints v as one line, which is how it goes into a prompt.
func compact(io ui.IO, v any) error {
	enc := json.NewEncoder(io.Out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func newRunsContextCmd(io ui.IO) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "context FILE",
		Short: "Print what the next trial has to know, as compact JSON",
		Long: `Prints one line of JSON: segment, last_score, mode (qualite, or efficience once the last two records of the
segment are at a known maximum), ignored_changes of the segment (relaunched ones too, marked), efficience_backlog of all
segments (each idea once, oldest first, applied ones marked), stagnation, and applied_changes, input_hashes,
rubric_hash, runs, damaged, torn and left_out. A log that is not there is an empty one.`,
		Example: `  hoyeon-cli runs context evals/starter/release-notes/runs.jsonl
  hoyeon-cli runs context evals/starter/release-notes/runs.jsonl | jq .stagnation`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := runs.Context(logPath(io, args[0]))
			if err != nil {
				return fmt.Errorf("%s: %w", name(cmd), err)
			}
			return compact(io, c)
		},
	}
	cmd.Flags().Bool("json", false, "print one JSON document, which it does anyway")
	return cmd
}

func newRunsSegmentCmd(io ui.IO) *cobra.Command {
	var open, asJSON bool
	var reason string
	cmd := &cobra.Command{
		Use:   "segment FILE [--new]",
		Short: "Print the current segment, or start a new one",
		Long: `Records of one segment may be compared. A new one starts after a new rubric, a major version, or a change of
the kind of input; rejections and stagnation are forgotten, ideas are kept. --new keeps the choice at once, in
runs.segment.json beside the log, whether or not a record follows.`,
		Example: `  hoyeon-cli runs segment evals/starter/release-notes/runs.jsonl
  hoyeon-cli runs segment evals/starter/release-notes/runs.jsonl --new --reason "longer inputs"`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := logPath(io, args[0])
			if reason != "" && !open {
				return ui.Bad("%s: --reason is for a new segment; add --new", name(cmd))
			}
			var segment int
			var err error
			if open {
				segment, err = runs.OpenSegment(path, reason)
			} else {
				var c runs.ContextJSON
				c, err = runs.Context(path)
				segment = c.Segment
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name(cmd), err)
			}
			if asJSON {
				return io.JSON(struct {
					Segment int `json:"segment"`
				}{segment})
			}
			_, err = fmt.Fprintln(io.Out, segment)
			return err
		},
	}
	cmd.Flags().BoolVar(&open, "new", false, "start a new segment")
	cmd.Flags().StringVar(&reason, "reason", "", "why it is a new one, kept beside the log")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// refusedRecord gives what is wrong with a record its exit code and its way out.
func refusedRecord(cmd *cobra.Command, log string, err error) error {
	err = fmt.Errorf("%s: %w", name(cmd), err)
	if invalid, ok := errors.AsType[*runs.Invalid](err); ok {
		lines := make([]string, len(invalid.Problems))
		for i, p := range invalid.Problems {
			lines[i] = ui.OneLine(p.String())
		}
		return ui.Fail(ui.BadInput, fmt.Errorf("%s: the record is refused, nothing was written:\n  %s", name(cmd), strings.Join(lines, "\n  ")))
	}
	if _, ok := errors.AsType[*runs.RubricChanged](err); ok {
		return ui.Fail(ui.BadInput, err, fmt.Sprintf("'%s runs segment %s --new --reason \"new rubric\"' starts a new segment", program, log))
	}
	return err
}
