package recipes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
)

// act is one client's way through a recipe, together with the other clients that it takes. It is played as it
// is, and again with every one of the client's requests going wrong in some way.
type act struct {
	name string
	play func(p *play) error

	keeps   []string // what may stay: persistent directories of queues and kazoo's recipes, and values
	unknown bool     // a lost reply may end it with ErrUnknown
}

// play is one performance of an act.
type play struct {
	ctx  context.Context // of the client under test: it may end at any request
	s    *Session        // the client under test: it may be lost at any request
	help *Session        // the others: nothing goes wrong for them
	off  context.Context // ends with the play
	wait func()          // waits for what was begun with meanwhile
	run  func(func())
	beat time.Duration // how long things take
	stop func()        // ends what was begun with meanwhile
}

// meanwhile lets the others do something beside the client under test.
func (p *play) meanwhile(f func(ctx context.Context)) { p.run(func() { f(p.off) }) }

// hold has another client hold something that it was granted until a while later.
func (p *play) hold(acquire func(context.Context) (*Claim, error)) error {
	c, err := acquire(p.off)
	if err != nil {
		return err
	}
	p.meanwhile(func(ctx context.Context) {
		select {
		case <-time.After(p.beat):
		case <-c.Revoked():
		case <-ctx.Done():
		}
		_ = c.Release(ctx)
	})
	return nil
}

// turn acquires and releases.
func (p *play) turn(acquire func(context.Context) (*Claim, error)) error {
	c, err := acquire(p.ctx)
	if err != nil {
		return err
	}
	if c.Token() == 0 {
		return errors.New("a claim without a token")
	}
	return c.Release(p.ctx)
}

func contend(claim func(*Session) func(context.Context) (*Claim, error), rival func(*Session) func(context.Context) (*Claim, error)) func(*play) error {
	return func(p *play) error {
		if err := p.hold(rival(p.help)); err != nil {
			return err
		}
		return p.turn(claim(p.s))
	}
}

func lockActs() (out []act) {
	for _, d := range Dialects(layout.Lock) {
		lock := func(s *Session) func(context.Context) (*Claim, error) {
			return s.Lock("/l", Options{Dialect: d, Name: "n"}).Acquire
		}
		out = append(out, act{name: "lock " + string(d), play: contend(lock, lock), keeps: []string{"/l"}})
	}
	for _, d := range Dialects(layout.SharedLock) {
		o := Options{Dialect: d, Name: "n"}
		read := func(s *Session) func(context.Context) (*Claim, error) { return s.SharedLock("/rw", o).Read }
		write := func(s *Session) func(context.Context) (*Claim, error) { return s.SharedLock("/rw", o).Write }
		out = append(out, act{name: "read " + string(d), play: contend(read, write), keeps: []string{"/rw"}},
			act{name: "write " + string(d), play: contend(write, read), keeps: []string{"/rw"}},
			act{name: "downgrade " + string(d), keeps: []string{"/rw"}, play: func(p *play) error {
				w, err := write(p.s)(p.ctx)
				if err != nil {
					return err
				}
				r, err := p.s.SharedLock("/rw", o).Downgrade(p.ctx, w)
				if err != nil {
					return errors.Join(err, w.Release(p.ctx))
				}
				return r.Release(p.ctx)
			}})
	}
	single := func(s *Session) func(context.Context) (*Claim, error) {
		return s.SingleLock("/d/one", Options{}).Acquire
	}
	return append(out, act{name: "single lock", play: contend(single, single)})
}

