package mirror

import (
	"context"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/zkc"
)

// How the owner paces itself.
const (
	pace      = 5 * time.Millisecond   // between two batches that follow changes, so that changes gather
	settle    = 250 * time.Millisecond // until a directory whose stat and children disagree is listed in a storm
	cool      = time.Second            // until the same directory is listed again, and between polls of the root
	backoff   = time.Second            // after an answer that makes no sense
	rearming  = time.Minute            // between two full reads because of a watch that was lost
	maxStrike = 2                      // connections that may die on listing one directory
	bigList   = 5000                   // children; listing fewer kills no connection
)

// owner is the goroutine that owns the tree. All its fields are its own.
type owner struct {
	m    *Mirror
	opts Options
	conn *zkc.Conn

	state zkc.State
	lost  time.Time // since when the tree may be stale; zero while it is not
	gap   znode.Gap // the latest span that was not seen; To is zero until what it brought is published
	gen   int       // of the connection; answers to older ones do not count
	load  *loader   // nil when no load is on its way
	calm  time.Time // nothing is sent before

	blind time.Time // since when events may not have come although the connection stood; zero: they came

	flights []*batch // on their way, the oldest first
	late    bool     // the oldest is overdue

	root     *znode.Node
	nodes    int
	loaded   bool // the tree was read in full at least once
	over     bool // the node budget was hit
	unlisted []string
	strikes  map[string]int // connections that died on listing a directory
	listing  []string       // big directories that are being listed
	caution  int            // halves the batches; one step for each connection that died during a load

	live  live
	sweep sweep

	published struct {
		at      time.Time
		root    *znode.Node
		lost    time.Time
		loaded  bool
		partial []string
	}
}

func newOwner(m *Mirror, o Options) *owner {
	w := &owner{m: m, opts: o, strikes: make(map[string]int)}
	w.live.reset()
	return w
}

// run serves the inbox until ctx ends.
func (w *owner) run(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		timer.Reset(w.step(time.Now()))
		select {
		case <-w.m.in.wake:
		case <-timer.C:
		case <-ctx.Done():
			return
		}
	}
}

// step does everything that is due and returns how long nothing else will be.
func (w *owner) step(now time.Time) time.Duration {
	p := w.m.in.take()
	for _, s := range p.states {
		w.become(s, now)
	}
	for _, f := range p.calls {
		f()
	}
	for _, path := range p.paths {
		w.happened(path, p.seen[path])
	}
	for _, b := range p.batches {
		w.answered(b, now)
	}
	if w.state.Phase == zkc.Connected && !now.Before(w.calm) {
		w.read(now)
	}
	w.overdue(now)
	w.publishDue(now)
	w.tell(len(p.states) > 0)
	return w.wait(now)
}

// become takes a change of the connection's state.
func (w *owner) become(s zkc.State, now time.Time) {
	same := s.Phase == zkc.Connected && w.state.Phase == zkc.Connected && s.Connects == w.state.Connects
	if w.state = s; same {
		return
	}
	if s.Phase == zkc.Connected {
		w.startLoad()
		return
	}
	if w.lost.IsZero() {
		w.lost = s.LostSince
	}
	w.strike()
	if w.load != nil && w.load.flying > 0 {
		w.caution++
	}
	w.apply()
	w.gen++
	w.load, w.late = nil, false
	w.live.forget()
	w.sweep.stop()
	w.publishNow(now)
}

// strike blames the big lists that were on their way for the end of the connection.
func (w *owner) strike() {
	for _, path := range w.listing {
		w.strikes[path]++
	}
	w.listing = nil
}

// startLoad begins to read the whole tree.
func (w *owner) startLoad() {
	w.apply()
	w.gen++
	w.listing = nil
	w.live.forget()
	w.sweep.stop()
	if !w.loaded {
		w.lost = time.Time{} // there is nothing old to be shown
	}
	w.load = newLoader(w.opts, w.root)
	w.load.bad, w.load.caution = w.strikes, w.caution
	w.load.plain = w.state.Plain
	w.load.watch = maxOnce
}

