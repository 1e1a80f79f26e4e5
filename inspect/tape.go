package inspect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// tape is a place in a recording, and the state there.
type tape struct {
	rec   *Recording
	parse parser
	in    lines
	index int      // of the state
	head  Snapshot // of the state; its root is edit's
	edit  Editor
	state *Snapshot // the state, once it was handed out
	ahead *step     // the change after it, if it was read already
	from  mark      // where that stands
	over  bool      // there is no other state after it
	marks []mark

	res *Result // what the state was decoded to, on the tape that Decoded uses
}

// mark is a state that a tape can go back to.
type mark struct {
	index int
	off   int64
	line  int
	state *Snapshot
	res   *Result
}

const (
	markEvery = 512 // states apart, at least
	markMost  = 16
)

func newTape(r *Recording) *tape {
	t := &tape{rec: r, parse: parser{name: r.name, root: r.root, kind: r.kind}, in: lines{src: r.src}}
	t.load(mark{off: r.begin, line: r.before, state: r.base})
	return t
}

// load goes to a state that is known.
func (t *tape) load(m mark) {
	t.in.seek(m.off, m.line)
	t.index, t.head, t.state, t.ahead, t.over, t.res = m.index, *m.state, m.state, nil, false, m.res
	t.edit.Begin(m.state.Base, m.state.Root)
}

// to goes to the state at an index, or to the last one there is.
func (t *tape) to(i int) {
	if i < t.index {
		t.back(i)
	}
	for t.index < i && t.forward() {
		t.mark()
	}
}

// back goes to the last state that is remembered at an index or before it.
func (t *tape) back(i int) {
	for len(t.marks) > 0 && t.marks[len(t.marks)-1].index > i {
		t.marks = t.marks[:len(t.marks)-1]
	}
	if n := len(t.marks); n > 0 {
		t.load(t.marks[n-1])
		return
	}
	t.load(mark{off: t.rec.begin, line: t.rec.before, state: t.rec.base})
}

// mark remembers the state when it is far enough from the one that was remembered last; of many, the older are thinned out.
func (t *tape) mark() {
	last := 0
	if n := len(t.marks); n > 0 {
		last = t.marks[n-1].index
	}
	if !t.rec.keep || t.index-last < markEvery {
		return
	}
	m := mark{index: t.index, off: t.in.at(), line: t.in.no, state: t.snapshot(), res: t.res}
	if t.ahead != nil {
		m.off, m.line = t.from.off, t.from.line
	}
	t.marks = append(t.marks, m)
	if len(t.marks) <= markMost {
		return
	}
	worst, least := 1, 2.0
	for i := 1; i+1 < len(t.marks); i++ { // the smallest gap for how far away it is
		gap := float64(t.marks[i+1].index-t.marks[i-1].index) / float64(t.index-t.marks[i].index+markEvery)
		if gap < least {
			worst, least = i, gap
		}
	}
	t.marks = slices.Delete(t.marks, worst, worst+1)
}

// snapshot hands out the state.
func (t *tape) snapshot() *Snapshot {
	if t.state == nil {
		s := t.head
		s.Root = t.edit.Tree()
		t.state = &s
	}
	return t.state
}

// forward goes on by one state; false where there is none.
func (t *tape) forward() bool {
	st := t.peek()
	if st == nil {
		return false
	}
	t.ahead = nil
	t.apply(st)
	t.index++
	return true
}

// peek returns the change after the state; nil: there is none that can be read.
func (t *tape) peek() *step {
	if t.ahead != nil || t.over {
		return t.ahead
	}
	t.from.off, t.from.line = t.in.at(), t.in.no
	st, err := t.read()
	if err == nil {
		t.ahead = st
		return st
	}
	if t.rec.err == nil {
		t.rec.err = err
	}
	t.over, t.state, t.head.Complete = true, nil, false
	t.head.Partial = append(slices.Clip(t.head.Partial), "the file is damaged: "+err.Error())
	return nil
}

// read reads the next change; nil after the last.
func (t *tape) read() (*step, error) {
	for {
		raw, cut, err := t.in.next()
		t.parse.line = t.in.no
		switch {
		case errors.Is(err, io.EOF):
			t.over = true
			return nil, nil
		case err != nil:
			t.over = true
			return nil, fmt.Errorf("%s: %w", Printable(t.parse.name), err)
		case len(bytes.TrimSpace(raw)) == 0:
			continue
		}
		st, err := t.parse.change(raw)
		if err != nil && cut && !json.Valid(raw) {
			t.over = true
			t.rec.warn(t.parse.line, "the last line is cut off and was left out")
			return nil, nil
		}
		t.over = err != nil
		return st, err
	}
}

// change reads a line after the first state.
func (f *parser) change(raw []byte) (*step, error) {
	l, err := f.split(raw)
	if err != nil {
		return nil, err
	}
	if l.At == nil {
		return nil, f.fail("a znode without a time follows a change")
	}
	st, err := f.step(l)
	return &st, err
}

// apply makes of the state the one that follows from a change.
func (t *tape) apply(st *step) {
	t.state = nil
	switch {
	case st.put != nil:
		t.edit.Put(st.path, st.put)
	case st.path != "":
		t.edit.Remove(st.path)
	case st.sessions != nil:
		t.head.Sessions, t.head.AskedAt = st.sessions, time.Time{}
	case st.watches != nil:
		t.head.Watches, t.head.AskedAt = st.watches, time.Time{}
	}
	at := st.at
	if at.Before(t.head.TakenAt) {
		at = t.head.TakenAt // told by the index
	}
	t.head.TakenAt, t.head.LostSince = at, time.Time{}
	if st.gap != "" {
		t.head.LostSince = at
	}
}
