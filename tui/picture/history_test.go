package picture

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
)

// lockAt is a picture of locks at a moment, each held by one owner, with one more that waits.
func lockAt(at time.Time, locks, round int, prev *model.Result) *model.Result {
	top := &znode.Node{Name: "locks", Czxid: 1}
	for i := range locks {
		dir := &znode.Node{Name: fmt.Sprintf("l%05d", i), Czxid: znode.Zxid(2 + i), NumChildren: 2}
		for k := range 2 {
			seq := round + k
			dir.Children = append(dir.Children, &znode.Node{Name: fmt.Sprintf("_c_0a1b2c3d-0000-4000-8000-000000000001-lock-%010d", seq), Owner: znode.SessionID(seq + 1),
				Czxid: znode.Zxid(1_000_000 + seq*locks + i), Ctime: znode.Millis(at.UnixMilli()), Data: []byte(fmt.Sprint("owner-", seq%40))})
		}
		top.Children = append(top.Children, dir)
	}
	top.NumChildren = int32(locks)
	snap := &znode.Snapshot{Root: &znode.Node{Children: []*znode.Node{top}, NumChildren: 1}, Base: "/", Complete: true, TakenAt: at}
	return inspect.Decode(snap, prev, model.Hints{})
}

// play has locks change hands a number of times, a second apart.
func play(h *history, locks, rounds int) time.Time {
	at := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	var prev *model.Result
	for r := range rounds {
		is := lockAt(at, locks, r, prev)
		h.note(is, story.Diff(prev, is), at)
		prev, at = is, at.Add(time.Second)
	}
	return at
}

// What is remembered of a recipe, and of how many, is bounded; what is left over is known to be cut.
func TestWhatIsRememberedIsBounded(t *testing.T) {
	var h history
	play(&h, 3, 3*turnsMax)
	p := h.Of("/locks/l00001")
	if len(p.Turns) != turnsMax || !p.Cut || len(p.Held) != spansMax || len(p.Samples) != samplesMax || len(p.Left) > leftMax {
		t.Errorf("%d turns, cut %v, %d spans, %d samples", len(p.Turns), p.Cut, len(p.Held), len(p.Samples))
	}
	for i := 1; i < len(p.Turns); i++ {
		if a, b := p.Turns[i-1], p.Turns[i]; b.From.Sub(a.From) != time.Second || b.Name == a.Name {
			t.Fatalf("%+v, then %+v", a, b)
		}
	}
	if q := h.Of("/locks/none"); len(q.Turns) > 0 || !q.From.Equal(p.From) {
		t.Errorf("of what nothing happened to: %+v", q)
	}
	var many history
	play(&many, recipesMax+50, 3)
	if len(many.of) != recipesMax {
		t.Errorf("%d recipes are remembered", len(many.of))
	}
}

// After a jump nothing of before is known, and nothing was seen in between.
func TestAJumpForgets(t *testing.T) {
	var p Picture
	var h history
	at := play(&h, 1, 5)
	is := lockAt(at.Add(time.Hour), 1, 90, nil)
	p.Past = h
	p.OnNext(Next{Result: is, Waits: waits.Of(is, nil), Now: at.Add(time.Hour), Jump: true})
	if q := p.Past.Of("/locks/l00000"); len(q.Turns) > 0 || !q.From.Equal(at.Add(time.Hour)) {
		t.Errorf("%+v", q)
	}
}

// A letter is its owner's for as long as the owner is remembered; where there are more owners than letters the rest share
// one that is nobody's.
func TestLettersAreTheirOwners(t *testing.T) {
	var h history
	play(&h, 1, 120)
	of := map[string]byte{}
	for _, x := range h.Of("/locks/l00000").Turns {
		if l, known := of[x.Name]; known && l != x.Letter {
			t.Fatalf("%s was %c and is %c", x.Name, l, x.Letter)
		}
		of[x.Name] = x.Letter
	}
	shared := map[byte]int{}
	for _, l := range of {
		shared[l]++
	}
	if len(of) != 40 || shared['a'] != 1 || shared['z'] != 1 || shared['*'] != 14 {
		t.Errorf("%d owners: %v", len(of), shared)
	}
}

// BenchmarkRemember has 100 locks change hands, and tells what is remembered of each in the end.
func BenchmarkRemember(b *testing.B) {
	const locks = 100
	pictures := make([]*model.Result, 2*turnsMax)
	at := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	events := make([][]story.Event, len(pictures))
	for r := range pictures {
		var prev *model.Result
		if r > 0 {
			prev = pictures[r-1]
		}
		pictures[r] = lockAt(at.Add(time.Duration(r)*time.Second), locks, r, prev)
		events[r] = story.Diff(prev, pictures[r])
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var h history
	n := 0
	for b.Loop() {
		if n == len(pictures) {
			n = 0
		}
		h.note(pictures[n], events[n], pictures[n].Snapshot.TakenAt)
		n++
	}
	for ; n < len(pictures); n++ {
		h.note(pictures[n], events[n], pictures[n].Snapshot.TakenAt)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/locks, "B/recipe")
	runtime.KeepAlive(&h)
	runtime.KeepAlive(pictures)
	runtime.KeepAlive(events)
}
