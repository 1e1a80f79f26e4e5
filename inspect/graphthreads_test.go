package inspect

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// thread is one thread of a session: what it holds, and the line in which it waits.
type thread struct {
	session SessionID
	holds   []int
	waits   int // -1: nowhere
}

// standingIn is a place in the line of a lock.
type standingIn struct {
	thread int
	czxid  Zxid
}

// threadsWorld is threads that take and release locks, and the lines that they leave in the tree.
type threadsWorld struct {
	threads []thread
	lines   [][]standingIn
	zxid    Zxid
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

func (w *threadsWorld) snapshot() *Snapshot {
	locks := &Node{Name: "locks", Czxid: 1}
	for l, line := range w.lines {
		dir := &Node{Name: fmt.Sprintf("l%d", l), Czxid: 2}
		for _, s := range line {
			dir.insert(&Node{Name: fmt.Sprintf("%032x__lock__%010d", s.czxid, s.czxid), Owner: w.threads[s.thread].session, Czxid: 10 + s.czxid})
		}
		dir.NumChildren = int32(len(dir.Children))
		locks.insert(dir)
	}
	return &Snapshot{Root: &Node{Children: []*Node{locks}, NumChildren: 1}, Base: "/", TakenAt: time.Unix(1e6+int64(w.zxid), 0).UTC(), Complete: true}
}

// Where threads are stuck there is a cycle, whether their sessions are of one thread or of several, and whether the run
// was watched or not; where every session is one thread there is none else.
func TestCyclesAreThoseOfThreads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		each := rapid.IntRange(1, 3).Draw(t, "threads of a session")
		w := &threadsWorld{lines: make([][]standingIn, rapid.IntRange(2, 4).Draw(t, "locks"))}
		for i := range rapid.IntRange(2, 4).Draw(t, "sessions") * each {
			w.threads = append(w.threads, thread{session: SessionID(1 + i/each), waits: -1})
		}
		var seen *Result
		for range rapid.IntRange(3, 40).Draw(t, "steps") {
			w.step(t)
			seen = Decode(w.snapshot(), seen, Hints{})
			for name, r := range map[string]*Result{"at once": Decode(w.snapshot(), nil, Hints{}), "step by step": seen} {
				cycles := Weigh(r, nil).Cycles
				switch stuck := w.stuckApart(); {
				case stuck && len(cycles) == 0:
					t.Fatalf("%s: threads are stuck and nothing is told: %+v", name, w)
				case !stuck && each == 1 && len(cycles) > 0:
					t.Fatalf("%s: nobody is stuck: %s", name, cycles[0].finding(nil).Text)
				}
			}
		}
	})
}

// stuckApart is stuck between sessions: a session whose own threads are stuck on each other is no deadlock of sessions.
func (w *threadsWorld) stuckApart() bool {
	for i := range w.threads {
		seen := map[SessionID]bool{}
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
