// Package rulph holds the use cases of /rulph: start a loop, hand out prompts, take verdicts in, score
// a round, say what is next, end, resume and report, in a session or without one. It reads and writes
// files and runs the commands of a trusted rubric; what the numbers mean and whether a loop goes on is
// decided in packages score and loop.
package rulph

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/sjson"

	"rulph/internal/artifact"
	"rulph/internal/evaluator"
	"rulph/internal/loop"
	"rulph/internal/prompt"
	"rulph/internal/rubric"
	"rulph/internal/rubric/rubricfile"
	"rulph/internal/session"
	"rulph/internal/ui"
)

// Engine works on the loop of one session.
type Engine struct {
	Store session.Store
	SID   string
	CLI   prompt.CLI // how its words name the command line
	// Trusted says whether the commands of a rubric may run: a person allowed this file with this content.
	Trusted func(path string, data []byte) bool
	Now     func() time.Time
	Notef   func(format string, args ...any) // progress, for a person
	// What programs that judge or improve are started with.
	Environ []string         // the environment; empty: no client is found
	Dir     string           // where a relative path of such a program begins: the working folder
	Client  evaluator.Kind   // the client whose session this is, or ""
	Watch   func(JudgeEvent) // called from several goroutines; nil: nobody watches
}

// update is the one way the loop's state changes.
func (e Engine) update(change func(loop.State) (loop.State, error)) (loop.State, error) {
	var out loop.State
	err := e.Store.Transform(e.SID, func(old []byte) ([]byte, error) {
		s, err := e.parse(old)
		if err != nil {
			return nil, err
		}
		if out, err = change(s); err != nil {
			return nil, err
		}
		return out.Write(old)
	})
	return out, err
}

// errReplaced says that the session has another loop by now.
var errReplaced = errors.New("another loop was started in this session meanwhile")

// same is update for whoever has worked on this very loop for a while.
func (e Engine) same(mine loop.State, change func(loop.State) (loop.State, error)) (loop.State, error) {
	return e.update(func(s loop.State) (loop.State, error) {
		if err := replaced(mine, s); err != nil {
			return s, err
		}
		return change(s)
	})
}

// replaced is the error where the session's loop is not mine any more.
func replaced(mine, now loop.State) error {
	if now.StartedAt.Equal(mine.StartedAt) {
		return nil
	}
	return ui.Fail(ui.BadInput, errReplaced)
}

// load reads the loop and, where a rollback was interrupted, finishes it first.
func (e Engine) load() (loop.State, error) {
	doc, err := e.Store.Load(e.SID)
	if errors.Is(err, fs.ErrNotExist) {
		return loop.State{}, e.noLoop()
	}
	if err != nil {
		return loop.State{}, err
	}
	s, err := e.parse(doc)
	if err != nil {
		return s, err
	}
	if s.Restoring != nil && s.Target != nil {
		if _, err := e.restore(s, *s.Restoring); err != nil {
			return s, err
		}
		return e.update(func(s loop.State) (loop.State, error) {
			s.Restoring = nil
			return s, nil
		})
	}
	return s, nil
}

// live is load for a verb that needs a loop which still goes on.
func (e Engine) live() (loop.State, error) {
	s, err := e.load()
	if err != nil {
		return s, err
	}
	_, over := s.Ended()
	switch {
	case over:
		return s, e.over(s)
	case !s.Live():
		return s, ui.Fail(ui.BadInput, fmt.Errorf("the loop is not active (status %q)", s.Status), e.startOne())
	case s.Rubric == nil:
		return s, ui.Fail(ui.BadInput, errors.New("this loop was armed without a rubric"), e.startOne())
	}
	return s, nil
}

// over refuses what only a loop that goes on can do.
func (e Engine) over(s loop.State) error {
	how, _ := s.Ended()
	var hints []string
	if s.Report != "" {
		hints = append(hints, "its report is "+filepath.Join(s.Report, "report.md"))
	}
	if _, err := loop.Resume(s, 0, e.Now()); err == nil && s.Rubric != nil {
		hints = append(hints, "go on with '"+e.CLI.Rulph("resume")+"'")
	}
	return ui.Fail(ui.BadInput, fmt.Errorf("the loop is over: %s", how), append(hints, e.startOne())...)
}

func (e Engine) startOne() string {
	return "start a new one with '" + e.CLI.Rulph("start --target FILE --rubric RUBRIC") + "'"
}

