package recipes_test

import (
	"context"
	"fmt"
	"log"
	"net"
	"time"

	"github.com/zkscope/zkscope/internal/zkserver"
	"github.com/zkscope/zkscope/recipes"
)

// dial opens a session on a server in memory; with a real one, Servers is all that it takes.
func dial(server *zkserver.Server) *recipes.Session {
	s, err := recipes.Dial(context.Background(), recipes.Config{Servers: []string{"zk1:2181"},
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { return server.Dial(ctx) }})
	if err != nil {
		log.Fatal(err)
	}
	return s
}

// open starts a server and a session; done ends both.
func open() (server *zkserver.Server, s *recipes.Session, done func()) {
	server = zkserver.New(zkserver.Options{})
	s = dial(server)
	return server, s, func() { s.Close(); server.Close() }
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func ExampleLock() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	held := must(s.Lock("/locks/orders", recipes.Options{Name: "web-1"}).Acquire(ctx))
	select {
	case <-held.Lost():
		fmt.Println("somebody else may hold it now")
	default:
		fmt.Println("held, with a fencing token:", held.Token() > 0)
	}
	check(held.Release(ctx))
	// Output: held, with a fencing token: true
}

func ExampleSingleLock() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	held := must(s.SingleLock("/locks/one", recipes.Options{}).Acquire(ctx))
	_, err := s.SingleLock("/locks/one", recipes.Options{}).TryAcquire(ctx)
	fmt.Println(err)
	check(held.Release(ctx))
	// Output: acquire /locks/one: znode exists already
}

func ExampleSharedLock() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	lock := s.SharedLock("/rw/catalog", recipes.Options{})
	writing := must(lock.Write(ctx))
	reading := must(lock.Downgrade(ctx, writing)) // nobody wrote in between
	other := must(lock.Read(ctx))
	fmt.Println("two readers")
	check(other.Release(ctx))
	check(reading.Release(ctx))
	// Output: two readers
}

func ExampleSession_Revoke() {
	server, s, done := open()
	defer done()
	ctx := context.Background()
	batch := must(s.Lock("/locks/nightly", recipes.Options{Revocable: true}).Acquire(ctx))
	go func() {
		<-batch.Revoked()
		check(batch.Release(ctx)) // or not: it is a request
	}()
	operator := dial(server)
	defer operator.Close()
	broken := must(operator.Revoke(ctx, batch.Path(), recipes.Revocation{Deadline: time.Minute}))
	fmt.Println("had to be broken:", broken)
	// Output: had to be broken: false
}

func ExampleOptions_onRevoke() {
	server, s, done := open()
	defer done()
	ctx := context.Background()
	consent := func(c *recipes.Claim) bool {
		fmt.Println("asked: finish, then let go")
		return true
	}
	held := must(s.Lock("/locks/nightly", recipes.Options{OnRevoke: consent}).Acquire(ctx))
	operator := dial(server)
	defer operator.Close()
	must(operator.Revoke(ctx, held.Path(), recipes.Revocation{}))
	fmt.Println("gone")
	// Output:
	// asked: finish, then let go
	// gone
}

func ExampleSemaphore() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	pool := s.Semaphore("/pools/licences", 2, recipes.Options{})
	a, b := must(pool.Acquire(ctx)), must(pool.Acquire(ctx))
	brief, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
	defer cancel()
	_, err := pool.Acquire(brief)
	fmt.Println("a third:", err != nil)
	check(a.Release(ctx))
	check(b.Release(ctx))
	// Output: a third: true
}

func ExampleElection() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	e := s.Election("/election/scheduler", recipes.Options{Name: "sched-1"})
	leading := must(e.Campaign(ctx))
	ready := must(e.Acknowledge(ctx, leading)) // the leader procedure has run
	for l, err := range e.Observe(ctx) {
		fmt.Println(string(l.Data), "leads, acknowledged:", l.Acknowledged, err)
		break
	}
	check(ready.Release(ctx))
	check(e.Resign(ctx, leading))
	// Output: sched-1 leads, acknowledged: true <nil>
}

func ExampleBarrier() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	b := s.Barrier("/barriers/deploy", recipes.Options{Name: "ops"})
	check(b.Close(ctx))
	go func() { check(b.Open(ctx)) }()
	check(b.Wait(ctx))
	fmt.Println("open")
	// Output: open
}

