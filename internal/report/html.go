package report

import (
	_ "embed"
	"html/template"
	"io"
)

//go:embed report.html
var page string

var pageTemplate = template.Must(template.New("report").Funcs(template.FuncMap{"safe": safe, "long": long}).Parse(page))

// HTML writes the document as one page.
func (d *Document) HTML(w io.Writer) error { return pageTemplate.Execute(w, d) }

// long reports whether a cell may be broken into lines: what is as short as a session is not.
func long(cell string) bool { return len(safe(cell)) > len("0xffffffffffffffff") }
