package actions

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
	"github.com/zkscope/zkscope/recipes"
)

// hall is a server inside a bubble of virtual time, and people who join recipes on it.
type hall struct {
	t      *testing.T
	server *zkserver.Server
	joiner *Joiner
	audit  *Audit
}

func inHall(t *testing.T, play func(h *hall)) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	synctest.Test(t, func(t *testing.T) {
		h := &hall{t: t, server: zkserver.New(zkserver.Options{Record: true, ReapInterval: time.Second})}
		defer h.server.Close()
		h.audit, _ = OpenAudit(file)
		h.joiner = h.person()
		defer func() { h.joiner.LeaveAll(context.Background()) }()
		play(h)
	})
}

func (h *hall) dial(ctx context.Context, _, _ string) (net.Conn, error) { return h.server.Dial(ctx) }

func (h *hall) person() *Joiner {
	j, err := NewJoiner(Config{Conn: recipes.Config{Servers: []string{"s:1"}, Timeout: 6 * time.Second, Dial: h.dial}, Name: "hall", Audit: h.audit})
	if err != nil {
		h.t.Fatal(err)
	}
	return j
}

func (h *hall) session() *recipes.Session {
	s, err := recipes.Dial(context.Background(), recipes.Config{Servers: []string{"s:1"}, Timeout: 6 * time.Second, Dial: h.dial})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(s.Close)
	return s
}

func (h *hall) join(r Join) *Place {
	h.t.Helper()
	p, err := h.joiner.Join(r)
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

// until waits for a phase, and fails when the place ends in another.
func (h *hall) until(p *Place, phase JoinPhase) JoinState {
	h.t.Helper()
	limit := time.After(time.Minute)
	for {
		st := p.State()
		if st.Phase == phase {
			return st
		}
		if st.Phase.Over() {
			h.t.Fatalf("%s instead of %s: %s (%v)", st.Phase, phase, st.Text, st.Err)
		}
		select {
		case <-p.Changed():
		case <-limit:
			h.t.Fatalf("still %s, not %s: %s", st.Phase, phase, st.Text)
		}
	}
}

// claims lists the znodes with owners.
func (h *hall) claims() (out []string) {
	for path, n := range h.server.Tree() {
		if n.Stat.EphemeralOwner != 0 {
			out = append(out, path)
		}
	}
	return out
}

func (h *hall) leave(p *Place) JoinState {
	ctx, cancel := context.WithTimeout(context.Background(), LeaveWithin)
	defer cancel()
	return p.Leave(ctx)
}

func TestAJoinTellsItsPlaceInLine(t *testing.T) {
	inHall(t, func(h *hall) {
		held := make(chan *recipes.Claim, 2)
		for i := range 2 {
			s := h.session()
			go func() {
				if c, err := s.Lock("/l", recipes.Options{Name: fmt.Sprint("web-", i)}).Acquire(context.Background()); err == nil {
					held <- c
				}
			}()
			synctest.Wait()
		}
		p := h.join(Join{Kind: layout.Lock, Path: "/l", Name: "me"})
		h.until(p, JoinWaiting)
		synctest.Wait()
		st := p.State()
		if st.Position != 2 || st.Of != 3 || st.Behind != "web-1" || st.Text != "waiting: 3rd of 3, behind web-1" || st.Dialect != layout.ZooKeeper {
			t.Errorf("%+v", st)
		}
		(<-held).Release(context.Background())
		time.Sleep(2 * lineEvery)
		if st = p.State(); st.Text != "waiting: 2nd of 2, behind web-1" {
			t.Errorf("%+v", st)
		}
		(<-held).Release(context.Background())
		if st = h.until(p, JoinHolding); st.Token == 0 || st.Node == "" || st.Of != 0 {
			t.Errorf("%+v", st)
		}
		if st = h.leave(p); st.Phase != JoinLeft || st.Stays != "" || len(h.claims()) > 0 {
			t.Errorf("%+v; %v", st, h.claims())
		}
		if n := len(h.joiner.Places()); n != 0 {
			t.Errorf("%d places stay listed", n)
		}
	})
}

func TestALongLineIsToldByNames(t *testing.T) {
	inHall(t, func(h *hall) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		s := h.session()
		for range wholeLine + 20 {
			go func() { _, _ = s.Lock("/l", recipes.Options{}).Acquire(ctx) }()
		}
		synctest.Wait()
		p := h.join(Join{Kind: layout.Lock, Path: "/l"})
		h.until(p, JoinWaiting)
		synctest.Wait()
		if st := p.State(); !strings.HasPrefix(st.Text, "waiting: 221st of 221, behind ") || st.Position != 220 {
			t.Errorf("%+v", st)
		}
		cancel()
		synctest.Wait()
	})
}

