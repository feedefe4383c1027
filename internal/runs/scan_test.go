package runs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"rulph/schemas/schematest"
)

var lines = []string{
	`{}`, ` { } `, `{"run":1}`, `{"run" : 1 , "segment":2}`, `{"run":1,}`, `{"run":1`, `{"run"}`, `{"run":}`, `{run:1}`, `[]`, `5`, ``, `{"run":1}{}`,
	`{"run":1} x`, `{"change":"a \" b","decision":"applied"}`, `{"change":"a \\","decision":"applied"}`, `{"change":"\\\"","decision":"x"}`,
	`{"change":"\"decision\":\"applied\"","decision":"ignored"}`, `{"x":{"decision":"applied"},"decision":"ignored"}`,
	`{"scores":{"quality":1,"a":"}"},"run":2}`, `{"scores":{"a":"\"}"},"run":2}`, `{"scores":{"a":{"b":[1,{"c":"]}"}]}},"run":2}`,
	`{"scores":[1,[2]],"run":2}`, `{"scores":{"a":1,"run":2}`, `{"decision":"a","decision":"b"}`, `{"a":true,"run":-1.5e3}`, `{"a":"unfinished`, `{"a":"\`,
	`{"segment":3,"run":2,"reason":"r","rubric_hash":"x:1","input_hash":"x:2","piste":"p","piste_efficience":"q"}`, `{"a" 1}`, `{"a":1 "b":2}`, `{"":1,"run":5}`,
}

// sameAsJSON compares what read finds in a valid object with what encoding/json does. Of texts that are no objects
// read may take some, since it does not look into numbers and words; it must not fall over.
func sameAsJSON(t *testing.T, f *fields, line string) {
	t.Helper()
	ok := f.read([]byte(line))
	var want map[string]json.RawMessage
	if !json.Valid([]byte(line)) || json.Unmarshal([]byte(line), &want) != nil || want == nil {
		return
	}
	if !ok {
		t.Errorf("%s is an object and was not read", line)
	}
	got := map[string][]byte{
		"run": f.run, "segment": f.segment, "scores": f.scores, "change": f.change, "piste_efficience": f.idea, "piste": f.piste,
		"decision": f.decision, "reason": f.reason, "rubric_hash": f.rubric, "input_hash": f.input,
	}
	if strings.Contains(line, `\u`) {
		return // a key that is written with escapes is not known; Append writes none
	}
	for key, value := range got {
		if string(value) != string(want[key]) {
			t.Errorf("%s: %s is %s, want %s", line, key, value, want[key])
		}
	}
}

func TestTheScannerFindsWhatAJSONReaderFinds(t *testing.T) {
	var learned fields // of all lines before
	for range 2 {
		for _, line := range lines {
			sameAsJSON(t, &fields{}, line)
			sameAsJSON(t, &learned, line)
		}
	}
	for _, line := range lines {
		if want := json.Valid([]byte(line)) && strings.HasPrefix(strings.TrimSpace(line), "{"); learned.read([]byte(line)) != want {
			t.Errorf("%s: taken for an object: %v", line, !want)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, line := range lines {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		learned := fields{}
		learned.read([]byte(lines[28]))
		sameAsJSON(t, &fields{}, line)
		sameAsJSON(t, &learned, line)
		g := newGather(1)
		if err := g.add([]byte(line)); err != nil {
			t.Error(err)
		}
		g.context()
		Parse([]byte(line))
	})
}

// FuzzAppend: what Validate takes becomes one line that reads back with its unknown fields, and the schema agrees.
func FuzzAppend(f *testing.F) {
	f.Add(good)
	f.Add(string(ignored(`"x":{"y":[1]},`)))
	for _, fault := range faults {
		f.Add(strings.Replace(good, fault.from, fault.to, 1))
	}
	s := schematest.Compile(f, "run")
	f.Fuzz(func(t *testing.T, text string) {
		if Validate([]byte(text)) != nil {
			return
		}
		agree(t, s, text)
		line, err := complete([]byte(text), 3, "2026-01-02", 1)
		if err != nil {
			t.Fatal(err)
		}
		rec, ok := Parse(line)
		if !ok || rec.Run != 3 || rec.Date != "2026-01-02" || bytes.IndexByte(line, '\n') != len(line)-1 {
			t.Fatalf("%s: %+v", line, rec)
		}
		var before, after map[string]any
		if json.Unmarshal([]byte(text), &before) != nil || json.Unmarshal(line, &after) != nil {
			t.Fatalf("%s: not JSON", line)
		}
		for key, value := range before {
			if key != "run" && key != "date" && key != "segment" && fmt.Sprint(after[key]) != fmt.Sprint(value) {
				t.Errorf("%s: %s has changed", line, key)
			}
		}
	})
}

func TestLinesOfAnyLengthComeOutWhole(t *testing.T) {
	text := strings.Repeat("a", block-1) + "\n" + "\n" + strings.Repeat("b", 3*block) + "\n" + strings.Repeat("c", maxLine+block) + "\n" + "d\n" + "rest"
	want := fmt.Sprint([]int{block - 1, 0, 3 * block, -1, 1}, 4)
	var got []int
	rest, err := eachLine(iotest.HalfReader(strings.NewReader(text)), func(line []byte) error {
		if line == nil {
			got = append(got, -1)
		} else {
			got = append(got, len(line))
		}
		return nil
	})
	if err != nil || fmt.Sprint(got, len(rest)) != want {
		t.Errorf("%v %d %v, want %s", got, len(rest), err, want)
	}
}

func TestRecentKeepsTheNewestOnceEach(t *testing.T) {
	r := newRecent(4, 10)
	var model []string
	dropped := 0
	for i := range 2000 {
		text := fmt.Sprint(i * i % 23)
		if i%97 == 0 {
			text = strings.Repeat("x", i%11)
		}
		r.add([]byte(text))
		there := false
		for _, m := range model {
			there = there || m == text
		}
		if there {
			continue
		}
		model = append(model, text)
		for len(model) > 4 || len(strings.Join(model, "")) > 10 {
			model = model[1:]
			dropped++
		}
		var got []string
		for j := range r.n {
			got = append(got, string(r.at(j).text))
		}
		if fmt.Sprint(got) != fmt.Sprint(model) || r.dropped != dropped {
			t.Fatalf("after %d texts %q and %d dropped, want %q and %d", i+1, got, r.dropped, model, dropped)
		}
	}
}
