package cli

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/ensemble"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/tui/backend"
)

// askFor is how long the members of an ensemble may take to answer in all.
const askFor = 8 * time.Second

// secondLook is how long after a doubtful picture the next one is taken: a client on its way from one watch to the next
// is no lost waiter.
const secondLook = 1200 * time.Millisecond

// evidence is what the servers told beside the tree: kept for the commands that print it.
type evidence struct {
	picture *ensemble.Picture
	states  []waits.ServerState
	self    znode.SessionID
	cost    zkc.Counters
	asked   []string // paths that are to be read whatever the limits
	limits  bool     // also ask for what seldom changes
	patient bool     // look for as long as it takes to see whether a deadlock stands still
}

// ensembleConfig says how to ask the members for what a connection cannot tell.
func (c *command) ensembleConfig(cfg zkc.Config) ensemble.Config {
	e := ensemble.Config{Servers: cfg.Servers, Chroot: cfg.Chroot, TLS: cfg.TLS, Dial: cfg.Dial, Now: c.Now, Admin: c.flags.admin, Words: c.flags.words}
	if cfg.Dial != nil && len(e.Admin) == 0 {
		e.Admin = []string{"off"} // an embedded server has client ports only
	}
	return e
}

// readWith reads the tree over a connection and asks the ensemble about it, in this order: what the servers say must
// not be older than the claims that it is about. Where it makes somebody look lost or dead, both are done again.
func (c *command) readWith(ctx context.Context, conn *zkc.Conn, cfg zkc.Config, root string, prev *model.Result) (*model.Result, error) {
	own := c.ensembleConfig(cfg)
	own.Members = conn.EnsembleConfig
	own.Self = func() (int64, time.Time, time.Time) {
		st := conn.State()
		return st.Session, st.Since, conn.Heard()
	}
	ens, err := ensemble.Open(own)
	if err != nil {
		return nil, failure{code: exitUsage, err: err}
	}
	defer ens.Close()
	hints := c.hints()
	hints.Own = append(hints.Own, znode.SessionID(conn.State().Session))
	var res *model.Result
	alone := prev == nil // whoever reads again and again has looked before
	for look := 1; ; look++ {
		snap, err := mirror.Load(ctx, conn, c.mirrorOptions(root))
		if err != nil {
			return nil, err
		}
		res = inspect.Decode(c.tell(ctx, ens, snap), prev, hints)
		wait := c.again(res, look, alone)
		if wait == 0 || late(ctx, wait) {
			break
		}
		if prev = res; wait < waits.StandsStill {
			sleep(ctx, wait)
		} else if prev = c.watchOn(ctx, cfg, root, res, hints, wait); prev == nil {
			break // what happened in between was not seen, so that nothing is known to stand still
		}
	}
	c.seen.self, c.seen.cost = znode.SessionID(conn.State().Session), conn.Counters()
	return waits.Weigh(res, nil).Weighed().With(c.seen.picture.Findings()...), nil
}

// tell adds what the members say to a snapshot.
func (c *command) tell(ctx context.Context, ens *ensemble.Ensemble, snap *znode.Snapshot) *znode.Snapshot {
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	c.seen.picture = ens.Ask(ctx, ensemble.Want{Watches: true, Limits: c.seen.limits})
	c.seen.states = c.seen.picture.States()
	return onto(c.seen.picture, snap)
}

// onto returns the snapshot with what servers told.
func onto(p *ensemble.Picture, snap *znode.Snapshot) *znode.Snapshot {
	out := *p.Onto(snap)
	out.Ephemerals = p.Ephemerals
	return &out
}

// mostLooks is how often the tree is read at most before something is said.
const mostLooks = 3

// again says when to look again, after so many looks: what stands in doubt for a moment only is not told, and a deadlock
// is not called sure before it was seen to stand still. Zero: not at all.
func (c *command) again(r *model.Result, looks int, alone bool) time.Duration {
	switch {
	case looks == mostLooks:
	case c.seen.patient && waits.Weigh(r, nil).MayStand():
		return waits.StandsStill
	case looks == 1 && (alone && waits.Unsettled(r) || doubtful(r)):
		return secondLook
	}
	return 0
}

