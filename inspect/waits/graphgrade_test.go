package waits_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
)

const (
	xHead = "/locks/x/00000000000000000000000000000001__lock__0000000000"
	xNext = "/locks/x/00000000000000000000000000000002__lock__0000000001"
	yHead = "/locks/y/00000000000000000000000000000003__lock__0000000000"
	yNext = "/locks/y/00000000000000000000000000000004__lock__0000000001"

	abba = xHead + " owner=A data=\"a\" z=10\n" + yHead + " owner=B data=\"b\" z=11\n" +
		xNext + " owner=B data=\"b\" z=12\n" + yNext + " owner=A data=\"a\" z=13\n"
	watched = "@server s1:2181 yes\n@watch " + xHead + " B\n@watch " + yHead + " A\n"
)

func TestGradesOfADeadlock(t *testing.T) {
	script.Run(t, abba+watched).Deadlock(model.Medium, "medium until two looks tell that they stand still").
		Then("@now +4s").Deadlock(model.Medium, "all waits are seen as watches").
		Then("@now +2s").Deadlock(model.High, "nothing of theirs moved for 5s").
		Then("/jobs/q/"+script.Hex+"__lock__0000000001 owner=A data=\"a\"").Deadlock(model.Low, "a is active").
		Then("@now +6s").Deadlock(model.Medium, "a was seen to work while it waited, so it has more threads than one").
		Then("- /jobs/q/"+script.Hex+"__lock__0000000001").Deadlock(model.Low, "a is active").
		Then("@now +6s").Deadlock(model.Medium, "to end it, break the claim of")
	script.Run(t, abba+watched).Then("@now +6s").Then("/other/"+script.Hex+
		"__lock__0000000001 owner=C data=\"c\"").Deadlock(model.High, "to end it, break the claim of")
}

// A session that made or released a claim, or came to hold, while another of its claims waited has more threads than
// one: that is remembered when the deadlock comes later.
func TestWhoWorkedWhileItWaitedIsSeveralThreads(t *testing.T) {
	const early = "/jobs/q/00000000000000000000000000000008__lock__0000000000 owner=C\n/jobs/q/00000000000000000000000000000009__lock__0000000001 owner=A data=\"a\"\n"
	script.Run(t, early).Then("@now +2s\n/jobs/p/"+script.Hex+"__lock__0000000001 owner=A data=\"a\"").
		Then("@now +1s\n- /jobs/p/"+script.Hex+
			"__lock__0000000001\n- /jobs/q/00000000000000000000000000000009__lock__0000000001").
		Then(abba+watched).Then("@now +35s").Deadlock(model.Medium, "a was seen to work while it waited")
	script.Run(t, abba+watched).Then("@now +6s").Deadlock(model.High, "nothing of theirs")
}

// A watch that no server lists, or one that nobody was asked for, takes the certainty away.
func TestADeadlockWithoutWatchesIsMedium(t *testing.T) {
	script.Run(t, abba).Then("@now +6s").Deadlock(model.Medium, "not all waits are seen as watches")
	script.Run(t, abba+"@server s1:2181 yes\n@session A connected=yes\n@session B connected=yes\n@watch "+xHead+" B\n").
		Then("@now +6s").Deadlock(model.Medium, "one waits without a watch")
}

// What a session was seen to make or release counts wherever it did; a gap ends what is known.
func TestAGapEndsWhatIsKnownOfQuiet(t *testing.T) {
	s := script.Run(t, abba+watched).Then("@now +6s").Deadlock(model.High, "")
	s.Then("@lost").Then("@back\n@now +1s").Deadlock(model.Medium,
		"until two looks tell").Then("@now +6s").Deadlock(model.High, "")
}

// The servers' answers carry the time on where the tree stands still.
func TestAQuietTreeIsWatchedByTheAnswers(t *testing.T) {
	s := script.Run(t, abba+watched).Deadlock(model.Medium, "")
	s.Snap.AskedAt = s.Snap.TakenAt.Add(7 * time.Second)
	s.Then("@watch "+xHead+" B").Deadlock(model.High, "")
}

// A young znode says that its session works, as long as nothing better is known.
func TestAgesSpeakBeforeTheRunDoes(t *testing.T) {
	young := strings.ReplaceAll(abba, " z=13", " z=13 age=2s")
	script.Run(t, young+watched).Deadlock(model.Low, "a is active").Then("@now +6s").Deadlock(model.Medium,
		"it has stood for less than 30s").Then("@now +23s").Deadlock(model.High, "")
}

func TestWhatTellsOfThreadsLowersTheGrade(t *testing.T) {
	named := strings.Replace(abba, `data="a" z=13`, `data="a/2" z=13`, 1)
	script.Run(t, named+watched).Then("@now +6s").Deadlock(model.Medium, "claims are named a and a/2").
		Then("@nowatches").Deadlock(model.Low, "")
	more := abba + watched + "/locks/z/" + script.Hex + "__lock__0000000000 owner=C z=1\n/locks/z/" +
		strings.Repeat("b", 32) + "__lock__0000000001 owner=A data=\"a\" z=14\n"
	script.Run(t, more).Then("@now +6s").Deadlock(model.Medium, "waits in 2 places at once")
}

