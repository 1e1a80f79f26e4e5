package lines_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
)

const (
	lateReader = "/rw/00000000000000000000000000000001__rlock__0000000001"
	lateWriter = "/rw/00000000000000000000000000000002__lock__0000000002"
	lastWriter = "/rw/00000000000000000000000000000003__lock__0000000003"

	lateLine = "@server s1:2181 yes\n" + lateReader + " owner=A data=\"r\" z=10\n" + lateWriter +
		" owner=B data=\"w\" z=11\n" +
		"@watch " + lateReader + " B\n"
	lateWatch = "@watch " + lateWriter + " A\n"
)

// The reader waits for the writer and the writer for the reader; a writer between them is no way out.
func TestADeadlockWithinOneLine(t *testing.T) {
	late := lateDeadlock(script.Run(t, lateLine+lateWatch), model.Medium)
	lateDeadlock(late.Then("@now +6s"), model.High)
	// another thread's work
	lateDeadlock(late.Then("@now +6s\n/jobs/q/"+script.Hex+"__lock__0000000001 owner=A data=\"a\""), model.High)
	s := lateDeadlock(script.Run(t, lateLine+lastWriter+" owner=C z=12\n@watch "+lateWriter+" C\n@watch "+lastWriter+
		" A").Then("@now +6s"), model.High)
	f := waits.FateOf(s.Waits.Result, s.Waits.Result.ByPath("/rw"), &s.Waits.Result.ByPath("/rw").Claims[2])
	if len(f.Next) != 0 || f.Left != 2 {
		t.Errorf("when the last writer goes: %+v", f)
	}
}

// Who was taken for a reader before the watches told otherwise never held, and nothing is made of that.
func TestAReaderThatIsSeenToWaitNeverHeld(t *testing.T) {
	s := script.Run(t, strings.Join(strings.Split(lateLine, "\n")[1:3], "\n"))
	if c := reader(s, model.Holder); c.Exact() || c.Reason != model.UnlessOld {
		t.Errorf("exact %v: %s", c.Exact(), c.Why())
	}
	before := s.Waits.Result
	reader(s.Then("@now +1s\n@server s1:2181 yes\n@watch "+lateReader+" B\n"+lateWatch), model.Waiter)
	for _, f := range s.Waits.Result.ByPath("/rw").Findings {
		if f.Code == model.CodeDowngraded {
			t.Error(f.Text)
		}
	}
	for _, e := range story.Diff(before, s.Waits.Result) {
		t.Errorf("%+v", e)
	}
}

// Once known for an old one, a reader's client waits as long as a writer stays; where all have gone it reads.
func TestAnOldReaderWaitsWhileAWriterStays(t *testing.T) {
	s := script.Run(t, lateLine+lateWatch).Then("@now +1s\n" + lastWriter + " owner=C z=12")
	s.Then("@now +1s\n- " + lateWriter)
	if c := reader(s, model.Waiter); c.Proof() != model.Likely || c.Ahead().Path() != lastWriter {
		t.Errorf("%s: %s", c.Proof(), c.Why())
	}
	reader(s.Then("@now +1s\n- "+lastWriter), model.Holder)
	reader(s.Then("@now +1s\n/rw/00000000000000000000000000000004__lock__0000000004 owner=C z=13"), model.Holder)
}

// A reader of an old kazoo that wakes behind a writer turns to the last one of the line, which came after it: it is not lost,
// though it does not watch the one ahead.
func TestAnOldReaderThatWatchesALaterWriterIsNotLost(t *testing.T) {
	const first, ahead, reader, later = "/locks/l/00000000000000000000000000000001__rlock__0000000001", "/locks/l/00000000000000000000000000000002__lock__0000000002",
		"/locks/l/00000000000000000000000000000003__rlock__0000000003", "/locks/l/00000000000000000000000000000004__lock__0000000004"
	line := first + " owner=A\n" + ahead + " owner=B\n" + reader + " owner=A\n" + later + " owner=C"
	others := "@watch " + first + " B\n@watch " + reader + " C\n"
	turned := others + "@watch " + later + " A"
	newLineRun(t, line).lists("5s", others+"@watch "+ahead+" A").lists("5s", turned).lists("5s", turned).lists("61s", turned).told(model.CodeLostWaiter, 0, "")
	newLineRun(t, line).lists("5s", others+"@watch "+ahead+" A").lists("5s", others).lists("5s", others).lists("61s", others).
		told(model.CodeLostWaiter, model.High, "") // whoever watches nothing is lost
}

// A watch on the last writer is another claim's of the same session, for all that is known.
func TestAWatchOfSeveralReadersProvesNoneOfThem(t *testing.T) {
	const other = "/rw/00000000000000000000000000000004__rlock__0000000004"
	s := script.Run(t, lateLine+lateWatch).Then("@now +1s\n" + lastWriter + " owner=C z=12\n" + other + " owner=A z=13")
	s.Then("@now +1s\n@nowatches\n@watch " + lastWriter + " A\n@watch " + lateReader + " B")
	if c := reader(s, model.Waiter); c.Proof() == model.Proven {
		t.Errorf("%s: %s", c.Proof(), c.Why())
	}
}

// What another claim of the session may watch for tells nothing of the reader, nor does the watch
// that it leaves behind.
func TestAWatchWithAnotherReasonTellsNothing(t *testing.T) {
	other := "/rw/00000000000000000000000000000003__lock__0000000003"
	s := script.Run(t, lateLine+lateWatch+other+" owner=A z=12")
	if c := reader(s, model.Holder); c.Reason != model.UnlessOld {
		t.Error(c.Why())
	}
	if c := reader(s.Then("@now +1s\n- "+other), model.Holder); c.Reason != model.UnlessOld {
		t.Error(c.Why())
	}
}

// reader is the reader's claim, which has a role.
func reader(s *script.Weighed, want model.Role) *model.Claim {
	s.T.Helper()
	m := s.Waits.Result.ByPath("/rw")
	i := slices.IndexFunc(m.Claims, func(c model.Claim) bool { return c.Path() == lateReader })
	if c := &m.Claims[i]; c.Role() == want {
		return c
	}
	s.T.Fatalf("the reader is no %s: %s", want, m.Claims[i].Why())
	return nil
}

func lateDeadlock(s *script.Weighed, sev model.Severity) *script.Weighed {
	s.T.Helper()
	if len(s.Waits.Cycles) != 1 || s.Waits.Cycles[0].Severity != sev {
		s.T.Fatalf("%+v, want one of severity %s", s.Waits.Cycles, sev)
	}
	c := s.Waits.Cycles[0]
	v := c.Breaks[c.Victim]
	if text := c.Finding(nil).Text; v.Claim.Path() != lateReader || strings.Contains(text, "threads") ||
		!strings.Contains(text, "behind it") {
		s.T.Fatalf("break %s: %s", v.Claim.Path(), text)
	}
	return s
}
