package runs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// logOf is a log with these lines in a new folder.
func logOf(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	text := ""
	for _, line := range lines {
		text += line + "\n"
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func context(t *testing.T, path string) ContextJSON {
	t.Helper()
	c, err := Context(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func contents(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// ignored is a record that Append takes, with more keys or other values in front of its own.
func ignored(more string) []byte {
	return []byte(fmt.Sprintf(`{%s"input_summary":"notes","scores":{"quality":9,"quality_max":12},"change":"shorter","decision":"ignored","reason":"no gain"}`, more))
}

func TestTheContextsOfTheVectorsAreRight(t *testing.T) {
	var vectors struct {
		Cases []struct {
			Records []struct {
				D string
				Q float64
			}
			Expect struct {
				Consecutive int    `json:"consecutive_no_improvement"`
				AllAtMax    bool   `json:"all_at_quality_max"`
				Mode        string `json:"mode"`
				Ignored     int    `json:"ignored"`
			}
		}
	}
	if err := json.Unmarshal([]byte(contents(t, "testdata/runs.json")), &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Cases) != 5 {
		t.Fatalf("%d cases", len(vectors.Cases))
	}
	for i, v := range vectors.Cases {
		var lines []string
		for run, r := range v.Records {
			lines = append(lines, fmt.Sprintf(`{"run":%d,"segment":1,"scores":{"quality":%v,"quality_max":12},"change":"c%d","decision":%q}`, run+1, r.Q, run, r.D))
		}
		c := context(t, logOf(t, lines...))
		onlyIgnored := 0
		for _, r := range c.IgnoredChanges {
			if r.Decision == Ignored {
				onlyIgnored++
			}
		}
		got := fmt.Sprint(c.Stagnation.ConsecutiveNoImprovement, c.Stagnation.AllAtQualityMax, c.Mode, onlyIgnored)
		want := fmt.Sprint(v.Expect.Consecutive, v.Expect.AllAtMax, v.Expect.Mode, v.Expect.Ignored)
		if got != want {
			t.Errorf("case %d: %s, want %s", i, got, want)
		}
	}
}

// The keys are those that scripts read, whether or not there is a log.
func TestAContextHasAlwaysAllKeys(t *testing.T) {
	want := []string{
		"segment", "last_score", "mode", "ignored_changes", "efficience_backlog", "stagnation", "applied_changes", "input_hashes",
		"rubric_hash", "runs", "damaged", "torn", "left_out",
	}
	for what, path := range map[string]string{
		"no log": filepath.Join(t.TempDir(), "runs.jsonl"), "an empty one": logOf(t), "a record of nothing": logOf(t, "{}"),
	} {
		text, err := json.Marshal(context(t, path))
		if err != nil {
			t.Fatal(err)
		}
		at := -1
		for _, key := range want {
			i := strings.Index(string(text), `"`+key+`":`)
			if i <= at {
				t.Errorf("%s: %s is missing or out of order in %s", what, key, text)
			}
			at = i
		}
		if strings.Contains(string(text), `_changes":null`) || strings.Contains(string(text), `backlog":null`) || strings.Contains(string(text), `hashes":null`) {
			t.Errorf("%s: an empty list is null in %s", what, text)
		}
	}
	c := context(t, filepath.Join(t.TempDir(), "runs.jsonl"))
	if c.Segment != 1 || c.LastScore != nil || c.Mode != Quality || c.Stagnation != (Stagnation{}) {
		t.Errorf("no log: %+v", c)
	}
}

// A baseline proposes nothing and has only the points that need no judge.
func TestABaselineIsNeitherAFailureNorAMaximum(t *testing.T) {
	const baseline = `{"run":1,"scores":{"quality":6,"quality_max":6},"change":null,"decision":"baseline"}`
	const top = `{"run":2,"scores":{"quality":12,"quality_max":12},"change":"a","decision":"ignored","reason":"r"}`
	c := context(t, logOf(t, baseline))
	if c.Stagnation != (Stagnation{}) || c.Mode != Quality || *c.LastScore.Quality != 6 {
		t.Errorf("alone: %+v", c)
	}
	if c = context(t, logOf(t, baseline, top)); c.Stagnation != (Stagnation{1, true}) || c.Mode != Quality {
		t.Errorf("before one at the maximum: %+v", c)
	}
	if c = context(t, logOf(t, baseline, top, top)); c.Mode != Efficiency {
		t.Errorf("before two: %+v", c)
	}
}

func TestALogWithoutSegmentsIsSegmentOne(t *testing.T) {
	c := context(t, logOf(t,
		`{"run":1,"scores":{"quality":12,"quality_max":12},"change":"a","decision":"ignored","reason":"why"}`,
		`{"run":2,"segment":null,"scores":{"quality":12,"quality_max":12},"change":"b","decision":"relaunched"}`,
		`{"run":3,"segment":1,"scores":{"quality":11,"quality_max":12},"change":"c","decision":"applied","piste_efficience":null}`,
		`{"run":4,"scores":{"quality":12,"quality_max":12},"change":null,"decision":null}`,
	))
	if c.Segment != 1 || c.Runs != 4 || c.Stagnation.ConsecutiveNoImprovement != 1 || !c.Stagnation.AllAtQualityMax || c.Mode != Quality {
		t.Errorf("%+v", c)
	}
	if want := []Rejected{{"a", Ignored, "why"}, {"b", Relaunched, ""}}; fmt.Sprint(c.IgnoredChanges) != fmt.Sprint(want) {
		t.Errorf("ignored: %v, want %v", c.IgnoredChanges, want)
	}
	if fmt.Sprint(c.AppliedChanges) != "[c]" || *c.LastScore.Quality != 12 || c.LastScore.Decision != nil {
		t.Errorf("%+v", c)
	}
}

func TestANewSegmentForgetsRejectionsAndKeepsIdeasAndInputs(t *testing.T) {
	lines := []string{
		`{"run":1,"segment":1,"scores":{"quality":9,"quality_max":12},"change":"old","decision":"ignored","reason":"x","piste_efficience":"zip the log","input_hash":"sha256:1","rubric_hash":"sha256:a"}`,
		`{"run":2,"segment":1,"scores":{"quality":9,"quality_max":12},"change":"more","decision":"ignored","reason":"x","piste_efficience":"ask once","input_hash":"sha256:2","rubric_hash":"sha256:a"}`,
		`{"run":3,"segment":2,"scores":{"quality":9,"quality_max":12},"change":"new","decision":"relaunched","piste_efficience":"Zip  the log.","input_hash":"sha256:1","rubric_hash":"sha256:b"}`,
	}
	c := context(t, logOf(t, lines...))
	if c.Segment != 2 || c.Stagnation.ConsecutiveNoImprovement != 1 || fmt.Sprint(c.IgnoredChanges) != "[{new relaunched }]" || c.RubricHash != "sha256:b" {
		t.Errorf("%+v", c)
	}
	if want := "[{zip the log false } {ask once false }]"; fmt.Sprint(c.EfficienceBacklog) != want {
		t.Errorf("backlog %v, want %s", c.EfficienceBacklog, want)
	}
	if fmt.Sprint(c.InputHashes) != "[sha256:1 sha256:2]" {
		t.Errorf("inputs %v", c.InputHashes)
	}
	// Records of one segment belong together wherever they stand, and the last record says which one it is.
	c = context(t, logOf(t, lines[0], lines[2], lines[1]))
	if c.Segment != 1 || len(c.IgnoredChanges) != 2 || c.Stagnation.ConsecutiveNoImprovement != 2 {
		t.Errorf("%+v", c)
	}
}

func TestAnIdeaThatWasTakenUpIsMarked(t *testing.T) {
	c := context(t, logOf(t,
		`{"segment":1,"change":"first","decision":"applied","piste_efficience":"read the log once"}`,
		`{"segment":1,"change":"second","decision":"ignored","piste_efficience":"ask one question"}`,
		`{"segment":1,"change":"third","decision":"ignored","piste_efficience":"drop the \"summary\""}`,
		`{"segment":2,"change":"Read the log once.","decision":"relaunched"}`,
		`{"segment":2,"change":"Read the log once.","decision":"applied","piste_efficience":"read the log once"}`,
		`{"segment":2,"change":"merge both questions","piste":"ask one question","decision":"ignored","piste_efficience":"quote less"}`,
	))
	want := []Idea{{"read the log once", true, Applied}, {"ask one question", false, Ignored}, {`drop the "summary"`, false, ""}, {"quote less", false, ""}}
	if fmt.Sprint(c.EfficienceBacklog) != fmt.Sprint(want) {
		t.Errorf("backlog %v, want %v", c.EfficienceBacklog, want)
	}
}

func TestTheModeNeedsTwoRecordsAtAKnownMaximum(t *testing.T) {
	at := func(scores string) string { return `{"segment":1,"decision":"applied","scores":` + scores + `}` }
	top := at(`{"quality":12,"quality_max":12}`)
	for _, test := range []struct {
		lines []string
		want  string
	}{
		{[]string{top, top}, Efficiency},
		{[]string{at(`{"quality":3,"quality_max":12}`), top, at(`{"quality":10.0,"quality_max":10,"x":{"y":["}"]}}`)}, Efficiency},
		{[]string{top}, Quality},
		{[]string{at(`{}`), at(`{}`)}, Quality},
		{[]string{at(`{"quality":null,"quality_max":null}`), at(`{"quality":null,"quality_max":null}`)}, Quality},
		{[]string{at(`{"quality":0,"quality_max":0}`), at(`{"quality":0,"quality_max":0}`)}, Quality},
		{[]string{at(`{"quality":"12","quality_max":"12"}`), top}, Quality},
		{[]string{at(`null`), at(`7`)}, Quality},
		{[]string{top, at(`{"quality":11.999,"quality_max":12}`)}, Quality},
		{[]string{top, `{"segment":2,"decision":"applied","scores":{"quality":12,"quality_max":12}}`}, Quality},
	} {
		if got := context(t, logOf(t, test.lines...)).Mode; got != test.want {
			t.Errorf("%v: %s, want %s", test.lines, got, test.want)
		}
	}
}

func TestLinesThatAreNoRecordsArePassedOverAndCounted(t *testing.T) {
	path := logOf(t, `{"run":1,"decision":"applied"}`, `5`, ``, `{"run":2,"dec{"run":3}`, `  {"run":4, "decision" : "ignored" }  `, `[{}]`)
	c := context(t, path)
	if c.Runs != 2 || c.Damaged != 3 || c.Torn || c.Stagnation.ConsecutiveNoImprovement != 1 {
		t.Errorf("%+v", c)
	}
	for tail, want := range map[string]string{`{"run":5,"decision":"ign`: "2 true", `{"run":5,"decision":"ignored"}`: "3 false"} {
		if err := os.WriteFile(path+"2", []byte(contents(t, path)+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		if c := context(t, path+"2"); fmt.Sprint(c.Runs, c.Torn) != want {
			t.Errorf("%s: %d %v, want %s", tail, c.Runs, c.Torn, want)
		}
	}
}

// Whatever the length of a log, a context holds the newest of each kind and says how much more there was.
func TestAContextIsBounded(t *testing.T) {
	var b strings.Builder
	const lines = 3 * mostIdeas / 2
	for i := range lines {
		fmt.Fprintf(&b, `{"run":%d,"change":"c%d","decision":"ignored","piste_efficience":"p%d","input_hash":"sha256:%x"}`+"\n", i+1, i, i, i)
	}
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	c := context(t, path)
	if len(c.EfficienceBacklog) != mostIdeas || c.LeftOut.EfficienceBacklog != lines-mostIdeas || c.EfficienceBacklog[mostIdeas-1].Idea != fmt.Sprintf("p%d", lines-1) {
		t.Errorf("%d ideas, %+v", len(c.EfficienceBacklog), c.LeftOut)
	}
	if len(c.IgnoredChanges) != mostRejected || c.IgnoredChanges[0].Change != fmt.Sprintf("c%d", lines-mostRejected) || c.LeftOut.IgnoredChanges != lines-mostRejected {
		t.Errorf("%d rejections, %+v", len(c.IgnoredChanges), c.LeftOut)
	}
	if c.Stagnation.ConsecutiveNoImprovement != lines || len(c.InputHashes) != mostInputs {
		t.Errorf("%d records in a row, %d inputs", c.Stagnation.ConsecutiveNoImprovement, len(c.InputHashes))
	}
}