// An election makes a cycle low at most: standing by keeps nobody from working.
func TestACycleWithAnElectionIsLow(t *testing.T) {
	tree := strings.ReplaceAll(abba, "/locks/y/", "/election/") + strings.ReplaceAll(watched, "/locks/y/", "/election/")
	s := script.Run(t, tree).Then("@now +6s")
	if m := s.Waits.Result.ByPath("/election"); m == nil || m.Kind != layout.Election {
		t.Fatalf("%+v", m)
	}
	s.Deadlock(model.Low, "stands for an election")
	if st := story.Why(s.Waits, s.Waits.Result.ByPath("/locks/x")); strings.Contains(st.Text(nil), "if it is a deadlock") {
		t.Error(st.Text(nil))
	}
}

// A holder that stood in line first has a znode older than its grant: only the grant that was seen proves anything.
func TestAGrantThatWasSeenAfterTheWait(t *testing.T) {
	first := "/locks/x/" + script.Hex + "__lock__0000000000 owner=C data=\"c\" z=1\n"
	line := strings.NewReplacer("__lock__0000000001 owner=B data=\"b\" z=12",
		"__lock__0000000002 owner=B data=\"b\" z=12",
		"__lock__0000000000 owner=A", "__lock__0000000001 owner=A").Replace(abba)
	script.Run(t, first+line).Then("@now +3s\n- /locks/x/" + script.Hex +
		"__lock__0000000000").Then("@now +10s").None().Then("@now +60s").None()
	script.Run(t, line).Deadlock(model.Medium, "") // the same, when nobody saw the grant
}

// Of two ways round a knot the one that cannot be is left out, and the true one is found.
func TestTheTrueCycleOfAKnotIsFound(t *testing.T) {
	// A waits on v since before it took x; it took x, and then waits on y as well.
	v := "/locks/v/" + strings.Repeat("c", 32) + "__lock__0000000000 owner=B data=\"b\" z=2\n/locks/v/" +
		strings.Repeat("d", 32) + "__lock__0000000001 owner=A data=\"a\" z=3\n"
	s := script.Run(t, v+abba+watched+"@watch /locks/v/"+strings.Repeat("c", 32)+
		"__lock__0000000000 A\n").Then("@now +6s").Deadlock(model.Medium, "so it has more threads than one")
	if paths := s.Waits.Cycles[0].Finding(nil).Paths; len(paths) != 2 ||
		strings.Contains(strings.Join(paths, " "), "/v") {
		t.Error(paths)
	}
}

// A deadlock in the middle of sessions that work is found, and theirs do not hide it.
func TestADeadlockAmongBusySessions(t *testing.T) {
	busy := strings.NewReplacer("/locks/x", "/hot/x", "/locks/y", "/hot/y", "owner=A", "owner=C", "owner=B",
		"owner=D").Replace(abba)
	s := script.Run(t, abba+busy+watched).Then("@now +6s").Then("/hot/z/" + script.Hex +
		"__lock__0000000001 owner=C\n/hot/z/" + strings.Repeat("b", 32) + "__lock__0000000002 owner=D")
	if len(s.Waits.Cycles) != 2 || s.Waits.Cycles[0].Severity != model.High || s.Waits.Cycles[1].Severity != model.Low {
		t.Errorf("%+v", s.Waits.Cycles)
	}
}

// A file without czxids numbers its lines, which says nothing about what came first; its ctimes do.
func TestLineNumbersAreNoOrderInTime(t *testing.T) {
	file := func(ctimes [4]string) *waits.Waits {
		text := `{"zkscope":1,"kind":"snapshot","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":true}` + "\n"
		for i, z := range []string{xHead + " 0xa", xNext + " 0xb", yHead + " 0xb", yNext + " 0xa"} {
			path, owner, _ := strings.Cut(z, " ")
			text += `{"path":"` + path + `","owner":"` + owner + `"` + ctimes[i] + "}\n"
		}
		rec, err := files.ReadFile(strings.NewReader(text), "test")
		if err != nil {
			t.Fatal(err)
		}
		return waits.Of(inspect.Decode(rec.Last(), nil, model.Hints{}), nil)
	}
	if w := file([4]string{}); len(w.Cycles) != 1 {
		t.Errorf("without any time: %+v", w.Cycles)
	}
	if w := file([4]string{`,"ctime":1000`, `,"ctime":2000`, `,"ctime":1500`, `,"ctime":2500`}); len(w.Cycles) != 1 {
		t.Errorf("held before: %+v", w.Cycles)
	}
	if w := file([4]string{`,"ctime":1000`, `,"ctime":2000`, `,"ctime":3000`, `,"ctime":2500`}); len(w.Cycles) != 0 {
		t.Errorf("held after: %+v", w.Cycles)
	}
}

// Threads of one session may wait for each other while others of them are in a deadlock with another session, which
// works: the one does not hide the other.
func TestASessionThatWaitsForItselfHidesNoDeadlock(t *testing.T) {
	claim := func(lock, owner string, z int) string {
		return fmt.Sprintf("/locks/%s/%032x__lock__%010d owner=%s z=%d\n", lock, z, z, owner, z)
	}
	s := script.Run(t, claim("l2", "B", 1)+claim("l1", "B", 2)+claim("l1", "B", 3)+claim("l2", "B", 4)+
		claim("l0", "A", 5)+claim("l0", "B", 6)).
		Then("@now +10s\n" + claim("l2", "A", 9))
	if len(s.Waits.Cycles) != 1 || len(s.Waits.Cycles[0].Waits) != 2 || s.Waits.Cycles[0].Severity != model.Low {
		t.Errorf("%+v", s.Waits.Cycles)
	}
}
