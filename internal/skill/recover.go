package skill

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"rulph/internal/runs"
)

// Recovery is what had to be done about a command that was killed.
type Recovery struct {
	Kind     string   `json:"kind"` // apply | undo | bump
	Skill    string   `json:"skill"`
	Finished bool     `json:"finished"` // else it was taken back
	Foreign  []string `json:"foreign"`  // files that somebody else has changed in the meantime, which stayed as they are
}

func (r Recovery) String() string {
	if r.Finished {
		return fmt.Sprintf("an earlier '%s' of %s had been interrupted; it is finished now", r.Kind, r.Skill)
	}
	return fmt.Sprintf("an earlier '%s' of %s had been interrupted and is taken back, since %s changed in the meantime", r.Kind, r.Skill, strings.Join(r.Foreign, ", "))
}

// Recover finishes what a killed command began, or takes it back where somebody else has changed one of its files
// since. nil: there was nothing to do.
func Recover(state string) (*Recovery, error) {
	if _, err := os.Lstat(journalPath(state)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	unlock, err := lock(state)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return recovered(state)
}

// RecoverAll is Recover for all skills of the roots.
func RecoverAll(roots Roots) ([]Recovery, error) {
	states := []string{filepath.Join(roots.Top, "evals", hidden)}
	for _, shelf := range roots.User {
		states = append(states, filepath.Join(shelf, hidden))
	}
	var all []Recovery
	var faults []error
	for _, state := range states {
		r, err := Recover(state)
		if err != nil {
			faults = append(faults, err)
		} else if r != nil {
			all = append(all, *r)
		}
	}
	return all, errors.Join(faults...)
}

func lockAndRecover(state string) (unlock func(), err error) {
	unlock, err = lock(state)
	if err != nil {
		return nil, err
	}
	if _, err := recovered(state); err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// recovered is Recover for the holder of the lock.
func recovered(state string) (*Recovery, error) {
	j, err := readJournal(state, journalPath(state))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := Recovery{Kind: j.Kind, Skill: j.Skill, Foreign: []string{}}
	for _, file := range j.Files {
		data, err := os.ReadFile(file.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err != nil || !bytes.Equal(data, file.Old) && !bytes.Equal(data, file.New) {
			r.Foreign = append(r.Foreign, file.Path)
		}
	}
	var log *runs.Log
	if j.Log != "" {
		if err := os.MkdirAll(filepath.Dir(j.Log), 0o755); err != nil {
			return nil, err
		}
		if info, err := os.Stat(j.Log); err == nil && j.Kind == "apply" && info.Size() < j.Size+int64(len(j.Line)) {
			_ = runs.Rewind(j.Log, j.Size, j.Line) // a part of our line is no torn record; where it is not ours, Open sees to it
		}
		if log, err = runs.Open(j.Log); err != nil {
			return nil, err
		}
		defer log.Close()
		grown, err := j.settleLog(state, log)
		if err != nil {
			return nil, err
		}
		if grown {
			r.Foreign = append(r.Foreign, j.Log)
		}
	}
	if len(r.Foreign) > 0 {
		return &r, j.back(state, log)
	}
	r.Finished = true
	return &r, j.forward(state, log)
}

// settleLog looks what has become of the log. Others may have appended to it since: an apply whose line is not
// there yet then gets the next number, and an undo can no longer take its line off (true).
func (j *journal) settleLog(state string, log *runs.Log) (grown bool, err error) {
	there, err := holds(j.Log, j.Size, j.Line)
	if err != nil {
		return false, err
	}
	whole := log.Size() == j.Size+int64(len(j.Line))
	switch {
	case j.Kind == "undo":
		return !(there && whole) && log.Size() != j.Size, nil
	case there || log.Size() == j.Size:
		return false, nil
	}
	line, rec, err := log.Prepare(j.Record)
	if err != nil {
		return true, nil // it no longer fits: the log has another segment now, or another rubric
	}
	j.Line, j.Size, j.Run = line, log.Size(), rec.Run
	return false, j.save(state)
}

// holds reports whether line stands in the file at offset.
func holds(path string, offset int64, line []byte) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	got := make([]byte, len(line))
	n, err := f.ReadAt(got, offset)
	if n < len(got) {
		return false, nil // the file ends before
	}
	return bytes.Equal(got, line), nil
}
