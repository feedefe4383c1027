package skill

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rulph/internal/runs"
)

// applied are the files of project after sample was applied, but for the log.
func applied(t *testing.T, before map[string]string) map[string]string {
	t.Helper()
	after := maps.Clone(before)
	for path, change := range map[string][2]string{
		"plugins/starter/skills/release-notes/SKILL.md": {sample.Old, sample.New},
		"plugins/starter/.claude-plugin/plugin.json":    {`"version" : "1.2.9"`, `"version" : "1.2.10"`},
		"plugins/starter/.codex-plugin/plugin.json":     {"1.2.9", "1.2.10"},
		".claude-plugin/marketplace.json":               {`"./plugins/starter", "version": "1.2.9"`, `"./plugins/starter", "version": "1.2.10"`},
	} {
		after[path] = strings.Replace(before[path], change[0], change[1], 1)
	}
	return after
}

const logPath = "evals/starter/release-notes/runs.jsonl"

// sameTree compares two trees; the log only where want has one.
func sameTree(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if want[logPath] == "" {
		got, want = maps.Clone(got), maps.Clone(want)
		delete(got, logPath)
		delete(want, logPath)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: -want +got\n%s", what, d)
	}
}

func TestApplyChangesTheSkillTheManifestsAndTheLog(t *testing.T) {
	top := project(t)
	before := tree(t, top)
	f := one(t, top, "release-notes")
	if err := os.Chmod(f.File, 0o640); err != nil {
		t.Fatal(err)
	}
	got, err := Apply(f, sample, Hash([]byte(skillText)), []byte(record))
	if err != nil {
		t.Fatal(err)
	}
	want := applied(t, before)
	delete(want, logPath)
	sameTree(t, "after", tree(t, top), want)
	if info, err := os.Stat(f.File); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the permissions are %v, %v", info.Mode(), err)
	}
	changed := want["plugins/starter/skills/release-notes/SKILL.md"]
	if got.From != "1.2.9" || got.To != "1.2.10" || got.Run != 2 || got.Hash != Hash([]byte(changed)) || len(got.Manifests) != 3 || got.File != f.File {
		t.Errorf("%+v", got)
	}
	log := read(t, f.Runs())
	line, found := strings.CutPrefix(log, before[logPath])
	var rec map[string]any
	if err := json.Unmarshal([]byte(line), &rec); err != nil || !found {
		t.Fatalf("%v: %s", err, log)
	}
	for key, want := range map[string]any{"run": 2.0, "segment": 1.0, "decision": "applied", "skill_version": "1.2.9", "skill_hash": Hash([]byte(skillText)), "change": "say who reads"} {
		if rec[key] != want {
			t.Errorf("%s is %v, want %v", key, rec[key], want)
		}
	}
	if got.Record == nil || got.Record.Run != 2 || got.Record.Decision != runs.Applied {
		t.Errorf("the record is %+v", got.Record)
	}
	if again := one(t, top, "release-notes"); again.Version != "1.2.10" || len(again.Manifests) != 3 {
		t.Errorf("%+v", again)
	}
	if names := stateFiles(t, f); names != ".gitignore lock undo undo/starter+release-notes.json" {
		t.Errorf("the state holds %s", names)
	}
}

