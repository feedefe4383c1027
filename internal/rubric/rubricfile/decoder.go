package rubricfile

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"rulph/internal/rubric"
)

// decoder turns a tree of nodes into a rubric. Both formats become such a tree, so they have the same keys,
// rules and messages.
type decoder struct {
	src      *source
	rubric   rubric.Rubric
	findings []Finding
	places   map[string]position // of the value of each path that the file has
	broken   map[string]bool     // paths with a value that could not be read
	strange  map[string]bool     // paths of mappings with an unknown key
}

func newDecoder(src *source) *decoder {
	return &decoder{
		src: src, rubric: rubric.New(),
		places: map[string]position{}, broken: map[string]bool{}, strange: map[string]bool{},
	}
}

func (d *decoder) add(at position, path, format string, args ...any) {
	d.findings = append(d.findings, finding(at, path, fmt.Sprintf(format, args...)))
}

// breaks is add for a value that could not be read: what the model says about its absence is not reported.
func (d *decoder) breaks(n *yaml.Node, path, format string, args ...any) {
	d.broken[path] = true
	d.add(place(n), path, format, args...)
}

func place(n *yaml.Node) position {
	return position{max(n.Line, 1), max(n.Column, 1)}
}

// validate adds the problems of the model at their places.
func (d *decoder) validate() {
	if d.broken[""] {
		return // nothing was read, so everything would be missing
	}
	d.rubric.Complete()
	for _, p := range d.rubric.Validate() {
		if at, report := d.find(p.Path); report {
			d.add(at, p.Path, "%s", p.Message)
		}
	}
}

func (d *decoder) lint() {
	for _, p := range d.rubric.Lint() {
		at, _ := d.find(p.Path)
		f := finding(at, p.Path, p.Message)
		f.Severity = Doubtful
		d.findings = append(d.findings, f)
	}
}

// find returns the place of a path, else that of the nearest path around it. It returns false for what
// only follows from a finding that is there already: the value is broken, or what is missing may stand
// under a key that is misspelt or broken.
func (d *decoder) find(path string) (position, bool) {
	missing := false
	for p := path; ; p = parent(p) {
		if d.broken[p] || missing && d.strange[p] {
			return position{1, 1}, false
		}
		if at, ok := d.places[p]; ok {
			return at, missing || !d.hidesScale(p)
		}
		if p == "" {
			return position{1, 1}, true
		}
		missing = true
	}
}

// hidesScale reports whether path is a criterion that may well have a checklist or a scale which could not
// be read. A problem of the criterion itself is always about these.
func (d *decoder) hidesScale(path string) bool {
	for _, key := range []string{"items", "levels", "points"} {
		if d.broken[join(path, key)] {
			return true
		}
	}
	return d.strange[path]
}

// parent is the path around a path: criteria[0].items for criteria[0].items[2].
func parent(path string) string {
	if i := strings.LastIndexAny(path, ".["); i > 0 {
		return path[:i]
	}
	return ""
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
