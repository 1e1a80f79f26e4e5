package truth

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkscope/zkscope/internal/guard"
)

// proc is a process: a name, a host, and a session that all its threads share.
type proc struct {
	w     *world
	name  string
	host  string
	lives int
	hung  atomic.Bool
	wg    sync.WaitGroup
	work  []func(*thread) // what its threads do, each life anew
	names bool            // each thread writes its own name into its claims

	ending chan struct{} // one slot: held by whoever ends or starts it
	mu     sync.Mutex
	c      *client
	awake  chan struct{} // closed while the threads run
}

// thread is one thread of a process. Its wishes and holdings are kept by the oracle.
type thread struct {
	w      *world
	p      *proc
	c      *client
	number int
	rng    *rand.Rand

	wants *stake   // guarded by the oracle
	has   []*stake // guarded by the oracle
}

// String names the thread in stories.
func (th *thread) String() string {
	return fmt.Sprintf("%s#%d(%#x)", th.p.name, th.number, uint64(th.c.id))
}

// drop takes a claim from the thread. The oracle calls it.
func (th *thread) drop(s *stake) {
	if th.wants == s {
		th.wants = nil
	}
	th.has = slices.DeleteFunc(th.has, func(x *stake) bool { return x == s })
}

// process makes a process, which begins with start.
func (w *world) process(name string, work ...func(*thread)) *proc {
	w.hosts++
	awake := make(chan struct{})
	close(awake)
	p := &proc{w: w, name: name, host: fmt.Sprintf("10.0.%d.%d", w.hosts/200, w.hosts%200+1), work: work, awake: awake, ending: make(chan struct{}, 1)}
	w.procs = append(w.procs, p)
	return p
}

// start gives the process a session and runs its threads.
func (p *proc) start() bool {
	p.lives++
	c, err := connect(p.w.srv, p.w.tr, fmt.Sprintf("%s:%d", p.host, 40000+p.w.port()), p.w.timeout())
	if err != nil {
		return false
	}
	p.mu.Lock()
	p.c = c
	p.mu.Unlock()
	p.w.opened(c)
	for i, do := range p.work {
		p.spawn(c, i, do)
	}
	return true
}

// spawn starts one more thread.
func (p *proc) spawn(c *client, i int, do func(*thread)) {
	th := &thread{w: p.w, p: p, c: c, number: i, rng: p.w.fork()}
	p.wg.Add(1)
	guard.Go(func() {
		defer p.wg.Done()
		do(th)
	})
}

// session is the one that the process has now.
func (p *proc) session() *client {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.c
}

// kill ends the process without a word; its session expires when its time has come.
func (p *proc) kill() {
	p.w.tr.died(p.session().id)
	p.session().kill()
	p.resume()
	p.wg.Wait()
}

// stop ends the process in order: its session is closed.
func (p *proc) stop() {
	p.w.tr.died(p.session().id)
	p.session().close()
	p.resume()
	p.wg.Wait()
}

// hang stops all threads; the library goes on to ping.
func (p *proc) hang() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.hung.Load() {
		p.hung.Store(true)
		p.awake = make(chan struct{})
	}
}

// resume lets the threads go on.
func (p *proc) resume() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hung.Load() {
		p.hung.Store(false)
		close(p.awake)
	}
}

// nap waits for some time between two bounds, and for as long as the process hangs; false when the session is over.
func (th *thread) nap(least, most time.Duration) bool {
	if !th.c.sleep(least + time.Duration(th.rng.Int64N(int64(most-least)))) {
		return false
	}
	return th.run()
}

// run waits while the process hangs; false when the session is over.
func (th *thread) run() bool {
	th.p.mu.Lock()
	awake := th.p.awake
	th.p.mu.Unlock()
	select {
	case <-awake:
	case <-th.c.over:
	}
	return !th.c.isOver()
}

// lag is the time that a request takes on its way.
func (th *thread) lag() bool { return th.nap(200*time.Microsecond, 3*time.Millisecond) }

// await waits for an event, at most for a time when it is not zero; came is false when that passed first, ok when the
// session was over.
func (th *thread) await(ch <-chan struct{}, most time.Duration) (came, ok bool) {
	var late <-chan time.Time
	if most > 0 {
		t := time.NewTimer(most)
		defer t.Stop()
		late = t.C
	}
	select {
	case <-ch:
		return true, th.lag()
	case <-late:
		return false, th.lag()
	case <-th.c.over:
		return false, false
	}
}

// sometimes is true once in so many.
func (th *thread) sometimes(n int) bool { return th.rng.IntN(n) == 0 }
