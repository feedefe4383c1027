package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"rulph/internal/rubric/rubricfile"
	"rulph/internal/ui"
)

func newRubricInitCmd(io ui.IO) *cobra.Command {
	var format, title string
	var force, asJSON bool
	cmd := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a commented rubric to start from",
		Example: `  hoyeon-cli rubric init
  hoyeon-cli rubric init docs/rubric.md --title "Team handbook"
  hoyeon-cli rubric init --format md`,
		Args: atMostOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			file, format, err := initFile(cmd, args, format)
			if err != nil {
				return err
			}
			text, err := rubricfile.Template(format, title)
			if err != nil {
				return ui.Fail(ui.BadInput, fmt.Errorf("%s: %w", name(cmd), err))
			}
			if err := writeNew(io, cmd, file, text, force); err != nil {
				return err
			}
			next := fmt.Sprintf("change %s to fit your artifact, then run '%s rubric check %s'", file, program, file)
			if asJSON {
				return io.JSON(struct {
					File   string `json:"file"`
					Format string `json:"format"`
					Next   string `json:"next"`
				}{file, format, next})
			}
			_, err = fmt.Fprintf(io.Out, "wrote %s\nnext: %s\n", file, next)
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", "", "yaml or md (default: by the file name, else yaml)")
	cmd.Flags().StringVar(&title, "title", "", "title of the rubric")
	cmd.Flags().BoolVar(&force, "force", false, "replace a file that is there")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"yaml", "md"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// initFile settles the name and the format of the new file from whichever of them was given.
func initFile(cmd *cobra.Command, args []string, flag string) (file, format string, err error) {
	format = rubricfile.FormatOf(flag)
	if flag != "" && format != rubricfile.YAML && format != rubricfile.Markdown {
		return "", "", ui.Bad("%s: --format must be yaml or md; it is %q", name(cmd), flag)
	}
	if len(args) == 0 {
		if format == "" {
			format = rubricfile.YAML
		}
		return "rubric." + format, format, nil
	}
	file = args[0]
	byName := rubricfile.FormatOf(filepath.Ext(file))
	switch {
	case byName == "" || byName == rubricfile.JSON:
		return "", "", ui.Bad("%s: %s must end in .yaml, .yml or .md, which is how it is read later", name(cmd), file)
	case format != "" && format != byName:
		return "", "", ui.Bad("%s: --format %s and the name %s contradict each other", name(cmd), format, file)
	}
	return file, byName, nil
}

func writeNew(io ui.IO, cmd *cobra.Command, file string, text []byte, force bool) error {
	path := absolute(io, file)
	if force {
		if err := renameio.WriteFile(path, text, 0o644); err != nil {
			return fmt.Errorf("%s: %w", name(cmd), err)
		}
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return ui.Fail(ui.BadInput, fmt.Errorf("%s: %s is there already", name(cmd), file), "name another file, or replace it with --force")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name(cmd), err)
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
