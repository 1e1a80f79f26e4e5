package story_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
)

// told is the story of a recipe in a tree of a fixture's lines.
func told(t *testing.T, path, tree string) (*story.Story, *model.Model) {
	t.Helper()
	s := script.New(t)
	s.Apply(tree)
	res := inspect.Decode(s.Snapshot(), nil, s.Hints)
	m := res.ByPath(path)
	if m == nil {
		t.Fatalf("nothing at %s", path)
	}
	return story.Why(waits.Of(res, nil), m), m
}

const (
	curatorLine = "/locks/l/_c_00000000-0000-4000-8000-000000000001-lock-0000000000 owner=A data=\"10.0.0.1\" age=60s\n" +
		"/locks/l/_c_00000000-0000-4000-8000-000000000002-lock-0000000001 owner=B age=10s\n"
	kazooLine = "/locks/l/00000000000000000000000000000001__lock__0000000000 owner=A data=\"job-1\" age=60s\n" +
		"/locks/l/00000000000000000000000000000002__lock__0000000001 owner=B data=\"job-2\" age=10s\n"
	asked   = "@server s1:2181 yes\n"
	aThere  = "@session A addr=10.0.0.1:1 connected=yes\n"
	aGone   = "@session A addr=10.0.0.1:1 connected=no expires=+20s\n"
	aHeard  = "@session A addr=10.0.0.1:1 connected=yes timeout=30s expires=22s\n"
	aShort  = "@session A addr=10.0.0.1:1 connected=yes timeout=10s expires=7s\n"
	aLate   = "@session A addr=10.0.0.1:1 connected=yes timeout=30s expires=15s\n"
	aSilent = "@session A addr=10.0.0.1:1 connected=yes timeout=30s expires=5s\n"
	ownHead = "@watch /locks/l/_c_00000000-0000-4000-8000-000000000001-lock-0000000000 A B\n"
)

// revocable is a line of Curator's whose holder listens: its znode has no data.
var revocable = strings.Replace(curatorLine, " data=\"10.0.0.1\"", "", 1)

