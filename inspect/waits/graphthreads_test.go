package waits_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
)

// thread is one thread of a session: what it holds, and the line in which it waits.
type thread struct {
	session znode.SessionID
	holds   []int
	waits   int // -1: nowhere
}

// standingIn is a place in the line of a lock.
type standingIn struct {
	thread int
	czxid  znode.Zxid
}

// threadsWorld is threads that take and release locks, and the lines that they leave in the tree.
type threadsWorld struct {
	threads []thread
	lines   [][]standingIn
	zxid    znode.Zxid
}

// step lets a thread that does not wait take a lock that it has not, or release one.
func (w *threadsWorld) step(t *rapid.T) {
	i := rapid.IntRange(0, len(w.threads)-1).Draw(t, "thread")
	th := &w.threads[i]
	if th.waits >= 0 {
		return
	}
	l := rapid.IntRange(0, len(w.lines)-1).Draw(t, "lock")
	if at := slices.Index(th.holds, l); at >= 0 {
		th.holds = slices.Delete(th.holds, at, at+1)
		if w.lines[l] = w.lines[l][1:]; len(w.lines[l]) > 0 {
			next := &w.threads[w.lines[l][0].thread]
			next.holds, next.waits = append(next.holds, l), -1
		}
		return
	}
	w.zxid++
	w.lines[l] = append(w.lines[l], standingIn{i, w.zxid})
	if len(w.lines[l]) == 1 {
		th.holds = append(th.holds, l)
	} else {
		th.waits = l
	}
}

func (w *threadsWorld) snapshot() *znode.Snapshot {
	locks := &znode.Node{Name: "locks", Czxid: 1}
	for l, line := range w.lines {
		dir := &znode.Node{Name: fmt.Sprintf("l%d", l), Czxid: 2}
		for _, s := range line {
			dir.Insert(&znode.Node{Name: fmt.Sprintf("%032x__lock__%010d", s.czxid, s.czxid),
				Owner: w.threads[s.thread].session, Czxid: 10 + s.czxid})
		}
		dir.NumChildren = int32(len(dir.Children))
		locks.Insert(dir)
	}
	return &znode.Snapshot{Root: &znode.Node{Children: []*znode.Node{locks}, NumChildren: 1}, Base: "/",
		TakenAt: time.Unix(1e6+int64(w.zxid), 0).UTC(), Complete: true}
}

// Where threads are stuck there is a cycle, whether their sessions are of one thread or of several, and whether the run
// was watched or not; where every session is one thread there is none else.
func TestCyclesAreThoseOfThreads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		each := rapid.IntRange(1, 3).Draw(t, "threads of a session")
		w := &threadsWorld{lines: make([][]standingIn, rapid.IntRange(2, 4).Draw(t, "locks"))}
		for i := range rapid.IntRange(2, 4).Draw(t, "sessions") * each {
			w.threads = append(w.threads, thread{session: znode.SessionID(1 + i/each), waits: -1})
		}
		var seen *model.Result
		for range rapid.IntRange(3, 40).Draw(t, "steps") {
			w.step(t)
			seen = inspect.Decode(w.snapshot(), seen, model.Hints{})
			for name, r := range map[string]*model.Result{"at once": inspect.Decode(w.snapshot(), nil, model.Hints{}),
				"step by step": seen} {
				cycles := waits.Of(r, nil).Cycles
				switch stuck := w.stuckApart(); {
				case stuck && len(cycles) == 0:
					t.Fatalf("%s: threads are stuck and nothing is told: %+v", name, w)
				case !stuck && each == 1 && len(cycles) > 0:
					t.Fatalf("%s: nobody is stuck: %s", name, cycles[0].Finding(nil).Text)
				}
			}
		}
	})
}

// stuckApart is stuck between sessions: a session whose own threads are stuck on each other is no deadlock of sessions.
func (w *threadsWorld) stuckApart() bool {
	for i := range w.threads {
		seen := map[znode.SessionID]bool{}
		at := i
		for range w.threads {
			l := w.threads[at].waits
			if l < 0 || seen[w.threads[at].session] {
				break
			}
			seen[w.threads[at].session] = true
			if at = w.lines[l][0].thread; at == i {
				return len(seen) > 1
			}
		}
	}
	return false
}
