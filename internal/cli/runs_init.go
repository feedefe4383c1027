package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"rulph/internal/rubric"
	"rulph/internal/rubric/rubricfile"
	"rulph/internal/ui"
)

func newRunsInitCmd(io ui.IO) *cobra.Command {
	var lang string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "init FILE|DIR",
		Short: "Make the eval folder of a skill: an empty log, and a rubric to start from",
		Long: `Makes the folder, an empty runs.jsonl, and a rubric.md with the four criteria that every skill needs, two
points each, unless there is a rubric. Nothing that is there is changed. Add a criterion or two of the skill's own
before the first run: after it, another rubric needs a new segment.`,
		Example: `  hoyeon-cli runs init evals/starter/release-notes/
  hoyeon-cli runs init evals/starter/release-notes --lang fr`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			criteria, known := evalCriteria[lang]
			if !known {
				return ui.Bad("%s: --lang must be en or fr; it is %q", name(cmd), lang)
			}
			path := absolute(io, args[0])
			if info, err := os.Stat(path); err == nil && info.IsDir() || !strings.HasSuffix(path, ".jsonl") {
				path = filepath.Join(path, logName)
			}
			made, err := initEval(path, criteria)
			if err != nil {
				return fmt.Errorf("%s: %w", name(cmd), err)
			}
			return printInit(io, path, made, asJSON)
		},
	}
	cmd.Flags().StringVar(&lang, "lang", "en", "language of the rubric: en or fr")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	_ = cmd.RegisterFlagCompletionFunc("lang", cobra.FixedCompletions([]string{"en", "fr"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// initEval makes what is missing and returns the names of what it made.
func initEval(log string, criteria []rubric.Criterion) (made []string, err error) {
	dir := filepath.Dir(log)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	made = []string{}
	create := func(path string, text []byte) error {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		if err != nil {
			return err
		}
		made = append(made, filepath.Base(path))
		_, err = f.Write(text)
		return errors.Join(err, f.Close())
	}
	if err := create(log, nil); err != nil {
		return nil, err
	}
	for _, base := range rubricNames {
		if _, err := os.Lstat(filepath.Join(dir, base)); err == nil {
			return made, nil
		}
	}
	r := rubric.New()
	r.Title, r.Criteria = filepath.Base(dir), criteria
	r.Complete()
	text, err := rubricfile.Write(&r, rubricfile.Markdown)
	if err != nil {
		return nil, err
	}
	return made, create(filepath.Join(dir, rubricNames[0]), text)
}

func printInit(io ui.IO, log string, made []string, asJSON bool) error {
	dir := filepath.Dir(log)
	rubricFile := ""
	for _, base := range rubricNames {
		if _, err := os.Stat(filepath.Join(dir, base)); err == nil && rubricFile == "" {
			rubricFile = filepath.Join(dir, base)
		}
	}
	next := fmt.Sprintf("add a criterion or two of the skill's own to %s before the first run", rubricFile)
	if len(made) == 0 {
		next = fmt.Sprintf("everything was there already; '%s runs context %s' says where the skill stands", program, log)
	}
	if asJSON {
		return io.JSON(struct {
			Folder string   `json:"folder"`
			Log    string   `json:"log"`
			Rubric string   `json:"rubric"`
			Made   []string `json:"made"`
			Next   string   `json:"next"`
		}{dir, log, rubricFile, made, next})
	}
	for _, base := range made {
		if _, err := fmt.Fprintf(io.Out, "wrote %s\n", filepath.Join(dir, base)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(io.Out, "next: %s\n", next)
	return err
}

// evalCriteria are what every skill is measured by, by language.
var evalCriteria = map[string][]rubric.Criterion{
	"en": {
		pointed("complete", "Completeness of the output", "a part that the skill promises is missing", "every part is there, one of them thin", "every part that the skill promises is there and filled"),
		pointed("accurate", "Accuracy of what is inferred", "a statement contradicts the input", "a statement goes beyond the input without saying so", "every statement follows from the input or is marked as a guess"),
		pointed("structure", "Structure", "the form that the skill asks for is not kept", "the form is kept but for one deviation", "the form that the skill asks for is kept throughout"),
		pointed("intent", "Fidelity to the intention", "it answers another question than the one asked", "it answers the question and adds what nobody asked for", "it does what was asked, all of it and nothing else"),
	},
	"fr": {
		pointed("completude", "Complétude de l'output", "il manque une partie promise par le skill", "toutes les parties sont là, dont une trop mince", "toutes les parties promises sont là et remplies"),
		pointed("inferences", "Exactitude des inférences", "une affirmation contredit l'input", "une affirmation dépasse l'input sans le signaler", "chaque affirmation découle de l'input ou est signalée comme hypothèse"),
		pointed("structure", "Structure", "la forme demandée par le skill n'est pas respectée", "la forme est respectée à un écart près", "la forme demandée par le skill est respectée partout"),
		pointed("intention", "Fidélité à l'intention", "la réponse porte sur une autre question", "elle répond à la question et ajoute du non demandé", "elle fait tout ce qui était demandé et rien d'autre"),
	},
}

func pointed(id, name, none, some, all string) rubric.Criterion {
	return rubric.Criterion{ID: id, Name: name, Points: []rubric.Level{{At: 0, Text: none}, {At: 1, Text: some}, {At: 2, Text: all}}}
}
