package skill

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// undoName is the file that keeps what the last apply of the skill changed.
func (f Found) undoName() string {
	return strings.ReplaceAll(fmt.Sprintf("%s+%s.json", f.group(), f.Name), ":", "_")
}

// group is the folder of evals/ that the skill's is in.
func (f Found) group() string {
	switch {
	case f.Where == InUser:
		return ofUser
	case f.PluginDir != "":
		return f.Plugin
	}
	return ofProject
}

// Undo takes the last Apply back: SKILL.md, the manifests and the log are then byte for byte what they were. It refuses
// where one of them has changed since, and leaves all as it is.
func Undo(f Found) (Applied, error) {
	unlock, err := lockAndRecover(f.State)
	if err != nil {
		return Applied{}, err
	}
	defer unlock()
	last, err := readJournal(f.State, journal{Undo: f.undoName()}.undoPath(f.State))
	if errors.Is(err, fs.ErrNotExist) {
		return Applied{}, fmt.Errorf("nothing that was applied to %s can be undone", f.Name)
	}
	if err != nil {
		return Applied{}, err
	}
	if last.Kind != "apply" || last.Files[0].Path != realPath(f.File) {
		return Applied{}, fmt.Errorf("%s is not of this skill; look at it and remove it", last.undoPath(f.State))
	}
	if last.Log != f.Runs() {
		return Applied{}, fmt.Errorf("the last change of %s was applied in another project, whose log is %s; undo it there", f.Name, last.Log)
	}
	for _, file := range last.Files {
		same, err := is(file.Path, file.New)
		if err != nil {
			return Applied{}, err
		}
		if !same {
			return Applied{}, refuse(Moved, "%s has changed since the change was applied, so it can't be undone as a whole; go back with your version control", file.Path)
		}
	}
	if err := last.isLast(); err != nil {
		return Applied{}, err
	}
	j := *last
	j.Kind, j.From, j.To, j.Files = "undo", last.To, last.From, nil
	for _, file := range last.Files {
		j.Files = append(j.Files, fileState{file.Path, file.Mode, file.New, file.Old})
	}
	return j.commit(f)
}

// isLast refuses where the log has gone on: what other records say may rest on this one.
func (j journal) isLast() error {
	info, err := os.Stat(j.Log)
	if err != nil {
		return err
	}
	there, err := holds(j.Log, j.Size, j.Line)
	if err != nil {
		return err
	}
	if !there || info.Size() != j.Size+int64(len(j.Line)) {
		return j.wentOn()
	}
	return nil
}

func (j journal) wentOn() error {
	return refuse(Moved, "%s has gone on since run %d was recorded, so that run can't be undone", j.Log, j.Run)
}
