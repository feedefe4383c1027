package rubricfile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rulph/internal/rubric"
)

// MaxBytes is the size limit of a rubric file. What is larger is another file.
const MaxBytes = 1 << 20

// The formats. Markdown may also be written "markdown" and YAML "yml".
const (
	YAML     = "yaml"
	Markdown = "md"
	JSON     = "json"
)

// Read reads and checks the rubric in the file path. Its error is an *Error where the file was read and
// is no usable rubric.
func Read(path string) (*rubric.Rubric, error) {
	data, err := Load(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Load returns the bytes of the file path, at most MaxBytes of them.
func Load(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name the rubric file in it", path)
	}
	return LoadFrom(path, f)
}

// LoadFrom is Load from a stream; name stands for it in errors.
func LoadFrom(name string, r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("%s is larger than %d bytes; a rubric is a short text", name, MaxBytes)
	}
	return data, nil
}

// Parse reads the rubric data, whose file name says the format: .yaml, .yml, .json, .md or .markdown; under
// any other name the content does. The rubric is complete and valid. The error is an *Error.
func Parse(name string, data []byte) (*rubric.Rubric, error) {
	r := Check(name, data)
	if len(r.Errors) > 0 {
		return nil, &Error{Name: name, Findings: r.Errors}
	}
	return r.Rubric, nil
}

// Report is what there is to say about a rubric file.
type Report struct {
	Rubric   *rubric.Rubric // nil where there are errors
	Errors   []Finding      // in the order of the file
	Warnings []Finding      // likewise; only of a rubric without errors
}

// Check reads the rubric data as Parse does and looks for what makes it hard to judge as well.
func Check(name string, data []byte) Report {
	if len(data) > MaxBytes {
		return Report{Errors: []Finding{{Severity: Wrong, Line: 1, Column: 1, Message: fmt.Sprintf("the file is larger than %d bytes; a rubric is a short text", MaxBytes)}}}
	}
	src, bad := newSource(data)
	if bad != nil {
		return Report{Errors: src.ordered([]Finding{*bad})}
	}
	d := newDecoder(src)
	switch Format(name, src.text) {
	case Markdown:
		d.markdown()
	case JSON:
		d.json()
	default:
		d.yaml()
	}
	d.validate()
	if len(d.findings) > 0 {
		return Report{Errors: src.ordered(d.findings)}
	}
	d.lint()
	return Report{Rubric: &d.rubric, Warnings: src.ordered(d.findings)}
}

// mostFindings bounds what is said about a file that is something else.
const mostFindings = 200

// ordered sorts findings as they stand in the file, leaves out what is too much, and gives each its line.
func (s *source) ordered(fs []Finding) []Finding {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	if more := len(fs) - mostFindings; more > 0 {
		fs = fs[:mostFindings]
		fs[mostFindings-1].Message += fmt.Sprintf(" (and %d findings after this one)", more)
	}
	for i := range fs {
		fs[i].source = s.line(fs[i].Line)
	}
	return fs
}

// ErrFormat is the error for a format that is none.
var ErrFormat = errors.New("the format must be yaml, md or json")

// FormatOf returns the format that a word or the extension of a file name stands for, or "".
func FormatOf(word string) string {
	switch strings.TrimPrefix(strings.ToLower(word), ".") {
	case "yaml", "yml":
		return YAML
	case "md", "markdown":
		return Markdown
	case "json":
		return JSON
	}
	return ""
}

// Format returns the format of a file: by its name, else by its text.
func Format(name, text string) string {
	if f := FormatOf(filepath.Ext(name)); f != "" {
		return f
	}
	if strings.HasPrefix(strings.TrimLeft(text, " \t\n"), "{") {
		return JSON
	}
	lines := "\n" + text
	if strings.Contains(lines, "\n## ") && !strings.Contains(lines, "\ncriteria:") {
		return Markdown
	}
	return YAML
}
