package runs

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test binary be a process that appends, and one that dies with the lock in its hands.
func TestMain(m *testing.M) {
	switch path := os.Getenv("RUNS_APPEND_TO"); {
	case path == "":
		os.Exit(m.Run())
	case os.Getenv("RUNS_COUNT") == "":
		if _, err := Open(path); err != nil {
			panic(err)
		}
		fmt.Println("held")
		time.Sleep(time.Hour)
	default:
		count, _ := strconv.Atoi(os.Getenv("RUNS_COUNT"))
		for i := range count {
			if _, err := Append(path, ignored(fmt.Sprintf(`"who":"%s-%d",`, os.Getenv("RUNS_WHO"), i))); err != nil {
				panic(err)
			}
		}
	}
}

func TestAppendFillsWhatIsMissingAndKeepsWhatItDoesNotKnow(t *testing.T) {
	path := logOf(t)
	before := time.Now().Format(time.DateOnly)
	rec, err := Append(path, ignored("\"run\":77, \"date\":\"yesterday\",\n \"mine\": {\"big\": 12345678901234567890, \"e\": [1.50]},"))
	if err != nil {
		t.Fatal(err)
	}
	if rec.Run != 1 || rec.Segment != 1 || rec.Date < before || *rec.Change != "shorter" || rec.Scores.Quality != 9 {
		t.Errorf("%+v", rec)
	}
	want := `{"run":1,"date":"` + rec.Date + `","segment":1,"input_summary":"notes","scores":{"quality":9,"quality_max":12},"change":"shorter",` +
		`"decision":"ignored","reason":"no gain","mine":{"big":12345678901234567890,"e":[1.50]}}`
	if got := contents(t, path); got != want+"\n" || string(rec.Raw) != want {
		t.Errorf("got  %swant %s\nraw  %s", got, want, rec.Raw)
	}
}

// The run follows the last record, whatever is between them, and old records stay as they are.
func TestAppendNumbersAfterTheLastRecord(t *testing.T) {
	for _, test := range []struct {
		lines []string
		run   int
	}{
		{nil, 1},
		{[]string{`{"run":41,"segment":3,"x":1}`}, 42},
		{[]string{`{"run":41,"segment":3}`, ``, `broken`}, 42},
		{[]string{`{"decision":"applied"}`, `{"decision":"applied"}`}, 3},
		{[]string{`{"run":9}`, `{"run":null}`}, 10},
		{[]string{`{"run":8,"pad":"` + strings.Repeat("x", 1<<20) + `"}`, strings.Repeat("y", 100<<10)}, 9},
		{[]string{`{"run":7}`, strings.Repeat("y", 20<<20)}, 8},
	} {
		path := logOf(t, test.lines...)
		old := contents(t, path)
		rec, err := Append(path, ignored(""))
		if err != nil || rec.Run != test.run {
			t.Errorf("%.40v: run %d, %v, want %d", test.lines, rec.Run, err, test.run)
		}
		if got := contents(t, path); got != old+string(rec.Raw)+"\n" {
			t.Errorf("%.40v: what was there has changed", test.lines)
		}
	}
}

func TestARecordGoesToTheSegmentThatIsOpen(t *testing.T) {
	path := logOf(t, `{"run":1,"segment":2}`)
	for _, test := range []struct {
		given, refused string
		segment        int
	}{
		{``, "", 2},
		{`"segment":1,`, "segment: the log is at segment 2 already; leave the key out", 0},
		{`"segment":4,`, "segment: the log is at segment 2; the next one is 3", 0},
		{`"segment":2,`, "", 2},
		{`"segment":3,`, "", 3},
		{``, "", 3},
	} {
		rec, err := Append(path, ignored(test.given))
		if test.refused == "" && (err != nil || rec.Segment != test.segment) || test.refused != "" && (err == nil || err.Error() != test.refused) {
			t.Errorf("%s: segment %d, %v; want %d %s", test.given, rec.Segment, err, test.segment, test.refused)
		}
	}
}

