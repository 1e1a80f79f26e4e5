package files_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
)

// growing is a recording of a lock that claims join one by one, every ten milliseconds.
func growing(n int) string {
	var b strings.Builder
	b.WriteString(`{"zkscope":1,"kind":"recording","takenAt":"2026-11-28T19:00:00Z","root":"/","complete":true}` +
		"\n" +
		`{"path":"/","numChildren":1}` + "\n" + `{"path":"/l","czxid":1,"numChildren":0}` + "\n")
	for i := range n {
		fmt.Fprintf(&b, `{"at":"2026-11-28T19:%02d:%02d.%02d0Z","put":{"path":"/l/lock-%010d","czxid":%d,"owner":"0x%x"}}`+"\n",
			i/6000, i/100%60, i%100, i, i+2, i+1)
	}
	return b.String()
}

// A directory is decoded anew at each of its changes: where that comes to too much on the way to a state, moments are
// taken together, and that is said. The state itself is right, and what is less is read moment by moment.
func TestMomentsAreTakenTogetherWhereTheyAreTooMany(t *testing.T) {
	files.SetPace(t, 50_000, 10_000) // a hundredth of what is usual
	for n, thins := range map[int]bool{100: false, 600: true} {
		rec, err := files.OpenFile(bytes.NewReader([]byte(growing(n))), "x")
		if err != nil {
			t.Fatal(err)
		}
		m := rec.Decoded(rec.Len()-1, model.Hints{}).ByPath("/l")
		if m == nil || len(m.Claims) != n || m.Claims[0].Role() != model.Holder ||
			m.Claims[n-1].Role() != model.Waiter {
			t.Fatalf("of %d: %+v", n, m)
		}
		if (rec.Thinned() != "") != thins {
			t.Errorf("of %d: %q", n, rec.Thinned())
		}
	}
}
