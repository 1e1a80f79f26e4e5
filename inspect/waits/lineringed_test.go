package waits_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/script"
)

// ringIn is a line whose claims wait for each other: two readers of B and C for the writer of D behind them, and that for them.
func ringIn(dir string) string {
	return strings.NewReplacer("DIR", dir).Replace(`
DIR/00000000000000000000000000000001__rlock__0000000001 owner=B data="reader"
DIR/00000000000000000000000000000002__rlock__0000000002 owner=C data="reader"
DIR/00000000000000000000000000000003__lock__0000000003 owner=D data="writer"
@watch DIR/00000000000000000000000000000003__lock__0000000003 B C
@watch DIR/00000000000000000000000000000002__rlock__0000000002 D
`)
}

// The same sessions wait for each other in several lines: each is told, by a ring that is seen where there is one, with what
// claims are called there.
func TestEveryLineWhoseClaimsWaitForEachOtherIsTold(t *testing.T) {
	tree := "@server s1:2181 yes\n"
	for i := range 3 {
		tree += ringIn(fmt.Sprintf("/rw/t%d", i))
	}
	w := script.Run(t, tree).Then("@now +6s").Waits
	if len(w.Cycles) != 3 {
		t.Fatalf("%d cycles", len(w.Cycles))
	}
	for i, c := range w.Cycles {
		f := c.Finding(nil)
		if path := fmt.Sprintf("/rw/t%d", i); c.Proof != model.Proven || c.Severity != model.High || f.Paths[0] != path ||
			!strings.Contains(f.Text, "in line for "+path+" waits for the writer behind it, writer (") {
			t.Errorf("%s %s: %s", c.Proof, c.Severity, f.Text)
		}
	}
}

// What a session does to itself in a line ends by no thread's doing, and is said to be its own.
func TestASessionInARingWithItself(t *testing.T) {
	w := script.Run(t, `@server s1:2181 yes
/rw/00000000000000000000000000000001__rlock__0000000001 owner=B data="reader"
/rw/00000000000000000000000000000002__lock__0000000002 owner=B data="writer"
/rw/00000000000000000000000000000003__lock__0000000003 owner=C data="writer"
@watch /rw/00000000000000000000000000000003__lock__0000000003 B
@watch /rw/00000000000000000000000000000002__lock__0000000002 C
@watch /rw/00000000000000000000000000000001__rlock__0000000001 B
`).Then("@now +1s\n- /rw/00000000000000000000000000000003__lock__0000000003\n@nowatches\n@server s1:2181 yes\n" +
		"@watch /rw/00000000000000000000000000000002__lock__0000000002 B\n" +
		"@watch /rw/00000000000000000000000000000001__rlock__0000000001 B").Waits
	if len(w.Cycles) != 1 {
		t.Fatalf("%+v", w.Cycles)
	}
	f := w.Cycles[0].Finding(nil)
	if text := "waits for the writer behind it, writer (" + f.Sessions[0].String() + ") of the same session"; len(f.Sessions) != 1 ||
		!strings.Contains(f.Text, text) {
		t.Errorf("%v %s", f.Sessions, f.Text)
	}
}
