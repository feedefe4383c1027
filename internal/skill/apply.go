package skill

import (
	"bytes"
	"fmt"
	"os"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"rulph/internal/runs"
)

// Applied is what Apply, Undo or Bump did.
type Applied struct {
	File      string       `json:"file"`      // the SKILL.md; the same after a Bump
	Manifests []string     `json:"manifests"` // those that were changed
	From      string       `json:"from"`      // the plugin's version before; "" without a plugin
	To        string       `json:"to"`        // and after
	Run       int          `json:"run"`       // number of the record that was appended, or taken back; 0 for none
	Hash      string       `json:"hash"`      // of SKILL.md now
	Again     bool         `json:"again"`     // Apply found that the last one had done this very thing, and did nothing
	Record    *runs.Record `json:"-"`         // as it was appended; nil but after Apply
}

// Apply makes the change in SKILL.md, raises the last number of the version in f.Manifests, and appends record (a JSON
// object, as runs.Append takes it) to f.Runs(): all or, whatever happens, nothing. base, where it is not "", is the
// Hash that SKILL.md must still have; a skill_hash in the record counts as one. What the record does not say of its
// decision, its change, the skill's hash and the version it was scored in is filled in.
//
// A *Refusal, like every error, means that nothing has changed. Two processes take turns. With a base, a caller that
// died before it could note what came back may ask again: the same change with the same record is made once.
func Apply(f Found, d Diff, base string, record []byte) (Applied, error) {
	if _, err := Recover(f.State); err != nil {
		return Applied{}, err
	}
	if done, ok := f.alreadyDone(d, base, record); ok {
		return done, nil
	}
	// What is refused is refused before a folder is made for the lock and the log. Where there is one, another
	// apply may be half done, and what was read without the lock half old: only the plan below says what is wrong.
	j, err := f.plan(d, base, record)
	if err == nil {
		err = runs.Validate(j.Record)
	}
	if _, statErr := os.Stat(f.State); err != nil && statErr != nil {
		return Applied{}, err
	}
	unlock, err := lockAndRecover(f.State)
	if err != nil {
		return Applied{}, err
	}
	defer unlock()
	if j, err = f.plan(d, base, record); err == nil { // another apply may have gone before
		err = runs.Validate(j.Record)
	}
	if err != nil {
		return Applied{}, err
	}
	return j.commit(f)
}

// plan reads the files as they are now, and says what they are to become.
func (f Found) plan(d Diff, base string, record []byte) (journal, error) {
	j := journal{Schema: schema, Kind: "apply", Skill: f.Name, Plugin: f.Plugin, Undo: f.undoName(), Log: f.Runs()}
	if err := f.refresh(); err != nil {
		return j, err
	}
	text, mode, err := readText(f.File)
	if err != nil {
		return j, err
	}
	if now := Hash(text); base != "" && base != now {
		return j, refuse(Moved, "%s has changed since the change was staged; stage it again from the text as it is now", f.File)
	} else if tried := gjson.GetBytes(record, "skill_hash"); tried.Exists() && tried.Str != now {
		return j, refuse(Moved, "%s has changed since the run that the record is of; score it again as it is now", f.File)
	}
	changed, err := Change(text, d)
	if err != nil {
		return j, err
	}
	j.Files = []fileState{{realPath(f.File), mode.Perm(), text, changed}}
	if err := j.addBump(f); err != nil {
		return j, err
	}
	j.Record, err = complete(record, f.Version, d, Hash(text))
	return j, err
}

// alreadyDone looks whether the last apply was of this change, from this base, with this record, and still stands.
func (f Found) alreadyDone(d Diff, base string, record []byte) (Applied, bool) {
	last, err := readJournal(f.State, journal{Undo: f.undoName()}.undoPath(f.State))
	if err != nil || last.Kind != "apply" || last.Files[0].Path != realPath(f.File) || Hash(last.Files[0].Old) != base {
		return Applied{}, false
	}
	made, err := Change(last.Files[0].Old, d)
	if err != nil || !bytes.Equal(made, last.Files[0].New) {
		return Applied{}, false
	}
	if same, err := is(last.Files[0].Path, made); err != nil || !same {
		return Applied{}, false
	}
	asked, err := complete(record, last.From, d, base)
	if err != nil || !bytes.Equal(asked, last.Record) {
		return Applied{}, false
	}
	rec, ok := runs.Parse(bytes.TrimSpace(last.Line))
	done := last.applied(f, &rec)
	done.Again = true
	return done, ok
}

// complete fills in what Apply itself knows of the run.
func complete(record []byte, version string, d Diff, hash string) ([]byte, error) {
	if !gjson.ValidBytes(record) || !gjson.ParseBytes(record).IsObject() {
		return nil, refuse(NotText, "the record is no JSON object")
	}
	record = append([]byte{}, record...)
	for _, field := range []struct{ key, value string }{
		{"decision", runs.Applied}, {"skill_hash", hash}, {"skill_version", version}, {"change", d.Rationale},
	} {
		if field.value == "" || gjson.GetBytes(record, field.key).Exists() {
			continue
		}
		var err error
		if record, err = sjson.SetBytes(record, field.key, field.value); err != nil {
			return nil, err
		}
	}
	if got := gjson.GetBytes(record, "decision").String(); got != runs.Applied {
		return nil, fmt.Errorf("the record's decision is %q; a change that gets into the skill is recorded as %q", got, runs.Applied)
	}
	return record, nil
}

// addBump adds the manifests with the next version.
func (j *journal) addBump(f Found) error {
	if len(f.Manifests) == 0 {
		return nil
	}
	next, err := NextPatch(f.Version)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Manifests[0], err)
	}
	j.From, j.To = f.Version, next
	for _, path := range f.Manifests {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		old, err := readManifest(path)
		if err != nil {
			return err
		}
		changed, err := withVersion(path, old, f.Plugin, f.Version, next)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		j.Files = append(j.Files, fileState{realPath(path), info.Mode().Perm(), old, changed})
	}
	return nil
}

// refresh reads the version and the manifests again.
func (f *Found) refresh() error {
	if f.PluginDir == "" {
		return nil
	}
	plugin := f.Plugin
	if err := f.readPlugin(f.PluginDir); err != nil {
		return err
	}
	if f.Plugin != plugin {
		return refuse(Moved, "the plugin of %s was called %s and is called %s now; look for the skill again", f.Name, plugin, f.Plugin)
	}
	return nil
}

// Bump raises the last number of the version in f.Manifests, all or none.
func Bump(f Found) (Applied, error) {
	unlock, err := lockAndRecover(f.State)
	if err != nil {
		return Applied{}, err
	}
	defer unlock()
	if err := f.refresh(); err != nil {
		return Applied{}, err
	}
	if len(f.Manifests) == 0 {
		return Applied{}, fmt.Errorf("no manifest carries a version for %s", f.Name)
	}
	j := journal{Schema: schema, Kind: "bump", Skill: f.Name, Plugin: f.Plugin}
	if err := j.addBump(f); err != nil {
		return Applied{}, err
	}
	return j.commit(f)
}
