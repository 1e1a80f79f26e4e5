package files

import (
	"sync"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/guard"
)

// besideFrom is how many states must lie ahead for a tape to be read beside the decoding, and aheadMost how many
// moments it is ahead of it at most: each holds what was changed in its tree.
var besideFrom = 4096

const aheadMost = 16

// passed is a moment that a tape came by.
type passed struct {
	index int
	state *znode.Snapshot
	place Mark // nil: it need not be remembered
}

// reading is a tape that a goroutine reads while somebody else decodes: nobody else touches it until moments is closed.
type reading struct {
	moments  chan passed
	quit     chan struct{} // closed: the moment that is read is the last one
	stop     func()
	index    int // of the state where the tape is, and why it goes no further; once moments is closed
	over     error
	panicked any
}

// readBeside reads a tape from the state at an index to another. Where some are to be remembered, every is how far
// these are apart at least, and marked the last that is.
func readBeside(t Tape, from, to, every, marked int) *reading {
	r := &reading{moments: make(chan passed, aheadMost), quit: make(chan struct{}), index: from}
	r.stop = sync.OnceFunc(func() { close(r.quit) })
	guard.Go(func() {
		defer close(r.moments)
		defer func() { r.panicked = recover() }()
		for r.index < to {
			if r.over = t.Next(); r.over != nil {
				return
			}
			if r.index++; r.index < to && within(t) {
				continue
			}
			p := passed{index: r.index, state: t.Snapshot()}
			if every > 0 && r.index-marked >= every {
				p.place, marked = t.Mark(), r.index
			}
			r.moments <- p
			select {
			case <-r.quit:
				return
			default:
			}
		}
	})
	return r
}

// end stops the goroutine and waits for it.
func (r *reading) end() {
	r.stop()
	for range r.moments {
	}
}

// within reports whether the state is within a moment: what was written at one moment was seen as one.
func within(t Tape) bool { return t.Ahead().Equal(t.Now()) }

// beside decodes on to the state at an index while a goroutine reads, until moments are taken together: then nothing is
// to be made of most.
func (c *playhead) beside(i int, h model.Hints) {
	every := 0
	if c.rec.keep {
		every = markEvery
	}
	r := readBeside(c.tape, c.index, i, every, c.Marks[len(c.Marks)-1].index)
	defer r.end()
	for p := range r.moments {
		if c.index = p.index; c.index < i && c.pace.skips() {
			continue
		}
		c.decode(p.state, h)
		if p.place != nil {
			c.remember(p.place)
		}
		if c.pace.stride > 0 {
			r.stop()
		}
	}
	if r.panicked != nil {
		panic(r.panicked)
	}
	if c.index, c.over = r.index, r.over; c.over != nil {
		c.rec.damaged(c.over)
	}
}

// decode decodes a state that only passes: what it is told is not weighed to the end.
func (c *playhead) decode(s *znode.Snapshot, h model.Hints) {
	was := c.res
	c.res, c.rough = inspect.DecodeStep(s, was, h, true)
	if c.pace.spent(was, c.res) {
		c.rec.thin(s.TakenAt)
	}
}
