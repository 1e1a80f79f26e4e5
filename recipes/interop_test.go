package recipes

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/peers"
)

//go:embed testdata/contend.py
var contendPython string

//go:embed testdata/Contend.java
var contendJava string

// turnsEach is how many turns each client takes in each recipe. Three clients make a hundred, and a thousand in the
// long run.
func turnsEach() int {
	if os.Getenv("ZKSCOPE_LONG") != "" {
		return 340
	}
	return 34
}

// match is our side of a contest: two clients in each recipe beside one of another library's.
type match struct {
	t       *testing.T
	referee *referee
	addr    string
	root    string
	d       Dialect
	turns   int
	ctx     context.Context
	wg      sync.WaitGroup
}

func (m *match) dial() *Session {
	ses, err := Dial(m.ctx, Config{Servers: []string{m.addr}, Timeout: 10 * time.Second})
	if err != nil {
		m.t.Fatal(err)
	}
	return ses
}

// keep makes directories that stay, so that their numbers go on.
func (m *match) keep(dirs ...string) {
	s := m.dial()
	defer s.Close()
	for _, dir := range dirs {
		if _, err := s.ensure(m.ctx, m.root+dir, nil, nil); err != nil {
			m.t.Fatal(err)
		}
	}
}

// enter has two clients do something.
func (m *match) enter(what string, work func(ses *Session, tell func(...any)) error) {
	for range 2 {
		ses := m.dial()
		c, err := net.Dial("tcp", m.referee.addr())
		if err != nil {
			m.t.Fatal(err)
		}
		in := bufio.NewReader(c)
		tell := func(words ...any) {
			fmt.Fprintln(c, words...)
			_, _ = in.ReadString('\n')
		}
		m.wg.Go(func() {
			defer ses.Close()
			defer c.Close()
			if err := work(ses, tell); err != nil {
				m.t.Errorf("%s: %v", what, err)
			}
		})
	}
}

