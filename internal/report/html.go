package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"sync"
)

//go:embed page
var pageFiles embed.FS

// page parses the templates once. html/template escapes every value for the place it lands in; the
// style sheet, which is ours, is the only value that is passed through.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(pageFiles, "page/*.html"))
})

// HTML is the report as one page that needs no network and no script: its style sheet and pictures
// are inside. The same Data gives the same bytes.
func HTML(d Data) ([]byte, error) {
	style, err := pageFiles.ReadFile("page/style.css")
	if err != nil {
		return nil, fmt.Errorf("report html: %w", err)
	}
	view := pageOf(d)
	view.Style = template.CSS(style)
	var b bytes.Buffer
	if err := page().ExecuteTemplate(&b, "page.html", view); err != nil {
		return nil, fmt.Errorf("report html: %w", err)
	}
	return b.Bytes(), nil
}
