package ensemble

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/zkscope/zkscope/internal/guard"
)

// Watcher asks an ensemble again and again. Make one with Watch and end it with Close.
type Watcher struct {
	e       *Ensemble
	last    atomic.Pointer[Status]
	changed chan struct{}
	again   chan struct{}
	cancel  context.CancelFunc
	done    chan struct{}
}

// slowest is how long members are left alone at most whom TLS keeps us from: each word costs them a handshake.
const slowest = time.Minute

// Watch begins to ask every interval, DefaultInterval when it is 0. Rounds never overlap: a slow one delays the next. As long as
// the members refuse our certificate, or we theirs, rounds become ever fewer, until Refresh.
// Watches are listed where they are few enough. The Watcher owns the Ensemble from then on.
func Watch(e *Ensemble, interval time.Duration) *Watcher {
	if interval <= 0 {
		interval = DefaultInterval
	}
	ctx, cancel := context.WithCancel(context.Background())
	w := &Watcher{e: e, changed: make(chan struct{}, 1), again: make(chan struct{}, 1), cancel: cancel, done: make(chan struct{})}
	guard.Go(func() { w.run(ctx, interval) })
	return w
}

// run asks until Close.
func (w *Watcher) run(ctx context.Context, interval time.Duration) {
	defer close(w.done)
	defer w.e.Close()
	for pause := interval; ; {
		st := w.e.Ask(ctx, Want{Watches: true})
		if ctx.Err() != nil {
			return
		}
		w.last.Store(st)
		select {
		case w.changed <- struct{}{}:
		default:
		}
		if pause = min(2*pause, max(slowest, interval)); !w.e.shut() {
			pause = interval
		}
		t := time.NewTimer(pause)
		select {
		case <-t.C:
		case <-w.again:
			t.Stop()
			pause = interval
		case <-ctx.Done():
			t.Stop()
			return
		}
	}
}

// Status returns the latest; nil before the first round is over. It does not block.
func (w *Watcher) Status() *Status { return w.last.Load() }

// Changed has a value when a round ended since it was last read. The channel has one slot.
func (w *Watcher) Changed() <-chan struct{} { return w.changed }

// Refresh asks for a round as soon as the present one is over.
func (w *Watcher) Refresh() {
	select {
	case w.again <- struct{}{}:
	default:
	}
}

// Close ends the asking and waits for it.
func (w *Watcher) Close() {
	w.cancel()
	<-w.done
}