func (e Engine) parse(doc []byte) (loop.State, error) {
	s, err := loop.Parse(doc)
	switch {
	case errors.Is(err, loop.ErrNone):
		return s, e.noLoop()
	case errors.Is(err, loop.ErrNewer):
		return s, ui.Fail(ui.Failed, err, "update the plugin, then run '"+e.CLI.Program+" install'")
	case err != nil:
		return s, ui.Fail(ui.Failed, err, "look at it with '"+e.CLI.Program+" session get --sid "+e.SID+"'", "drop the loop with '"+e.CLI.Program+" session unset --sid "+e.SID+" --path rulph'")
	}
	return s, nil
}

// errNoLoop is what a session without a loop is refused with.
var errNoLoop = errors.New("has no loop")

func (e Engine) noLoop() error {
	return ui.Fail(ui.BadInput, fmt.Errorf("session %s %w", e.SID, errNoLoop), "start one with '"+e.CLI.Rulph("start --target FILE --rubric RUBRIC")+"'")
}

// locked makes sure that the rubric on disk still scores what the loop's rubric scores. A file that is
// gone changes nothing: the loop has its own copy.
func (e Engine) locked(s loop.State) error {
	r, err := rubricfile.Read(s.Rubric.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("the rubric %s was changed and cannot be read any more: %w", s.Rubric.Path, err)
	case r.Hash() != s.Rubric.Hash:
		return fmt.Errorf("the rubric %s was changed during the loop (it was locked as %s, it is %s now)", s.Rubric.Path, short(s.Rubric.Hash), short(r.Hash()))
	}
	return nil
}

func short(hash string) string {
	_, hex, _ := strings.Cut(hash, ":")
	return hex[:min(len(hex), 12)]
}

// read is the artifact as it is on disk.
func (e Engine) read(s loop.State) (artifact.Artifact, error) {
	a, err := artifact.Read(s.Target.Spec)
	if err != nil {
		hint := "restore the version that is kept with '" + e.CLI.Rulph("resume --restore") + "'"
		return a, ui.Fail(ui.BadInput, err, hint)
	}
	return a, nil
}

// snapshot is where the artifact of a round is kept. Round -1 is what the loop began with.
func (e Engine) snapshot(s loop.State, round int) string {
	name := strconv.Itoa(round)
	if round < 0 {
		name = "start"
	}
	return filepath.Join(e.dir(s), name)
}

// dir holds the files of one loop, beside the state.
func (e Engine) dir(s loop.State) string {
	return filepath.Join(e.Store.Dir(e.SID), "rulph", s.StartedAt.UTC().Format("20060102-150405.000"))
}

func (e Engine) restore(s loop.State, round int) ([]string, error) {
	kept, err := artifact.Load(e.snapshot(s, round), s.Target.Root)
	if err != nil {
		return nil, fmt.Errorf("roll back to round %d: %w", round, err)
	}
	changed, err := artifact.Restore(s.Target.Spec, kept)
	if err != nil {
		return nil, fmt.Errorf("roll back to round %d: %w", round, err)
	}
	return changed, nil
}

// look notes in the state which files a hook has to watch.
func look(s loop.State, a artifact.Artifact) loop.State {
	t := *s.Target
	t.Files = nil
	for _, f := range a.Files {
		t.Files = append(t.Files, filepath.Join(t.Root, filepath.FromSlash(f.Path)))
	}
	t.Sign = artifact.Signature(t.Files)
	s.Target = &t
	return s
}

// changed says whether the artifact on disk differs from the version that is kept.
func (e Engine) changed(s loop.State) bool {
	if s.Target == nil {
		return false
	}
	a, err := artifact.Read(s.Target.Spec)
	return err != nil || a.Hash() != s.Target.Hash
}

func hasJudgeItems(r rubric.Rubric) bool {
	return len(r.Form("").Criteria) > 0
}

// readRubric reads the rubric that was named so, relative to cwd.
func (e Engine) readRubric(cwd, name string) (*rubric.Rubric, error) {
	r, err := rubricfile.Read(absolute(cwd, name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ui.Fail(ui.BadInput, fmt.Errorf("there is no rubric %s", prompt.Quote(name)), "'"+e.CLI.Program+" rubric init' writes one to begin with")
	case err != nil:
		return nil, ui.Fail(ui.BadInput, err)
	}
	return r, nil
}

// dropLoop is the session state without its loop, so that nothing of an older loop survives in a new one.
func dropLoop(doc []byte) []byte {
	if out, err := sjson.DeleteBytes(doc, loop.Key); err == nil && len(doc) > 0 {
		return out
	}
	return doc
}
