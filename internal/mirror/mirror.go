package mirror

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Mirror is a live tree. Make one with Start and end it with Close.
type Mirror struct {
	conn    *zkc.Conn
	log     *slog.Logger
	in      *inbox
	snap    atomic.Pointer[znode.Snapshot]
	changed chan struct{}

	cancel context.CancelFunc
	done   chan struct{}

	owner *owner // its goroutine's own

	mu     sync.Mutex
	status Status
}

// maxFrame bounds what a server may make us hold at once. It is far above what batches bring as a rule.
const maxFrame = 64 << 20

// Start connects and begins to mirror. It does not wait for a connection: until there is one, Snapshot is
// empty and not Complete. The Mirror lives until Close is called or ctx ends.
//
// The connection is the Mirror's own: cfg says where to, its Watches, ReadOnly and the like are replaced, and its
// OnState and OnEvent, where set, are called as well. Only a malformed cfg is an error; what goes wrong
// later is in Status.
func Start(ctx context.Context, cfg zkc.Config, o Options) (*Mirror, error) {
	m := &Mirror{in: newInbox(), changed: make(chan struct{}, 1), done: make(chan struct{})}
	if m.log = cfg.Log; m.log == nil {
		m.log = slog.New(slog.DiscardHandler)
	}
	o = o.withDefaults(cfg.Chroot)
	onState, onEvent := cfg.OnState, cfg.OnEvent
	cfg.ReadOnly, cfg.NoWait, cfg.Watches = true, true, []string{o.Root}
	cfg.RenewRefused = true // a session of ours holds nothing that could be lost
	cfg.OnState = func(s zkc.State) {
		m.in.state(s)
		if onState != nil {
			onState(s)
		}
	}
	cfg.OnEvent = func(ev wire.Event) {
		m.in.event(ev)
		if onEvent != nil {
			onEvent(ev)
		}
	}
	if cfg.MaxFrame == 0 {
		cfg.MaxFrame = maxFrame
	}
	w := newOwner(m, o)
	m.owner = w
	w.publish() // Snapshot is never nil
	conn, err := zkc.Dial(ctx, cfg)
	if err != nil {
		return nil, err
	}
	m.conn, w.conn = conn, conn
	ctx, m.cancel = context.WithCancel(ctx)
	guard.Go(func() {
		defer close(m.done)
		defer conn.Close()
		w.run(ctx)
	})
	return m, nil
}

// Changed delivers a signal after the snapshot or the state of the connection has changed. Signals that
// nobody takes merge into one; take the signal first and the Snapshot after it, and nothing is missed. The
// channel is never closed.
func (m *Mirror) Changed() <-chan struct{} { return m.changed }

// Snapshot returns the latest snapshot. It is never nil.
func (m *Mirror) Snapshot() *znode.Snapshot { return m.snap.Load() }

// Status returns how the Mirror is doing.
func (m *Mirror) Status() Status {
	m.mu.Lock()
	s := m.status
	m.mu.Unlock()
	s.State, s.Counters, s.Heard = m.conn.State(), m.conn.Counters(), m.conn.Heard()
	s.Delay, s.Trip = m.conn.Delay(), m.conn.Trip()
	s.Events, s.Coalesced = m.in.counts()
	if s.State.Phase == zkc.Failed {
		s.Err = s.State.Err
	}
	return s
}

// Close ends the connection and the Mirror's goroutines. It returns within two seconds. The last snapshot
// stays.
func (m *Mirror) Close() {
	m.cancel()
	<-m.done
}

// signal marks a change.
func (m *Mirror) signal() {
	select {
	case m.changed <- struct{}{}:
	default:
	}
}
