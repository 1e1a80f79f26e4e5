package story_test

import (
	"strings"
	"testing"

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
