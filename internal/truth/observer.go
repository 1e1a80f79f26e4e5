package truth

import (
	"context"
	"sync"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/ensemble"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/zkc"
)

// observer is the console without its screen: a mirror of the tree, rounds of questions to the members, and the chain
// from picture to findings. It hands every result on and keeps the latest few.
type observer struct {
	mirror  *mirror.Mirror
	watcher *ensemble.Watcher
	take    func(published)

	mu     sync.Mutex
	recent []published // the last is the latest
	waits  *waits.Waits
	pics   int
	cancel context.CancelFunc
	done   chan struct{}
}

// observe starts the console's part: zk is how it reaches the tree, ens whom it asks. take is handed every result, in
// order.
func observe(zk zkc.Config, ens ensemble.Config, take func(published)) (*observer, error) {
	m, err := mirror.Start(context.Background(), zk, mirror.Options{})
	if err != nil {
		return nil, err
	}
	e, err := ensemble.Open(ens)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	o := &observer{mirror: m, take: take, watcher: ensemble.Watch(e, 0), cancel: cancel, done: make(chan struct{})}
	guard.Go(func() { o.run(ctx) })
	return o, nil
}

// run publishes at every change and round, and when time alone changes something.
func (o *observer) run(ctx context.Context) {
	defer close(o.done)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		due, stop := o.due()
		late := false
		select {
		case <-ctx.Done():
			stop()
			return
		case <-o.mirror.Changed():
		case <-o.watcher.Changed():
		case <-due:
			late = true
		case <-tick.C:
			if o.waits != nil && (o.waits.Suspects() || waits.Unsettled(o.waits.Result)) {
				o.watcher.Refresh() // as the console does, once a second at most
			}
			o.stand()
			stop()
			continue
		}
		stop()
		if s := o.mirror.Snapshot(); s.Complete {
			o.publish(s, late)
		}
	}
}

// stand hands the last result on once more: it is what is shown still.
func (o *observer) stand() {
	if n := len(o.recent); n > 0 {
		o.take(published{time.Now(), o.recent[n-1].res})
	}
}

// due fires when the last result changes with time alone, as the console has it.
func (o *observer) due() (<-chan time.Time, func()) {
	if o.waits == nil {
		return nil, func() {}
	}
	at := o.waits.Result.Due()
	if at.IsZero() || !o.waits.Result.Snapshot.LostSince.IsZero() {
		return nil, func() {}
	}
	t := time.NewTimer(max(time.Until(at), 0) + 50*time.Millisecond)
	return t.C, func() { t.Stop() }
}

// publish decodes and weighs what is known now, as the console does; late says that nothing came but time.
func (o *observer) publish(s *znode.Snapshot, late bool) {
	pic := o.watcher.Status()
	snap := *pic.Onto(s)
	if late {
		snap.TakenAt = time.Now()
	}
	var was *model.Result
	if o.waits != nil {
		was = o.waits.Result
	}
	res := inspect.Decode(&snap, was, hints)
	o.waits = waits.Of(res, o.waits)
	shown := o.waits.WithDeadlocks().With(pic.Findings()...)
	o.pics++
	p := published{time.Now(), shown}
	o.mu.Lock()
	if o.recent = append(o.recent, p); len(o.recent) > 8 {
		o.recent = append([]published(nil), o.recent[4:]...)
	}
	o.mu.Unlock()
	o.take(p)
}

// last returns what was shown before a moment; nil when nothing was.
func (o *observer) last(before time.Time) *published {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := len(o.recent) - 1; i >= 0; i-- {
		if o.recent[i].at.Before(before) {
			p := o.recent[i]
			return &p
		}
	}
	return nil
}

// close ends it.
func (o *observer) close() {
	o.cancel()
	<-o.done
	o.watcher.Close()
	o.mirror.Close()
}
