package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"rulph/internal/rubric/rubricfile"
	"rulph/internal/runs"
	"rulph/internal/ui"
)

func newRunsAppendCmd(io ui.IO) *cobra.Command {
	var rubric, skill, input, judge string
	cmd := &cobra.Command{
		Use:   "append FILE JSON|-",
		Short: "Check a record, complete it and append it",
		Long: `Appends one record, given as JSON or with - on standard input, and prints it as it was written. The keys are
those of schemas/run.schema.json; others are kept. run and date are always filled in, segment where it is missing.
Hashes and judge are stamped where the record has none: the rubric is the one beside the log unless --rubric names
another. One line is written in one write and synced; of parallel calls none is lost and the numbers have no gap. A
line that a crash has left unfinished is put into a file beside the log first.`,
		Example: `  hoyeon-cli runs append evals/starter/release-notes/runs.jsonl '{"input_summary": "v2", "scores": {"quality": 9,
    "quality_max": 12}, "change": "names the migration", "decision": "applied"}'
  jq -c .record trial.json | hoyeon-cli runs append evals/starter/release-notes/runs.jsonl - --judge claude`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) < 2:
				return ui.Fail(ui.BadInput, fmt.Errorf("%s: name the log and give a JSON object, or - for standard input", name(cmd)), "run '"+cmd.CommandPath()+" --help'")
			case len(args) > 2:
				return ui.Fail(ui.BadInput, fmt.Errorf("%s: unexpected argument %q", name(cmd), args[2]), "quote the object as one argument")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[1] == "-" && input == "-" {
				return ui.Bad("%s: the record and the input cannot both come from standard input", name(cmd))
			}
			path := logPath(io, args[0])
			record := []byte(args[1])
			var err error
			if args[1] == "-" {
				if record, err = readInput(cmd.Context(), io, "-", mostInput); err != nil {
					return fmt.Errorf("%s: %w", name(cmd), err)
				}
			}
			stamps := runs.Stamps{Judge: judge}
			if stamps.RubricHash, err = rubricStamp(io, path, rubric); err != nil {
				return ui.Fail(ui.BadInput, fmt.Errorf("%s: %w", name(cmd), err))
			}
			for _, text := range []struct {
				file string
				to   *string
			}{{skill, &stamps.SkillHash}, {input, &stamps.InputHash}} {
				if text.file == "" {
					continue
				}
				data, err := readInput(cmd.Context(), io, text.file, mostInput)
				if err != nil {
					return ui.Fail(ui.BadInput, fmt.Errorf("%s: %w", name(cmd), err))
				}
				*text.to = runs.Hash(data)
			}
			if record, err = runs.Stamp(record, stamps); err != nil {
				return refusedRecord(cmd, args[0], err)
			}
			return appendRecord(io, cmd, path, args[0], record)
		},
	}
	cmd.Flags().StringVar(&rubric, "rubric", "", "`FILE` of the rubric (default: rubric.md or rubric.yaml beside the log)")
	cmd.Flags().StringVar(&skill, "skill", "", "`FILE` of the skill before the change, to stamp its hash")
	cmd.Flags().StringVar(&input, "input", "", "`FILE` with what the skill was given, or -, to stamp its hash")
	cmd.Flags().StringVar(&judge, "judge", "", "`NAME` of who scored")
	cmd.Flags().Bool("json", false, "print one JSON document, which it does anyway")
	return cmd
}

// mostInput is how much is read of an input that is only hashed, or of a record before it is refused.
const mostInput = 64 << 20

func appendRecord(io ui.IO, cmd *cobra.Command, path, shown string, record []byte) error {
	l, err := runs.Open(path)
	if err != nil {
		return fmt.Errorf("%s: %w", name(cmd), err)
	}
	if l.SetAside != "" {
		io.Notef("%s: %s: the last line of %s was torn; it is kept as %s", program, name(cmd), shown, l.SetAside)
	}
	line, _, err := l.Prepare(record)
	if err == nil {
		err = l.Write(line)
	}
	if err = errors.Join(err, l.Close()); err != nil {
		return refusedRecord(cmd, shown, err)
	}
	_, err = io.Out.Write(line)
	return err
}

// rubricStamp is the hash of what scores, of the rubric at file or of the one beside the log; "" where there
// is none. A rubric in a form of its own is hashed as a text.
func rubricStamp(io ui.IO, log, file string) (string, error) {
	candidates := []string{absolute(io, file)}
	if file == "" {
		candidates = nil
		for _, base := range rubricNames {
			candidates = append(candidates, filepath.Join(filepath.Dir(log), base))
		}
	}
	for _, path := range candidates {
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) && file == "" {
			continue
		}
		if err != nil {
			return "", err
		}
		if r, err := rubricfile.Parse(filepath.Base(path), data); err == nil {
			return r.Hash(), nil
		}
		return runs.Hash(data), nil
	}
	return "", nil
}

// rubricNames are the rubrics that belong to a log, by their names.
var rubricNames = []string{"rubric.md", "rubric.yaml", "rubric.yml"}
