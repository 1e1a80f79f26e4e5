package files

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

	times []time.Time // of the states from one mark on, which is block
	block int
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

// within returns an index that is moved to the nearer end when it lies outside; it counts no further than it must.
func (r *Recording) within(i int) int {
	for i > r.index.n && !r.Count(indexEvery) {
	}
	return max(0, min(i, r.index.n))
}

// TimeOf returns when the state at an index was taken; an index outside is moved to the nearer end.
func (r *Recording) TimeOf(i int) time.Time {
	i = r.within(i)
	switch {
	case i == 0:
		return r.base.TakenAt
	case r.Shown != nil && r.Shown.index == i:
		return r.Shown.tape.Now()
	case i == r.index.n:
		return r.index.last
	}
	if times := r.timesAt((i - 1) / indexEvery); (i-1)%indexEvery < len(times) {
		return times[(i-1)%indexEvery]
	}
	return r.base.TakenAt
}

// walkTimes goes through the times of states from a mark on until told otherwise.
func (r *Recording) walkTimes(mark int, each func(step int, at time.Time) bool) {
	for step := mark * indexEvery; step < r.index.n; step++ {
		times := r.timesAt(step / indexEvery)
		if k := step % indexEvery; k >= len(times) || !each(step, times[k]) {
			return
		}
	}
}

// timesAt returns the times of the states from a mark to the next, as far as they were counted; those that were asked
// for last are kept.
func (r *Recording) timesAt(mark int) []time.Time {
	x := &r.index
	n := min(indexEvery, x.n-mark*indexEvery)
	if x.block == mark && len(x.times) >= n {
		return x.times[:n]
	}
	in := r.reel.Times()
	in.Goto(x.marks[mark].place)
	x.block, x.times = mark, x.times[:0]
	for range n {
		at, err := in.Next()
		if err != nil {
			break
		}
		x.times = append(x.times, at)
	}
	return x.times
}

// Moment returns the index of the state that the moment after that of a state ends in, or before it where by is
// negative; i itself where there is none. What was written at one moment was seen as one: the states within
// are of no moment.
func (r *Recording) Moment(i, by int) int {
	if by < 0 {
		return r.before(r.TimeOf(i))
	}
	end := r.within(i + 1)
	for at, more := r.TimeOf(end), end > i; more; {
		next := r.within(end + 1)
		if more = next > end && r.TimeOf(next).Equal(at); more {
			end = next
		}
	}
	return end
}

// before returns the index of the last state that was taken before a time; 0 where there is none.
func (r *Recording) before(at time.Time) int {
	mark := sort.Search(len(r.index.marks), func(i int) bool { return !r.index.marks[i].at.Before(at) }) - 1
	if mark < 0 {
		return 0
	}
	times := r.timesAt(mark)
	return mark*indexEvery + sort.Search(len(times), func(k int) bool { return !times[k].Before(at) })
}

// IndexAt returns the index of the last state that was taken at a time or before it; -1 where
// the recording begins later.
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
