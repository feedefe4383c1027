package runs

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

func sample(t *testing.T) []Record {
	t.Helper()
	records, leftOut, err := Last(logOf(t,
		`{"run":1,"segment":1,"scores":{"quality":6,"quality_max":12,"mcp_calls":4,"ask_user_question":2,"tokens_injected":1200},"change":null,"decision":"baseline"}`,
		`{"run":2,"segment":1,"scores":{"quality":8,"quality_max":12,"mcp_calls":4,"ask_user_question":1,"tokens_injected":1400,"estimated":true},"change":"a </title><script> & \u0000 b","decision":"applied"}`,
		`{"run":3,"segment":1,"change":"no scores","decision":"relaunched"}`,
		`{"run":4,"segment":2,"scores":{"quality":12.5,"quality_max":12},"change":"c","decision":"ignored"}`,
		`{"run":5,"segment":2,"scores":{"quality":11.5,"quality_max":12,"mcp_calls":0},"change":"c","decision":"relaunched"}`,
	), 0, 0)
	if err != nil || leftOut != 0 || len(records) != 5 {
		t.Fatal(len(records), leftOut, err)
	}
	return records
}

// elements counts the elements of an XML document by name, and fails where it is none.
func elements(t *testing.T, document []byte) map[string]int {
	t.Helper()
	found := map[string]int{}
	for dec := xml.NewDecoder(strings.NewReader(string(document))); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, document)
		}
		if start, ok := token.(xml.StartElement); ok {
			found[start.Name.Local]++
		}
	}
}

func TestTheChartIsSafeXMLWithAMarkForEachScoredRun(t *testing.T) {
	svg := SVG("a<b>", sample(t), 7)
	if dir := os.Getenv("RUNS_CHART_TO"); dir != "" {
		if err := os.WriteFile(dir, svg, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	found := elements(t, svg)
	// Two circles and a path are the legend's: circles for applied and ignored, paths for relaunched.
	if found["circle"] != 2+2 || found["path"] != 1+1 || found["script"] != 0 || found["polyline"] != 2 || found["desc"] != 1 {
		t.Errorf("%v", found)
	}
	for _, want := range []string{
		"<title id=\"title\">Quality and cost by run: a&lt;b&gt; (the last 5 of 12 runs)</title>",
		"<desc id=\"desc\">Runs 1 to 5: 1 applied, 1 ignored, 2 relaunched. Quality 6/12 at first and 11.5/12 at last.</desc>",
		"run 2, segment 1: 8/12, applied: a &lt;/title&gt;&lt;script&gt; &amp; \ufffd b", "segment 2", `class="estimated"`,
	} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(string(svg), "NaN") || strings.Contains(string(svg), "Inf") {
		t.Error("a number is none")
	}
	// A quality above its maximum stays in the picture.
	if !strings.Contains(string(svg), fmt.Sprintf(`cy="%g"`, chartTop)) {
		t.Error("12.5 of 12 is not at the top")
	}
}

func TestAChartOfNothingAndOfManyRuns(t *testing.T) {
	if svg := SVG("", nil, 0); !strings.Contains(string(svg), "no runs yet") || elements(t, svg)["svg"] != 1 {
		t.Errorf("%s", svg)
	}
	many := make([]Record, 1000)
	for i := range many {
		many[i] = Record{Run: i + 1, Segment: 1 + i/300, Decision: Applied, Scores: Scores{Quality: float64(i % 13), QualityMax: 12}}
	}
	if found := elements(t, SVG("", many, 0)); found["circle"] != 1002 || found["text"] > 60 {
		t.Errorf("%v", found)
	}
}

func TestLastKeepsTheNewestOfASegment(t *testing.T) {
	var text []string
	for i := range 10 {
		text = append(text, fmt.Sprintf(`{"run":%d,"segment":%d,"own":"x%d"}`, i+1, 1+i%2, i))
	}
	path := logOf(t, append(text, "damage", `{"run":11`)...)
	for _, test := range []struct {
		n, segment int
		want       string
	}{{3, 0, "[8 9 10] 7"}, {0, 0, "[1 2 3 4 5 6 7 8 9 10] 0"}, {2, 1, "[7 9] 3"}, {9, 2, "[2 4 6 8 10] 0"}, {3, 9, "[] 0"}} {
		records, leftOut, err := Last(path, test.n, test.segment)
		var runs []int
		for _, r := range records {
			runs = append(runs, r.Run)
		}
		if got := fmt.Sprint(runs, leftOut); got != test.want || err != nil {
			t.Errorf("the last %d of segment %d: %s %v, want %s", test.n, test.segment, got, err, test.want)
		}
	}
	var own []string
	damaged, err := Each(path, 2, func(line []byte) error { own = append(own, string(line)); return nil })
	if err != nil || damaged != 2 || len(own) != 5 || own[0] != text[1] {
		t.Errorf("%d damaged, %v, %q", damaged, err, own)
	}
}
