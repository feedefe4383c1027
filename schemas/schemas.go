// Package schemas holds the JSON Schemas (draft 2020-12) of every file rulph reads and of every document it
// prints with --json. It knows their text and nothing more: the programs read their input with readers of
// their own, whose messages name a line; the schemas are for editors, for tests, and for other programs.
package schemas

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed *.json
var files embed.FS

const suffix = ".schema.json"

// Read returns the schema of that name, "rubric" for rubric.schema.json; fs.ErrNotExist where there is none.
func Read(name string) ([]byte, error) {
	return files.ReadFile(name + suffix)
}

// Names lists the names of all schemas, sorted.
func Names() []string {
	matches, err := fs.Glob(files, "*"+suffix)
	if err != nil {
		panic("schemas: " + err.Error()) // only a bad pattern fails
	}
	for i, m := range matches {
		matches[i] = strings.TrimSuffix(m, suffix)
	}
	return matches
}
