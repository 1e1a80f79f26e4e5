package lines_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
)

// lineRun is a run over one line in which everything is said step by step; lists makes a round of all watches.
type lineRun struct {
	*script.Tree
	res *model.Result
}

func newLineRun(t *testing.T, text string) *lineRun {
	r := &lineRun{Tree: script.New(t)}
	r.Apply("@server s1:2181 yes\n@session A connected=yes\n@session B connected=yes\n@session C connected=yes\n@nowatches\n" + text)
	r.res = inspect.Decode(r.Snapshot(), nil, r.Hints)
	return r
}

// step applies changes and looks.
func (r *lineRun) step(text string) *lineRun {
	r.T.Helper()
	r.Apply(text)
	r.res = inspect.Decode(r.Snapshot(), r.res, r.Hints)
	return r
}

// lists makes a round after some seconds, in which the servers list these watches and no others.
func (r *lineRun) lists(after, watches string) *lineRun {
	r.T.Helper()
	r.Apply("@now +" + after + "\n@nowatches\n" + watches)
	r.Snap.AskedAt = r.Snap.TakenAt.Add(-500 * time.Millisecond)
	r.res = inspect.Decode(r.Snapshot(), r.res, r.Hints)
	return r
}

// told is the finding of a code on the line /locks/l, of a severity; zero: none.
func (r *lineRun) told(code string, want model.Severity, says string) *lineRun {
	r.T.Helper()
	got, text := model.Severity(0), ""
	if f := r.res.ByPath("/locks/l").Finding(code); f != nil {
		got, text = f.Severity, f.Text
	}
	if got != want || !strings.Contains(text, says) {
		r.T.Fatalf("%s is %s: %q, want %s with %q", code, got, text, want, says)
	}
	return r
}

// takes says whether the claim behind the head takes over when that goes.
func (r *lineRun) takes(want model.Answer) *lineRun {
	r.T.Helper()
	m := r.res.ByPath("/locks/l")
	if f := waits.FateOf(r.res, m, &m.Claims[0]); f.Takes != want {
		r.T.Fatalf("takes over: %d (%s), want %d", f.Takes, f.Then(layout.Lock), want)
	}
	return r
}

const (
	lineHead = "/locks/l/00000000000000000000000000000001__lock__0000000000"
	lineNext = "/locks/l/00000000000000000000000000000002__lock__0000000001"
	lineLast = "/locks/l/00000000000000000000000000000003__lock__0000000002"
)

// A process that hangs while its library keeps the session does not set its next watch, and goes on later: before its
// client is seen to work, or a minute has passed, it is not said for sure that it lost its watch, nor that it
// does not take over.
func TestWhoHangsIsNoLostWaiter(t *testing.T) {
	line := lineHead + " owner=A\n" + lineNext + " owner=B\n" + lineLast + " owner=C\n@watch " + lineHead +
		" B\n@watch " + lineNext + " C"
	both, hung := "@watch "+lineHead+" B\n@watch "+lineNext+" C", "@watch "+lineLast+" A"
	hangs := func() *lineRun {
		return newLineRun(t, line).lists("5s", both).told(model.CodeLostWaiter, 0, "").
			step("@now +1s\n- "+lineNext).lists("5s", hung).lists("5s", hung).told(model.CodeLostWaiter, model.Medium,
			"only stands still").takes(model.NotKnown)
	}
	hangs().lists("5s", "@watch "+lineHead+" C").told(model.CodeLostWaiter, 0, "").takes(model.Yes)
	hangs().step("@now +1s\n/jobs/q/"+script.Hex+"__lock__0000000001 owner=C").lists("5s",
		hung).told(model.CodeLostWaiter, model.High, "").takes(model.No)
	hangs().lists("40s", hung).told(model.CodeLostWaiter, model.Medium, "").lists("20s",
		hung).told(model.CodeLostWaiter, model.High, "")
	// one that watched and does not any more hangs as little as any
	newLineRun(t, line).lists("5s", both).lists("5s", "@watch "+lineHead+" B").lists("5s", "@watch "+lineHead+
		" B").told(model.CodeLostWaiter, model.High, "")
}

// why, too, calls nobody lost, and advises no break, where the client may only stand still.
func TestWhyOfOneWhoMayWake(t *testing.T) {
	r := newLineRun(t, lineHead+" owner=A\n@watch "+lineHead+" A").step("@now +1s\n"+lineNext+" owner=B").lists("5s",
		"").lists("5s", "").told(model.CodeLostWaiter, model.Medium, "")
	story := func() (said, unknown string) {
		st := story.Why(waits.Of(r.res, nil), r.res.ByPath("/locks/l"))
		return st.Text(nil), strings.Join(st.Unknown, "; ")
	}
	if said, unknown := story(); strings.Contains(said, "lost waiter") ||
		!strings.Contains(said, "waits without a watch") || !strings.Contains(unknown, "wakes all the same") {
		t.Errorf("%s\nnot known: %s", said, unknown)
	}
	r.lists("61s", "")
	if said, unknown := story(); !strings.Contains(said, "it is a lost waiter") ||
		strings.Contains(unknown, "wakes all the same") {
		t.Errorf("%s\nnot known: %s", said, unknown)
	}
}

