package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"rulph/internal/prompt"
	"rulph/internal/report"
	"rulph/internal/ui"
)

// output is one more form of the result.
type output struct {
	form, file string // as they were given
	path       string // absolute, links followed
	inPlace    bool   // it is written as it is: a pipe or a device, or a file in a folder that takes no other
}

// places finds out where each output goes, and refuses what cannot be written before anybody is paid for the
// result.
func places(io ui.IO, outputs []output) error {
	taken := map[string]bool{}
	for i := range outputs {
		out := &outputs[i]
		if err := out.place(io); err != nil {
			return ui.Fail(ui.BadInput, fmt.Errorf("--output %s=%s: %w", out.form, out.file, err))
		}
		if taken[out.path] && !out.inPlace {
			return ui.Bad("--output %s=%s: another --output goes there too", out.form, out.file)
		}
		taken[out.path] = true
	}
	return nil
}

func (o *output) place(io ui.IO) error {
	o.path = absolute(io, o.file)
	if real, err := filepath.EvalSymlinks(o.path); err == nil {
		o.path = real
	}
	info, err := os.Stat(o.path)
	switch {
	case err == nil && info.IsDir():
		return errors.New("it is a folder; name a file in it")
	case err == nil && !info.Mode().IsRegular():
		o.inPlace = true
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return plain(err)
	}
	there := err == nil
	dir := filepath.Dir(o.path)
	probe, err := os.CreateTemp(dir, ".hoyeon-*")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no folder %s", prompt.Quote(dir))
	case err != nil && there:
		file, err := os.OpenFile(o.path, os.O_WRONLY, 0)
		if err != nil {
			return plain(err)
		}
		o.inPlace = true
		return file.Close()
	case err != nil:
		return fmt.Errorf("the folder %s cannot be written: %w", prompt.Quote(dir), plain(err))
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// plain is the reason alone of an error that names a file and what was done with it.
func plain(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// deliver prints the result, and then writes its further forms: each of them, whatever becomes of another.
func deliver(io ui.IO, ev report.Evaluation, format string, outputs []output) error {
	text, err := rendered(ev, format, io.Look(io.Out))
	if err == nil {
		_, err = io.Out.Write(text)
	}
	failed := []error{err}
	for _, out := range outputs {
		text, err := rendered(ev, out.form, ui.Look{})
		if err == nil {
			err = out.write(text)
		}
		failed = append(failed, err)
	}
	if err := errors.Join(failed...); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}

func (o output) write(text []byte) error {
	if o.inPlace {
		return os.WriteFile(o.path, text, 0o644)
	}
	return renameio.WriteFile(o.path, text, 0o644, renameio.WithExistingPermissions())
}

func rendered(ev report.Evaluation, form string, look ui.Look) ([]byte, error) {
	switch form {
	case "json":
		return ev.JSON()
	case "md":
		return ev.Markdown(), nil
	case "junit":
		return ev.JUnit()
	case "github":
		return ev.GitHub(), nil
	}
	return []byte(evaluationText(ev, look)), nil
}