func TestWhatWhySuggests(t *testing.T) {
	kazooHead, _, _ := strings.Cut(kazooLine, "\n")
	for name, c := range map[string]struct{ path, tree, next, then, says, never string }{
		"a holder that hears": {"/locks/l", revocable + asked + aThere + ownHead, "revoke", "break",
			"If it does not let go: stop 10.0.0.1", ""},
		"one that hears, unasked": {"/locks/l", revocable + ownHead, "revoke", "break", "is seen listening", ""},
		"one that watches its znode": {"/locks/l", curatorLine + ownHead, "break", "",
			"Make sure that 10.0.0.1", "listening"},
		"one without a word": {"/locks/l", kazooLine, "break", "",
			"Make sure that job-1 does not run", "ask it to let go"},
		"one of several threads": {"/locks/l", kazooLine +
			"/locks/m/00000000000000000000000000000009__lock__0000000000 owner=A data=\"job-1\"\n" + asked + aThere +
			"@watch /locks/l/00000000000000000000000000000001__lock__0000000000 B\n", "", "",
			"whether the thread that took this claim still knows of it", "alive"},
		"a healthy one": {"/locks/l", kazooLine + asked + aHeard, "", "",
			"job-1 was heard about 8s ago. A process that stops is seen as silent 20s after it was last heard.", "nothing here tells"},
		"one that may expire unseen": {"/locks/l", kazooLine + asked + aShort, "", "",
			"A process that stops is seen as silent 6s after it was last heard, unless its session expires first, after 10s.", ""},
		"one whose pings are late": {"/locks/l", kazooLine + asked + aLate, "", "",
			"! job-1 was heard about 15s ago, later than its pings, every 10s: its process may have stopped.", "Wait, or"},
		"one of unknown health": {"/locks/l", kazooLine + asked + aThere, "", "",
			"when job-1 was last heard: the leader did not report it", "is alive"},
		"one that is silent": {"/locks/l", kazooLine + asked + aSilent, "wait", "break",
			"clients ping at a third of their timeout, which is 30s.\n  - Unless it is heard, its session expires in 5s",
			"is alive"},
		"one without a connection": {"/locks/l", curatorLine + ownHead + asked + aGone, "wait", "break",
			"Wait for the session to expire", "Ask 10.0.0.1"},
		"nobody waits": {"/locks/l", kazooHead, "", "", "Nothing waits here", "make sure"},
		"an election with a standby": {"/election", strings.ReplaceAll(kazooLine, "/locks/l", "/election"), "", "",
			"a standby waits for its turn", "let go"},
		"votes that are missing": {"/tx1",
			"/tx1/s_1 data=\"commit\" age=60s\n/tx1/s_2 age=50s owner=B\n/tx1/s_3 age=40s\n", "vote", "abort",
			"Site s_2 has not voted for 50s: its session is 0x10000a1b2c30002.\n  - Site s_3 has not voted for 40s.\n\nNot known\n  ? whether site s_3 runs, since no session owns its znode", ""},
		"votes that are there": {"/tx1", "/tx1/s_1 data=\"commit\"\n/tx1/s_2 data=\"commit\"\n", "", "",
			"Nothing waits here", ""},
		"a barrier": {"/barriers/release", "/barriers/release data=\"10.0.0.7\" age=60s\n", "open", "",
			"by 10.0.0.7, which closed it, or by zkscope open", ""},
		"a barrier for nobody": {"/barriers/release", "/barriers/release age=60s\n@watch /other A\n", "", "",
			"1 If it should not be closed any more, look at whoever closes it", "nothing has to be done"},
		"a barrier whose maker is dead": {"/barriers/release",
			"/barriers/release data=\"10.0.0.7\" age=60s\n@server s1:2181 yes\n@session A addr=10.0.0.1:1 connected=yes\n@watch /barriers/release A\n",
			"open", "", "No session is connected from 10.0.0.7 now", ""},
		"a barrier after a failover": {"/barriers/release",
			"/barriers/release data=\"10.0.0.7\" age=60s\n@server s1:2181 yes\n@session A addr=10.0.0.1:1 connected=no\n@nowatches\n",
			"", "", "look at 10.0.0.7, which has to remove it", "Nothing waits here"},
		"a barrier whose maker may live": {"/barriers/release",
			"/barriers/release data=\"10.0.0.1\" age=60s\n@server s1:2181 yes\n@session A addr=10.0.0.1:1 connected=yes\n@watch /barriers/release A\n",
			"open", "", "From 10.0.0.1 session 0x10000a1b2c30001 is connected: look there", ""},
		"members that gather": {"/b", "@hint /b kind=doublebarrier needed=3\n/b cv=1\n/b/m1 owner=A data=\"web-1\"\n",
			"", "",
			"There is web-1; 2 more must come", "nothing has to be done"},
		"what to do where members gather": {"/b", "@hint /b kind=doublebarrier needed=3\n/b cv=1\n/b/m1 owner=A data=\"web-1\"\n", "", "",
			"Do next\n  1 Start the 2 members that are missing, or look at why they have not come.", ""},
		"what to do where nobody knows how many": {"/b", "@hint /b kind=doublebarrier\n/b cv=1\n/b/m1 owner=A data=\"web-1\"\n", "", "",
			"1 Look at whether every member that should come runs", ""},
		"members inside": {"/b",
			"@hint /b kind=doublebarrier needed=1\n/b cv=2\n/b/m1 owner=A data=\"web-1\"\n/b/ready\n", "", "",
			"web-1 is inside", ""},
		"members that may leave": {"/b", "@hint /b kind=doublebarrier\n/b/m1 owner=A data=\"web-1\"\n", "", "",
			"gathering or leaving: one look cannot tell; 1 member is there.\n\nEvidence\n  - There is web-1.\n\nNot known\n  ? whether they are gathering or leaving", "must come"},
		"what to do where members may leave": {"/b", "@hint /b kind=doublebarrier\n/b/m1 owner=A data=\"web-1\"\n", "", "",
			"1 Look again, or watch it", "Nothing waits"},
		"a ready of long before": {"/barriers/nightly",
			"/barriers/nightly/ready\n/barriers/nightly/m1 owner=A data=\"web-1\"\n", "clean", "",
			"Once nobody is there, delete the ready that was left behind", ""},
		"kazoo's members and a ready of long before": {"/b/barrier",
			"/b/barrier/ready\n/b/barrier/" + script.Hex + " owner=A data=\"host-1-4711\"\n", "", "",
			"? whether host-1-4711 is inside: kazoo counts a ready that was there before", "let in at once"},
		"what to do with kazoo's ready of long before": {"/b/barrier",
			"/b/barrier/ready\n/b/barrier/" + script.Hex + " owner=A data=\"host-1-4711\"\n", "", "",
			"Delete the ready that was left behind once nobody is there, and not before", "Nothing waits"},
		"kazoo's member that came late": {"/b/barrier", "/b/barrier/" + script.Hex + " owner=A data=\"host-1-4711\"\n" +
			"/b/barrier/ready\n/b/barrier/" + strings.Repeat("2", 32) + " owner=B data=\"host-2-4712\"\n", "", "",
			"? whether host-2-4712 is inside", "host-2-4712 are inside"},
	} {
		t.Run(name, func(t *testing.T) {
			st, m := told(t, c.path, c.tree)
			verb := func(n *story.NextStep) string {
				if n == nil {
					return ""
				}
				return n.Verb
			}
			if verb(st.Next) != c.next || verb(st.Then) != c.then {
				t.Errorf("%s, then %s; want %s, then %s; findings %+v", verb(st.Next), verb(st.Then),
					c.next, c.then, m.Findings)
			}
			if !strings.Contains(st.Text(nil), c.says) || c.never != "" && strings.Contains(st.Text(nil), c.never) {
				t.Errorf("%s %s: %s", m.Kind, m.State, st.Text(nil))
			}
			if n := st.Next; n != nil && n.Verb != "vote" && n.Verb != "clean" && n.Czxid == 0 {
				t.Errorf("%s is not pinned", n.Verb)
			}
			if strings.Contains(st.Text(nil), "..") || strings.Contains(st.Text(nil), "twophase") ||
				strings.Contains(st.Text(nil), "doublebarrier") {
				t.Errorf("said badly: %s", st.Text(nil))
			}
		})
	}
}