func grantActs() (out []act) {
	for _, d := range Dialects(layout.Semaphore) {
		lease := func(s *Session) func(context.Context) (*Claim, error) {
			return s.Semaphore("/sem", 1, Options{Dialect: d}).Acquire
		}
		out = append(out, act{name: "semaphore " + string(d), play: contend(lease, lease), keeps: []string{"/sem", "/sem-__lock__"}})
	}
	for _, d := range Dialects(layout.Election) {
		campaign := func(s *Session) func(context.Context) (*Claim, error) {
			return s.Election("/e", Options{Dialect: d, Name: "n"}).Campaign
		}
		out = append(out, act{name: "election " + string(d), play: contend(campaign, campaign), keeps: []string{"/e"}})
	}
	return append(out,
		act{name: "acknowledged leader", play: func(p *play) error {
			e := p.s.Election("/e", Options{Name: "n"})
			c, err := e.Campaign(p.ctx)
			if err != nil {
				return err
			}
			ack, err := e.Acknowledge(p.ctx, c)
			if err != nil {
				return errors.Join(err, c.Release(p.ctx))
			}
			l, err := e.Leader(p.ctx)
			if err == nil && (!l.Acknowledged || string(l.Data) != "n" || l.Token != c.Token()) {
				err = fmt.Errorf("leader %+v", l)
			}
			return errors.Join(err, ack.Release(p.ctx), e.Resign(p.ctx, c))
		}},
		act{name: "revoke", play: func(p *play) error {
			c, err := p.help.Lock("/l", Options{Revocable: true}).Acquire(p.off)
			if err != nil {
				return err
			}
			p.meanwhile(func(ctx context.Context) {
				select {
				case <-c.Revoked():
				case <-ctx.Done():
				}
				_ = c.Release(ctx)
			})
			broken, err := p.s.Revoke(p.ctx, c.Path(), Revocation{})
			if broken {
				return errors.New("broken without a deadline")
			}
			return err
		}},
		act{name: "break", play: func(p *play) error {
			c, err := p.help.Lock("/l", Options{}).Acquire(p.off)
			if err != nil {
				return err
			}
			broken, err := p.s.Revoke(p.ctx, c.Path(), Revocation{Deadline: p.beat})
			if err == nil && !broken {
				return errors.New("not broken at the deadline")
			}
			return errors.Join(err, c.Release(p.off))
		}})
}

func meetingActs() (out []act) {
	for _, d := range Dialects(layout.DoubleBarrier) {
		out = append(out, act{name: "double barrier " + string(d), keeps: []string{"/b"}, play: func(p *play) error {
			p.meanwhile(func(ctx context.Context) {
				b := p.help.DoubleBarrier("/b", 2, Options{Dialect: d})
				if c, err := b.Enter(ctx); err == nil {
					_ = b.Leave(ctx, c)
				}
			})
			b := p.s.DoubleBarrier("/b", 2, Options{Dialect: d})
			c, err := b.Enter(p.ctx)
			if err != nil {
				return err
			}
			return b.Leave(p.ctx, c)
		}})
	}
	for _, d := range Dialects(layout.Membership) {
		out = append(out, act{name: "membership " + string(d), keeps: []string{"/g"}, play: func(p *play) error {
			g := p.s.Membership("/g", Options{Dialect: d, Name: "n"})
			c, err := g.Join(p.ctx)
			if err != nil {
				return err
			}
			m, err := g.Members(p.ctx)
			if err == nil && (len(m) != 1 || string(m[0].Data) != "n" || m[0].Session != p.s.ID()) {
				err = fmt.Errorf("members %v", m)
			}
			return errors.Join(err, c.Release(p.ctx))
		}})
	}
	return append(out,
		act{name: "barrier", keeps: []string{"/bar"}, play: func(p *play) error {
			b := p.s.Barrier("/bar/one", Options{})
			if err := b.Close(p.ctx); err != nil {
				return errors.Join(err, p.help.Barrier("/bar/one", Options{}).Open(p.off))
			}
			p.meanwhile(func(ctx context.Context) {
				time.Sleep(p.beat)
				_ = p.help.Barrier("/bar/one", Options{}).Open(context.WithoutCancel(ctx))
			})
			return b.Wait(p.ctx)
		}},
		act{name: "rendezvous", play: func(p *play) error {
			c, err := p.s.Rendezvous("/r/one").Arrange(p.ctx)
			if err != nil {
				return err
			}
			p.meanwhile(func(ctx context.Context) {
				time.Sleep(p.beat)
				_ = p.help.Rendezvous("/r/one").Fill(ctx, []byte("here"))
			})
			data, err := p.s.Rendezvous("/r/one").Wait(p.ctx)
			if err == nil && string(data) != "here" {
				err = fmt.Errorf("got %q", data)
			}
			return errors.Join(err, c.Release(p.ctx))
		}},
		act{name: "service", play: func(p *play) error {
			v := p.s.Service("/services", "web")
			c, err := v.Register(p.ctx, Instance{Address: "10.0.0.1", Port: 80})
			if err != nil {
				return err
			}
			all, err := v.Instances(p.ctx)
			if err == nil && (len(all) != 1 || all[0].Address != "10.0.0.1" || all[0].Port != 80) {
				err = fmt.Errorf("instances %v", all)
			}
			return errors.Join(err, c.Release(p.ctx))
		}})
}

