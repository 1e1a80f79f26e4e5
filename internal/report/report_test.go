package report_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/report"
)

var t0 = time.Date(2026, 11, 28, 9, 30, 0, 0, time.UTC)

func at(seconds float64) chronicle.Moment {
	return chronicle.Moment{At: t0.Add(time.Duration(seconds * float64(time.Second)))}
}

func stay(owner string, came, held, left float64, how chronicle.Ending) *chronicle.Stay {
	s := &chronicle.Stay{Owner: owner, Of: 1, Came: at(came), How: how}
	if held >= 0 {
		s.Held = at(held)
	}
	if left >= 0 {
		s.Left = at(left)
	}
	return s
}

func recipe(stays ...*chronicle.Stay) *chronicle.Chronicle {
	return &chronicle.Chronicle{Path: "/locks/a", Kind: layout.Lock, Begin: t0, End: t0.Add(100 * time.Second), Stays: stays}
}

func page(t *testing.T, src report.Source, c *chronicle.Chronicle) string {
	t.Helper()
	var out strings.Builder
	if err := report.Of(src, []*chronicle.Chronicle{c}, t0).HTML(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Who held while whom waited is the overlap of the two, whatever the order in which they come; what is not known is in none.
func TestPairs(t *testing.T) {
	doubt := stay("doubt", 0, 0, 90, chronicle.Released)
	doubt.Doubt = true
	c := recipe(stay("a", 0, 0, 10, chronicle.Released), stay("b", 4, 10, 30, chronicle.Expired), stay("c", 5, -1, 20, chronicle.Released), stay("a", 12, 30, -1, ""), doubt)
	want := "[{b a 18s 18s 1} {b c 10s 10s 1} {a b 6s 6s 1} {a c 5s 5s 1}]"
	if got := fmt.Sprint(report.Pairs(c)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	many := recipe(stay("x", 0, 0, 10, chronicle.Released), stay("y", 1, 10, 11, chronicle.Released), stay("x", 11, 11, 20, chronicle.Released), stay("y", 12, 20, 21, chronicle.Released))
	if got := fmt.Sprint(report.Pairs(many)); got != "[{x y 17s 9s 2}]" {
		t.Error(got)
	}
}

// What happened to claims, epochs, holes and what is not known are drawn and told, in the words of history.
func TestWhatAChartShows(t *testing.T) {
	doubt := stay("reader", 0, 20, 90, chronicle.Released)
	doubt.Doubt = true
	asked := stay("asked", 0, 0, 50, chronicle.Broken)
	asked.Asked = at(30)
	c := recipe(asked, stay("gone", 1, 50, 60, chronicle.Expired), doubt)
	c.Nobody = []chronicle.Span{{From: t0.Add(60 * time.Second), To: t0.Add(70 * time.Second)}}
	src := report.Source{Name: "d", Epochs: []report.Epoch{{Number: 4, At: t0.Add(-time.Hour)}, {Number: 5, At: at(40).At}, {Number: 6, At: at(41).At}},
		Holes: []chronicle.Span{{From: at(80).At, To: at(85).At}}, Notes: []string{"log.1 ends in the middle of a record, at offset 77"}}
	html := page(t, src, c)
	for _, want := range []string{
		`<rect class="unsure" x="20.000%"`, `<rect class="nobody" x="60.000%"`, `<rect class="uncovered" x="80.000%"`, `<use class="sign expired" href="#sign-expired" x="60.000%"`,
		`<use class="sign broken" href="#sign-broken" x="50.000%"`, `<use class="sign asked" href="#sign-asked" x="30.000%"`, `<line class="epoch" x1="40.000%"`, `<line class="epoch" x1="41.000%"`,
		`>epoch 5</text>`, "1 more change of epoch is drawn without the number", "&lt;=1m10s", "read, or waited for a later writer: not known", "&gt;=20.000s",
		"1 claim is not counted: whether each held is not known", "log.1 ends in the middle of a record, at offset 77", `>09:30:30</text>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in\n%s", want, html)
		}
	}
	if strings.Contains(html, "epoch 4<") || strings.Contains(html, "<script") {
		t.Error("it shows what is not there")
	}
}

// Beyond some thousand claims lanes are binned, which is said; so is each table that leaves something out. A long name is
// broken into lines, and none of it is lost.
func TestMoreThanCanBeDrawn(t *testing.T) {
	c := recipe()
	for i := range 5000 {
		c.Stays = append(c.Stays, stay(fmt.Sprint("worker-", i%60), float64(i)/51, float64(i)/50.5, float64(i+1)/50.5, chronicle.Released))
	}
	html := page(t, report.Source{}, c)
	for _, want := range []string{"Not drawn one by one: 5000 claims. A lane is 240 columns of 0.417s", "20 more owners are in the tables alone", "1000 of 5000 claims", "The first 100 of "} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q", want)
		}
	}
	if n := strings.Count(html, "<rect"); n > 40*3*241 {
		t.Errorf("%d boxes", n)
	}
	name := strings.Repeat("worker", 40) + "-end"
	html = page(t, report.Source{}, recipe(stay(name, 0, 0, 10, chronicle.Released)))
	var lane strings.Builder
	for _, part := range strings.Split(html, `<text class="lane"`)[1:] {
		_, text, _ := strings.Cut(part, ">")
		text, _, _ = strings.Cut(text, "<")
		lane.WriteString(text)
	}
	if !strings.HasPrefix(lane.String(), name+"  1 claim") {
		t.Errorf("%q", lane.String())
	}
}
