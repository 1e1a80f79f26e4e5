package mirror

import (
	"time"

	"github.com/zkscope/zkscope/inspect"
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
	if w.load == nil && w.root == w.published.root && w.lost.Equal(w.published.lost) && w.published.whole == (w.loaded && w.complete()) {
		return
	}
	w.publish()
}

func (w *owner) complete() bool { return len(w.partial()) == 0 }

func (w *owner) partial() []string {
	out := partial(w.opts, w.over, w.unlisted, func(path string) *inspect.Node { return at(w.root, w.opts.Root, path) })
	if w.loaded && w.root == nil {
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
		_, name := inspect.Split(w.opts.Root)
		root = &inspect.Node{Name: name, Flags: inspect.NoStat}
	}
	s := &inspect.Snapshot{Root: root, Base: w.opts.Root, TakenAt: time.Now(), LostSince: w.lost}
	if w.loaded {
		s.Partial = w.partial()
		s.Complete = len(s.Partial) == 0
	}
	w.published.at, w.published.root, w.published.lost, w.published.whole = s.TakenAt, w.root, w.lost, s.Complete
	w.m.snap.Store(s)
	w.m.note(func(st *Status) { st.Snapshots++ })
	w.m.signal()
}
