package truth

import (
	"context"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/ensemble"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// observer is the console without its screen: a mirror of the tree, rounds of questions to the members, and the chain
// from picture to findings. It hands every result to the judge and keeps the latest few.
type observer struct {
	mirror  *mirror.Mirror
	watcher *ensemble.Watcher
	judge   *judge

	mu     sync.Mutex
	recent []published // the last is the latest
	waits  *inspect.Waits
	pics   int
	cancel context.CancelFunc
	done   chan struct{}
}

// observe starts the console's part of a world.
func observe(srv *zkserver.Server, mem *members, j *judge, own func(int64)) (*observer, error) {
	var m *mirror.Mirror
	cfg := zkc.Config{Servers: []string{memberAddrs[0]}, Session: 10 * time.Second,
		Dial:    func(ctx context.Context, _, _ string) (net.Conn, error) { return srv.DialFrom(ctx, "10.9.9.9:50000") },
		OnState: func(s zkc.State) { own(s.Session) }}
	m, err := mirror.Start(context.Background(), cfg, mirror.Options{})
	if err != nil {
		return nil, err
	}
	e, err := ensemble.Open(ensemble.Config{Servers: memberAddrs, Admin: []string{"off"}, Dial: mem.dial})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	o := &observer{mirror: m, judge: j, watcher: ensemble.Watch(e, 0), cancel: cancel, done: make(chan struct{})}
	guard.Go(func() { o.run(ctx) })
	return o, nil
}

// run publishes at every change and round, and each second.
func (o *observer) run(ctx context.Context) {
	defer close(o.done)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.mirror.Changed():
		case <-o.watcher.Changed():
		case <-tick.C:
			if o.waits != nil && suspects(o.waits) {
				o.watcher.Refresh() // as the console does, once a second at most
			}
		}
		if s := o.mirror.Snapshot(); s.Complete {
			o.publish(s)
		}
	}
}

// publish decodes and weighs what is known now, as the console does.
func (o *observer) publish(s *inspect.Snapshot) {
	pic := o.watcher.Picture()
	snap := *pic.Onto(s)
	snap.TakenAt = time.Now()
	var was *inspect.Result
	if o.waits != nil {
		was = o.waits.Result
	}
	res := inspect.Decode(&snap, was, hints)
	o.waits = inspect.Weigh(res, o.waits)
	shown := o.waits.Weighed().With(pic.Findings()...)
	o.pics++
	p := published{time.Now(), shown}
	o.mu.Lock()
	if o.recent = append(o.recent, p); len(o.recent) > 8 {
		o.recent = append([]published(nil), o.recent[4:]...)
	}
	o.mu.Unlock()
	o.judge.take(p)
}

// suspects reports whether the console would have the members asked soon.
func suspects(w *inspect.Waits) bool {
	return slices.ContainsFunc(w.Cycles, func(c inspect.Cycle) bool { return c.Proof == inspect.Likely })
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
