// Package schematest holds documents and Go types to the schemas, for the tests of the packages that write
// them. It is linked into no program.
package schematest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"rulph/schemas"
)

func read(t testing.TB, name string) any {
	t.Helper()
	text, err := schemas.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return doc
}

// Compile is the schema of that name, date-time formats included, for tests that hold many values to it.
func Compile(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(name, read(t, name)); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// Check validates a document against the schema of that name.
func Check(t testing.TB, name string, document []byte) error {
	t.Helper()
	schema := Compile(t, name)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatalf("this is no JSON document: %v\n%s", err, document)
	}
	return schema.Validate(doc)
}

// Fits fails the test unless the document fits.
func Fits(t testing.TB, name string, document []byte) {
	t.Helper()
	if err := Check(t, name, document); err != nil {
		t.Errorf("%v\n%s", err, document)
	}
}

// Refuses fails the test unless the document fits, and stops fitting when the first old in it becomes
// new. The document is compacted first, so old is written without white space around : and ,.
func Refuses(t testing.TB, name string, document []byte, old, new string) {
	t.Helper()
	var compact bytes.Buffer
	if err := json.Compact(&compact, document); err != nil {
		t.Fatal(err)
	}
	Fits(t, name, compact.Bytes())
	bad := bytes.Replace(compact.Bytes(), []byte(old), []byte(new), 1)
	if bytes.Equal(bad, compact.Bytes()) {
		t.Fatalf("there is no %s in %s", old, compact.Bytes())
	}
	if Check(t, name, bad) == nil {
		t.Errorf("%s: %s instead of %s fits", name, new, old)
	}
}

// Matches fails the test unless the object at a place of the schema ("" for its root, $defs/round for a
// definition) and the struct name the same fields. With exact, those that are required have to be those
// that the struct always writes.
func Matches(t testing.TB, name, place string, of reflect.Type, exact bool) {
	t.Helper()
	at, ok := read(t, name).(map[string]any)
	for _, step := range strings.Split(place, "/") {
		if step != "" && ok {
			at, ok = at[step].(map[string]any)
		}
	}
	properties, found := at["properties"].(map[string]any)
	if !ok || !found {
		t.Fatalf("%s has no properties at %q", name, place)
	}
	all, always := fields(of)
	for _, f := range all {
		if properties[f] == nil {
			t.Errorf("%s, %q: %s writes %q, which is not in it", name, place, of, f)
		}
	}
	for f := range properties {
		if !slices.Contains(all, f) {
			t.Errorf("%s, %q: %s never writes %q", name, place, of, f)
		}
	}
	if !exact {
		return
	}
	var required []string
	list, _ := at["required"].([]any)
	for _, f := range list {
		required = append(required, f.(string))
	}
	slices.Sort(required)
	slices.Sort(always)
	if !slices.Equal(required, always) {
		t.Errorf("%s, %q requires %v; %s always writes %v", name, place, required, of, always)
	}
}

// fields lists the JSON names of a struct, and those of them that are written whatever they hold.
func fields(of reflect.Type) (all, always []string) {
	for i := range of.NumField() {
		f := of.Field(i)
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && tag == "":
			a, w := fields(f.Type)
			all, always = append(all, a...), append(always, w...)
			continue
		case tag == "-", !f.IsExported():
			continue
		case tag == "":
			tag = f.Name
		}
		all = append(all, tag)
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			always = append(always, tag)
		}
	}
	return all, always
}
