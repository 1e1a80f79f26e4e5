package docs

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var part = regexp.MustCompile(`(?s)<!-- printed: (example|section) ([^\n]+) -->\n.*?<!-- end -->`)

// What docs/library.md quotes is the code: examples, which go test runs, and parts of the package's documentation.
func TestLibraryPage(t *testing.T) {
	const page = "docs/library.md"
	b, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	examples, sections := exampleTexts(t), docSections(t)
	n := 0
	text := part.ReplaceAllStringFunc(string(b), func(old string) string {
		m := part.FindStringSubmatch(old)
		n++
		body := sections[m[2]]
		if m[1] == "example" {
			body = examples[m[2]]
		}
		if body == "" {
			t.Errorf("%s: there is no %s %s", page, m[1], m[2])
		}
		return fmt.Sprintf("<!-- printed: %s %s -->\n\n%s\n\n<!-- end -->", m[1], m[2], strings.TrimSpace(body))
	})
	if n < 20 {
		t.Errorf("%s quotes %d parts only", page, n)
	}
	same(t, page, text)
}

// exampleTexts are the bodies of the package's examples, as Markdown.
func exampleTexts(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, err := filepath.Glob(root + "/recipes/example*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if name, is := strings.CutPrefix(nameOf(fn, ok), "Example"); is {
				body := src[set.Position(fn.Body.Lbrace).Offset+1 : set.Position(fn.Body.Rbrace).Offset]
				out[name] = "```go\n" + unindented(t, body) + "\n```"
			}
		}
	}
	return out
}

func nameOf(fn *ast.FuncDecl, ok bool) string {
	if !ok {
		return ""
	}
	return fn.Name.Name
}

// unindented is a function's body at the left margin.
func unindented(t *testing.T, body []byte) string {
	t.Helper()
	b, err := format.Source(bytes.TrimRight(body, "\n\t"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.Trim(string(b), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "\t")
	}
	return strings.Join(lines, "\n")
}

// named is a name in brackets, as Go's documentation links it.
var named = regexp.MustCompile(`\\\[(\w+)\]`)

// docSections are the parts of the package's documentation, by their headings.
func docSections(t *testing.T) map[string]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "recipes/doc.go"), nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var p comment.Parser
	var print comment.Printer
	out := map[string]string{}
	var title string
	for _, block := range p.Parse(f.Doc.Text()).Content {
		if h, ok := block.(*comment.Heading); ok {
			title = strings.TrimSpace(string(print.Text(&comment.Doc{Content: []comment.Block{&comment.Paragraph{Text: h.Text}}})))
			continue
		}
		if c, ok := block.(*comment.Code); ok {
			out[title] += "```\n" + c.Text + "```\n\n"
			continue
		}
		out[title] += named.ReplaceAllString(string(print.Markdown(&comment.Doc{Content: []comment.Block{block}})), "`$1`") + "\n"
	}
	return out
}
