package mirror

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// publishDue publishes what is new: at once after a pause, else when the gap since the last time has passed.
func (w *owner) publishDue(now time.Time) {
	if w.unpublished() && now.Sub(w.published.at) >= w.opts.Gap {
		w.publishNow(now)
	}
}

// unpublished reports whether there may be something to publish. While the tree is read again nothing is:
// the last snapshot stands, marked as lost, until everything was read.
func (w *owner) unpublished() bool {
	if w.load != nil {
		return !w.loaded && w.load.nodes > 1
	}
	return len(w.live.results) > 0 || w.root != w.published.root
}

// publishNow publishes unless there is nothing new.
func (w *owner) publishNow(now time.Time) {
	w.apply()
	p := &w.published
	if w.load == nil && !w.gapOpen() && w.root == p.root && w.lost.Equal(p.lost) && w.loaded == p.loaded && slices.Equal(w.partial(), p.partial) {
		return
	}
	w.publish()
}

// gapOpen reports whether a gap is over and the snapshot that it brought is not published yet.
func (w *owner) gapOpen() bool { return w.gap.To.IsZero() && !w.gap.From.IsZero() }

// partial says what the tree does not hold; nil while it was never read in full.
func (w *owner) partial() []string {
	if !w.loaded {
		return nil
	}
	out := partial(w.opts, w.over, w.unlisted, func(path string) *znode.Node { return at(w.root, w.opts.Root, path) })
	if w.root == nil {
		out = append(out, w.opts.Root+" does not exist")
	}
	return out
}

// publish builds a snapshot.
func (w *owner) publish() {
	root := w.root
	if w.load != nil && !w.loaded {
		root = w.load.progress()
	}
	if root == nil {
		_, name := znode.Split(w.opts.Root)
		root = &znode.Node{Name: name, Flags: znode.NoStat}
	}
	s := &znode.Snapshot{Root: root, Base: w.opts.Root, TakenAt: time.Now(), LostSince: w.lost, Partial: w.partial()}
	if w.gapOpen() {
		w.gap.To = s.TakenAt
	}
	s.Gap = w.gap
	s.Complete = w.loaded && len(s.Partial) == 0
	p := &w.published
	p.at, p.root, p.lost, p.loaded, p.partial = s.TakenAt, w.root, w.lost, w.loaded, s.Partial
	w.m.snap.Store(s)
	w.m.note(func(st *Status) { st.Snapshots++ })
	w.m.signal()
}
