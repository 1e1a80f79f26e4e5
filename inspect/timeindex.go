package inspect

import (
	"sort"
	"time"
)

// timeIndex is what was found out about the states of a recording without making them: how many there are, and of when.
type timeIndex struct {
	in    Times
	marks []timeMark // of the state after the first, and of every indexEvery-th after it
	n     int        // states after the first, so far
	last  time.Time
	done  bool
}

// timeMark is where a state is read, and its time.
type timeMark struct {
	place Mark
	at    time.Time
}

const indexEvery = 1024

// Len returns the number of states, at least one. It looks at the whole history.
func (r *Recording) Len() int {
	for !r.Count(1 << 20) {
	}
	return r.index.n + 1
}

// Known returns how many states were counted so far, and whether these are all.
func (r *Recording) Known() (n int, all bool) { return r.index.n + 1, r.index.done }

// Count counts on by at most so many states, and reports whether all are counted now.
func (r *Recording) Count(most int) bool {
	x := &r.index
	if x.in == nil {
		x.in, x.last = r.reel.Times(), r.base.TakenAt
	}
	for ; most > 0 && !x.done; most-- {
		var place Mark
		if x.n%indexEvery == 0 {
			place = x.in.Mark()
		}
		at, err := x.in.Next()
		if err != nil {
			x.done = true
			r.damaged(err)
			break
		}
		if place != nil {
			x.marks = append(x.marks, timeMark{place, at})
		}
		x.last = at
		x.n++
	}
	return x.done
}

// Within returns an index that is moved to the nearer end when it lies outside; it counts no further than it must.
func (r *Recording) Within(i int) int {
	for i > r.index.n && !r.Count(indexEvery) {
	}
	return max(0, min(i, r.index.n))
}

// TimeOf returns when the state at an index was taken; an index outside is moved to the nearer end.
func (r *Recording) TimeOf(i int) time.Time {
	i = r.Within(i)
	switch {
	case i == 0:
		return r.base.TakenAt
	case r.shown != nil && r.shown.index == i:
		return r.shown.tape.Now()
	case i == r.index.n:
		return r.index.last
	}
	at := r.base.TakenAt
	r.walkTimes((i-1)/indexEvery, func(step int, t time.Time) bool {
		at = t
		return step < i-1
	})
	return at
}

// walkTimes goes through the times of states from a mark on until told otherwise.
func (r *Recording) walkTimes(mark int, each func(step int, at time.Time) bool) {
	in := r.reel.Times()
	in.Goto(r.index.marks[mark].place)
	for step := mark * indexEvery; step < r.index.n; step++ {
		at, err := in.Next()
		if err != nil || !each(step, at) {
			return
		}
	}
}

// IndexAt returns the index of the last state that was taken at a time or before it; -1 where the recording begins later.
func (r *Recording) IndexAt(t time.Time) int {
	if t.Before(r.base.TakenAt) {
		return -1
	}
	r.Len()
	mark := sort.Search(len(r.index.marks), func(i int) bool { return r.index.marks[i].at.After(t) }) - 1
	if mark < 0 {
		return 0
	}
	found := mark * indexEvery
	r.walkTimes(mark, func(step int, at time.Time) bool {
		if at.After(t) {
			return false
		}
		found = step + 1
		return true
	})
	return found
}
