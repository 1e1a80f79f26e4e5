package past

import (
	"errors"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// First returns the state that the story begins with.
func (s *Story) First() *znode.Snapshot { return s.first }

// Warnings returns nothing: what the files lack is told by Cover.
func (s *Story) Warnings() []string { return nil }

// Tape reads the story: every transaction makes a state.
func (s *Story) Tape() files.Tape { return s.tape() }

// Times reads of when the transactions are.
func (s *Story) Times() files.Times {
	return &times{in: txnlog.Merge(s.members, s.base.zxid), at: s.begin}
}

// latest is the latest time that a subtree tells of.
func latest(n *znode.Node) znode.Millis {
	last := max(n.Ctime, n.Mtime)
	for _, c := range n.Children {
		last = max(last, latest(c))
	}
	return last
}

// Tape is a place in a story, and the state there.
type Tape struct {
	story *Story
	in    *txnlog.Merged
	tree  *Tree
	cover txnlog.Coverage
	zxid  int64
	at    int64 // milliseconds; it does not go back where a clock does
	ahead *txnlog.Record
	over  error
	state *znode.Snapshot
	cause chronicle.Cause
	heard map[znode.SessionID]int64 // when a session wrote last, in milliseconds

	high  int64 // the highest zxid so far
	heads heads
	lost  int64     // transactions that the tree lacks
	until int64     // to this zxid the tree is uncertain: its snapshot was being written
	gap   znode.Gap // the last hole that a snapshot leads over
}

func (s *Story) tape() *Tape {
	t := &Tape{story: s, in: txnlog.Merge(s.members, s.base.zxid), tree: newTree(s.base.root, maps.Clone(s.base.sessions)), zxid: s.base.zxid, at: s.begin,
		heard: map[znode.SessionID]int64{}, high: s.base.zxid, until: s.base.until}
	t.cover.Since(s.from())
	return t
}

// from is the moment that the story begins with.
func (s *Story) from() txnlog.Point { return txnlog.Point{Zxid: s.base.zxid, Millis: s.begin} }

// Now returns of when the state is: by the clocks of those who led, which may differ; it does not go back.
func (t *Tape) Now() time.Time { return time.UnixMilli(t.at).UTC() }

// Ahead returns of when the next state is.
func (t *Tape) Ahead() time.Time {
	if t.peek(); t.ahead == nil {
		return time.Time{}
	}
	return time.UnixMilli(max(t.at, t.ahead.Millis)).UTC()
}

func (t *Tape) peek() {
	if t.ahead != nil || t.over != nil {
		return
	}
	t.ahead, t.over = t.in.Next()
}

// Next goes on by one transaction.
func (t *Tape) Next() error {
	_, err := t.Record()
	return err
}

// Record is Next, and returns the transaction, good until the next call; io.EOF after the last.
func (t *Tape) Record() (*txnlog.Record, error) {
	if t.peek(); t.ahead == nil {
		return nil, t.over
	}
	r := t.ahead
	t.ahead = nil
	t.cover.Add(r)
	if t.again(r) {
		t.cause = chronicle.Cause{}
		return r, nil
	}
	t.bridge(r)
	t.state, t.cause = nil, t.causeOf(r)
	t.tree.Apply(r)
	t.hear(r)
	t.zxid, t.at = r.Zxid, max(t.at, r.Millis)
	return r, nil
}

// Coverage returns what was read so far.
func (t *Tape) Coverage() *txnlog.Coverage { return &t.cover }

// Close closes the files that are open.
func (t *Tape) Close() error {
	t.in.Close()
	return nil
}

// Snapshot returns the picture of the moment: which sessions there were is known, who was connected is not.
func (t *Tape) Snapshot() *znode.Snapshot {
	if t.state != nil {
		return t.state
	}
	out := &znode.Snapshot{Root: t.tree.edit.Tree(), Base: "/", TakenAt: t.Now(), Complete: true, Sessions: t.tree.known(), Gap: t.gap,
		Went: slices.Clip(t.tree.went)}
	if out.Lacks = t.lacks(); out.Lacks != "" {
		out.Complete, out.Partial = false, []string{out.Lacks}
	}
	t.state = out
	return out
}

// lacks says why the tree may not be what it was at the moment; empty: it is.
func (t *Tape) lacks() string {
	switch {
	case t.story.guessed && t.gap.To.IsZero():
		return "no snapshot tells what there was before the first transaction of the logs"
	case t.lost > 0:
		return transactions(t.lost, "is", "are") + " missing in the files: what they changed is not known"
	case t.zxid < t.until:
		return "the snapshot that this follows from was being written: what was deleted meanwhile is not in it"
	}
	return ""
}

// tapeMark is a place in a story, and the state there.
type tapeMark struct {
	in       txnlog.MergedMark
	root     *znode.Node
	sessions map[znode.SessionID]int32
	cover    txnlog.Coverage
	zxid, at int64
	high     int64
	lost     int64
	until    int64
	gap      znode.Gap
	went     []znode.Departure
}

// Mark remembers the place.
func (t *Tape) Mark() files.Mark {
	in := t.in.Mark()
	if t.ahead != nil {
		in = t.in.MarkLast()
	}
	return tapeMark{in, t.Snapshot().Root, maps.Clone(t.tree.sessions), t.cover, t.zxid, t.at, t.high, t.lost, t.until, t.gap,
		slices.Clip(t.tree.went)}
}

// Goto goes to a place that Mark remembered.
func (t *Tape) Goto(place files.Mark) {
	m := place.(tapeMark)
	t.tree = newTree(m.root, maps.Clone(m.sessions))
	t.tree.went = m.went
	t.cover, t.zxid, t.at = m.cover, m.zxid, m.at
	t.high, t.lost, t.until, t.gap = m.high, m.lost, m.until, m.gap
	t.ahead, t.state, t.over = nil, nil, nil
	clear(t.heard)
	if err := t.in.Goto(m.in); err != nil {
		t.over = err
	}
}

// times reads the times alone.
type times struct {
	in *txnlog.Merged
	at int64
}

type timesMark struct {
	in txnlog.MergedMark
	at int64
}

// Next returns of when the next state is.
func (x *times) Next() (time.Time, error) {
	r, err := x.in.Next()
	if err != nil {
		if errors.Is(err, io.EOF) {
			x.in.Close()
		}
		return time.Time{}, err
	}
	x.at = max(x.at, r.Millis)
	return time.UnixMilli(x.at).UTC(), nil
}

// Mark remembers the place.
func (x *times) Mark() files.Mark { return timesMark{x.in.Mark(), x.at} }

// Goto goes to a place that Mark remembered.
func (x *times) Goto(place files.Mark) {
	m := place.(timesMark)
	x.at = m.at
	_ = x.in.Goto(m.in) // what cannot be opened is told by Next
}
