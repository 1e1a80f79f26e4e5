package docs

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/zkserver"
	"github.com/zkscope/zkscope/recipes"
)

// world is an ensemble of one embedded server on which the guide's recipes stand still: who holds and who waits never changes
// unless a command line does it.
type world struct {
	t      *testing.T
	ctx    context.Context
	server *zkserver.Server
	addr   string
}

func newWorld(t *testing.T, deadlocked bool) *world {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w := &world{t: t, ctx: ctx, server: zkserver.New(zkserver.Options{})}
	t.Cleanup(func() { w.server.Close() })
	t.Cleanup(cancel)
	addr, err := w.server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.addr = addr.String()
	w.locks()
	if deadlocked {
		w.deadlock()
	}
	w.others()
	return w
}

// locks are two contended ones, one of which can be asked for, and a reader before a writer.
func (w *world) locks() {
	for _, path := range []string{"/locks/orders", "/locks/nightly"} {
		o := recipes.Options{Revocable: path == "/locks/nightly"}
		if !o.Revocable {
			o.Dialect = recipes.Curator
		}
		for _, who := range []string{"-1", "-2"} {
			o.Name = map[bool]string{true: "batch", false: "web"}[o.Revocable] + who
			w.stand(path, w.session().Lock(path, o).Acquire)
		}
	}
	report := func(name string) recipes.SharedLock {
		return w.session().SharedLock("/rw/report", recipes.Options{Name: name, Revocable: true})
	}
	w.stand("/rw/report", report("reader-old").Read)
	w.stand("/rw/report", report("writer-1").Write)
}

// deadlock is two sessions that take two locks in opposite order.
func (w *world) deadlock() {
	a, b := w.session(), w.session()
	for _, x := range []struct {
		s          *recipes.Session
		path, name string
	}{{a, "/pair/debit", "pay-1"}, {b, "/pair/credit", "pay-2"}, {a, "/pair/credit", "pay-1"}, {b, "/pair/debit", "pay-2"}} {
		w.stand(x.path, x.s.Lock(x.path, recipes.Options{Name: x.name}).Acquire)
	}
}

// others are an election, barriers, a transaction, a queue and a value.
func (w *world) others() {
	for _, name := range []string{"sched-1", "sched-2", "sched-3"} {
		w.stand("/election/scheduler", w.session().Election("/election/scheduler", recipes.Options{Name: name}).Campaign)
	}
	for _, name := range []string{"loader-1", "loader-2"} {
		w.stand("/barriers/loaded", w.session().DoubleBarrier("/barriers/loaded", 3, recipes.Options{Name: name}).Enter)
	}
	s := w.session()
	w.check(s.Barrier("/barriers/release", recipes.Options{Name: "director"}).Close(w.ctx))
	tx := s.TwoPhase("/tx/transfer", recipes.TwoPhaseOptions{})
	w.check(tx.Begin(w.ctx, []byte("move 100 from a to b"), []string{"s_1", "s_2", "s_3"}))
	w.check(tx.Vote(w.ctx, "s_1", recipes.Commit))
	w.check(s.Queue("/queues/mail", recipes.QueueOptions{}).Put(w.ctx, []byte(`{"to":"user-1"}`)))
	w.check(s.Configuration("/config/limits").Set(w.ctx, []byte(`{"rate":100}`), recipes.AnyVersion))
}

// session is one that lives as long as the world.
func (w *world) session() *recipes.Session {
	w.t.Helper()
	s, err := recipes.Dial(w.ctx, recipes.Config{Servers: []string{w.addr}})
	w.check(err)
	w.t.Cleanup(s.Close)
	return s
}

// stand has somebody take a place in a line, held or waiting, and returns when its znode is there. What holds lets go when it is
// asked to.
func (w *world) stand(path string, take func(context.Context) (*recipes.Claim, error)) {
	w.t.Helper()
	before := len(w.claims(path))
	go func() {
		c, err := take(w.ctx)
		if err != nil {
			return // the world has ended, or somebody broke it
		}
		select {
		case <-c.Revoked():
			_ = c.Release(w.ctx)
		case <-c.Lost():
		case <-w.ctx.Done():
		}
	}()
	for end := time.Now().Add(10 * time.Second); len(w.claims(path)) == before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("nobody came to %s", path)
		}
	}
}

// claims are the children of a path.
func (w *world) claims(path string) (out []string) {
	for p := range w.server.Tree() {
		if rest, ok := strings.CutPrefix(p, path+"/"); ok && !strings.Contains(rest, "/") {
			out = append(out, p)
		}
	}
	return out
}

// holder is the znode with the lowest sequence of a path.
func (w *world) holder(path string) string {
	w.t.Helper()
	for _, c := range w.claims(path) {
		if strings.HasSuffix(c, "0000000000") {
			return c
		}
	}
	w.t.Fatalf("nobody holds %s", path)
	return ""
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}
