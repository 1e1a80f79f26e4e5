package report_test

import (
	"html/template"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/report"
)

// The page is the one that the standard library makes of the same template: every place is filled, and what is foreign is
// escaped as it escapes.
func TestThePageIsFilledAsByTheLibrary(t *testing.T) {
	text, err := os.ReadFile("report.html")
	if err != nil {
		t.Fatal(err)
	}
	peer := template.Must(template.New("page").Funcs(template.FuncMap{"safe": say.Printable,
		"long": func(cell string) bool { return len(say.Printable(cell)) > len("0xffffffffffffffff") }}).Parse(string(text)))
	hostile := `</text><script>alert("1")</script>'&amp;` + "\x1b[31m\x00"
	asked := stay(hostile, 0, 0, 50, chronicle.Broken)
	asked.Asked = at(30)
	full := recipe(asked, stay("gone", 1, 50, 60, chronicle.Expired))
	full.Path = "/locks/" + hostile
	full.Nobody = []chronicle.Span{{From: t0.Add(60 * time.Second), To: t0.Add(70 * time.Second)}}
	crowd := recipe()
	for i := range 3000 {
		crowd.Stays = append(crowd.Stays, stay("a", float64(i%100), float64(i%100), float64(i%100)+0.5, chronicle.Released))
	}
	none := &chronicle.Chronicle{Path: "/none", Kind: layout.Lock, Begin: t0, End: t0}
	src := report.Source{Name: hostile, Epochs: []report.Epoch{{Number: 5, At: at(40).At}}, Holes: []chronicle.Span{{From: at(80).At, To: at(85).At}},
		Notes: []string{hostile}, Chosen: hostile, Members: []report.Member{{Name: hostile, Records: 3}}}
	doc := report.Of(src, []*chronicle.Chronicle{full, crowd, none}, t0)
	var got, want strings.Builder
	if err := doc.HTML(&got); err != nil {
		t.Fatal(err)
	}
	if err := peer.Execute(&want, doc); err != nil {
		t.Fatal(err)
	}
	plain := strings.ReplaceAll(want.String(), "&#43;", "+") // escaped for the sake of UTF-7
	if g, w := strings.Split(got.String(), "\n"), strings.Split(plain, "\n"); got.String() != plain {
		for i := range min(len(g), len(w)) {
			if g[i] != w[i] {
				t.Fatalf("line %d is\n%s\nwant\n%s", i+1, g[i], w[i])
			}
		}
		t.Fatalf("%d lines, want %d", len(g), len(w))
	}
	if strings.Contains(got.String(), "<script") || !strings.Contains(got.String(), `class="notice"`) {
		t.Error("what is foreign is not escaped, or a place stays empty")
	}
}
