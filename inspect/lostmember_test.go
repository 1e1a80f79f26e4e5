package inspect_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect/model"
)

// A member whose session ran out without a connection did not leave by itself: those who are left are told, until it is
// back or the room is empty; one that left while it was connected is nobody's loss.
func TestAMemberThatExpiredIsTold(t *testing.T) {
	const one, two, ready = "/a/barrier/11111111111111111111111111111111",
		"/a/barrier/22222222222222222222222222222222", "/a/barrier/ready"
	const there = "@server s1:2181 yes\n@session A connected=yes\n@session B connected=yes\n"
	tells := func(s *script.Weighed, sev model.Severity, says string) *script.Weighed {
		t.Helper()
		f := s.Waits.Result.ByPath("/a/barrier").Finding(model.CodeParticipantLost)
		switch {
		case says == "" && f != nil:
			t.Fatal(f.Text)
		case says != "" && (f == nil || f.Severity != sev || !strings.Contains(f.Text, says)):
			t.Fatalf("%+v, want %s: %s", f, sev, says)
		}
		return s
	}
	gather := "/a/barrier z=1 cv=2\n" + one + " owner=A data=\"web-1-1\"\n" + two +
		" owner=B data=\"web-2-2\"\n" + there
	gone := "@now +10s\n@nosession B\n- " + two
	s := script.Run(t, gather).Then("@now +5s\n@session B connected=no")
	tells(s, 0, "").Then(gone)
	tells(s, model.Medium, "web-2-2 was there, and its session is gone: those who have come wait until it is back").Then("@now +5s\n" + two + " owner=C data=\"web-2-2\"")
	tells(s, 0, "")
	tells(script.Run(t, gather).Then("@now +5s\n- "+two), 0, "")
	// It was back before it left, which the servers tell later.
	s = script.Run(t, gather).Then("@now +5s\n@session B connected=no").Then("@now +4s\n- " + two)
	tells(s, 0, "").Then("@now +1s\n@session B connected=yes")
	tells(s, 0, "")
	// Its session is known to be gone only by the next answers.
	s = script.Run(t, gather).Then("@now +5s\n@session B connected=no").Then("@now +4s\n- " +
		two).Then("@now +1s\n@nosession B")
	tells(s, model.Medium, "web-2-2 was there")

	s = script.Run(t, gather+ready).Then("@now +5s\n@session B connected=no").Then(gone)
	tells(s, model.Low, "web-2-2 was there, and its session is gone: it did not leave by itself").Then("@now +1s\n- " +
		one)
	tells(s, 0, "")
}
