package report

import (
	_ "embed"
	"html/template"
	"io"
)

//go:embed report.html
var page string

var pageTemplate = template.Must(template.New("report").Funcs(template.FuncMap{"safe": safe}).Parse(page))

// HTML writes the document as one page.
func (d *Document) HTML(w io.Writer) error { return pageTemplate.Execute(w, d) }
