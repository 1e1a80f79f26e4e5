package story_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
)

// Findings that somebody has to look at are told when they come, when they weigh less, and when they are no more, each once.
func TestAlarms(t *testing.T) {
	const head, a, b = "/l/00000000000000000000000000000001__lock__0000000001", "/l/00000000000000000000000000000002__lock__0000000002", "/l/00000000000000000000000000000002__lock__0000000003"
	s := script.New(t)
	s.Apply("/k/00000001-1111-4222-8333-000000000002-lock-0000000001 owner=B data=\"x\"\n" + head + " owner=C data=\"c\"\n" + a + " owner=A data=\"w\"")
	r := inspect.Decode(s.Snapshot(), nil, s.Hints)
	for _, x := range []struct{ change, what, says string }{
		{"@now +1s", "", ""},
		{"@now +1s\n" + b + " owner=A data=\"w\"", story.EventAlarm, "high: phantom-claim: "},
		{"@now +1s\n/k/00000001-1111-4222-8333-000000000003-lock-0000000002 owner=C data=\"y\"", "", ""},
		{"@now +1s\n- " + b, story.EventAlarmOver, "phantom-claim cleared"},
	} {
		was := r
		s.Apply(x.change)
		r = inspect.Decode(s.Snapshot(), was, s.Hints)
		events := story.Alarms(was, r)
		switch {
		case x.what == "" && len(events) > 0, x.what != "" && (len(events) != 1 || events[0].What != x.what || events[0].Path != "/l" || len(events[0].Text) < len(x.says) || events[0].Text[:len(x.says)] != x.says):
			t.Errorf("after %q: %+v, want %s %s", x.change, events, x.what, x.says)
		}
	}
}

// Who breaks one claim of a ring within a line has not ended it where another of its readers still waits for the writer, and
// it for that one: nothing is cleared.
func TestARingThatStandsAfterABreakIsNotCleared(t *testing.T) {
	const one, two, writer = "/rw/00000000000000000000000000000001__rlock__0000000001", "/rw/00000000000000000000000000000002__rlock__0000000002",
		"/rw/00000000000000000000000000000003__lock__0000000003"
	s := script.Run(t, "@server s1:2181 yes\n"+one+" owner=A z=10\n"+two+" owner=B z=11\n"+writer+" owner=C z=12\n@watch "+writer+" A B\n@watch "+two+" C").
		Then("@now +6s")
	before := s.Waits.WithDeadlocks()
	s.Then("@now +1s\n- " + two + "\n/rw/00000000000000000000000000000004__lock__0000000004 owner=D z=13")
	broken := s.Waits.WithDeadlocks()
	s.Then("@now +1s\n" + "@nowatches\n@server s1:2181 yes\n@watch " + writer + " A B D\n@watch " + one + " C").Then("@now +6s")
	for _, e := range append(story.Alarms(before, broken), story.Alarms(broken, s.Waits.WithDeadlocks())...) {
		if strings.Contains(e.Text, "cleared") {
			t.Errorf("%+v", e)
		}
	}
	if c := s.Waits.Cycles; len(c) != 1 || c[0].Severity != model.High || c[0].Waits[0].Waiter.Path() != one && c[0].Waits[1].Waiter.Path() != one {
		t.Errorf("%+v", c)
	}
}