// stateFiles lists the folder of the state.
func stateFiles(t *testing.T, f Found) string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*", "undo/*"} {
		found, err := filepath.Glob(filepath.Join(f.State, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			rel, err := filepath.Rel(f.State, path)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, filepath.ToSlash(rel))
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestApplyOfASkillWithoutAPluginChangesTheSkillAndItsFirstLog(t *testing.T) {
	top := t.TempDir()
	put(t, top, map[string]string{".git/HEAD": "", ".claude/skills/x/SKILL.md": skillText})
	f := one(t, top, "x")
	got, err := Apply(f, sample, "", []byte(record))
	if err != nil || got.Run != 1 || got.To != "" || len(got.Manifests) != 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if log := read(t, filepath.Join(top, "evals", "_project", "x", "runs.jsonl")); strings.Count(log, "\n") != 1 || strings.Contains(log, "skill_version") {
		t.Errorf("the log is %q", log)
	}
	if got := read(t, f.File); got != strings.Replace(skillText, sample.Old, sample.New, 1) {
		t.Error(got)
	}
}

func TestAnApplyThatIsRefusedTouchesNothing(t *testing.T) {
	const rec = `{"input_summary":"a tag","scores":{"quality":9,"quality_max":12},"change":"x"`
	for what, test := range map[string]struct {
		change func(t *testing.T, top string, f *Found)
		diff   Diff
		base   string
		record string
		want   string
	}{
		"an old that is absent":    {diff: Diff{Old: "absent", New: "x"}, want: "does not occur"},
		"the name":                 {diff: Diff{Old: "name: release-notes", New: "name: x"}, want: "touches name"},
		"a whole file":             {diff: Diff{Old: "One line", New: skillText}, want: "frontmatter of its own"},
		"a skill that has moved":   {base: Hash([]byte("another text")), want: "changed since the change was staged"},
		"a record of another text": {record: rec + `,"skill_hash":"sha256:00"}`, want: "changed since the run"},
		"a record of no change":    {record: rec + `,"decision":"ignored","reason":"x"}`, want: `is recorded as "applied"`},
		"a record without scores":  {record: `{"input_summary":"a tag","change":"x"}`, want: "scores: is missing"},
		"no record":                {record: `[]`, want: "no JSON object"},
		"two records":              {record: record + record, want: "no JSON object"},
		"a version that is none": {change: func(t *testing.T, top string, f *Found) {
			for _, m := range f.Manifests {
				put(t, top, map[string]string{m[len(top)+1:]: strings.ReplaceAll(read(t, m), "1.2.9", "1.2")})
			}
		}, want: `the version "1.2" is no MAJOR.MINOR.PATCH`},
		"a manifest that is damaged": {change: func(t *testing.T, top string, f *Found) {
			put(t, top, map[string]string{"plugins/starter/.codex-plugin/plugin.json": "{"})
		}, want: "no JSON document"},
		"a plugin of another name": {change: func(t *testing.T, top string, f *Found) {
			put(t, top, map[string]string{"plugins/starter/.claude-plugin/plugin.json": `{"name":"other","version":"1.2.9"}`})
		}, want: "is called other now"},
		"a skill that leads out of the project": {change: func(t *testing.T, top string, f *Found) {
			outside := filepath.Join(t.TempDir(), "SKILL.md")
			if err := errors.Join(os.Rename(f.File, outside), os.Symlink(outside, f.File)); err != nil {
				t.Fatal(err)
			}
		}, want: "is outside of"},
		"a skill that is gone": {change: func(t *testing.T, top string, f *Found) {
			if err := os.Remove(f.File); err != nil {
				t.Fatal(err)
			}
		}, want: "no such file"},
	} {
		top := project(t)
		f := one(t, top, "release-notes")
		if test.change != nil {
			test.change(t, top, &f)
		}
		before := tree(t, top)
		d, r := sample, record
		if test.diff.Old != "" {
			d = test.diff
		}
		if test.record != "" {
			r = test.record
		}
		if _, err := Apply(f, d, test.base, []byte(r)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", what, err, test.want)
		}
		sameTree(t, what, tree(t, top), before)
		if _, err := os.Stat(journalPath(f.State)); err == nil {
			t.Errorf("%s: there is a journal", what)
		}
	}
}

func TestAnApplyThatFailsHalfWayIsTakenBack(t *testing.T) {
	for step, break_ := range map[string]func(f Found) error{
		"file 0 renamed": func(f Found) error { return os.WriteFile(f.Manifests[0], []byte("{}"), 0o644) },
		"file 1 renamed": func(f Found) error { return os.Remove(f.Manifests[1]) },
		"file 3 renamed": func(f Found) error { return os.WriteFile(f.Runs(), []byte("{}\n"), 0o644) },
	} {
		top := project(t)
		before := tree(t, top)
		f := one(t, top, "release-notes")
		atStep = func(reached string) {
			if reached == step {
				if err := break_(f); err != nil {
					t.Error(err)
				}
			}
		}
		_, err := Apply(f, sample, "", []byte(record))
		atStep = func(string) {}
		if err == nil {
			t.Errorf("%s: no error", step)
		}
		after := tree(t, top)
		for path, text := range before {
			if after[path] != text && path != f.Manifests[0][len(top)+1:] && path != f.Manifests[1][len(top)+1:] && path != logPath {
				t.Errorf("%s: %s is %q", step, path, after[path])
			}
		}
		if _, err := os.Stat(journalPath(f.State)); err == nil {
			t.Errorf("%s: there is a journal left", step)
		}
	}
}

func TestAppliesTakeTurns(t *testing.T) {
	top := project(t)
	put(t, top, map[string]string{"plugins/starter/skills/second/SKILL.md": strings.Replace(skillText, "name: release-notes", "name: second", 1)})
	f, second := one(t, top, "release-notes"), one(t, top, "second")
	diffs := []Diff{
		{Old: "# release-notes\n", New: "# Release notes\n"}, {Old: "## Collect\n", New: "## Gather\n"}, {Old: "## Write\n", New: "## Write it\n"},
		{Old: "Leave out", New: "Drop"}, {Old: "One line", New: "A line"},
	}
	var all sync.WaitGroup
	for i, d := range diffs {
		all.Add(2)
		go func() {
			defer all.Done()
			if _, err := Apply(f, d, "", []byte(record)); err != nil {
				t.Errorf("%d: %v", i, err)
			}
		}()
		go func() {
			defer all.Done()
			if _, err := Apply(second, d, "", []byte(record)); err != nil {
				t.Errorf("second %d: %v", i, err)
			}
		}()
	}
	all.Wait()
	if got := one(t, top, "second"); got.Version != "1.2.19" || len(got.Manifests) != 3 {
		t.Errorf("%+v", got)
	}
	text := read(t, f.File)
	for _, d := range diffs {
		if !strings.Contains(text, d.New) {
			t.Errorf("%q is lost", d.New)
		}
	}
	c, err := runs.Context(f.Runs())
	if err != nil || c.Runs != 6 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestOfTwoAppliesOfOneStageTheSecondIsRefused(t *testing.T) {
	top := project(t)
	f := one(t, top, "release-notes")
	base := Hash([]byte(skillText))
	if _, err := Apply(f, sample, base, []byte(record)); err != nil {
		t.Fatal(err)
	}
	after := tree(t, top)
	_, err := Apply(f, Diff{Old: "## Collect", New: "## Gather"}, base, []byte(record))
	refused(t, "the second", err, Moved, "stage it again")
	sameTree(t, "the second", tree(t, top), after)
}

func TestAnApplyThatIsAskedForAgainIsMadeOnce(t *testing.T) {
	top := project(t)
	f := one(t, top, "release-notes")
	base := Hash([]byte(skillText))
	first, err := Apply(f, sample, base, []byte(record))
	if err != nil || first.Again {
		t.Fatal(first, err)
	}
	after := tree(t, top)
	f = one(t, top, "release-notes")
	again, err := Apply(f, sample, base, []byte(record))
	if err != nil || !again.Again || again.Run != 2 || again.To != "1.2.10" || again.Hash != first.Hash || again.Record == nil || again.Record.Run != 2 {
		t.Errorf("%+v, %v", again, err)
	}
	other := strings.Replace(record, "a tag", "another", 1)
	_, err = Apply(f, sample, base, []byte(other))
	refused(t, "another record", err, Moved, "stage it again")
	_, err = Apply(f, sample, "", []byte(record))
	refused(t, "without a base", err, Absent, "does not occur")
	sameTree(t, "again", tree(t, top), after)
}

func TestALockedProjectIsAnErrorAfterAWhile(t *testing.T) {
	top := project(t)
	f := one(t, top, "release-notes")
	unlock, err := lock(f.State)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	defer func(d time.Duration) { lockWait = d }(lockWait)
	lockWait = 50 * time.Millisecond
	before := tree(t, top)
	if _, err := Apply(f, sample, "", []byte(record)); err == nil || !strings.Contains(err.Error(), "another command has been changing a skill") {
		t.Errorf("%v", err)
	}
	sameTree(t, "locked", tree(t, top), before)
}

func TestALinkedSkillStaysALink(t *testing.T) {
	top := project(t)
	put(t, top, map[string]string{".claude/skills/x": ""})
	link := filepath.Join(top, ".claude", "skills", "linked")
	if err := os.Symlink(filepath.Join("..", "..", "plugins", "starter", "skills", "release-notes"), link); err != nil {
		t.Fatal(err)
	}
	f := one(t, top, "linked")
	if _, err := Apply(f, sample, "", []byte(record)); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%v, %v", info, err)
	}
	if got := read(t, filepath.Join(top, "plugins", "starter", "skills", "release-notes", "SKILL.md")); !strings.Contains(got, sample.New) {
		t.Error(got)
	}
}

func TestBumpChangesTheManifestsAlone(t *testing.T) {
	top := project(t)
	want := applied(t, tree(t, top))
	want["plugins/starter/skills/release-notes/SKILL.md"] = skillText
	got, err := Bump(one(t, top, "release-notes"))
	if err != nil || got.From != "1.2.9" || got.To != "1.2.10" || got.Run != 0 || len(got.Manifests) != 3 || got.Hash != Hash([]byte(skillText)) {
		t.Errorf("%+v, %v", got, err)
	}
	sameTree(t, "bump", tree(t, top), want)
	put(t, top, map[string]string{".claude/skills/bare/SKILL.md": skillText})
	if _, err := Bump(one(t, top, "bare")); err == nil || !strings.Contains(err.Error(), "no manifest carries a version") {
		t.Errorf("%v", err)
	}
}

func TestUndoRestoresEveryByte(t *testing.T) {
	for what, text := range map[string]string{
		"line feeds": skillText, "CRLF": strings.ReplaceAll(skillText, "\n", "\r\n"), "no last line end": strings.TrimSuffix(skillText, "\n"),
		"a byte order mark": "\ufeff" + skillText, "no text": skillText + "\xff\x00", "a megabyte": skillText + strings.Repeat("é漢🎈\r\n", 90000),
	} {
		top := project(t)
		put(t, top, map[string]string{"plugins/starter/skills/release-notes/SKILL.md": text})
		before := tree(t, top)
		f := one(t, top, "release-notes")
		if _, err := Apply(f, sample, "", []byte(record)); err != nil {
			t.Fatal(what, err)
		}
		want := applied(t, before)
		delete(want, logPath)
		sameTree(t, what+", applied", tree(t, top), want)
		got, err := Undo(f)
		if err != nil || got.Run != 2 || got.From != "1.2.10" || got.To != "1.2.9" || got.Hash != Hash([]byte(text)) {
			t.Errorf("%s: %+v, %v", what, got, err)
		}
		sameTree(t, what+", undone", tree(t, top), before)
		if _, err := Undo(f); err == nil || !strings.Contains(err.Error(), "nothing that was applied to release-notes can be undone") {
			t.Errorf("%s: a second time: %v", what, err)
		}
		if names := stateFiles(t, f); names != ".gitignore lock undo" {
			t.Errorf("%s: the state holds %s", what, names)
		}
	}
}

func TestUndoRefusesWhatHasGoneOn(t *testing.T) {
	for what, change := range map[string]func(f Found) error{
		"SKILL.md":   func(f Found) error { return os.WriteFile(f.File, []byte("other"), 0o644) },
		"a manifest": func(f Found) error { return os.WriteFile(f.Manifests[2], []byte("{}"), 0o644) },
		"the log": func(f Found) error {
			_, err := runs.Append(f.Runs(), []byte(`{"input_summary":"a","scores":{"quality":9,"quality_max":12},"change":"x","decision":"ignored","reason":"y"}`))
			return err
		},
	} {
		top := project(t)
		f := one(t, top, "release-notes")
		if _, err := Apply(f, sample, "", []byte(record)); err != nil {
			t.Fatal(err)
		}
		if err := change(f); err != nil {
			t.Fatal(err)
		}
		before := tree(t, top)
		if _, err := Undo(f); err == nil {
			t.Errorf("%s: no error", what)
		} else {
			refused(t, what, err, Moved, "can't be undone")
		}
		sameTree(t, what, tree(t, top), before)
	}
}

func TestAJournalThatIsNotOursIsNotFollowed(t *testing.T) {
	top := project(t)
	f := one(t, top, "release-notes")
	victim := filepath.Join(t.TempDir(), "SKILL.md")
	put(t, filepath.Dir(victim), map[string]string{"SKILL.md": "old"})
	write := func(j journal) {
		data, err := json.Marshal(j)
		if err != nil {
			t.Fatal(err)
		}
		put(t, f.State, map[string]string{"journal.json": string(data)})
	}
	for what, j := range map[string]journal{
		"a file outside":  {Schema: schema, Kind: "apply", Files: []fileState{{victim, 0o644, []byte("old"), []byte("new")}}},
		"another file":    {Schema: schema, Kind: "apply", Files: []fileState{{filepath.Join(top, ".git", "HEAD"), 0o644, []byte("ref: refs/heads/main\n"), []byte("new")}}},
		"a relative path": {Schema: schema, Kind: "apply", Files: []fileState{{"SKILL.md", 0o644, nil, []byte("new")}}},
		"a log outside":   {Schema: schema, Kind: "apply", Log: filepath.Join(filepath.Dir(victim), "runs.jsonl"), Files: []fileState{{f.File, 0o644, []byte(skillText), []byte("new")}}},
		"an undo outside": {Schema: schema, Kind: "apply", Undo: "../../x", Files: []fileState{{f.File, 0o644, []byte(skillText), []byte("new")}}},
		"another schema":  {Schema: 2, Kind: "apply", Files: []fileState{{f.File, 0o644, []byte(skillText), []byte("new")}}},
		"no files":        {Schema: schema, Kind: "apply"},
		"another kind":    {Schema: schema, Kind: "x", Files: []fileState{{f.File, 0o644, []byte(skillText), []byte("new")}}},
	} {
		write(j)
		before := tree(t, top)
		if r, err := Recover(f.State); err == nil {
			t.Errorf("%s: %+v", what, r)
		}
		if _, err := Apply(f, sample, "", []byte(record)); err == nil {
			t.Errorf("%s: applied all the same", what)
		}
		sameTree(t, what, tree(t, top), before)
	}
	if got := read(t, victim); got != "old" {
		t.Error(got)
	}
}
