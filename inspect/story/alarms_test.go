package story_test

import (
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
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
