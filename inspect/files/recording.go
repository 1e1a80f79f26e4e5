package files

import (
	"errors"
	"io"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Reel is a history: a first state, and what came after it, in the order of time. It can be read from several places at
// once, by one goroutine.
type Reel interface {
	First() *znode.Snapshot
	Tape() Tape         // a reader of its own, at the first state
	Times() Times       // one that reads the times alone, from the state after the first on
	Warnings() []string // what was wrong without making the history useless, as far as it was read
}

// Tape is a place in a history, and the state there.
type Tape interface {
	// Next goes on by one state. At the last it returns io.EOF; any other error is damage. The state stays then.
	Next() error
	// Now returns of when the state is.
	Now() time.Time
	// Ahead returns of when the next state is; the zero time where there is none that can be read.
	Ahead() time.Time
	// Snapshot returns the state.
	Snapshot() *znode.Snapshot
	// Mark remembers the place for Goto, which is for tapes of the same history.
	Mark() Mark
	Goto(Mark)
}

// Times reads of when the states are that follow.
type Times interface {
	// Next returns of when the next state is; io.EOF after the last, and any other error is damage.
	Next() (time.Time, error)
	Mark() Mark
	Goto(Mark)
}

// Mark is a place in a history.
type Mark any

// Recording is a history whose states are numbered. Only the first state is kept; the others are read when they are
// asked for, so that a history of any length takes the memory of its tree. What is damaged ends it: the state is then
// the last one before the damage, not complete, and Err tells.
//
// Unlike snapshots, a Recording is not safe for concurrent use: it remembers where it was last read.
type Recording struct {
	thinned string // what is said where moments were passed over; empty: none were

	reel Reel
	base *znode.Snapshot
	err  error

	index timeIndex
	Shown *playhead // where At was last
	told  *playhead // where Decoded was last
	keep  bool      // playheads remember states to go back to

	recall time.Duration // how far back Decoded looks, 0: to the first state; and over how many states
	most   int
}

// NewRecording numbers the states of a history.
func NewRecording(r Reel) *Recording { return &Recording{reel: r, base: r.First()} }

// Reel returns the history.
func (r *Recording) Reel() Reel { return r.reel }

// Keep makes the recording remember some of the states that it passes, so that going back is cheap. It is to be called
// before any state is taken.
func (r *Recording) Keep() { r.keep = true }

// Recall bounds how far Decoded looks back for what only history tells, and over how many states; without it, to the
// first state. It is to be called before any state is taken.
func (r *Recording) Recall(d time.Duration, states int) { r.recall, r.most = d, states }

// Err returns what is damaged in what was read so far; nil: nothing.
func (r *Recording) Err() error { return r.err }

// Warnings returns what was wrong with what was read so far without making it useless.
func (r *Recording) Warnings() []string { return r.reel.Warnings() }

// First returns the first state.
func (r *Recording) First() *znode.Snapshot { return r.base }

// Last returns the last state.
func (r *Recording) Last() *znode.Snapshot { return r.At(r.Len() - 1) }

// At returns the state at an index from 0 to Len-1; an index outside is moved to the nearer end. States
// share what they have in common. Going forward one by one is cheap; so is going back, after Keep.
func (r *Recording) At(i int) *znode.Snapshot {
	if r.Shown == nil {
		r.Shown = newPlayhead(r)
	}
	r.Shown.to(max(0, i))
	return r.Shown.snapshot()
}

// damaged notes the first damage.
func (r *Recording) damaged(err error) {
	if r.err == nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
}

// playhead is a numbered place in a recording.
type playhead struct {
	rec   *Recording
	tape  Tape
	index int
	over  error           // why it goes no further
	last  *znode.Snapshot // the last state, where it is damaged behind it
	Marks []mark

	res   *model.Result // what the state was decoded to, by Decoded
	rough bool          // not all findings of that are weighed
	pace  pace
}

// mark is a state that a playhead can go back to.
type mark struct {
	index int
	place Mark
	res   *model.Result
	rough bool
	pace  pace
}

const (
	markEvery = 512 // states apart, at least
	MarkMost  = 16  // how many marks a head keeps
)

func newPlayhead(r *Recording) *playhead {
	t := r.reel.Tape()
	return &playhead{rec: r, tape: t, Marks: []mark{{place: t.Mark()}}}
}

// to goes to the state at an index, or to the last one there is.
func (c *playhead) to(i int) {
	if i < c.index {
		c.back(i)
	}
	for c.index < i && c.forward() {
		c.mark()
	}
}

// forward goes on by one state; false where there is none.
func (c *playhead) forward() bool {
	if c.over != nil {
		return false
	}
	if c.over = c.tape.Next(); c.over != nil {
		c.rec.damaged(c.over)
		return false
	}
	c.index++
	return true
}

// snapshot returns the state.
func (c *playhead) snapshot() *znode.Snapshot {
	if c.over == nil || errors.Is(c.over, io.EOF) {
		return c.tape.Snapshot()
	}
	if c.last == nil {
		s := *c.tape.Snapshot()
		s.Complete, s.Partial = false, append(slices.Clip(s.Partial), "what follows is damaged: "+c.over.Error())
		c.last = &s
	}
	return c.last
}

// back goes to the last state that is remembered at an index or before it.
func (c *playhead) back(i int) {
	for len(c.Marks) > 1 && c.Marks[len(c.Marks)-1].index > i {
		c.Marks = c.Marks[:len(c.Marks)-1]
	}
	m := c.Marks[len(c.Marks)-1]
	c.tape.Goto(m.place)
	c.index, c.res, c.rough, c.pace, c.over, c.last = m.index, m.res, m.rough, m.pace, nil, nil
}

// mark remembers the state when it is far enough from the one that was remembered last; of many, the older are thinned
// out.
func (c *playhead) mark() {
	if c.rec.keep && c.index-c.Marks[len(c.Marks)-1].index >= markEvery {
		c.remember(c.tape.Mark())
	}
}

// remember remembers the state, which is at a place.
func (c *playhead) remember(place Mark) {
	c.Marks = append(c.Marks, mark{c.index, place, c.res, c.rough, c.pace})
	if len(c.Marks) <= MarkMost {
		return
	}
	worst, least := 1, 2.0
	for i := 1; i+1 < len(c.Marks); i++ { // the smallest gap for how far away it is
		gap := float64(c.Marks[i+1].index-c.Marks[i-1].index) / float64(c.index-c.Marks[i].index+markEvery)
		if gap < least {
			worst, least = i, gap
		}
	}
	c.Marks = slices.Delete(c.Marks, worst, worst+1)
}
