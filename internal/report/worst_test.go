package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/report"
)

func of(s *chronicle.Stay, id znode.SessionID) *chronicle.Stay {
	s.Session = id
	return s
}

// The worst moment is when most waited; whoever held then is told with what it waited for itself.
func TestTheWorstMoment(t *testing.T) {
	a := recipe(of(stay("one", 0, 0, 60, chronicle.Released), 1), of(stay("two", 10, 60, 70, chronicle.Released), 2), of(stay("three", 20, -1, 50, chronicle.Released), 3),
		of(stay("four", 65, 70, 80, chronicle.Released), 4))
	b := &chronicle.Chronicle{Path: "/locks/b", Kind: layout.Lock, Begin: a.Begin, End: a.End,
		Stays: []*chronicle.Stay{of(stay("five", 0, 0, 90, chronicle.Released), 5), of(stay("one", 15, 90, -1, ""), 1)}}
	var md strings.Builder
	src := report.Source{Audit: []report.Act{{At: at(30).At, User: "ann@ops", What: "broke the claim of one | <b>"}}, AuditNote: "Of audit.jsonl."}
	if err := report.Of(src, []*chronicle.Chronicle{a, b}, time.Time{}).Markdown(&md); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"At 2026-11-28T09:30:49.999Z, when 2 claims waited",
		"| holds | one | 0x1 | 49.999s | /locks/b, held by five |\n| waits | two | 0x2 | 39.999s | - |\n| waits | three | 0x3 | 29.999s | - |\n\n",
		"| 2026-11-28T09:30:30.000Z | ann&#64;ops | broke the claim of one &#124; &lt;b&gt; |",
		"Of audit.jsonl.",
	} {
		if !strings.Contains(md.String(), want) {
			t.Errorf("no %q in\n%s", want, md.String())
		}
	}
	md.Reset()
	if err := report.Of(report.Source{}, []*chronicle.Chronicle{recipe(stay("one", 0, 0, 60, chronicle.Released))}, time.Time{}).Markdown(&md); err != nil || !strings.Contains(md.String(), "Nobody waited.\n") || strings.Contains(md.String(), "What was done") {
		t.Errorf("%v\n%s", err, md.String())
	}
}
