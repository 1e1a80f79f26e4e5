package inspect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"time"
)

// fileIndex is what was found out about the changes of a file without taking them apart: how many there are, and where some
// of them stand.
type fileIndex struct {
	in    lines
	begun bool
	marks []linePlace // of the first change, and of every indexEvery-th after it
	n     int         // changes so far
	last  time.Time
	raw   []byte // how the last time was written
	done  bool
}

// linePlace is where a change stands, and its time.
type linePlace struct {
	off  int64
	line int
	at   time.Time
}

const indexEvery = 1024

// Len returns the number of states, at least one. It looks at the whole file.
func (r *Recording) Len() int {
	for !r.Count(1 << 20) {
	}
	return r.index.n + 1
}

// Known returns how many states were counted so far, and whether these are all.
func (r *Recording) Known() (n int, all bool) { return r.index.n + 1, r.index.done }

// Count counts on by at most so many changes, and reports whether all are counted now.
func (r *Recording) Count(most int) bool {
	x := &r.index
	if !x.begun {
		x.begun, x.last = true, r.base.TakenAt
		x.in = lines{src: r.src}
		x.in.seek(r.begin, r.before)
	}
	for ; most > 0 && !x.done; most-- {
		r.countOne()
	}
	if x.done {
		x.in.buf = nil
	}
	return x.done
}

// countOne looks at one line.
func (r *Recording) countOne() {
	x := &r.index
	off, no := x.in.at(), x.in.no
	raw, cut, err := x.in.next()
	switch {
	case errors.Is(err, io.EOF):
		x.done = true
		return
	case err != nil:
		x.done = true
		r.damaged(fmt.Errorf("%s: %w", Printable(r.name), err))
		return
	case len(bytes.TrimSpace(raw)) == 0:
		return
	case cut && !json.Valid(raw):
		x.done = true
		r.warn(x.in.no, "the last line is cut off and was left out")
		return
	}
	at, ok := x.stamp(raw)
	if !ok {
		x.done = true
		p := parser{name: r.name, line: x.in.no, root: r.root}
		_, err := p.change(raw)
		r.damaged(err)
		return
	}
	if at.Before(x.last) {
		r.warn(x.in.no, "the time goes back, from %s to %s: it is taken for the former", x.last.UTC().Format(time.RFC3339Nano), at.UTC().Format(time.RFC3339Nano))
		at = x.last
	}
	x.last = at
	if x.n%indexEvery == 0 {
		x.marks = append(x.marks, linePlace{off, no, at})
	}
	x.n++
}

func (r *Recording) damaged(err error) {
	if r.err == nil {
		r.err = err
	}
}

// stamp reads the time of a change.
func (x *fileIndex) stamp(raw []byte) (time.Time, bool) {
	if rest, ok := bytes.CutPrefix(raw, []byte(`{"at":"`)); ok {
		if i := bytes.IndexByte(rest, '"'); i > 0 {
			if bytes.Equal(rest[:i], x.raw) {
				return x.last, true
			}
			if t, err := time.Parse(time.RFC3339Nano, string(rest[:i])); err == nil {
				x.raw = append(x.raw[:0], rest[:i]...)
				return t, true
			}
		}
	}
	x.raw = x.raw[:0]
	var l struct{ At *time.Time }
	if err := json.Unmarshal(raw, &l); err != nil || l.At == nil {
		return time.Time{}, false
	}
	return *l.At, true
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
		return r.shown.head.TakenAt
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

// walkTimes goes through the times of changes from a mark on until told otherwise.
func (r *Recording) walkTimes(mark int, each func(step int, at time.Time) bool) {
	m := r.index.marks[mark]
	in, x := lines{src: r.src}, fileIndex{last: m.at}
	in.seek(m.off, m.line)
	for step := mark * indexEvery; step < r.index.n; {
		raw, _, err := in.next()
		if err != nil {
			return
		}
		at, ok := x.stamp(raw)
		if !ok {
			continue
		}
		if at.Before(x.last) {
			at = x.last
		}
		x.last = at
		if !each(step, at) {
			return
		}
		step++
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
