package schemas

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestEverySchemaIsOne(t *testing.T) {
	names := Names()
	if len(names) == 0 {
		t.Fatal("there is no schema")
	}
	for _, name := range names {
		text, err := Read(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(name, doc); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := c.Compile(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		object, _ := doc.(map[string]any)
		for _, key := range []string{"$schema", "title", "description"} {
			if s, _ := object[key].(string); s == "" {
				t.Errorf("%s has no %s", name, key)
			}
		}
	}
}

func TestEveryJSONFileIsEmbeddedAsASchema(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") && !strings.HasSuffix(e.Name(), suffix) {
			t.Errorf("%s does not end in %s", e.Name(), suffix)
		}
	}
	if _, err := Read("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading a schema that is not there gives %v", err)
	}
}