func valueActs() []act {
	return []act{
		{name: "config", keeps: []string{"/c"}, play: func(p *play) error {
			c := p.s.Configuration("/c/one")
			for _, v := range []string{"a", "b"} {
				if err := c.Set(p.ctx, []byte(v), AnyVersion); err != nil {
					return err
				}
			}
			v, err := c.Get(p.ctx)
			if err != nil {
				return err
			}
			if string(v.Data) != "b" || !v.Exists {
				return fmt.Errorf("got %+v", v)
			}
			return c.Set(p.ctx, []byte("c"), v.Version)
		}},
		{name: "fill", keeps: []string{}, play: func(p *play) error {
			if _, err := p.help.Rendezvous("/r").Arrange(p.off); err != nil {
				return err
			}
			defer p.help.remove(context.Background(), "/r")
			return p.s.Rendezvous("/r").Fill(p.ctx, []byte("x"))
		}},
		{name: "counter", keeps: []string{"/n"}, unknown: true, play: func(p *play) error {
			c := p.s.Counter("/n", Options{})
			sum := int64(0)
			for i := range int64(3) {
				v, err := c.Add(p.ctx, i+1)
				if sum += i + 1; err == nil && v != sum {
					return fmt.Errorf("%d, want %d", v, sum)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}},
		{name: "names", keeps: []string{"/names"}, play: func(p *play) error {
			n := p.s.NameService("/names")
			if err := n.Bind(p.ctx, "a", []byte("1")); err != nil {
				return err
			}
			c, err := n.Claim(p.ctx, "b", []byte("2"))
			if err != nil {
				return err
			}
			got, err := n.Lookup(p.ctx, "b")
			if err == nil && string(got) != "2" {
				err = fmt.Errorf("looked up %q", got)
			}
			return errors.Join(err, c.Release(p.ctx), n.Unbind(p.ctx, "a"))
		}},
	}
}

func queueActs() (out []act) {
	for _, d := range []Dialect{ZooKeeper, Curator, Kazoo} {
		keeps := []string{"/q", "/q/entries", "/q/taken"}
		out = append(out,
			act{name: "take " + string(d), keeps: keeps, play: func(p *play) error {
				p.meanwhile(func(ctx context.Context) {
					time.Sleep(p.beat)
					_ = p.help.Queue("/q", QueueOptions{Dialect: d}).Put(ctx, []byte("x"))
				})
				item, err := p.s.Queue("/q", QueueOptions{Dialect: d, Name: "n"}).Take(p.ctx)
				if err == nil && string(item.Data) != "x" {
					err = fmt.Errorf("took %q", item.Data)
				}
				if err == nil {
					err = item.Done(p.ctx)
				}
				p.wait()
				if err != nil { // whatever went wrong, the item is not lost: somebody else gets it, or it was done
					return errors.Join(err, p.drain(d))
				}
				return nil
			}},
			act{name: "put " + string(d), keeps: keeps, unknown: true, play: func(p *play) error {
				err := p.s.Queue("/q", QueueOptions{Dialect: d}).Put(p.ctx, []byte("x"))
				return errors.Join(err, p.drain(d))
			}})
	}
	return append(out, act{name: "priorities", keeps: []string{"/q"}, play: func(p *play) error {
		q := p.help.PriorityQueue("/q", QueueOptions{})
		for _, n := range []int64{7, 3, 5} {
			if err := q.Put(p.off, n, []byte("x")); err != nil {
				return err
			}
		}
		defer p.emptied("/q")
		for _, want := range []int64{3, 5, 7} {
			item, err := p.s.PriorityQueue("/q", QueueOptions{}).Take(p.ctx)
			if err != nil {
				return err
			}
			if item.Priority != want {
				return fmt.Errorf("priority %d, want %d", item.Priority, want)
			}
			if err := item.Done(p.ctx); err != nil {
				return err
			}
		}
		return nil
	}}, act{name: "delays", keeps: []string{"/q"}, play: func(p *play) error {
		due := time.Now().Add(2 * p.beat).Truncate(time.Millisecond)
		if err := p.help.DelayQueue("/q", QueueOptions{}).Put(p.off, due, []byte("x")); err != nil {
			return err
		}
		defer p.emptied("/q")
		item, err := p.s.DelayQueue("/q", QueueOptions{}).Take(p.ctx)
		if err != nil {
			return err
		}
		if time.Now().Before(due) || !item.Due.Equal(due) || string(item.Data) != "x" {
			return fmt.Errorf("took %v at %v", item, time.Now())
		}
		return item.Done(p.ctx)
	}}, act{name: "return", keeps: []string{"/q"}, play: func(p *play) error {
		if err := p.help.Queue("/q", QueueOptions{}).Put(p.off, []byte("x")); err != nil {
			return err
		}
		defer p.emptied("/q")
		item, err := p.s.Queue("/q", QueueOptions{}).Take(p.ctx)
		if err != nil {
			return err
		}
		if err := item.Return(p.ctx); err != nil {
			return err
		}
		again, err := p.help.Queue("/q", QueueOptions{}).Take(p.off)
		if err != nil {
			return err
		}
		return again.Done(p.off)
	}})
}

// drain takes what is left in the queue, waiting out the marks of the client under test.
func (p *play) drain(d Dialect) error {
	q := p.help.Queue("/q", QueueOptions{Dialect: d})
	for {
		left, err := p.help.children(p.off, q.q.items)
		left = slices.DeleteFunc(left, func(n string) bool { _, item := q.q.sp.entry(n); return !item })
		if err != nil || len(left) == 0 {
			return err
		}
		item, err := q.Take(p.off)
		if err != nil {
			return err
		}
		if err := item.Done(p.off); err != nil {
			return err
		}
	}
}

// emptied removes the items that are left.
func (p *play) emptied(dir string) {
	names, _ := p.help.children(context.Background(), dir)
	for _, n := range names {
		_ = p.help.remove(context.Background(), znode.Join(dir, n))
	}
}

func twoPhaseActs() (out []act) {
	sites := []string{"s_a", "s_b"}
	for _, o := range []TwoPhaseOptions{{}, {Coordinated: true}, {OwnNodes: true}} {
		name := fmt.Sprintf("coordinator %v %v", o.Coordinated, o.OwnNodes)
		out = append(out, act{name: name, play: func(p *play) error {
			tx := p.s.TwoPhase("/tx", o)
			defer func() { p.stop(); p.wait(); _ = p.help.TwoPhase("/tx", o).End(context.Background()) }()
			if err := tx.Begin(p.ctx, []byte("about"), sites); err != nil {
				return err
			}
			for _, site := range sites {
				p.meanwhile(func(ctx context.Context) { takePart(ctx, p.help.TwoPhase("/tx", o), site, o) })
			}
			v, err := tx.Decide(p.ctx, sites)
			if err == nil && v != Commit {
				err = fmt.Errorf("verdict %q", v)
			}
			return err
		}}, act{name: "site" + name[len("coordinator"):], play: func(p *play) error {
			tx := p.help.TwoPhase("/tx", o)
			if err := tx.Begin(p.off, []byte("about"), sites); err != nil {
				return err
			}
			defer func() { p.stop(); p.wait(); _ = tx.End(context.Background()) }()
			p.meanwhile(func(ctx context.Context) { takePart(ctx, tx, "s_a", o) })
			p.meanwhile(func(ctx context.Context) { _, _ = tx.Decide(ctx, sites) })
			return site(p.ctx, p.s.TwoPhase("/tx", o), "s_b", o)
		}})
	}
	return out
}

func takePart(ctx context.Context, tx TwoPhase, name string, o TwoPhaseOptions) {
	_ = site(ctx, tx, name, o)
}

// site goes through a site's steps and votes commit.
func site(ctx context.Context, tx TwoPhase, name string, o TwoPhaseOptions) (err error) {
	if o.OwnNodes {
		c, err := tx.Join(ctx, name)
		if err != nil {
			return err
		}
		defer c.Release(ctx)
	}
	if err := tx.Vote(ctx, name, Commit); err != nil {
		return err
	}
	v, err := tx.Await(ctx)
	if err == nil && v != Commit {
		err = fmt.Errorf("verdict %q", v)
	}
	return err
}

func acts() (out []act) {
	for _, more := range [][]act{lockActs(), grantActs(), meetingActs(), valueActs(), queueActs(), twoPhaseActs()} {
		out = append(out, more...)
	}
	return out
}