// What the lists lacked goes on to count when the claim ahead goes: nothing woke who did not watch it.
func TestALostWaiterStaysOneWhenTheClaimAheadGoes(t *testing.T) {
	line := lineHead + " owner=A\n@watch " + lineHead + " A"
	come := "@now +1s\n" + lineNext + " owner=B\n" + lineLast + " owner=C"
	r := newLineRun(t, line).step(come).lists("2s", "@watch "+lineHead+" B").step("@now +1s\n- "+lineNext).
		told(model.CodeLostWaiter, 0, "").lists("3s", "").told(model.CodeLostWaiter, model.Medium, "")
	if c := r.res.ByPath("/locks/l").Claims[1]; c.Proof() != model.Refuted {
		t.Errorf("%s after one list before the claim ahead went and one after", c.Proof())
	}
	newLineRun(t, line).step(come).lists("2s", "@watch "+lineHead+" B").lists("2s", "@watch "+lineHead+
		" B").told(model.CodeLostWaiter, model.Medium, "").
		step("@now +1s\n- "+lineNext).told(model.CodeLostWaiter, model.Medium, "").step("@now +1s\n- "+
		lineHead).told(model.CodeLeakedClaim, model.Medium, "")
}

// After a move a list that is made shortly after the first one does not count, and the next one does,
// however often they come.
func TestListsInQuickSuccessionAfterAMove(t *testing.T) {
	r := newLineRun(t, lineHead+" owner=A\n"+lineNext+" owner=B").lists("5s", "@watch "+lineHead+" B")
	r.Apply("@nosession B\n@session B addr=10.0.0.2:9 connected=yes")
	for i, want := range []model.Proof{model.Likely, model.Likely, model.Refuted, model.Refuted} {
		if r.lists("700ms", ""); r.res.ByPath("/locks/l").Claims[1].Proof() != want {
			t.Errorf("%s after list %d, want %s", r.res.ByPath("/locks/l").Claims[1].Proof(), i, want)
		}
	}
}

// A claim that was refuted and then came to stand behind one that its session watches for another's sake has its turn
// without a watch of its own as much.
func TestALeakBehindAWatchForAnothersSake(t *testing.T) {
	line := lineHead + " owner=A\n" + lineNext + " owner=B\n@watch " + lineHead + " B"
	both := "@watch " + lineHead + " B"
	newLineRun(t, line).step("@now +1s\n"+lineLast+" owner=B").lists("5s", both).lists("5s",
		both).told(model.CodeLostWaiter, model.Medium, "").
		step("@now +1s\n- "+lineNext).told(model.CodeLostWaiter, 0, "").lists("5s", both).step("@now +1s\n- "+lineHead).
		told(model.CodeLeakedClaim, model.Medium, "unless it only stands still").lists("61s",
		"@watch /x A").told(model.CodeLeakedClaim, model.Medium, "the client has probably given up")
	newLineRun(t, line).step("@now +1s\n"+lineLast+" owner=B").lists("5s", both).lists("5s", both).
		lists("5s", both+"\n@watch "+lineNext+" B").step("@now +1s\n- "+lineNext).step("@now +1s\n- "+
		lineHead).told(model.CodeLeakedClaim, 0, "")
}

// The recipe document's names are anybody's: where nobody was ever seen to watch the claim ahead, they may watch the
// directory, which no server lists, or poll.
func TestWhoPollsUnderTheDocumentsNamesIsNotSaidToBeLost(t *testing.T) {
	const head, next, last = "/locks/l/lock-0000000001", "/locks/l/lock-0000000002", "/locks/l/lock-0000000003"
	line := head + " owner=A\n" + next + " owner=B\n" + last + " owner=C"
	newLineRun(t, line).lists("5s", "@watch /x A").lists("5s", "@watch /x A").told(model.CodeLostWaiter, model.Medium,
		"watches the directory or polls").takes(model.NotKnown)
	newLineRun(t, line).lists("5s", "@watch "+head+" B").lists("5s", "@watch "+head+" B").told(model.CodeLostWaiter,
		model.High, "").takes(model.Yes)
	// who was seen to watch once in this run shows that they do
	newLineRun(t, line).lists("5s", "@watch "+head+" B").step("@now +1s\n- "+head).lists("5s",
		"@watch /x A").told(model.CodeLostWaiter, model.High, "")
}

// A session whose claim goes while another of its claims waits behind it, in the same line, has more threads than one.
func TestAReleaseAheadOfOnesOwnWaitTellsOfThreads(t *testing.T) {
	s := script.Run(t, "@server s1:2181 yes\n"+lineOf("x", 0)+" owner=A data=\"a\"\n"+lineOf("x", 1)+
		" owner=A data=\"a\"\n"+lineOf("y", 0)+" owner=B data=\"b\"\n@watch "+lineOf("x", 0)+" A")
	s.Then("@now +2s\n- " + lineOf("x", 0))
	s.Then("@now +2s\n" + lineOf("x", 2) + " owner=B data=\"b\"\n" + lineOf("y", 1) +
		" owner=A data=\"a\"\n@nowatches\n@watch " + lineOf("x", 1) + " B\n@watch " + lineOf("y", 0) + " A")
	s.Then("@now +35s").Deadlock(model.Medium, "so it has more threads than one")
}