// take takes turns at something that is granted.
func (m *match) take(key string, most int, acquire func(*Session) (*Claim, int, error)) {
	m.enter(key, func(ses *Session, tell func(...any)) error {
		for range m.turns {
			c, weight, err := acquire(ses)
			if err != nil {
				return err
			}
			tell("+", key, weight, most)
			if most == 1 {
				n := layout.ParseName(c.t.name)
				tell("o", key, n.Seq)
			}
			tell("-", key, weight)
			if err := c.Release(m.ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

func (m *match) play() {
	o := Options{Dialect: m.d, Name: "ours"}
	m.take("lock", 1, func(s *Session) (*Claim, int, error) {
		c, err := s.Lock(m.root+"/lock", o).Acquire(m.ctx)
		return c, 1, err
	})
	m.take("rw", 100, func(s *Session) (*Claim, int, error) {
		l := s.SharedLock(m.root+"/rw", o)
		if rand.IntN(2) == 0 {
			c, err := l.Read(m.ctx)
			return c, 1, err
		}
		c, err := l.Write(m.ctx)
		return c, 100, err
	})
	m.take("semaphore", 2, func(s *Session) (*Claim, int, error) {
		c, err := s.Semaphore(m.root+"/sem", 2, o).Acquire(m.ctx)
		return c, 1, err
	})
	m.take("election", 1, func(s *Session) (*Claim, int, error) {
		c, err := s.Election(m.root+"/election", o).Campaign(m.ctx)
		return c, 1, err
	})
	m.enter("double barrier", m.meet)
	m.enter("queue", m.work)
}

func (m *match) meet(ses *Session, tell func(...any)) error {
	for i := range m.turns / 10 {
		b := ses.DoubleBarrier(fmt.Sprint(m.root, "/barrier-", i), 3, Options{Dialect: m.d})
		tell("a", fmt.Sprint("enter-", i))
		c, err := b.Enter(m.ctx)
		if err != nil {
			return err
		}
		tell("c", fmt.Sprint("enter-", i), 3)
		tell("a", fmt.Sprint("leave-", i))
		if err := b.Leave(m.ctx, c); err != nil {
			return err
		}
		tell("c", fmt.Sprint("leave-", i), 3)
	}
	return nil
}

func (m *match) work(ses *Session, tell func(...any)) error {
	q := ses.Queue(m.root+"/queue", QueueOptions{Dialect: m.d, Name: "ours"})
	for i := range m.turns {
		if err := q.Put(m.ctx, fmt.Appendf(nil, "%s-%d", ses.ID(), i)); err != nil {
			return err
		}
	}
	for {
		ctx, cancel := context.WithTimeout(m.ctx, 2*time.Second)
		item, err := q.Take(ctx)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			return nil // nothing has come for a while
		}
		if err != nil {
			return err
		}
		tell("a", "item-"+string(item.Data))
		if err := item.Done(m.ctx); err != nil {
			return err
		}
	}
}

// contest plays beside another library's client, and judges.
func contest(t *testing.T, addr, root string, d Dialect, start func(referee string, turns int) *peers.Proc) *peers.Proc {
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(60+turnsEach())*time.Second)
	defer cancel()
	m := &match{t: t, referee: newReferee(t), addr: addr, root: root, d: d, turns: turnsEach(), ctx: ctx}
	m.keep("/lock", "/election")
	proc := start(m.referee.addr(), m.turns)
	proc.Expect("STARTED", time.Minute)
	m.play()
	m.wg.Wait()
	if t.Failed() {
		t.Fatalf("the other said:\n%s", proc.Output())
	}
	proc.Expect(map[Dialect]string{Kazoo: "DONE", Curator: "REVOKER"}[d], 5*time.Minute)
	m.referee.check()
	for _, key := range []string{"lock", "rw", "semaphore", "election"} {
		if got := m.referee.turns(key); got != 3*m.turns {
			t.Errorf("%s: %d turns, want %d", key, got, 3*m.turns)
		}
	}
	m.referee.mu.Lock()
	defer m.referee.mu.Unlock()
	items := 0
	for key, n := range m.referee.arrived {
		if strings.HasPrefix(key, "item-") {
			if items++; n != 1 {
				t.Errorf("%s was handed out %d times", key, n)
			}
		}
	}
	if items != 3*m.turns {
		t.Errorf("%d items, want %d", items, 3*m.turns)
	}
	return proc
}

func TestBesideKazoo(t *testing.T) {
	t.Parallel()
	peers.Require(t, peers.NeedKazoo, peers.NeedZooKeeper)
	addr := realServer(t)
	contest(t, addr, "/k", Kazoo, func(referee string, turns int) *peers.Proc {
		return peers.Kazoo(t, contendPython, addr, referee, fmt.Sprint(turns))
	})
}

func TestBesideCurator(t *testing.T) {
	t.Parallel()
	peers.Require(t, peers.NeedJava, peers.NeedCurator, peers.NeedZooKeeper)
	addr := realServer(t)
	proc := contest(t, addr, "/c", Curator, func(referee string, turns int) *peers.Proc {
		return peers.Java(t, "Contend", contendJava, addr, referee, fmt.Sprint(turns))
	})
	revokeEachOther(t, addr, proc)
}

// revokeEachOther asks Curator's holder to let go, holds after it, and is asked by Curator.
func revokeEachOther(t *testing.T, addr string, proc *peers.Proc) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ses, err := Dial(ctx, Config{Servers: []string{addr}})
	if err != nil {
		t.Fatal(err)
	}
	defer ses.Close()
	proc.Expect("HOLDS", time.Minute)
	names, err := ses.children(ctx, "/c/revocable")
	if err != nil || len(names) != 1 {
		t.Fatalf("holders %v, %v", names, err)
	}
	if broken, err := ses.Revoke(ctx, "/c/revocable/"+names[0], Revocation{}); broken || err != nil {
		t.Fatalf("broken %v, %v", broken, err)
	}
	proc.Expect("LETGO", time.Minute)
	c, err := ses.Lock("/c/revocable", Options{Dialect: Curator, Revocable: true}).Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	proc.Say("ask")
	select {
	case <-c.Revoked():
	case <-ctx.Done():
		t.Fatal("Curator's request was not heard")
	}
	proc.Expect("ASKED", time.Minute)
	if err := c.Release(ctx); err != nil {
		t.Error(err)
	}
}

// realServer starts a real ZooKeeper.
func realServer(t *testing.T) string {
	t.Helper()
	return peers.ZooKeeper(t, peers.Options{}).Addr
}
