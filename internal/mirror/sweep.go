package mirror

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// The background comparison reads every znode again, slowly. It takes turns between all znodes and those
// that have or had children, since there a change that no event told matters most.
const (
	sweepReads = 500                    // znodes in one batch
	sweepPause = 500 * time.Millisecond // at least, between two batches
)

// sweep is where the background comparison stands.
type sweep struct {
	on       bool
	next     time.Time // when to send the next batch
	flying   bool
	all, dir string // how far the two walks came
	asks     []ask  // used again, as is the batch once it was taken
	spare    *batch
	checked  time.Time
	armed    time.Time // the watch is known to have stood then
	rearmed  time.Time
}

func (s *sweep) begin(now time.Time, pause time.Duration) {
	s.on = pause > 0
	s.flying = false
	s.next, s.checked, s.armed = now.Add(pause), now, now
}

func (s *sweep) stop() { s.on, s.flying = false, false }

func (s *sweep) due() time.Time {
	if !s.on || s.flying {
		return time.Time{}
	}
	return s.next
}

// period is the pause between two batches: a full round in Options.Reconcile where that is possible
// without a batch more often than sweepPause.
func (w *owner) period() time.Duration {
	if w.opts.Reconcile <= 0 {
		return 0
	}
	batches := 1 + 2*w.nodes/sweepReads
	return max(w.opts.Reconcile/time.Duration(batches), sweepPause)
}

// compare sends the next batch of the background comparison when it is due and nothing else is going on.
func (w *owner) compare(now time.Time) {
	s := &w.sweep
	if !s.on || s.flying || now.Before(s.next) || w.live.flying > 0 || len(w.live.dirty) > 0 {
		return
	}
	w.apply()
	s.next = now.Add(w.period())
	if !w.state.Plain && now.Sub(s.checked) >= w.opts.Reconcile {
		s.checked = now
		w.checkWatch()
	}
	b := s.spare
	if s.spare = nil; b == nil {
		b = &batch{b: builder{maxData: w.opts.MaxData}}
	}
	s.asks, s.dir = after(s.asks[:0], w.root, w.opts.Root, s.dir, sweepReads/2, func(n *znode.Node) bool { return n.Cversion > 0 })
	s.asks, s.all = after(s.asks, w.root, w.opts.Root, s.all, sweepReads/2, func(n *znode.Node) bool { return !n.Has(znode.NameOnly) })
	room := newRoom(w.caution)
	for _, a := range s.asks {
		if room.fits(a.size(), statCost+dataLength(a.old)) {
			b.ask(childOf{}, a, false)
		}
	}
	if len(b.reads) == 0 {
		return
	}
	b.got = slices.Grow(b.got, len(b.reads))[:len(b.reads)]
	s.flying = true
	w.submit(b, comparing)
}

// compared takes the answers of a comparison. What differs is not news when an event has named it in the
// meantime: events come before the answers that show their change.
func (w *owner) compared(b *batch, now time.Time) {
	w.sweep.flying = false
	missed := ""
	for i := range b.asks {
		g, a := &b.got[i], &b.asks[i]
		path := a.path()
		old := w.known(path)
		if w.live.pending(path) || g.what != askAgain && old != a.old {
			continue // it is on its way, or came in the meantime
		}
		switch g.what {
		case found:
			if g.node == old {
				continue
			}
			w.live.results[path] = g.node
			if g.node.Mzxid != old.Mzxid && !old.Has(znode.Unreadable) {
				missed = path
			}
			if moved(old, g.node) {
				w.live.suspects[path] = now
				if !w.postponed(path) {
					w.live.list(path)
				}
			}
		case gone:
			w.live.results[path] = nil
			if !old.Has(znode.Unreadable) {
				missed = path
			}
		case askAgain:
			w.live.again = append(w.live.again, *a)
		}
	}
	b.clear()
	w.sweep.spare = b
	if missed != "" && !w.state.Plain {
		w.watchLost(now, "a change of "+missed+" was not told")
	}
}

// pending reports whether a path is to be read or being read.
func (v *live) pending(path string) bool {
	_, queued := v.queued[path]
	_, reading := v.reading[path]
	return queued || reading || v.held(path)
}

// moved reports whether a directory's children have changed.
func moved(a, b *znode.Node) bool {
	return a.Cversion != b.Cversion || a.Pzxid != b.Pzxid || a.NumChildren != b.NumChildren
}

// checkWatch asks the server whether it still has our recursive watch.
func (w *owner) checkWatch() {
	gen, asked := w.gen, time.Now()
	w.conn.CheckWatch(w.opts.Root, func(armed bool, err error) {
		if err != nil {
			return
		}
		w.m.in.call(func() {
			switch {
			case gen != w.gen:
			case armed:
				w.sweep.armed = asked
			default:
				w.watchLost(time.Now(), "the server does not have it")
			}
		})
	})
}

// watchLost arms the recursive watch again and reads everything again, though not too often. What has happened since the
// watch was known to stand was not seen.
func (w *owner) watchLost(now time.Time, why string) {
	if !w.sweep.rearmed.IsZero() && now.Sub(w.sweep.rearmed) < rearming {
		return
	}
	w.sweep.rearmed, w.blind = now, w.sweep.armed
	w.m.note(func(s *Status) { s.Missed++ })
	w.m.log.Warn("the recursive watch was lost, and is armed again", "path", w.opts.Root, "why", why)
	w.conn.Rearm(w.opts.Root, func(error) {})
	w.startLoad()
}
