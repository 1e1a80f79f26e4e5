package past

import (
	"maps"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// bridge goes over a hole in front of a record. A member that was away for long is sent the whole tree, which it writes as a
// snapshot, and never the transactions that it missed: the tree goes on from the last such snapshot. What happened in the
// hole is not known; what there is behind it is.
func (t *Tape) bridge(r *txnlog.Record) {
	lost := txnlog.Lost(t.from(), txnlog.Point{Zxid: r.Zxid, Millis: r.Millis})
	if lost == 0 {
		return
	}
	o := t.story.within(t.zxid, r.Zxid)
	if o == nil {
		t.lost += lost
		return
	}
	t.lost = txnlog.Lost(txnlog.Point{Zxid: o.zxid}, txnlog.Point{Zxid: r.Zxid})
	t.until = o.until
	t.gap = znode.Gap{From: time.UnixMilli(t.at).UTC(), To: time.UnixMilli(max(t.at, r.Millis)).UTC()}
	t.tree = newTree(o.root, maps.Clone(o.sessions))
}

// from is the last point that was read.
func (t *Tape) from() txnlog.Point { return txnlog.Point{Zxid: t.zxid, Millis: t.at} }

// within reads the last snapshot of a moment from one zxid to just before another; nil: there is none that can be read.
func (s *Story) within(from, before int64) *origin {
	var last txnlog.File
	for _, m := range s.members {
		for _, f := range m.Snapshots {
			if f.Zxid >= from && f.Zxid < before && f.Zxid >= last.Zxid && s.damaged[f.Path] == nil {
				last = f
			}
		}
	}
	if last.Path == "" {
		return nil
	}
	if o := s.bridges[last.Path]; o != nil {
		return o
	}
	o, err := load(last)
	if err != nil {
		s.damaged[last.Path] = err
		return s.within(from, before)
	}
	s.bridges[last.Path] = o
	return o
}
