package rulph

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"rulph/internal/artifact"
	"rulph/internal/loop"
	"rulph/internal/rubric"
	"rulph/internal/ui"
)

// target sets what is improved, and reads it once, so that a loop that cannot be scored never starts.
func (e Engine) target(s *loop.State, o StartOptions, r rubric.Rubric, path string) (artifact.Artifact, error) {
	targets, cwd := o.Targets, o.Cwd
	if len(targets) == 0 {
		if r.Target == "" {
			return artifact.Artifact{}, ui.Fail(ui.BadInput, errors.New("nothing says what to improve"), "give --target FILE, or a 'target:' line in the rubric")
		}
		targets, cwd = []string{r.Target}, filepath.Dir(path)
	}
	label := labelOf(targets)
	if fromInput(targets) {
		file, err := e.keepText(*s, o.Text)
		if err != nil {
			return artifact.Artifact{}, err
		}
		targets = []string{file}
	}
	if o.Label != "" {
		label = o.Label
	}
	spec, err := specOf(cwd, targets, o.Include)
	if err != nil {
		return artifact.Artifact{}, err
	}
	s.Target = &loop.Target{Spec: spec, Label: label}
	a, err := artifact.Read(spec)
	if err != nil {
		return a, ui.Fail(ui.BadInput, err)
	}
	return a, nil
}

// specOf is artifact.NewSpec with its errors as bad input.
func specOf(cwd string, targets, include []string) (artifact.Spec, error) {
	spec, err := artifact.NewSpec(cwd, targets, include)
	switch {
	case errors.Is(err, fs.ErrNotExist): // the message has said so
		return spec, ui.Bad("%s", strings.TrimSuffix(err.Error(), ": "+fs.ErrNotExist.Error()))
	case err != nil:
		return spec, ui.Fail(ui.BadInput, err)
	}
	return spec, nil
}

// labelOf is how the targets that a person named are called.
func labelOf(targets []string) string {
	switch {
	case targets[0] == "-":
		return "the text from standard input"
	case len(targets) > 1:
		return fmt.Sprintf("%s and %d more", targets[0], len(targets)-1)
	}
	return targets[0]
}

// keepText writes an artifact that came as text into the session's folder, where it can be improved.
func (e Engine) keepText(s loop.State, text []byte) (string, error) {
	if len(text) == 0 {
		return "", ui.Fail(ui.BadInput, errors.New("standard input is empty"), "give the artifact's text on standard input, or --target FILE")
	}
	if err := e.Store.EnsureDir(e.SID); err != nil {
		return "", err
	}
	dir := filepath.Join(e.dir(s), "text")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("keep the text: %w", err)
	}
	file := filepath.Join(dir, "artifact.md")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", fmt.Errorf("keep the text: %w", err)
	}
	return file, nil
}
