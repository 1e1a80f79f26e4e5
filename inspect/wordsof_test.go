package inspect_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect/model"
)

// Two sessions of one name are told apart where both go on working.
func TestSessionsOfOneNameAreToldApart(t *testing.T) {
	const x, y = "/locks/x/00000001-1111-4222-8333-00000000000", "/locks/y/00000001-1111-4222-8333-00000000000"
	s := script.Run(t, "@server s1:2181 yes\n"+x+"1-lock-0000000001 owner=A data=\"w\" age=2s z=1\n"+y+"2-lock-0000000001 owner=B data=\"w\" age=2s z=2\n"+
		x+"2-lock-0000000002 owner=B data=\"w\" age=1s z=3\n"+y+"1-lock-0000000002 owner=A data=\"w\" age=1s z=4")
	if c := s.Waits.Cycles[0]; c.Severity != model.Low || !strings.Contains(c.Because, "w (0x10000a1b2c30001), w (0x10000a1b2c30002) are active") {
		t.Errorf("%s: %s", c.Severity, c.Because)
	}
}

// What servers tell of and the tree does not show has come or gone since, unless its directory was not read.
func TestWhatPassedIsNotUnread(t *testing.T) {
	s := script.New(t)
	s.Apply("/a/x\n/secret kids=3 flags=lu")
	unread, passed := s.Snapshot().Passed([]string{"/a/x", "/a/y", "/b", "/secret/z"})
	if got := strings.Join(unread, " ") + "; " + strings.Join(passed, " "); got != "/a/x /secret/z; /a/y /b" {
		t.Error(got)
	}
	s.Snap.Complete = false
	if _, passed := s.Snapshot().Passed([]string{"/a/y"}); passed != nil {
		t.Error("the tree is still being read")
	}
}