func ExampleDoubleBarrier() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	b := s.DoubleBarrier("/barriers/nightly", 2, recipes.Options{})
	left := make(chan bool)
	for range 2 {
		go func() {
			member := must(b.Enter(ctx)) // both begin together
			check(b.Leave(ctx, member))  // both end together
			left <- true
		}()
	}
	fmt.Println(<-left, <-left)
	// Output: true true
}

func ExampleQueue() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	q := s.Queue("/queues/mail", recipes.QueueOptions{})
	check(q.Put(ctx, []byte("to: a")))
	check(q.Put(ctx, []byte("to: b")))
	item := must(q.Take(ctx))
	fmt.Println(string(item.Data))
	check(item.Return(ctx)) // as if we had died
	item = must(s.Queue("/queues/mail", recipes.QueueOptions{}).Take(ctx))
	fmt.Println(string(item.Data))
	check(item.Done(ctx))
	// Output:
	// to: a
	// to: a
}

func ExamplePriorityQueue() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	q := s.PriorityQueue("/queues/jobs", recipes.QueueOptions{})
	check(q.Put(ctx, 50, []byte("later")))
	check(q.Put(ctx, 10, []byte("first")))
	item := must(q.Take(ctx))
	fmt.Println(item.Priority, string(item.Data))
	check(item.Done(ctx))
	// Output: 10 first
}

func ExampleDelayQueue() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	q := s.DelayQueue("/queues/retries", recipes.QueueOptions{})
	check(q.Put(ctx, time.Now().Add(20*time.Millisecond), []byte("again")))
	item := must(q.Take(ctx))
	fmt.Println(string(item.Data), !time.Now().Before(item.Due))
	check(item.Done(ctx))
	// Output: again true
}

func ExampleTwoPhase() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	tx := s.TwoPhase("/app/tx1", recipes.TwoPhaseOptions{Coordinated: true})
	sites := []string{"s_1", "s_2"}
	check(tx.Begin(ctx, []byte("move 5 from a to b"), sites))
	check(tx.Vote(ctx, "s_2", recipes.Abort)) // one decides
	fmt.Println(tx.Decide(ctx, sites))
	fmt.Println(tx.Await(ctx)) // what a site learns
	check(tx.End(ctx))
	// Output:
	// abort <nil>
	// abort <nil>
}

func ExampleMembership() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	member := must(s.Membership("/groups/web", recipes.Options{Name: "web-1", Data: []byte("10.0.0.1:80")}).Join(ctx))
	for _, m := range must(s.Membership("/groups/web", recipes.Options{}).Members(ctx)) {
		fmt.Println(m.Name, string(m.Data))
	}
	check(member.Release(ctx))
	// Output: web-1 10.0.0.1:80
}

func ExampleConfiguration() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	c := s.Configuration("/config/port")
	check(c.Set(ctx, []byte("8090"), recipes.AnyVersion))
	for v, err := range c.Watch(ctx) {
		fmt.Println(string(v.Data), v.Version, err)
		break
	}
	fmt.Println(c.Set(ctx, []byte("8091"), 7))
	// Output:
	// 8090 0 <nil>
	// set /config/port: version does not match: the znode was changed
}

func ExampleRendezvous() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	r := s.Rendezvous("/rendezvous/master")
	arranged := must(r.Arrange(ctx))
	go func() { check(r.Fill(ctx, []byte("10.0.0.1:8080"))) }()
	fmt.Println(string(must(r.Wait(ctx))))
	check(arranged.Release(ctx))
	// Output: 10.0.0.1:8080
}

func ExampleCounter() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	c := s.Counter("/counters/jobs", recipes.Options{})
	must(c.Add(ctx, 40))
	fmt.Println(c.Add(ctx, 2))
	// Output: 42 <nil>
}

func ExampleNameService() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	n := s.NameService("/names")
	check(n.Bind(ctx, "db", []byte("10.0.0.5:5432")))
	fmt.Println(string(must(n.Lookup(ctx, "db"))))
	// Output: 10.0.0.5:5432
}

func ExampleService() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	web := s.Service("/services", "web")
	registered := must(web.Register(ctx, recipes.Instance{ID: "web-1", Address: "10.0.0.1", Port: 80}))
	for _, i := range must(web.Instances(ctx)) {
		fmt.Println(i.ID, i.Address, i.Port)
	}
	check(registered.Release(ctx))
	// Output: web-1 10.0.0.1 80
}
