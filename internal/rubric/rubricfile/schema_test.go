package rubricfile

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"rulph/internal/rubric"
	"rulph/schemas/schematest"
)

// asJSON is a YAML document as a schema sees it: every key a string.
func asJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, value := range v {
			v[k] = asJSON(value)
		}
	case map[any]any:
		out := map[string]any{}
		for k, value := range v {
			text, _ := yaml.Marshal(k)
			out[string(bytes.TrimSpace(text))] = asJSON(value)
		}
		return out
	case []any:
		for i := range v {
			v[i] = asJSON(v[i])
		}
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "no number of JSON"
		}
	}
	return v
}

func TestWhatIsWrittenFitsTheSchema(t *testing.T) {
	schema := schematest.Compile(t, "rubric")
	generated(t, func(t *testing.T, r rubric.Rubric) {
		for _, format := range []string{YAML, JSON} {
			text, err := Write(&r, format)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if format == YAML {
				err = yaml.Unmarshal(text, &doc)
				doc = asJSON(doc)
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(doc); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
	})
}

// beyondSchema are the broken files whose fault no schema sees.
var beyondSchema = map[string]bool{"weights.yaml": true, "weights-missing.yaml": true, "fractions.yaml": true}

func TestWhatIsRefusedDoesNotFitTheSchema(t *testing.T) {
	schema := schematest.Compile(t, "rubric")
	files, err := filepath.Glob("testdata/broken/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var doc any
		if yaml.Unmarshal(data, &doc) != nil {
			continue // no YAML at all
		}
		if fits := schema.Validate(asJSON(doc)) == nil; fits != beyondSchema[filepath.Base(file)] {
			t.Errorf("%s fits the schema: %v", file, fits)
		}
	}
}
