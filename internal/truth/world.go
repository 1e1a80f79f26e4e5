package truth

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/zkscope/zkscope/internal/ensemble"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// Length is how long a world lasts, in virtual time.
const Length = 10 * time.Minute

// world is one generated world: a server, processes, what goes wrong, a console that looks on, and the oracle.
type world struct {
	seed uint64
	rng  *rand.Rand // of the one goroutine that builds the world
	srv  *zkserver.Server
	mem  *members
	tr   *oracle
	s    *score
	bad  *failures
	obs  *observer
	root *client // makes directories and follows every znode

	mu    sync.Mutex
	forks *rand.Rand // seeds of threads, in the order in which they start
	ports int
	hosts int
	procs []*proc
	conns []*client
	wg    sync.WaitGroup
	end   chan struct{}
	jobs  []func() // what runs beside the processes
	used  map[string]bool
}

// Report is what came of a world.
type Report struct {
	Seed     uint64
	Failures []Story // what was said falsely and gravely, not told in time, or did not come true
	Pictures int
	score    *score
	facts    []*span
}

// Run plays the world of a seed for a time and judges it. It has to be called in a bubble of testing/synctest. stories
// bounds how many failures are told; only, where it is not empty, names the code whose stories are wanted, whatever its
// severity.
func Run(seed uint64, length time.Duration, stories int, only string) (*Report, error) {
	w := &world{seed: seed, rng: rand.New(rand.NewPCG(seed, 1)), forks: rand.New(rand.NewPCG(seed, 2)), srv: zkserver.New(zkserver.Options{}),
		tr: newOracle(), s: newScore(), end: make(chan struct{}), used: map[string]bool{}}
	w.bad = &failures{seed: seed, most: stories, only: only, count: map[string]int{}}
	w.tr.keep, w.tr.bad = stories > 0, w.bad
	w.mem = newMembers(w.srv, rand.New(rand.NewPCG(seed, 3)), 120*time.Millisecond)
	w.mem.listed, w.tr.kept = w.tr.listed, w.mem.kept
	defer w.srv.Close()
	if err := w.prepare(); err != nil {
		return nil, err
	}
	w.play(length)
	now := time.Now()
	w.tr.mu.Lock()
	w.tr.recallOf(w.s, now, w.mem, w.bad)
	w.tr.mu.Unlock()
	return &Report{Seed: seed, Failures: w.bad.stories, Pictures: w.obs.pics, score: w.s, facts: w.tr.facts.all}, nil
}

// prepare connects the oracle's own eye and the console.
func (w *world) prepare() (err error) {
	w.tr.lives = func(id int64) bool {
		return slices.ContainsFunc(w.srv.Sessions(), func(s zkserver.SessionInfo) bool { return s.ID == id })
	}
	if w.root, err = connect(w.srv, w.tr, "10.9.9.8:50001", 30*time.Second); err != nil {
		return err
	}
	w.own(w.root.id)
	w.root.follow = func(ev wire.Event) {
		if ev.Type == wire.EventDeleted {
			w.tr.went(ev.Path)
		}
	}
	if _, _, err = w.root.do(wire.OpAddWatch, func(e *wire.Encoder) {
		e.String("/")
		e.Int32(wire.WatchPersistentRecursive)
	}); err != nil {
		return err
	}
	zk := zkc.Config{Servers: memberAddrs[:1], Session: 10 * time.Second, OnState: func(s zkc.State) { w.own(s.Session) },
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { return w.srv.DialFrom(ctx, "10.9.9.9:50000") }}
	ens := ensemble.Config{Servers: memberAddrs, Admin: []string{"off"}, Dial: w.mem.dial}
	w.obs, err = observe(zk, ens, newJudge(w.tr, w.s, w.bad).take)
	if err == nil {
		w.tr.last = w.obs.last
	}
	return err
}

// own marks a session as the bench's or the console's.
func (w *world) own(id int64) {
	w.tr.mu.Lock()
	w.tr.own[id] = true
	w.tr.mu.Unlock()
}

// play builds the world, lets it run, and ends it.
func (w *world) play(length time.Duration) {
	w.build()
	for _, p := range w.procs {
		p.start()
	}
	for _, job := range w.jobs {
		w.wg.Add(1)
		guard.Go(func() {
			defer w.wg.Done()
			job()
		})
	}
	time.Sleep(length)
	w.obs.close()
	close(w.end)
	w.wg.Wait()
	for _, p := range w.procs {
		p.resume()
		p.session().kill()
		p.wg.Wait()
	}
	w.root.kill()
	w.mu.Lock()
	conns := w.conns
	w.mu.Unlock()
	for _, c := range append(conns, w.root) {
		c.wg.Wait()
	}
	w.mem.wg.Wait()
}

// rest waits; false when the world ended first.
func (w *world) rest(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-w.end:
		return false
	}
}

// job runs something beside the processes, with numbers of its own.
func (w *world) job(do func(rng *rand.Rand)) {
	rng := rand.New(rand.NewPCG(w.rng.Uint64(), 4))
	w.jobs = append(w.jobs, func() { do(rng) })
}

// fork returns numbers for one thread.
func (w *world) fork() *rand.Rand {
	w.mu.Lock()
	defer w.mu.Unlock()
	return rand.New(rand.NewPCG(w.forks.Uint64(), w.seed))
}

func (w *world) port() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ports++
	return w.ports
}

// timeout is a session's, of those that are usual.
func (w *world) timeout() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return []time.Duration{6, 10, 10, 30}[w.forks.IntN(4)] * time.Second
}

func (w *world) opened(c *client) {
	w.mu.Lock()
	w.conns = append(w.conns, c)
	w.mu.Unlock()
}

// dir makes a directory with all its parents.
func (w *world) dir(path string, data string) string {
	for i := 1; i < len(path); i++ {
		if path[i] == '/' {
			_, _, _ = w.root.create(path[:i], nil, wire.FlagPersistent)
		}
	}
	_, _, _ = w.root.create(path, []byte(data), wire.FlagPersistent)
	return path
}

// between picks a duration.
func between(rng *rand.Rand, least, most time.Duration) time.Duration {
	return least + time.Duration(rng.Int64N(int64(most-least)+1))
}

func pick[E any](rng *rand.Rand, list ...E) E { return list[rng.IntN(len(list))] }

// name makes a name of a place.
func (w *world) name(kind string) string {
	return fmt.Sprintf("%s-%s", pick(w.rng, "orders", "billing", "mail", "index", "stock", "reports", "users"), kind)
}