// late reports whether there is no time left to wait so long and to look once more.
func late(ctx context.Context, wait time.Duration) bool {
	end, limited := ctx.Deadline()
	return limited && time.Until(end) < wait+time.Second
}

// doubtful reports whether a result accuses somebody whom a moment may excuse.
func doubtful(r *model.Result) bool {
	for m := range r.Models.All() {
		for _, f := range m.Findings {
			if f.Code == model.CodeLostWaiter || f.Code == model.CodeOrphanEphemeral {
				return true
			}
		}
	}
	return false
}

// sleep waits; false when the context ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// witnessed is a source of pictures with what the members of the ensemble say. It owns the goroutine that tells of
// changes of either.
type witnessed struct {
	backend.Source
	watch   *ensemble.Watcher
	changed chan struct{}
	stop    chan struct{}
	done    chan struct{}
	asked   atomic.Int64 // when Refresh last asked, in nanoseconds
}

// witness begins to ask the ensemble behind a source. The caller closes the result.
func (c *command) witness(src backend.Source, m *mirror.Mirror, cfg zkc.Config) (*witnessed, error) {
	own := c.ensembleConfig(cfg)
	own.Members = func(ctx context.Context) ([]byte, error) {
		short := cfg
		short.GiveUp, short.Watches, short.OnEvent, short.OnState = 1, nil, nil, nil
		conn, err := zkc.Dial(ctx, short)
		if err != nil {
			return nil, err
		}
		defer conn.Close()
		return conn.EnsembleConfig(ctx)
	}
	own.Self = func() (int64, time.Time, time.Time) {
		st := m.Status()
		return st.State.Session, st.State.Since, st.Heard
	}
	ens, err := ensemble.Open(own)
	if err != nil {
		return nil, failure{code: exitUsage, err: err}
	}
	w := &witnessed{Source: src, watch: ensemble.Watch(ens, 0), changed: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	guard.Go(w.forward)
	return w, nil
}

// forward tells of changes until Close.
func (w *witnessed) forward() {
	defer close(w.done)
	for {
		select {
		case <-w.Source.Changed():
		case <-w.watch.Changed():
		case <-w.stop:
			return
		}
		select {
		case w.changed <- struct{}{}:
		default:
		}
	}
}

// Changed has a value when the tree or what the servers say has changed.
func (w *witnessed) Changed() <-chan struct{} { return w.changed }

// Take returns the newest snapshot with the newest evidence.
func (w *witnessed) Take() (*znode.Snapshot, backend.Link) {
	snap, link := w.Source.Take()
	if p := w.watch.Picture(); p != nil {
		snap, link.Advice = onto(p, snap), p.Advice()
	}
	return snap, link
}

// Read has a znode read by itself of which only the name was read.
func (w *witnessed) Read(path string) {
	if r, ok := w.Source.(backend.Reader); ok {
		r.Read(path)
	}
}

// Servers returns the members of the ensemble as they were last seen; nil before that.
func (w *witnessed) Servers() []waits.ServerState { return w.watch.Picture().States() }

// Extra returns the findings that only the members together tell: those that do not answer, znodes that they disagree on,
// clocks that are off.
func (w *witnessed) Extra() []model.Finding { return w.watch.Picture().Findings() }

// Refresh asks the members soon: once a second at most, whoever calls.
func (w *witnessed) Refresh() {
	now, last := time.Now().UnixNano(), w.asked.Load()
	if now-last >= int64(time.Second) && w.asked.CompareAndSwap(last, now) {
		w.watch.Refresh()
	}
}

// Close ends the asking.
func (w *witnessed) Close() {
	close(w.stop)
	<-w.done
	w.watch.Close()
}
