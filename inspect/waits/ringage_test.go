package waits_test

import (
	"testing"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/script"
)

// A deadlock stands since the last of its claims came to wait or to hold. That a claim came to hold may have been later
// than its znode tells: unless that was seen, the age is the most that it can be, and is told so.
func TestADeadlockIsNoOlderThanItsHolds(t *testing.T) {
	const ahead = "/locks/x/00000000000000000000000000000009__lock__0000000000"
	const lines = ahead + " owner=C data=\"c\" z=9 age=0s\n" +
		"/locks/x/00000000000000000000000000000001__lock__0000000001 owner=A data=\"a\" z=10 age=0s\n" +
		yHead + " owner=B data=\"b\" z=11 age=0s\n" +
		"/locks/x/00000000000000000000000000000002__lock__0000000002 owner=B data=\"b\" z=12 age=0s\n"
	const then, waits = "@now +5s\n- " + ahead + "\n", "@now +5s\n" + yNext + " owner=A data=\"a\" z=13 age=0s\n"
	told := func(s *script.Weighed, want string, exact bool) {
		t.Helper()
		if s.Deadlock(model.Medium, ""); s.Waits.Cycles[0].Lasts(s.Snap.TakenAt) != want {
			t.Errorf("it has stood for %q, want %q", s.Waits.Cycles[0].Lasts(s.Snap.TakenAt), want)
		}
		if r := story.ReportCycle(&s.Waits.Cycles[0]); r.Exact != exact || r.Since == nil {
			t.Errorf("%+v", r)
		}
	}
	told(script.Run(t, "/z\n").Then(lines).Then(then).Then(waits).Then("@now +10s\n"), "10s", true)
	late := then + waits + "@now +10s\n"
	told(script.Run(t, lines+late), "≤10s", false)
	// the second thread of a holds when the claims have waited for 5 s already
	young := lines + yNext + " owner=A data=\"a\" z=13 age=0s\n"
	told(script.Run(t, young+"@now +15s\n- "+ahead+"\n"), "≤15s", false)
}
