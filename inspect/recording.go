package inspect

import (
	"fmt"
	"io"
	"time"
)

// Recording is what a file holds: a snapshot, and what changed after it. A file of kind snapshot is a
// recording of one state. Only the first state is kept; the others are read from the file when they are asked for, so that
// a recording of any size takes the memory of its tree. A state that follows from damaged lines is the last one before
// them, not complete, and Err tells the damage.
//
// Unlike snapshots, a Recording is not safe for concurrent use: it remembers where it was last read.
type Recording struct {
	Warnings []string // what was wrong with the file without making it useless

	parser
	src    io.ReaderAt
	begin  int64 // where the first change stands
	before int   // how many lines stand before it
	base   *Snapshot
	err    error

	index fileIndex
	shown *tape // where At was last
	told  *tape // where Decoded was last
	keep  bool  // tapes remember states to go back to
}

// step is one line of a recording after its first snapshot. One of its parts is used at most.
type step struct {
	at       time.Time
	put      *Node
	path     string // of put, or of the znode that was deleted
	sessions map[SessionID]Session
	watches  map[string][]SessionID
	gap      string
}

// Keep makes the recording remember some of the states that it passes, so that going back is cheap. It is to be called
// before any state is taken.
func (r *Recording) Keep() { r.keep = true }

// Err returns what is damaged in the lines that were read so far, with the file and the line; nil: nothing.
func (r *Recording) Err() error { return r.err }

// First returns the first state.
func (r *Recording) First() *Snapshot { return r.base }

// Last returns the last state.
func (r *Recording) Last() *Snapshot { return r.At(r.Len() - 1) }

// At returns the state at an index from 0 to Len-1; an index outside is moved to the nearer end. States
// share what they have in common. Going forward one by one is cheap; so is going back, after Keep.
func (r *Recording) At(i int) *Snapshot {
	if r.shown == nil {
		r.shown = newTape(r)
	}
	r.shown.to(max(0, i))
	return r.shown.snapshot()
}

// warn notes, once for a line, what is wrong without making the file useless.
func (r *Recording) warn(line int, format string, args ...any) {
	text := fmt.Sprintf("%s:%d: ", r.name, line) + fmt.Sprintf(format, args...)
	for _, w := range r.Warnings {
		if w == text {
			return
		}
	}
	r.Warnings = append(r.Warnings, text)
}
