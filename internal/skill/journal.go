package skill

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A journal holds all that is needed to finish an apply or an undo, or to take it back. It is written before the
// first file is touched: a process that dies before has changed nothing, and what one that dies later began is finished
// by the next command. Finished, the journal of an apply is kept as what Undo reads.
type journal struct {
	Schema int         `json:"schema"`
	Kind   string      `json:"kind"` // apply | undo | bump
	Skill  string      `json:"skill"`
	Plugin string      `json:"plugin"`
	Files  []fileState `json:"files"`
	From   string      `json:"from"` // version
	To     string      `json:"to"`
	Log    string      `json:"log"`  // "" where the log has no part in it
	Size   int64       `json:"size"` // of the log without Line
	Line   []byte      `json:"line"` // the log's last
	Run    int         `json:"run"`
	Record []byte      `json:"record"` // what Line was made from
	Undo   string      `json:"undo"`   // name of the file below undo/ that this becomes, or removes
}

// fileState is one file before and after.
type fileState struct {
	Path string      `json:"path"`
	Mode fs.FileMode `json:"mode"`
	Old  []byte      `json:"old"`
	New  []byte      `json:"new"`
}

const (
	schema       = 1
	journalLimit = 64 << 20
)

func journalPath(state string) string      { return filepath.Join(state, "journal.json") }
func (j journal) undoPath(s string) string { return filepath.Join(s, "undo", j.Undo) }

// save writes the journal. When it returns, the transaction is decided.
func (j journal) save(state string) error {
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return replace("journal", journalPath(state), data, 0o600)
}

// readJournal reads a journal and refuses one that this program cannot have written: whoever can put a file into a
// project must not gain that it is written wherever the file says.
func readJournal(state, path string) (*journal, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > journalLimit {
		return nil, fmt.Errorf("%s is not of our making; look at it and remove it", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var j journal
	if err := json.Unmarshal(data, &j); err != nil || len(j.Files) == 0 || !slices.Contains([]string{"apply", "undo", "bump"}, j.Kind) {
		return nil, fmt.Errorf("%s is damaged; compare the skill with your version control, then remove it", path)
	}
	if j.Schema != schema {
		return nil, fmt.Errorf("%s was written by another version of the program (schema %d, not %d); use that one", path, j.Schema, schema)
	}
	for _, f := range j.Files {
		if err := allowed(state, f.Path, "SKILL.md", "skill.md", "plugin.json", "gemini-extension.json", "marketplace.json", "api_marketplace.json"); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if j.Log != "" {
		if err := allowed(state, j.Log, "runs.jsonl"); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if j.Undo != "" && !plainName(j.Undo) {
		return nil, fmt.Errorf("%s is not of our making; look at it and remove it", path)
	}
	return &j, nil
}

// allowed refuses to write anything but the files of skills, and, where the state is kept in a project, anything
// outside of it.
func allowed(state, path string, names ...string) error {
	if !filepath.IsAbs(path) || !slices.Contains(names, filepath.Base(path)) {
		return fmt.Errorf("%q is no file of a skill", path)
	}
	if filepath.Base(filepath.Dir(state)) != "evals" {
		return nil // beside the user's own skills
	}
	project := filepath.Dir(filepath.Dir(state))
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) { // the log's folder may not be there yet
		if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
			continue
		}
		if _, inside := within(project, dir); !inside {
			return fmt.Errorf("%s is outside of %s; name the skill by the path of its folder, in its own project", path, project)
		}
		return nil
	}
}

// is reports whether the file at path has this text.
func is(path string, text []byte) (bool, error) {
	data, err := os.ReadFile(path)
	return bytes.Equal(data, text), err
}