// TestLeavingAWaiter covers what ends a wait: a key, a key while disconnected, quitting while the server hangs.
func TestLeavingAWaiter(t *testing.T) {
	waiter := func(h *hall) *Place {
		if _, err := h.session().Lock("/l", recipes.Options{}).Acquire(context.Background()); err != nil {
			t.Fatal(err)
		}
		p := h.join(Join{Kind: layout.Lock, Path: "/l"})
		h.until(p, JoinWaiting)
		synctest.Wait()
		return p
	}
	inHall(t, func(h *hall) {
		if st := h.leave(waiter(h)); st.Phase != JoinLeft || st.Stays != "" || len(h.claims()) != 1 {
			t.Errorf("%+v; %v", st, h.claims())
		}
	})
	inHall(t, func(h *hall) { // cut off, and back within the session
		p := waiter(h)
		h.server.RefuseConnections(true)
		h.server.DropConnections()
		gone := make(chan JoinState)
		go func() { gone <- h.leave(p) }()
		time.Sleep(time.Second)
		h.server.RefuseConnections(false)
		if st := <-gone; st.Phase != JoinLeft || st.Stays != "" || len(h.claims()) != 1 {
			t.Errorf("%+v; %v", st, h.claims())
		}
	})
	inHall(t, func(h *hall) { // cut off as the claim was made, before anything told its name
		if _, err := h.session().Lock("/l", recipes.Options{}).Acquire(context.Background()); err != nil {
			t.Fatal(err)
		}
		h.server.SetFault(func(r zkserver.Request) zkserver.Action {
			if r.Op != wire.OpMulti && r.Op != wire.OpCreate && r.Op != wire.OpCreate2 {
				return zkserver.Action{}
			}
			h.server.RefuseConnections(true)
			return zkserver.Action{Drop: zkserver.DropAfter}
		})
		p := h.join(Join{Kind: layout.Lock, Path: "/l"})
		time.Sleep(time.Second)
		made := h.claims()
		if st := h.leave(p); len(made) != 2 || !strings.HasPrefix(st.Stays, "a claim of ours on /l may stay until session ") {
			t.Errorf("%+v; %v", st, made)
		}
	})
	inHall(t, func(h *hall) { // the server hangs: quitting is bounded, and says what stays
		p := waiter(h)
		h.server.Pause()
		begun := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		all := h.joiner.LeaveAll(ctx)
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("quitting took %v", took)
		}
		if len(all) != 1 || !strings.Contains(all[0].Stays, p.State().Node+" may stay until session "+p.State().Session.String()+" ends, at about ") ||
			!strings.HasSuffix(all[0].Stays, "; if the ensemble loses its quorum meanwhile, "+p.State().Timeout.String()+" after it serves again") {
			t.Errorf("%+v", all)
		}
		if _, err := h.joiner.Join(Join{Kind: layout.Lock, Path: "/l"}); !errors.Is(err, ErrRefused) {
			t.Errorf("joined after LeaveAll: %v", err)
		}
		h.server.Resume()
		time.Sleep(20 * time.Second)
		if got := h.claims(); slices.Contains(got, p.State().Node) {
			t.Errorf("%v outlives its session", got)
		}
	})
}

func TestAJoinIsLost(t *testing.T) {
	for why, do := range map[string]func(h *hall, p *Place){
		"expired": func(h *hall, p *Place) { h.server.ExpireSession(int64(p.State().Session)) },
		"deleted by somebody else": func(h *hall, p *Place) {
			if _, err := h.session().Revoke(context.Background(), p.State().Node, recipes.Revocation{Deadline: time.Second}); err != nil {
				t.Error(err)
			}
		},
		"no answer from any server for as long as the session lives": func(h *hall, _ *Place) {
			h.server.RefuseConnections(true)
			h.server.DropConnections()
		},
	} {
		t.Run(why, func(t *testing.T) {
			inHall(t, func(h *hall) {
				p := h.join(Join{Kind: layout.Lock, Path: "/l"})
				h.until(p, JoinHolding)
				do(h, p)
				if st := h.until(p, JoinLost); !strings.Contains(st.Text, why) || st.Err == nil {
					t.Errorf("%+v", st)
				}
				<-p.Done()
				h.server.RefuseConnections(false)
				time.Sleep(20 * time.Second)
				if got := h.claims(); len(got) > 0 {
					t.Errorf("joined again: %v", got)
				}
			})
		})
	}
}

func TestARequestIsAnswered(t *testing.T) {
	for _, consent := range []bool{false, true} {
		inHall(t, func(h *hall) {
			p := h.join(Join{Kind: layout.SharedLock, Path: "/l", Part: PartRead, Revocable: true})
			st := h.until(p, JoinHolding)
			p.Answer(true) // to no question: without effect
			synctest.Wait()
			if now := p.State().Phase; now != JoinHolding {
				t.Errorf("an answer to no question led to %s", now)
			}
			s := h.session()
			go func() { _, _ = s.Revoke(context.Background(), st.Node, recipes.Revocation{}) }()
			h.until(p, JoinAsked)
			p.Answer(consent)
			if consent {
				st = h.until(p, JoinLeft)
			} else {
				st = h.until(p, JoinHolding)
			}
			if st.Refused == consent || len(h.claims()) > 0 == consent {
				t.Errorf("consent %v: %+v, %v", consent, st, h.claims())
			}
			s.Close()
		})
	}
}

