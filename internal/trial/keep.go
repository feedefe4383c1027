package trial

import (
	"fmt"
	"os"
	"path/filepath"
)

// Keep writes the output of a dry run under folder, the session's. It is done before the state that names the
// file is written; of a run that dies in between only a file too many is left.
func (a Answered) Keep(folder string) error {
	if a.File == "" {
		return nil
	}
	path := filepath.Join(folder, filepath.FromSlash(a.File))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("keep the output of %s: %w", a.Part, err)
	}
	if err := os.WriteFile(path, []byte(a.Output), 0o600); err != nil {
		return fmt.Errorf("keep the output of %s: %w", a.Part, err)
	}
	return nil
}