// lineOf is the path of a claim in a lock's line.
func lineOf(lock string, n int) string {
	return fmt.Sprintf("/locks/%s/%032x__lock__%010d", lock, n+7, n)
}

// Readers that wait for one writer go on together; that is not said of the writers among them.
func TestAHerdOfReadersAndWriters(t *testing.T) {
	s := script.New(t)
	s.Apply("/locks/l/write-0000000000 owner=A\n/locks/l/read-0000000001 owner=B\n/locks/l/write-0000000002 owner=C\n/locks/l/write-0000000003 owner=D\n" +
		"@watch /locks/l/write-0000000000 B C D")
	f := inspect.Decode(s.Snapshot(), nil, s.Hints).ByPath("/locks/l").Finding(model.CodeHerd)
	if f == nil || f.Severity != model.Low || !strings.Contains(f.Text, "3 sessions watch") ||
		!strings.Contains(f.Text, "those that read can go on together (1), or one of the others") {
		t.Errorf("%+v", f)
	}
}

// Leaders whose names say nothing, and that let go by themselves again and again, take turns by design.
func TestTurnsByDesignAreNoFlapping(t *testing.T) {
	for name, flaps := range map[string]bool{"w-": false, "n_": true} {
		s := script.New(t)
		s.Apply("@server s1:2181 yes\n@session A connected=yes\n@session B connected=yes\n")
		put := func(i int) {
			s.Apply(fmt.Sprintf("/app/election/%s%010d owner=%s", name, i, []string{"A", "B"}[i%2]))
		}
		put(0)
		var res *model.Result
		for i := range 8 {
			put(i + 1)
			res = inspect.Decode(s.Snapshot(), res, s.Hints)
			s.Apply(fmt.Sprintf("@now +20s\n- /app/election/%s%010d", name, i))
			res = inspect.Decode(s.Snapshot(), res, s.Hints)
		}
		m := res.ByPath("/app/election")
		if f := m.Finding(model.CodeFlapping); m.Kind != layout.Election || (f != nil) != flaps {
			t.Errorf("%s (%s %s): %+v, want flapping: %v", name, m.Kind, m.Dialect, f, flaps)
		}
	}
}

// Who came to wait for a claim since the servers were asked may have left its watch there: how many hear is not known,
// also where the next in line is of a session that watched before.
func TestAWatchFromBeforeTellsNothingOfThoseInBetween(t *testing.T) {
	at := func(n int) string { return lineOf("l", n) }
	r := newLineRun(t, at(0)+" owner=A\n"+at(1)+" owner=B\n"+at(2)+" owner=C\n"+at(3)+" owner=B\n@watch "+at(0)+" B").
		lists("5s", "@watch "+at(0)+" B\n@watch "+at(1)+" C\n@watch "+at(2)+" B")
	wakes := func() int {
		m := r.res.ByPath("/locks/l")
		if n := waits.FateOf(r.res, m, &m.Claims[0]).Wakes; n != nil {
			return *n
		}
		return -1
	}
	if n := wakes(); n != 1 {
		t.Errorf("%d wake, want the one that watches", n)
	}
	r.step("@now +1s\n- " + at(1)).step("@now +1s\n- " + at(2))
	if n := wakes(); n != -1 {
		t.Errorf("%d wake; whether C does is not known", n)
	}
	if r.lists("3s", "@watch "+at(0)+" B C"); wakes() != 2 {
		t.Errorf("%d wake, want both", wakes())
	}
}

// A reader that goes on reading behind its own session's writer, as Curator has it, has not had its turn.
func TestADowngradeIsNoLeak(t *testing.T) {
	at := func(n int, mode string) string {
		return fmt.Sprintf("/locks/l/_c_%08d-1111-4222-8333-000000000000-%s%010d", n, mode, n)
	}
	r := newLineRun(t, at(0, "__WRIT__")+" owner=C\n"+at(1, "__WRIT__")+" owner=A\n"+at(2, "__READ__")+" owner=A\n"+
		at(3, "__WRIT__")+" owner=B")
	r.lists("5s", "@watch /x B").lists("5s", "@watch /x B").told(model.CodeLostWaiter, model.High,
		"").step("@now +1s\n- " + at(0, "__WRIT__"))
	if c := r.res.ByPath("/locks/l").Claims[1]; c.Role() != model.Holder || c.Reason != model.Downgraded {
		t.Fatalf("%s: %s", c.Role(), c.Why())
	}
	f := r.res.ByPath("/locks/l").Finding(model.CodeLeakedClaim)
	r.step("@now +1s\n/x owner=B")
	if f == nil || len(f.Paths) != 1 || f.Paths[0] != at(1, "__WRIT__") {
		t.Errorf("%+v, want the writer alone", f)
	}
}
