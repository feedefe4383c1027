package report

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"rulph/schemas"
	"rulph/schemas/schematest"
)

func schema(t *testing.T) (*jsonschema.Schema, map[string]any) {
	t.Helper()
	text, err := schemas.Read("report")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return schematest.Compile(t, "report"), doc.(map[string]any)
}

func TestReportsFitTheirSchema(t *testing.T) {
	compiled, _ := schema(t)
	for name, d := range map[string]Data{"handbook": handbook(), "baseline": baselineOnly(), "wide": wide(), "nothing": {}} {
		encoded, err := Encode(d)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(encoded))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemaRefusesWhatIsNoReport(t *testing.T) {
	compiled, _ := schema(t)
	encoded, err := Encode(handbook())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new string }{
		{`"schema": 1,`, `"schema": 2,`},
		{`"schema": 1,`, ``},
		{`"result": "PASSED"`, `"result": "passed"`},
		{`"threshold": 80`, `"threshold": 180`},
		{`"overall": 62.5`, `"overall": "62.5"`},
		{`"unverified"`, `"maybe"`},
		{`"DEGRADED"`, `"BROKEN"`},
		{`"rolled_back"`, `"rolledback"`},
		{`"role": "improver"`, `"role": "author"`},
		{`"unpriced": 48830`, `"unpriced": 48830.5`},
		{`"flip_rate": 0.0857`, `"flip_rate": 8.57`},
		{`"band": 5.93`, `"bands": 5.93`},
		{`"word": "IMPROVED"`, `"word": "BETTER"`},
		{`"held": true`, `"held": "yes"`},
		{`"held": 45`, `"held": 145`},
		{`"independent": 1.6`, `"independent": -1`},
		{`"dropped": [`, `"dropped": [1,`},
		{`"limits": {`, `"limits": {"rounds": 3,`},
		{`"started": "2026-04-18T09:30:12Z"`, `"started": "yesterday"`},
	} {
		bad := bytes.Replace(encoded, []byte(c.old), []byte(c.new), 1)
		if bytes.Equal(bad, encoded) {
			t.Fatalf("the report has no %s", c.old)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(bad))
		if err != nil {
			t.Fatal(err)
		}
		if compiled.Validate(doc) == nil {
			t.Errorf("%s instead of %s fits", c.new, c.old)
		}
	}
}

// Each struct and its schema name the same fields, and the fields a schema requires are those that
// are always written.
func TestSchemaAndDataNameTheSameFields(t *testing.T) {
	_, doc := schema(t)
	defs := doc["$defs"].(map[string]any)
	items := func(object any, key string) any {
		return object.(map[string]any)["properties"].(map[string]any)[key].(map[string]any)["items"]
	}
	for _, c := range []struct {
		schema any
		value  any
	}{
		{doc, Data{}},
		{doc["properties"].(map[string]any)["rubric"], RubricInfo{}},
		{defs["criterion"], CriterionInfo{}},
		{items(defs["criterion"], "items"), ItemInfo{}},
		{items(defs["criterion"], "levels"), LevelInfo{}},
		{defs["round"], Round{}},
		{defs["score"], CriterionScore{}},
		{items(defs["score"], "suggestions"), Suggestion{}},
		{defs["judge"], Judge{}},
		{items(defs["round"], "disagreements"), Disagreement{}},
		{doc["properties"].(map[string]any)["limits"], Limits{}},
		{defs["agent"], Agent{}},
		{defs["calibration"], Calibration{}},
		{items(defs["calibration"], "judges"), JudgeNoise{}},
		{defs["round"].(map[string]any)["properties"].(map[string]any)["change"], Change{}},
	} {
		object := c.schema.(map[string]any)
		var properties, required, fields, always []string
		for name := range object["properties"].(map[string]any) {
			properties = append(properties, name)
		}
		if list, ok := object["required"].([]any); ok {
			for _, name := range list {
				required = append(required, name.(string))
			}
		}
		typ := reflect.TypeOf(c.value)
		for i := range typ.NumField() {
			name, options, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			fields = append(fields, name)
			if options == "" {
				always = append(always, name)
			}
		}
		for _, list := range []*[]string{&properties, &required, &fields, &always} {
			slices.Sort(*list)
		}
		if !slices.Equal(properties, fields) {
			t.Errorf("%s: the schema has %v, the struct %v", typ.Name(), properties, fields)
		}
		if !slices.Equal(required, always) {
			t.Errorf("%s: the schema requires %v, always written are %v", typ.Name(), required, always)
		}
		if object["additionalProperties"] != false {
			t.Errorf("%s: unknown fields are let through", typ.Name())
		}
	}
}
