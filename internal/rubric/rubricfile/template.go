package rubricfile

import (
	_ "embed"
	"fmt"
	"strings"

	"rulph/internal/rubric"
)

var (
	//go:embed templates/rubric.yaml
	templateYAML string
	//go:embed templates/rubric.md
	templateMarkdown string
)

// templateTitle is the title of both templates.
const templateTitle = "README of a command-line tool"

// Template returns a commented rubric to start from, as YAML or Markdown. It passes every check as it is.
// An empty title keeps the one of the template.
func Template(format, title string) ([]byte, error) {
	r := rubric.Rubric{Title: title}
	for _, p := range r.Validate() {
		if p.Path == "title" {
			return nil, fmt.Errorf("%s", p.Message)
		}
	}
	title = strings.TrimSpace(title)
	if title == "" {
		title = templateTitle
	}
	switch FormatOf(format) {
	case YAML:
		return []byte(strings.Replace(templateYAML, "title: "+templateTitle, "title: "+quoted(title), 1)), nil
	case Markdown:
		if readsBack("# ", title) {
			return []byte(strings.Replace(templateMarkdown, "# "+templateTitle, "# "+title, 1)), nil
		}
		text := strings.Replace(templateMarkdown, "# "+templateTitle+"\n\n", "", 1)
		return []byte(strings.Replace(text, "version: 1\n", "version: 1\ntitle: "+quoted(title)+"\n", 1)), nil
	}
	return nil, fmt.Errorf("a template is yaml or md; the format is %q", format)
}