// The user may leave after the choice of a new segment; the choice must not be lost.
func TestANewSegmentIsKeptBeforeItsFirstRecord(t *testing.T) {
	path := logOf(t, `{"run":1,"segment":1,"change":"x","decision":"ignored","scores":{"quality":1,"quality_max":2}}`)
	for range 2 { // asked twice without a record in between, it is the same one
		if n, err := OpenSegment(path, "another kind of input"); n != 2 || err != nil {
			t.Fatal(n, err)
		}
	}
	if c := context(t, path); c.Segment != 2 || c.LastScore != nil || len(c.IgnoredChanges) != 0 || c.Stagnation.ConsecutiveNoImprovement != 0 {
		t.Errorf("%+v", c)
	}
	if !strings.Contains(contents(t, SegmentFile(path)), `"reason":"another kind of input"`) {
		t.Error("the reason is lost")
	}
	if _, err := Append(path, ignored(`"segment":1,`)); err == nil {
		t.Error("a record went back to the old segment")
	}
	if rec, err := Append(path, ignored("")); rec.Segment != 2 || rec.Run != 2 || err != nil {
		t.Errorf("%+v %v", rec, err)
	}
	if n, err := OpenSegment(path, ""); n != 3 || err != nil {
		t.Error(n, err)
	}
	if n, err := OpenSegment(logOf(t), ""); n != 1 || err != nil {
		t.Errorf("an empty log: %d, %v", n, err)
	}
	if err := os.WriteFile(SegmentFile(path), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Context(path); err == nil || !strings.Contains(err.Error(), "does not hold a segment; remove it") {
		t.Errorf("a damaged segment file: %v", err)
	}
}

func TestAnotherRubricNeedsANewSegment(t *testing.T) {
	path := logOf(t)
	a, b := `"rubric_hash":"sha256:aa",`, `"rubric_hash":"sha256:bb",`
	if _, err := Append(path, ignored(a)); err != nil {
		t.Fatal(err)
	}
	_, err := Append(path, ignored(b))
	if changed, ok := errors.AsType[*RubricChanged](err); !ok || changed.Segment != 1 || changed.Was != "sha256:aa" || changed.Is != "sha256:bb" {
		t.Errorf("%v", err)
	} else if !strings.Contains(err.Error(), "(it was sha256:aa and is sha256:bb)") {
		t.Errorf("%v", err)
	}
	if _, err := Append(path, ignored(b+`"segment":2,`)); err != nil {
		t.Error(err)
	}
	if c := context(t, path); c.RubricHash != "sha256:bb" || c.Runs != 2 {
		t.Errorf("%+v", c)
	}
}

func TestATornLastLineIsSetAside(t *testing.T) {
	torn := `{"run":2,"input_summary":"half of`
	path := logOf(t, `{"run":1}`)
	whole := contents(t, path)
	if err := os.WriteFile(path, []byte(whole+torn), 0o644); err != nil {
		t.Fatal(err)
	}
	if c := context(t, path); c.Runs != 1 || !c.Torn {
		t.Errorf("%+v", c)
	}
	if got := contents(t, path); got != whole+torn {
		t.Error("reading has changed the log")
	}
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if !strings.HasPrefix(l.SetAside, path+".torn-") || contents(t, l.SetAside) != torn {
		t.Errorf("set aside as %q", l.SetAside)
	}
	line, rec, err := l.Prepare(ignored(""))
	if err != nil || rec.Run != 2 {
		t.Fatal(rec.Run, err)
	}
	if err := l.Write(line); err != nil || contents(t, path) != whole+string(line) {
		t.Errorf("%v\n%s", err, contents(t, path))
	}
}

// An editor that writes no last line feed has torn nothing.
func TestAWholeLastLineWithoutALineFeedStays(t *testing.T) {
	path := logOf(t)
	if err := os.WriteFile(path, []byte(`{"run":4,"segment":2}`), 0o644); err != nil {
		t.Fatal(err)
	}
	rec, err := Append(path, ignored(""))
	if err != nil || rec.Run != 5 || rec.Segment != 2 {
		t.Fatal(rec, err)
	}
	if got, want := contents(t, path), `{"run":4,"segment":2}`+"\n"+string(rec.Raw)+"\n"; got != want {
		t.Errorf("%s", got)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("%v", entries)
	}
}

func TestWhatIsNoRecordIsRefusedAndChangesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	for text, want := range map[string]string{
		``:          "nothing was given; a JSON object is needed",
		`5`:         "a JSON object is needed, not a number",
		`[{}]`:      "a JSON object is needed, not an array",
		`"x"`:       "a JSON object is needed, not a string",
		`{"a":1`:    "invalid JSON: it ends too early",
		`{} {}`:     "one JSON object is needed; something follows it at byte 2",
		`{"a":1} 5`: "one JSON object is needed; something follows it at byte 7",
		"{}\n{}":    "one JSON object is needed; something follows it at byte 2",
		`{"decision":"applied","decision":"ignored"}`: `the key "decision" occurs twice in one object`,
		"{\"a\":\"\xff\"}":                            "not valid UTF-8",
		`{}`:                                          "input_summary: is missing; scores: is missing: an object with quality and quality_max; decision: is missing: applied, ignored, relaunched or baseline",
		string(ignored(`"pad":"` + strings.Repeat("x", maxRecord) + `",`)): "1048709 bytes, more than the 1 MiB that a record may have",
	} {
		if _, err := Append(path, []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%.60q: %v, want %s", text, err, want)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("a refused record has made a log")
	}
	if _, err := Append(filepath.Join(path, "no", "runs.jsonl"), ignored("")); err == nil || !strings.Contains(err.Error(), "runs init") {
		t.Errorf("no folder: %v", err)
	}
}

func TestARecordCanBeTakenBack(t *testing.T) {
	path := logOf(t, `{"run":1,"segment":1}`)
	before := contents(t, path)
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	size := l.Size()
	line, _, err := l.Prepare(ignored(""))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Write(line); err != nil {
		t.Fatal(err)
	}
	if err := l.Write(line); err == nil || !strings.Contains(err.Error(), "not the one that follows run 2") {
		t.Errorf("the same line twice: %v", err)
	}
	if err := l.Rewind(size, line); err != nil || contents(t, path) != before {
		t.Errorf("%v: %s", err, contents(t, path))
	}
	if again, _, err := l.Prepare(ignored("")); err != nil || string(again) != string(line) {
		t.Errorf("the number is not free again: %s %v", again, err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}

	for what, test := range map[string]struct {
		behind string
		want   bool
	}{
		"nothing was written": {"", true},
		"a part was written":  {string(line[:20]), true},
		"all was written":     {string(line), true},
		"another record":      {`{"run":2}` + "\n", false},
		"one more":            {string(line) + `{"run":3}` + "\n", false},
	} {
		if err := os.WriteFile(path, []byte(before+test.behind), 0o644); err != nil {
			t.Fatal(err)
		}
		err := Rewind(path, size, line)
		want := before
		if !test.want {
			want += test.behind
		}
		if (err == nil) != test.want || contents(t, path) != want {
			t.Errorf("%s: %v, %s", what, err, contents(t, path))
		}
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("more than the log is there: %v", entries)
	}
}

// Each record is on the disk before the next, so the count is what a slow disk can do; scripts/bench appends a
// thousand each.
const recordsEach = 200

func TestTwoProcessesLoseNothingAndNumberWithoutAGap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	var processes []*exec.Cmd
	for _, who := range []string{"a", "b"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "RUNS_APPEND_TO="+path, "RUNS_WHO="+who, fmt.Sprintf("RUNS_COUNT=%d", recordsEach))
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		processes = append(processes, cmd)
	}
	for _, cmd := range processes {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	lines := strings.Split(strings.TrimSuffix(contents(t, path), "\n"), "\n")
	if len(lines) != 2*recordsEach {
		t.Fatalf("%d lines", len(lines))
	}
	next := map[byte]int{}
	for i, line := range lines {
		rec, ok := Parse([]byte(line))
		if !ok || rec.Run != i+1 {
			t.Fatalf("line %d is run %d: %s", i+1, rec.Run, line)
		}
		_, who, _ := strings.Cut(line, `"who":"`)
		if want := fmt.Sprintf(`%c-%d"`, who[0], next[who[0]]); !strings.HasPrefix(who, want) {
			t.Fatalf("line %d is not record %s: %s", i+1, want, line)
		}
		next[who[0]]++
	}
}

func TestTheLockOfAProcessThatDiedIsFree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	holder := exec.Command(os.Args[0])
	holder.Env = append(os.Environ(), "RUNS_APPEND_TO="+path)
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := Append(path, ignored(""))
		done <- err
	}()
	select {
	case err := <-done:
		t.Errorf("appended while another process holds the log: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	if err := holder.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = holder.Wait()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A writer that is killed leaves whole records without a gap, at the worst with a torn line behind them.
func TestAWriterThatIsKilledLosesNoRecordBeforeIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	for i := range 5 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "RUNS_APPEND_TO="+path, "RUNS_WHO=a", "RUNS_COUNT=1000000")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for before := i * 3; ; time.Sleep(time.Millisecond) {
			if c := context(t, path); c.Runs > before {
				break
			}
		}
		time.Sleep(time.Duration(i) * 3 * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
	}
	rec, err := Append(path, ignored(""))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	damaged, err := Each(path, 0, func(line []byte) error {
		count++
		if r, ok := Parse(line); !ok || r.Run != count {
			t.Errorf("record %d is %s", count, line)
		}
		return nil
	})
	if err != nil || damaged != 0 || rec.Run != count {
		t.Errorf("%d records, %d damaged, the last is %d: %v", count, damaged, rec.Run, err)
	}
}