// TestALostReplyMakesOneZnode: a create that was applied but not answered is found again.
func TestALostReplyMakesOneZnode(t *testing.T) {
	inHall(t, func(h *hall) {
		lost := false
		h.server.SetFault(func(r zkserver.Request) zkserver.Action {
			if (r.Op == wire.OpCreate || r.Op == wire.OpCreate2) && !lost && strings.Contains(r.Path, "-lock-") {
				lost = true
				return zkserver.Action{Drop: zkserver.DropAfter}
			}
			return zkserver.Action{}
		})
		p := h.join(Join{Kind: layout.Lock, Path: "/l", Dialect: layout.Curator})
		h.until(p, JoinHolding)
		if got := h.claims(); !lost || len(got) != 1 || got[0] != p.State().Node {
			t.Errorf("lost %v, stand %v", lost, got)
		}
		h.leave(p)
	})
}

func TestWhatStandsAtThePathDecides(t *testing.T) {
	inHall(t, func(h *hall) {
		s := h.session()
		ctx := context.Background()
		if _, err := s.Lock("/kazoo", recipes.Options{Dialect: recipes.Kazoo}).Acquire(ctx); err != nil {
			t.Fatal(err)
		}
		p := h.join(Join{Kind: layout.Lock, Path: "/kazoo"})
		h.until(p, JoinWaiting)
		synctest.Wait()
		if st := p.State(); st.Dialect != layout.Kazoo || !strings.Contains(st.Node, "__lock__") {
			t.Errorf("%+v", st)
		}
		h.leave(p)
		if _, err := s.Semaphore("/sem", 2, recipes.Options{}).Acquire(ctx); err != nil {
			t.Fatal(err)
		}
		p = h.join(Join{Kind: layout.Lock, Path: "/sem"})
		<-p.Done()
		if st := p.State(); st.Phase != JoinFailed || !errors.Is(st.Err, ErrRefused) || st.Node != "" {
			t.Errorf("a lock in a semaphore: %+v", st)
		}
		if _, err := s.SingleLock("/app/leader/lock", recipes.Options{Name: "a"}).Acquire(ctx); err != nil {
			t.Fatal(err)
		}
		p = h.join(Join{Kind: layout.Lock, Path: "/app/leader/lock"})
		h.until(p, JoinWaiting)
		synctest.Wait() // it has looked at what stands there
		s.Close()
		if st := h.until(p, JoinHolding); st.Node != "/app/leader/lock" {
			t.Errorf("a lock that is one znode: %+v", st)
		}
	})
}

func TestAReadOnlyJoinerJoinsNothing(t *testing.T) {
	j, err := NewJoiner(Config{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Join(Join{Kind: layout.Lock, Path: "/l"}); !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
}

func TestWhatAJoinLacksIsSaid(t *testing.T) {
	for _, x := range []struct {
		r    Join
		says string
	}{
		{Join{Kind: layout.Lease, Path: "/l"}, "cannot be joined"},
		{Join{Kind: layout.Lock, Path: "l"}, "path"},
		{Join{Kind: layout.Lock, Path: "/l/"}, "the path ends with a slash"},
		{Join{Kind: layout.Lock, Path: "/a//l"}, "the path holds the component"},
		{Join{Kind: layout.Lock, Path: "/a/../l"}, "the path holds the component"},
		{Join{Kind: layout.SharedLock, Path: "/l", Part: PartFill}, "write or read"},
		{Join{Kind: layout.Lock, Path: "/l", Part: PartRead}, "no parts"},
		{Join{Kind: layout.DoubleBarrier, Path: "/l"}, "count"},
		{Join{Kind: layout.Queue, Path: "/l", Part: PartProducer}, "data"},
		{Join{Kind: layout.TwoPhase, Path: "/l"}, "site"},
		{Join{Kind: layout.TwoPhase, Path: "/l", Name: "s", Data: []byte("yes")}, "commit or abort"},
		{Join{Kind: layout.TwoPhase, Path: "/l", Part: PartCoordinator}, "sites"},
		{Join{Kind: layout.Counter, Path: "/l", Data: []byte("x")}, "number"},
		{Join{Kind: layout.Service, Path: "/l", Data: []byte("x")}, "host:port"},
	} {
		if got := x.r.Lacking(); !strings.Contains(got, x.says) {
			t.Errorf("%+v: %q, want %q", x.r, got, x.says)
		}
	}
	for _, k := range []layout.Kind{layout.Lock, layout.SharedLock, layout.Semaphore, layout.Election, layout.Barrier, layout.Queue, layout.Config} {
		if got := (Join{Kind: k, Path: "/l"}).Lacking(); got != "" {
			t.Errorf("%s: %q", k, got)
		}
	}
}
