package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// fileReel is a file of a snapshot or a recording.
type fileReel struct {
	parser
	src    io.ReaderAt
	begin  filePlace // where the first change stands
	base   *znode.Snapshot
	warned []string
}

// filePlace is where a line stands.
type filePlace struct {
	off int64
	no  int // how many lines stand before it
}

func (l *lines) place() filePlace { return filePlace{l.at(), l.no} }

func (r *fileReel) First() *znode.Snapshot { return r.base }
func (r *fileReel) Warnings() []string     { return r.warned }

func (r *fileReel) Tape() Tape {
	t := &fileTape{reel: r, parse: parser{name: r.name, root: r.root, kind: r.kind}, in: lines{src: r.src}}
	t.Goto(fileMark{r.begin, r.base})
	return t
}

func (r *fileReel) Times() Times {
	t := &fileTimes{reel: r, in: lines{src: r.src}}
	t.Goto(timePlace{r.begin, r.base.TakenAt})
	return t
}

// warn notes, once for a line, what is wrong without making the file useless.
func (r *fileReel) warn(line int, format string, args ...any) {
	text := fmt.Sprintf("%s:%d: ", r.name, line) + fmt.Sprintf(format, args...)
	for _, w := range r.warned {
		if w == text {
			return
		}
	}
	r.warned = append(r.warned, text)
}

// cutOff reports whether a line is the rest of one that was not written to its end, and says so.
func (r *fileReel) cutOff(raw []byte, cut bool, line int) bool {
	if !cut || json.Valid(raw) {
		return false
	}
	r.warn(line, "the last line is cut off and was left out")
	return true
}

// fileTape is a place in a file, and the state there.
type fileTape struct {
	reel  *fileReel
	parse parser
	in    lines
	head  znode.Snapshot // of the state; its root is edit's
	edit  znode.Editor
	state *znode.Snapshot // the state, once it was handed out
	ahead *step           // the change after it, if it was read already
	from  filePlace       // where that stands
	over  error           // why none can be read
}

// fileMark is a place in a file, and the state there.
type fileMark struct {
	filePlace
	state *znode.Snapshot
}

// step is one line of a recording after its first snapshot. One of its parts is used at most.
type step struct {
	at       time.Time
	put      *znode.Node
	path     string // of put, or of the znode that was deleted
	sessions map[znode.SessionID]znode.Session
	watches  map[string][]znode.SessionID
	gap      string
}

func (t *fileTape) Goto(place Mark) {
	m := place.(fileMark)
	t.in.seek(m.off, m.no)
	t.head, t.state, t.ahead, t.over = *m.state, m.state, nil, nil
	t.edit.Begin(m.state.Base, m.state.Root)
}

func (t *fileTape) Mark() Mark {
	at := t.in.place()
	if t.ahead != nil {
		at = t.from
	}
	return fileMark{at, t.Snapshot()}
}

func (t *fileTape) Snapshot() *znode.Snapshot {
	if t.state == nil {
		s := t.head
		s.Root = t.edit.Tree()
		t.state = &s
	}
	return t.state
}

func (t *fileTape) Now() time.Time { return t.head.TakenAt }

func (t *fileTape) Ahead() time.Time {
	if t.peek(); t.ahead == nil {
		return time.Time{}
	}
	return t.ahead.at
}

func (t *fileTape) Next() error {
	if t.peek(); t.ahead == nil {
		return t.over
	}
	t.apply(t.ahead)
	t.ahead = nil
	return nil
}

// peek reads the change after the state.
func (t *fileTape) peek() {
	if t.ahead == nil && t.over == nil {
		t.from = t.in.place()
		t.ahead, t.over = t.read()
	}
}

// read reads the next change; io.EOF after the last.
func (t *fileTape) read() (*step, error) {
	for {
		raw, cut, err := t.in.next()
		t.parse.line = t.in.no
		switch {
		case errors.Is(err, io.EOF):
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("%s: %w", say.Printable(t.parse.name), err)
		case len(bytes.TrimSpace(raw)) == 0:
			continue
		}
		st, err := t.parse.change(raw)
		if err != nil && t.reel.cutOff(raw, cut, t.parse.line) {
			return nil, io.EOF
		}
		if err != nil {
			return nil, err
		}
		return st, nil
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
func (t *fileTape) apply(st *step) {
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
		at = t.head.TakenAt // told by whoever counts
	}
	t.head.TakenAt = at
	switch lost := t.head.LostSince; {
	case st.gap == "" && !lost.IsZero(): // whatever is read again ends a gap
		t.head.Gap, t.head.LostSince = znode.Gap{From: lost, To: at}, time.Time{}
	case st.gap != "" && lost.IsZero():
		t.head.LostSince = at
	}
}

// fileTimes reads the times of changes without taking them apart.
type fileTimes struct {
	reel *fileReel
	in   lines
	last time.Time
	raw  []byte // how the last time was written
}

// timePlace is a place in a file, and the time of the state there.
type timePlace struct {
	filePlace
	last time.Time
}

func (x *fileTimes) Mark() Mark { return timePlace{x.in.place(), x.last} }

func (x *fileTimes) Goto(place Mark) {
	m := place.(timePlace)
	x.in.seek(m.off, m.no)
	x.last, x.raw = m.last, x.raw[:0]
}

func (x *fileTimes) Next() (time.Time, error) {
	for {
		raw, cut, err := x.in.next()
		switch {
		case errors.Is(err, io.EOF):
			return time.Time{}, err
		case err != nil:
			return time.Time{}, fmt.Errorf("%s: %w", say.Printable(x.reel.name), err)
		case len(bytes.TrimSpace(raw)) == 0:
			continue
		case x.reel.cutOff(raw, cut, x.in.no):
			return time.Time{}, io.EOF
		}
		at, ok := x.stamp(raw)
		if !ok {
			p := parser{name: x.reel.name, line: x.in.no, root: x.reel.root}
			_, err := p.change(raw)
			return time.Time{}, err
		}
		if at.Before(x.last) {
			x.reel.warn(x.in.no, "the time goes back, from %s to %s: it is taken for the former",
				x.last.UTC().Format(time.RFC3339Nano), at.UTC().Format(time.RFC3339Nano))
			at = x.last
		}
		x.last = at
		return at, nil
	}
}

// stamp reads the time of a change.
func (x *fileTimes) stamp(raw []byte) (time.Time, bool) {
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
