package skill

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"rulph/internal/runs"
)

// commit carries a transaction out: first its journal, which decides it, then the files, then the log, then
// the end of the journal. What fails is taken back at once.
func (j journal) commit(f Found) (Applied, error) {
	for _, file := range j.Files {
		if err := allowed(f.State, file.Path, filepath.Base(file.Path)); err != nil {
			return Applied{}, err
		}
	}
	var record *runs.Record
	var log *runs.Log
	if j.Log != "" {
		if err := os.MkdirAll(filepath.Dir(j.Log), 0o755); err != nil {
			return Applied{}, err
		}
		var err error
		if log, err = runs.Open(j.Log); err != nil {
			return Applied{}, err
		}
		defer log.Close()
	}
	switch j.Kind {
	case "undo":
		if log.Size() != j.Size+int64(len(j.Line)) {
			return Applied{}, j.wentOn()
		}
	case "apply":
		line, rec, err := log.Prepare(j.Record)
		if err != nil {
			return Applied{}, err
		}
		j.Line, j.Size, j.Run, record = line, log.Size(), rec.Run, &rec
	}
	atStep("prepared")
	if err := j.save(f.State); err != nil {
		return Applied{}, err
	}
	if err := j.forward(f.State, log); err != nil {
		if back := j.back(f.State, log); back != nil {
			return Applied{}, fmt.Errorf("%w; what was done could not be taken back: %w; the next command tries again", err, back)
		}
		return Applied{}, err
	}
	return j.applied(f, record), nil
}

func (j journal) applied(f Found, record *runs.Record) Applied {
	a := Applied{File: f.File, Manifests: []string{}, From: j.From, To: j.To, Run: j.Run, Record: record}
	text := j.Files
	if j.Kind != "bump" {
		text, a.Hash = text[1:], Hash(text[0].New)
	} else if data, _, err := readText(f.File); err == nil {
		a.Hash = Hash(data)
	}
	for _, file := range text {
		a.Manifests = append(a.Manifests, file.Path)
	}
	return a
}

// forward does what is not done yet. It may be called any number of times.
func (j journal) forward(state string, log *runs.Log) error {
	for i, file := range j.Files {
		now, err := os.ReadFile(file.Path)
		if err != nil {
			return err
		}
		if bytes.Equal(now, file.New) {
			continue
		}
		if !bytes.Equal(now, file.Old) { // an editor takes no lock
			return refuse(Moved, "%s was changed by another program just now; try again", file.Path)
		}
		if err := replace(fmt.Sprintf("file %d", i), file.Path, file.New, file.Mode); err != nil {
			return err
		}
	}
	switch j.Kind {
	case "apply":
		if log.Size() == j.Size {
			if err := log.Write(j.Line); err != nil {
				return err
			}
		}
		atStep("log written")
	case "undo":
		if log.Size() == j.Size+int64(len(j.Line)) {
			if err := log.Rewind(j.Size, j.Line); err != nil {
				return err
			}
		}
		atStep("log rewound")
	}
	return j.finish(state)
}

// finish ends the transaction: the journal of an apply becomes what Undo reads.
func (j journal) finish(state string) error {
	end := func() error { return os.Remove(journalPath(state)) }
	switch j.Kind {
	case "apply":
		end = func() error { return os.Rename(journalPath(state), j.undoPath(state)) }
	case "undo":
		if err := os.Remove(j.undoPath(state)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		atStep("undo removed")
	}
	if err := end(); err != nil {
		return err
	}
	atStep("ended")
	return syncDir(state)
}

// back takes back what was done. A file that somebody else has written since stays.
func (j journal) back(state string, log *runs.Log) error {
	for i, file := range j.Files {
		if mine, err := is(file.Path, file.New); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		} else if !mine {
			continue
		}
		if err := replace(fmt.Sprintf("back %d", i), file.Path, file.Old, file.Mode); err != nil {
			return err
		}
	}
	if j.Kind == "apply" && log.Size() > j.Size {
		if err := log.Rewind(j.Size, j.Line); err != nil {
			return err
		}
	}
	if err := os.Remove(journalPath(state)); err != nil {
		return err
	}
	return syncDir(state)
}
