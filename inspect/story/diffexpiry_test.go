package story_test

import (
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/script"
)

// With a session all its znodes go: a claim that goes alone, while others of it stand, is not told to be lost by expiry, whether
// servers still have the session or had it no more some time ago.
func TestWhatGoesAloneIsNotLostByExpiry(t *testing.T) {
	const one, two = "/a/00000000000000000000000000000001__lock__0000000000", "/b/00000000000000000000000000000001__lock__0000000000"
	for name, x := range map[string]struct{ session, other, want string }{
		"no connection, alone":      {"@session A connected=no", "- " + two, "job lost by expiry after holding ≤1m10s"},
		"no connection, not alone":  {"@session A connected=no", "", "job is gone, held ≤1m10s, while other znodes of its session are there: "},
		"unknown to all, alone":     {"", "- " + two, "job lost by expiry after holding ≤1m10s"},
		"unknown to all, not alone": {"", "", "job is gone, held ≤1m10s, while other znodes of its session are there: "},
		"it lives":                  {"@session A connected=no expires=+40s timeout=40s", "", "the claim of job was deleted after holding ≤1m10s"},
	} {
		s := script.Run(t, "@server s1:2181 yes\n@session B connected=yes\n"+x.session+"\n"+one+" owner=A data=\"job\" age=1m\n"+two+" owner=A data=\"job\" age=1m")
		before := s.Waits.Result
		s.Then("@now +10s\n- " + one + "\n" + x.other)
		var got []string
		for _, e := range story.Diff(before, s.Waits.Result) {
			if e.Path == "/a" && e.What != story.EventRemoved {
				got = append(got, e.Text)
			}
			if e.What == story.EventLost && !strings.HasSuffix(name, ", alone") {
				t.Errorf("%s: %+v", name, e)
			}
		}
		if len(got) != 1 || !strings.HasPrefix(got[0], x.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A holder whose session had missed its pings when the servers were asked last, and whose claim goes when the session
// would expire, is likely lost, whether or not they were asked since; where that does not fit, nobody knows how it went. Whoever was heard a moment before let go.
func TestAFrozenHolderIsLikelyLost(t *testing.T) {
	const likely, open, letGo = "lost: job lost, likely by expiry after holding ≤", "gone: job is gone, held ≤", "let-go: job let go after holding ≤"
	const holds = "/a/00000000000000000000000000000001__lock__0000000000"
	for name, x := range map[string]struct {
		timeout, heard, gone time.Duration // heard so long before the servers were asked, gone so long after that
		within               time.Duration
		more, then, want     string
	}{
		"as it expires":           {10 * time.Second, 7 * time.Second, 4 * time.Second, time.Second, "", "", likely},
		"as clocks may be off":    {10 * time.Second, 7 * time.Second, 2500 * time.Millisecond, time.Second, "", "", likely},
		"a long timeout":          {40 * time.Second, 36 * time.Second, 5 * time.Second, time.Second, "", "", likely},
		"not listed any more":     {10 * time.Second, 7 * time.Second, 4 * time.Second, time.Second, "", "@nosession A", likely},
		"before it can expire":    {10 * time.Second, 7 * time.Second, time.Second, time.Second, "", "", letGo},
		"long after":              {10 * time.Second, 7 * time.Second, 8 * time.Second, time.Second, "", "", open},
		"by an unknown clock":     {10 * time.Second, 7 * time.Second, 4 * time.Second, 0, "", "", open},
		"alone":                   {10 * time.Second, 7 * time.Second, 4 * time.Second, time.Second, "/b/m owner=A", "", open},
		"short, and heard":        {4 * time.Second, time.Second, 4 * time.Second, time.Second, "", "", open},
		"heard 1s before":         {10 * time.Second, time.Second, 5 * time.Second, time.Second, "", "", letGo},
		"heard 3s before":         {10 * time.Second, 3 * time.Second, 5 * time.Second, time.Second, "", "", letGo},
		"heard 3s before, closed": {10 * time.Second, 3 * time.Second, 5 * time.Second, time.Second, "", "@nosession A", "session-closed: job closed its session after holding ≤"},
	} {
		s := script.Run(t, "@server s1:2181 yes\n@session A connected=yes timeout="+x.timeout.String()+" expires="+(x.timeout-x.heard).String()+
			"\n@session B connected=yes\n"+holds+" owner=A data=\"job\" age=1m\n/a/00000000000000000000000000000002__lock__0000000001 owner=B data=\"next\" age=1m\n"+x.more)
		s.Snap.AskedAt = s.Snap.TakenAt
		a := s.Snap.Sessions[script.SessionIDs["A"]]
		a.Within = x.within
		s.Snap.Sessions[a.ID] = a
		s.Then("")
		before := s.Waits.Result
		s.Then("@now +" + x.gone.String() + "\n" + x.then + "\n- " + holds)
		events := story.Diff(before, s.Waits.Result)
		if len(events) != 2 || !strings.HasPrefix(events[0].What+": "+events[0].Text, x.want) || events[1].What != story.EventAcquired {
			t.Errorf("%s: %s", name, script.EventsText(events))
		}
	}
}