// Some programs append without asking for the lock; a line that is numbered after another record must not follow theirs.
func TestALogThatChangedUnderTheLockIsNotWritten(t *testing.T) {
	path := logOf(t, `{"run":1}`)
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	line, _, err := l.Prepare(ignored(""))
	if err != nil {
		t.Fatal(err)
	}
	changed := `{"run":1}` + "\n" + `{"run":2}` + "\n"
	if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := l.Write(line); err == nil || !strings.Contains(err.Error(), "was changed by a program that does not lock it; try again") {
		t.Errorf("%v", err)
	}
	if contents(t, path) != changed {
		t.Error("the log was written")
	}
}

// A log that was replaced while a process waits for its lock, as git does, is locked anew.
func TestALogThatWasReplacedIsLockedAnew(t *testing.T) {
	path := logOf(t, `{"run":1}`)
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		rec, err := Append(path, ignored(""))
		if err == nil && rec.Run != 8 {
			err = fmt.Errorf("run %d", rec.Run)
		}
		done <- err
	}()
	time.Sleep(50 * time.Millisecond) // it waits now, or it will find the new file at once: both are right
	if err := os.WriteFile(path+".new", []byte(`{"run":7}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := contents(t, path); strings.Count(got, "\n") != 2 || !strings.HasPrefix(got, `{"run":7}`) {
		t.Errorf("%s", got)
	}
}
