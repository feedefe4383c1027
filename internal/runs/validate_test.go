package runs

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"rulph/schemas/schematest"
)

// faults are records that differ from a good one in one thing, and what is said of it.
var faults = []struct{ from, to, want string }{
	{`"decision":"applied"`, `"decision":"maybe"`, `decision: must be applied, ignored, relaunched or baseline; it is "maybe"`},
	{`"decision":"applied"`, `"decision":null`, `decision: must be applied, ignored, relaunched or baseline`},
	{`"decision":"applied"`, `"decision":"ignored"`, `reason: is missing: say why the change was ignored, so that it is not proposed again`},
	{`"decision":"applied"`, `"decision":"ignored","reason":" "`, `reason: is missing: say why the change was ignored, so that it is not proposed again`},
	{`"decision":"applied"`, `"decision":"baseline"`, `change: must be null: a baseline scores the skill as it is`},
	{`"change":"c"`, `"change":null`, `change: is missing: an applied record says in a line what was changed`},
	{`"change":"c"`, `"change":7`, `change: must be a text; change: is missing: an applied record says in a line what was changed`},
	{`"input_summary":"i"`, `"input_summary":" "`, `input_summary: is empty`},
	{`"input_summary":"i"`, `"input_summary":null`, `input_summary: must be a text`},
	{`"quality":9`, `"quality":"9"`, `scores.quality: must be a number, at least 0`},
	{`"quality":9`, `"quality":-1`, `scores.quality: must be a number, at least 0`},
	{`"quality":9,`, ``, `scores.quality: is missing`},
	{`"quality_max":12`, `"quality_max":0`, `scores.quality_max: must be above 0`},
	{`"mcp_calls":3`, `"mcp_calls":3.5`, `scores.mcp_calls: must be a whole number, at least 0, or null where nobody counted`},
	{`"mcp_calls":3`, `"mcp_calls":"~3"`, `scores.mcp_calls: must be a whole number, at least 0, or null where nobody counted`},
	{`"5/7"`, `"5 of 7"`, `scores.steps_completed: must be a text such as 5/7`},
	{`"5/7"`, `"5/"`, `scores.steps_completed: must be a text such as 5/7`},
	{`"estimated":true`, `"estimated":"yes"`, `scores.estimated: must be true or false`},
	{`"segment":1`, `"segment":0`, `segment: must be a whole number from 1 to 999999999`},
	{`"segment":1`, `"segment":"1"`, `segment: must be a whole number from 1 to 999999999`},
	{`"segment":1`, `"segment":null`, `segment: must be a whole number from 1 to 999999999`},
	{`sha256:ab`, `ab`, `rubric_hash: must be a hash such as sha256:9f86d0…`},
	{`"issue":"x"`, `"issue":["x"]`, `issue: must be a text`},
	{`"issue":"x"`, `"issue":"` + strings.Repeat("é", mostLine+1) + `"`, `issue: is longer than 8192 characters`},
	{`{"quality":9,"quality_max":12,"mcp_calls":3,"steps_completed":"5/7","estimated":true}`, `9`, `scores: must be an object with quality and quality_max`},
}

const good = `{"segment":1,"input_summary":"i","scores":{"quality":9,"quality_max":12,"mcp_calls":3,"steps_completed":"5/7","estimated":true},` +
	`"issue":"x","change":"c","decision":"applied","rubric_hash":"sha256:ab"}`

func TestEachMistakeIsNamed(t *testing.T) {
	if err := Validate([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		text := strings.Replace(good, f.from, f.to, 1)
		if text == good {
			t.Fatalf("%s is not in the good record", f.from)
		}
		if err := Validate([]byte(text)); err == nil || err.Error() != f.want {
			t.Errorf("%.60s: %v, want %s", f.to, err, f.want)
		}
	}
	// The one rule that a schema cannot say.
	if err := Validate([]byte(strings.Replace(good, `"quality":9`, `"quality":13`, 1))); err == nil || err.Error() != "scores.quality: is 13, above quality_max 12" {
		t.Errorf("%v", err)
	}
}

func TestWhatIsAllowedIsTaken(t *testing.T) {
	for _, text := range []string{
		good,
		strings.Replace(good, `"decision":"applied"`, `"decision":"relaunched"`, 1),
		strings.NewReplacer(`"decision":"applied"`, `"decision":"baseline"`, `"change":"c"`, `"change":null`).Replace(good),
		strings.NewReplacer(`"change":"c",`, ``, `"decision":"applied"`, `"decision":"ignored","reason":"r"`).Replace(good),
		strings.NewReplacer(`"mcp_calls":3`, `"mcp_calls":null`, `"5/7"`, `null`, `"issue":"x"`, `"issue":null`, `"sha256:ab"`, `null`).Replace(good),
		strings.Replace(good, `"mcp_calls":3`, `"mcp_calls":3.0`, 1),
		strings.Replace(good, `"segment":1`, `"run":"x","date":5,"segment":1e0,"own":{"a":[1]}`, 1),
	} {
		if err := Validate([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := Append(logOf(t), []byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAMarshalledRecordIsTaken(t *testing.T) {
	text, err := json.Marshal(Record{InputSummary: "i", Scores: Scores{Quality: 9, QualityMax: 12}, Decision: Relaunched})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := Append(logOf(t), text)
	if err != nil || rec.Run != 1 || rec.Segment != 1 || rec.Change != nil {
		t.Errorf("%+v %v", rec, err)
	}
}

// The rules are written twice, here and for other programs; they must not drift apart.
func TestTheSchemaSaysTheSame(t *testing.T) {
	s := schematest.Compile(t, "run")
	for _, f := range faults {
		agree(t, s, strings.Replace(good, f.from, f.to, 1))
	}
	agree(t, s, good)
	agree(t, s, `{}`)
}

func agree(t *testing.T, s *jsonschema.Schema, text string) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	bySchema, byUs := s.Validate(doc), Validate([]byte(text))
	if (bySchema == nil) != (byUs == nil) {
		t.Errorf("%.200s\nthe schema says %v\nValidate says  %v", text, bySchema, byUs)
	}
}

func TestStampsFillOnlyWhatIsMissing(t *testing.T) {
	got, err := Stamp([]byte(good), Stamps{RubricHash: "sha256:cd", SkillHash: "sha256:ef", Judge: `a "b"`})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.TrimSuffix(good, "}") + `,"skill_hash":"sha256:ef","judge":"a \"b\""}` + "\n"
	if string(got) != want {
		t.Errorf("got  %swant %s", got, want)
	}
	if _, err := Stamp([]byte(`{}`), Stamps{}); err == nil {
		t.Error("a bad record was stamped")
	}
}

func TestTheHashOfAnInputIgnoresLineEndsAndTheEnd(t *testing.T) {
	const want = "sha256:7e18f737311b2dc3b2f269dd78396b0351f14fb66efa879f768cb23181883c78" // printf 'a\nb' | sha256sum
	for _, same := range []string{"a\nb", "a\r\nb\r\n", "a\nb \n\n"} {
		if got := Hash([]byte(same)); got != want {
			t.Errorf("%q: %s, want %s", same, got, want)
		}
	}
	if Hash([]byte(" a\nb")) == want || Hash([]byte("ab")) == want {
		t.Error("another text has the same hash")
	}
}
