package inspect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
)

const (
	lateReader = "/rw/00000000000000000000000000000001__rlock__0000000001"
	lateWriter = "/rw/00000000000000000000000000000002__lock__0000000002"
	lastWriter = "/rw/00000000000000000000000000000003__lock__0000000003"

	lateLine = "@server s1:2181 yes\n" + lateReader + " owner=A data=\"r\" z=10\n" + lateWriter + " owner=B data=\"w\" z=11\n" +
		"@watch " + lateReader + " B\n"
	lateWatch = "@watch " + lateWriter + " A\n"
)

// reader is the reader's claim, which has a role.
func (s *staged) reader(want model.Role) *model.Claim {
	s.t.Helper()
	m := s.w.Result.ByPath("/rw")
	i := slices.IndexFunc(m.Claims, func(c model.Claim) bool { return c.Path() == lateReader })
	if c := &m.Claims[i]; c.Role() == want {
		return c
	}
	s.t.Fatalf("the reader is no %s: %s", want, m.Claims[i].Why())
	return nil
}

func (s *staged) lateDeadlock(sev model.Severity) *staged {
	s.t.Helper()
	if len(s.w.Cycles) != 1 || s.w.Cycles[0].Severity != sev {
		s.t.Fatalf("%+v, want one of severity %s", s.w.Cycles, sev)
	}
	c := s.w.Cycles[0]
	v := c.Breaks[c.Victim]
	if text := c.Finding(nil).Text; v.Claim.Path() != lateReader || strings.Contains(text, "threads") || !strings.Contains(text, "behind it") {
		s.t.Fatalf("break %s: %s", v.Claim.Path(), text)
	}
	return s
}

// The reader waits for the writer and the writer for the reader; a writer between them is no way out.
func TestADeadlockWithinOneLine(t *testing.T) {
	run(t, lateLine+lateWatch).lateDeadlock(model.Medium).then("@now +6s").lateDeadlock(model.High).
		then("@now +6s\n/jobs/q/" + testHex + "__lock__0000000001 owner=A data=\"a\"").lateDeadlock(model.High) // another thread's work
	s := run(t, lateLine+lastWriter+" owner=C z=12\n@watch "+lateWriter+" C\n@watch "+lastWriter+" A").then("@now +6s").lateDeadlock(model.High)
	f := waits.FateOf(s.w.Result, s.w.Result.ByPath("/rw"), &s.w.Result.ByPath("/rw").Claims[2])
	if len(f.Next) != 0 || f.Left != 2 {
		t.Errorf("when the last writer goes: %+v", f)
	}
}

// Who was taken for a reader before the watches told otherwise never held, and nothing is made of that.
func TestAReaderThatIsSeenToWaitNeverHeld(t *testing.T) {
	s := run(t, strings.Join(strings.Split(lateLine, "\n")[1:3], "\n"))
	if c := s.reader(model.Holder); c.Exact() || c.Reason != model.UnlessOld {
		t.Errorf("exact %v: %s", c.Exact(), c.Why())
	}
	before := s.w.Result
	s.then("@now +1s\n@server s1:2181 yes\n@watch " + lateReader + " B\n" + lateWatch).reader(model.Waiter)
	for _, f := range s.w.Result.ByPath("/rw").Findings {
		if f.Code == model.CodeDowngraded {
			t.Error(f.Text)
		}
	}
	for _, e := range story.Diff(before, s.w.Result) {
		t.Errorf("%+v", e)
	}
}

// Once known for an old one, a reader's client waits as long as a writer stays; where all have gone it reads.
func TestAnOldReaderWaitsWhileAWriterStays(t *testing.T) {
	s := run(t, lateLine+lateWatch).then("@now +1s\n" + lastWriter + " owner=C z=12")
	s.then("@now +1s\n- " + lateWriter)
	if c := s.reader(model.Waiter); c.Proof() != model.Likely || c.Ahead().Path() != lastWriter {
		t.Errorf("%s: %s", c.Proof(), c.Why())
	}
	s.then("@now +1s\n- " + lastWriter).reader(model.Holder)
	s.then("@now +1s\n/rw/00000000000000000000000000000004__lock__0000000004 owner=C z=13").reader(model.Holder)
}

// What another claim of the session may watch for tells nothing of the reader, nor does the watch that it leaves behind.
func TestAWatchWithAnotherReasonTellsNothing(t *testing.T) {
	other := "/rw/00000000000000000000000000000003__lock__0000000003"
	s := run(t, lateLine+lateWatch+other+" owner=A z=12")
	if c := s.reader(model.Holder); c.Reason != model.UnlessOld {
		t.Error(c.Why())
	}
	if c := s.then("@now +1s\n- " + other).reader(model.Holder); c.Reason != model.UnlessOld {
		t.Error(c.Why())
	}
}
