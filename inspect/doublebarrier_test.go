package inspect_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
)

// Without an earlier picture the directory's stat alone tells whether those who are there gather or leave already: how
// often children came and went, and whether the last of that made one that is there.
func TestAnyPhaseThatOneLookDoesNotTellIsNotKnown(t *testing.T) {
	kazoo := strings.NewReplacer("m1", strings.Repeat("1", 32), "m2", strings.Repeat("2", 32))
	curator := strings.NewReplacer("m1", script.UUID, "m2", strings.Replace(script.UUID, "0", "f", 1))
	plain := strings.NewReplacer()
	const two, ready = "/a/barrier/m1 owner=A z=10\n/a/barrier/m2 owner=B z=11\n", "/a/barrier/ready z=12\n"
	for name, c := range map[string]struct {
		stat, children string
		as             *strings.Replacer
		state          model.State
		says           string
		needed         int64
	}{
		"nothing is known of the stat": {"", two, kazoo, model.Gathering,
			"gathering or leaving: one look cannot tell; 2 members are there", 0},
		"nobody ever left":                       {"cv=2", two, kazoo, model.Gathering, "2 members have come", 0},
		"somebody left, and somebody came since": {"cv=8 p=11", two, kazoo, model.Gathering, "2 members have come", 0},
		"somebody left at last": {"cv=4 p=14", two, kazoo, model.Gathering,
			"gathering or leaving: one look cannot tell", 0},
		"Curator's ready goes last": {"", two, curator, model.Gathering, "2 members have come", 0},
		"Curator's, somebody left at last": {"cv=4 p=14", two, curator, model.Gathering,
			"gathering or leaving: one look cannot tell", 0},

		"whoever is kazoo's first removes ready": {"", two + ready, kazoo, model.Inside,
			"2 members inside, how many are needed is not stored", 0},
		"kazoo's, and nobody ever left": {"cv=3", two + ready, kazoo, model.Inside, "2 members inside, 2 needed", 2},
		"kazoo's, and one expired inside": {"cv=5 p=20", two + ready, kazoo, model.Inside,
			"2 members inside, how many are needed is not stored", 0},
		"kazoo's, and one came when ready was there": {"cv=4", two + ready +
			"/a/barrier/33333333333333333333333333333333 owner=C z=13\n", kazoo, model.Inside,
			"2 members inside, 2 needed; whether 1 more is inside is not known: kazoo does not look", 2},
		"kazoo's, and both came when ready was there": {"", "/a/barrier/ready z=9\n" + two, kazoo, model.Unknown,
			"2 members, whether they are inside is not known: kazoo does not look at a ready that was there before", 0},
		"nothing is known, with ready": {"", two + ready, curator, model.Inside,
			"inside or leaving: one look cannot tell; 2 members are there", 0},
		"ready was the last to come": {"cv=9 p=12", two + ready, curator, model.Inside,
			"2 members inside, 2 needed", 2},
		"somebody left after ready": {"cv=9 p=20", two + ready, curator, model.Leaving,
			"leaving: 2 members still inside", 0},
		"somebody came after ready": {"cv=9 p=13", two + ready + "/a/barrier/late owner=C z=13\n", plain, model.Inside,
			"inside or leaving: one look cannot tell; 3 members are there", 0},
		"members that are directories": {"cv=3",
			"/a/barrier/p1 z=5\n/a/barrier/p1/c owner=A z=10\n/a/barrier/p2 z=6\n/a/barrier/p2/c owner=B z=11\n" +
				ready, plain, model.Inside,
			"inside or leaving: one look cannot tell", 0},
	} {
		s := script.New(t)
		s.Apply("/a/barrier " + c.stat + "\n" + c.as.Replace(c.children))
		res := inspect.Decode(s.Snapshot(), nil, s.Hints)
		m := res.ByPath("/a/barrier")
		if m == nil || m.Kind != layout.DoubleBarrier {
			t.Fatalf("%s: %+v", name, m)
		}
		if text := m.Summary(s.Snap.TakenAt); m.State != c.state || !strings.HasPrefix(text, c.says) ||
			m.Numbers.Of("needed") != c.needed {
			t.Errorf("%s: %s, %q, %v", name, m.State, text, m.Numbers)
		}
		if why := story.Why(waits.Of(res, nil), m).Text(nil); strings.Contains(c.says, "cannot tell") &&
			(!strings.Contains(why, "? whether they are ") || strings.Contains(why, "Nothing waits")) {
			t.Errorf("%s: %s", name, why)
		}
	}
}

// What was not known at the first look is known once somebody is seen to come, or ready is seen to come or go.
func TestAPhaseIsKnownOnceItIsSeen(t *testing.T) {
	const one, two, ready = "/a/barrier/" + script.Hex + " owner=A z=10\n",
		"/a/barrier/22222222222222222222222222222222 owner=B z=11\n", "/a/barrier/ready z=12\n"
	at := func(s *script.Weighed, says string) *script.Weighed {
		t.Helper()
		if text := s.Waits.Result.ByPath("/a/barrier").Summary(s.Snap.TakenAt); !strings.HasPrefix(text, says) {
			t.Fatalf("%q, want %q", text, says)
		}
		return s
	}
	s := at(script.Run(t, "/a/barrier z=1 cv=3 p=9\n"+one), "gathering or leaving")
	s = at(s.Then("@now +1s\n/a/barrier z=1 cv=4 p=11\n"+two), "2 members have come")
	s = at(s.Then("@now +1s\n/a/barrier z=1 cv=5 p=12\n"+ready), "2 members inside, 2 needed")
	at(s.Then("@now +1s\n/a/barrier z=1 cv=6 p=13\n- /a/barrier/ready"), "leaving: 2 members still inside")
	at(at(script.Run(t, "/a/barrier z=1 cv=3 p=20\n"+one+two),
		"gathering or leaving").Then("@now +1s\n/a/barrier z=1 cv=4 p=21\n- /a/barrier/"+script.Hex),
		"gathering or leaving")
}
