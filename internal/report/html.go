package report

import (
	"bufio"
	_ "embed"
	"io"
	"reflect"
)

//go:embed report.html
var page string

var pageParts, _, _ = parse(page)

// HTML writes the document as one page.
func (d *Document) HTML(w io.Writer) error {
	b := bufio.NewWriter(w)
	fill(b, pageParts, reflect.ValueOf(d))
	return b.Flush()
}

// long reports whether a cell may be broken into lines: what is as short as a session is not.
func long(cell string) bool { return len(safe(cell)) > len("0xffffffffffffffff") }