// A double barrier that is not left says since when, and who is still inside.
func TestWhyABarrierIsNotLeft(t *testing.T) {
	const dir = "/barrier/00000000-0000-4000-8000-00000000000"
	s := script.Run(t, "@server s1:2181 yes\n@session A connected=yes\n@session B connected=no expires=+10m\n"+
		dir+"1 owner=A data=\"worker-1\"\n"+dir+"2 owner=B data=\"worker-2\"\n"+dir+"3 owner=C data=\"worker-3\"\n/barrier/ready")
	s.Then("@now +1m\n- " + dir + "3").Then("@now +8m")
	text := story.Why(s.Waits, s.Waits.Result.ByPath("/barrier")).Text(nil)
	for _, want := range []string{"The first left 8m ago, at 22:01:00 UTC: ", "worker-1", "worker-2", "Session 0x10000a1b2c30001 of worker-1 is connected: look at what it still does",
		"worker-2 (member) has no connection"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// A client that lost its connection may have lost its watch and wait on: that nobody watches is not that nobody waits.
func TestNobodyWatchesIsNotNobodyWaits(t *testing.T) {
	for name, c := range map[string]struct{ path, tree string }{
		"a barrier":    {"/barriers/b", "/barriers/b age=60s\n@server s1:2181 yes\n@watch /elsewhere A\n"},
		"a rendezvous": {"/meet/room", "@hint /meet/room kind=rendezvous\n/meet/room age=60s\n@server s1:2181 yes\n@watch /elsewhere A\n"},
	} {
		st, m := told(t, c.path, c.tree)
		text := st.Text(nil)
		if n, known := m.Numbers.Get("watchers"); n != 0 || !known {
			t.Errorf("%s: watchers %d, %v", name, n, known)
		}
		if !strings.Contains(text, "nobody watches it") || !strings.Contains(text, "? who waits: ") ||
			strings.Contains(text, "0 sessions wait") || strings.Contains(text, "Nothing waits here") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// What is wrong with the client of a site, or of one who holds beside the first, is told too.
func TestWhyTellsOfEveryOwner(t *testing.T) {
	for path, c := range map[string]struct{ tree, says string }{
		"/tx": {"/tx/s_1 owner=A data=\"commit\"\n/tx/s_2 owner=B\n" + asked +
			"@session A connected=yes\n@session B connected=no timeout=30s expires=+20s\n", "s_2 (vote) has no connection"},
		"/sem": {"/sem data=\"2\"\n/sem/00000000000000000000000000000001 owner=A data=\"w1\"\n/sem/00000000000000000000000000000002 owner=B data=\"w2\"\n" +
			"/sem-__lock__/00000000000000000000000000000004__lock__0000000003 owner=C data=\"w3\"\n" + asked +
			"@session A connected=yes\n@session B connected=no timeout=30s expires=+20s\n@session C connected=yes\n", "w2 (holder) has no connection"},
	} {
		if st, _ := told(t, path, c.tree); strings.Count(st.Text(nil), c.says) != 1 {
			t.Errorf("%s: no %q in\n%s", path, c.says, st.Text(nil))
		}
	}
}

// Nothing is said twice: how long, which session, how many, and what one look cannot tell.
func TestWhySaysNothingTwice(t *testing.T) {
	double := "/barriers/nightly/m1 owner=A data=\"web-1\"\n/barriers/nightly/m2 owner=B data=\"web-2\"\n" + asked + aThere +
		"@session B connected=no timeout=30s expires=+20s\n"
	many := kazooLine + asked + aHeard + "@session B connected=yes timeout=30s expires=22s\n" +
		"/locks/m/00000000000000000000000000000001__lock__0000000001 owner=A\n/locks/m/00000000000000000000000000000002__lock__0000000002 owner=A\n" +
		"/locks/m/00000000000000000000000000000003__lock__0000000003 owner=A\n"
	for path, c := range map[string]struct {
		tree string
		once []string
	}{
		"/barriers/nightly": {double, []string{"one look cannot tell", "no connection", "web-2"}},
		"/locks/l":          {many, []string{"1m", "0x10000a1b2c30001", "1 waiting", "waiter of /locks/m", "claim waits"}},
	} {
		st, _ := told(t, path, c.tree)
		text := strings.Replace(st.Text(nil), "There are web-1, web-2.", "", 1)
		for _, w := range c.once {
			if strings.Count(text, w) > 1 {
				t.Errorf("%s: %q %d times in\n%s", path, w, strings.Count(text, w), text)
			}
		}
	}
}

// What is said not to be known is not followed by the claim that nothing is unknown.
func TestWhyDoesNotSayThatNothingIsUnknownWhereSomethingIs(t *testing.T) {
	for path, tree := range map[string]string{
		"/tx1": "/tx1/s_1 data=\"commit\" age=60s\n/tx1/s_3 age=40s\n",
		"/sem": "/sem data=\"1\"\n/sem/00000000000000000000000000000001 owner=A data=\"w1\"\n" +
			"/sem-__lock__/00000000000000000000000000000004__lock__0000000003 owner=C data=\"w3\"\n",
	} {
		st, _ := told(t, path, tree+asked+"@session A connected=yes timeout=30s expires=25s\n@session C connected=yes timeout=30s expires=25s\n@watch /other A\n")
		text := st.Text(nil)
		if !strings.Contains(text, "not known") && !strings.Contains(text, "whether") ||
			strings.Contains(text, "nothing that the servers could be asked about") {
			t.Errorf("%s:\n%s", path, text)
		}
	}
}