// answered takes an answered batch.
func (w *owner) answered(b *batch, now time.Time) {
	w.landed(b)
	if b.gen != w.gen {
		return
	}
	if b.err != nil {
		w.retry(now)
		return
	}
	switch {
	case b.purpose == loading && w.load != nil:
		w.listing = slices.DeleteFunc(w.listing, func(p string) bool { return slices.ContainsFunc(b.reads, func(r zkc.Read) bool { return r.Path == p }) })
		w.load.take(b)
		if w.load.broken != nil {
			w.retry(now)
		} else if w.load.done() {
			w.finishLoad(now)
		}
	case b.purpose == following:
		w.followed(b, now)
	case b.purpose == comparing:
		w.compared(b, now)
	}
}

// retry reads everything again after a while: the connection stands, but it gave no sensible answer.
func (w *owner) retry(now time.Time) {
	w.calm = now.Add(backoff)
	w.startLoad()
}

// finishLoad makes what was read the tree.
func (w *owner) finishLoad(now time.Time) {
	l := w.load
	w.load, w.caution = nil, 0
	w.root, w.over, w.unlisted = l.result(), l.over, l.unlisted
	w.opts.skipped = l.opts.skipped
	w.nodes = count(w.root)
	if w.lost.IsZero() {
		w.lost = w.blind
	}
	if !w.lost.IsZero() {
		w.gap, w.blind = znode.Gap{From: w.lost}, time.Time{}
	}
	w.loaded, w.lost, w.late = true, time.Time{}, false
	w.m.note(func(s *Status) { s.Loads++ })
	for _, path := range l.hidden {
		w.hide(path)
	}
	w.crowded(l.unlisted)
	w.sweep.begin(now, w.period())
	w.publishNow(now)
}

// read sends what there is to read.
func (w *owner) read(now time.Time) {
	if w.load == nil {
		w.follow(now)
		w.compare(now)
		return
	}
	for b := w.load.next(); b != nil; b = w.load.next() {
		b.bigLists(func(path string) { w.listing = append(w.listing, path) })
		w.submit(b, loading)
	}
}

// submit sends a batch; the answer comes through the inbox.
func (w *owner) submit(b *batch, why purpose) {
	b.gen, b.purpose, b.sent = w.gen, why, time.Now()
	w.flights = append(w.flights, b)
	w.conn.Submit(b.reads, b.each, func(err error) {
		b.err = err
		w.m.in.batch(b)
	})
}

// purpose is why a batch was sent.
type purpose uint8

const (
	loading purpose = iota
	following
	comparing
)

// tell brings Status up to date, and signals when the connection's state has changed.
func (w *owner) tell(changed bool) {
	w.m.note(func(s *Status) {
		s.Nodes, s.Loading, s.Late = w.nodes, w.load != nil, w.late
		s.Polling = w.state.Plain && w.conn != nil && w.live.polling
	})
	if changed {
		w.m.signal()
	}
}

// note changes the Status.
func (m *Mirror) note(f func(*Status)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f(&m.status)
}

// wait returns how long the owner may sleep when nothing comes in.
func (w *owner) wait(now time.Time) time.Duration {
	next := now.Add(time.Hour)
	sooner := func(t time.Time) {
		if !t.IsZero() && t.Before(next) {
			next = t
		}
	}
	if w.unpublished() {
		sooner(w.published.at.Add(w.opts.Gap))
	}
	if len(w.flights) > 0 && w.loaded && w.lost.IsZero() {
		sooner(w.flights[0].sent.Add(w.patience()))
	}
	if w.state.Phase == zkc.Connected {
		if w.load != nil {
			if now.Before(w.calm) {
				sooner(w.calm)
			}
		} else {
			sooner(w.live.due(now))
			if w.live.flying == 0 && len(w.live.dirty) == 0 {
				sooner(w.sweep.due())
			}
		}
	}
	return max(next.Sub(now), 0)
}
