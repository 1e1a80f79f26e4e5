package actions

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
	"github.com/zkscope/zkscope/recipes"
)

// TestEveryKindIsHeldAndLeft holds a place in each kind that grants something, sees that the console would read it
// as what it is, and leaves nothing behind.
func TestEveryKindIsHeldAndLeft(t *testing.T) {
	for _, r := range []Join{
		{Kind: layout.Lock, Path: "/p/x"}, {Kind: layout.SharedLock, Path: "/p/x"}, {Kind: layout.SharedLock, Path: "/p/x", Part: PartRead},
		{Kind: layout.Semaphore, Path: "/p/x", Limit: 2}, {Kind: layout.Semaphore, Path: "/p/x", Dialect: layout.Kazoo},
		{Kind: layout.Election, Path: "/p/x"}, {Kind: layout.Barrier, Path: "/p/x", Part: PartSet},
		{Kind: layout.DoubleBarrier, Path: "/p/x", Count: 1}, {Kind: layout.Membership, Path: "/p/x", Name: "m"},
		{Kind: layout.Service, Path: "/p/x", Data: []byte("10.0.0.1:80")}, {Kind: layout.Rendezvous, Path: "/rendezvous/x", Part: PartSet},
	} {
		inHall(t, func(h *hall) {
			p := h.join(r)
			st := h.until(p, JoinHolding)
			m, err := h.session().Look(context.Background(), r.Path, r.Kind)
			if err != nil || m == nil || !slices.ContainsFunc(m.Claims, func(c model.Claim) bool { return c.Path() == st.Node && (c.Session == st.Session || c.Session == 0) }) {
				t.Errorf("%s: %+v does not stand in %+v (%v)", r.Kind, st, m, err)
			}
			p.Finish(true)
			<-p.Done()
			if st = p.State(); st.Phase != JoinLeft && st.Phase != JoinDone || st.Stays != "" || st.Err != nil {
				t.Errorf("%s: %+v", r.Kind, st)
			}
			if _, there := h.server.Node(r.Path); there && r.Kind == layout.Barrier || len(h.claims()) > 0 {
				t.Errorf("%s stays: %v", r.Kind, h.claims())
			}
		})
	}
}

// TestABarrierThatStoodBeforeStays: only who closed it opens it.
func TestABarrierThatStoodBeforeStays(t *testing.T) {
	inHall(t, func(h *hall) {
		if err := h.session().Barrier("/b", recipes.Options{}).Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		p := h.join(Join{Kind: layout.Barrier, Path: "/b", Part: PartSet})
		h.until(p, JoinHolding)
		if st := h.leave(p); st.Stays == "" {
			t.Errorf("%+v", st)
		}
		if _, there := h.server.Node("/b"); !there {
			t.Error("somebody else's barrier was opened")
		}
	})
}

func TestAnItemIsDoneOrGoesBack(t *testing.T) {
	for _, k := range []layout.Kind{layout.Queue, layout.PriorityQueue, layout.DelayQueue} {
		inHall(t, func(h *hall) {
			put := h.join(Join{Kind: k, Path: "/q", Part: PartProducer, Data: []byte("x"), Priority: 3, Delay: time.Second})
			h.until(put, JoinDone)
			for _, ok := range []bool{false, true} {
				p := h.join(Join{Kind: k, Path: "/q"})
				if st := h.until(p, JoinHolding); string(st.Data) != "x" || st.Token == 0 {
					t.Errorf("%s: %+v", k, st)
				}
				p.Finish(ok)
				h.until(p, JoinDone)
			}
			if n, _ := h.server.Node("/q"); n.Stat.NumChildren != 0 {
				t.Errorf("%s: %d items stay", k, n.Stat.NumChildren)
			}
			p := h.join(Join{Kind: k, Path: "/q"})
			h.until(p, JoinWaiting)
			time.Sleep(lineEvery)
			if st := p.State(); st.Text != "waiting: empty" {
				t.Errorf("%s: %+v", k, st)
			}
			h.leave(p)
		})
	}
}

func TestWaitsEndWithTheirValue(t *testing.T) {
	for _, x := range []struct {
		wait, end Join
		data      string
	}{
		{Join{Kind: layout.Config, Path: "/v"}, Join{Kind: layout.Config, Path: "/v", Part: PartSet, Data: []byte("on")}, "on"},
		{Join{Kind: layout.Rendezvous, Path: "/v"}, Join{Kind: layout.Rendezvous, Path: "/v", Part: PartFill, Data: []byte("here")}, "here"},
	} {
		inHall(t, func(h *hall) {
			if x.wait.Kind == layout.Rendezvous {
				h.until(h.join(Join{Kind: layout.Rendezvous, Path: "/v", Part: PartSet}), JoinHolding)
			}
			p := h.join(x.wait)
			h.until(p, JoinWaiting)
			synctest.Wait()
			h.until(h.join(x.end), JoinDone)
			if st := h.until(p, JoinDone); string(st.Data) != x.data {
				t.Errorf("%+v", st)
			}
		})
	}
	inHall(t, func(h *hall) {
		h.until(h.join(Join{Kind: layout.Counter, Path: "/n", Data: []byte("40")}), JoinDone)
		h.until(h.join(Join{Kind: layout.Counter, Path: "/n", Data: []byte("2")}), JoinDone)
		if st := h.until(h.join(Join{Kind: layout.Counter, Path: "/n", Part: PartRead}), JoinDone); string(st.Data) != "42" {
			t.Errorf("%+v", st)
		}
		b := h.join(Join{Kind: layout.Barrier, Path: "/b", Part: PartSet})
		h.until(b, JoinHolding)
		p := h.join(Join{Kind: layout.Barrier, Path: "/b"})
		h.until(p, JoinWaiting)
		h.leave(b)
		h.until(p, JoinDone)
	})
}

// TestMembersOfADoubleBarrierWaitForEachOther: one finishes, and is through only when the other leaves too.
func TestMembersOfADoubleBarrierWaitForEachOther(t *testing.T) {
	inHall(t, func(h *hall) {
		a := h.join(Join{Kind: layout.DoubleBarrier, Path: "/b", Count: 2})
		h.until(a, JoinWaiting)
		time.Sleep(lineEvery)
		if st := a.State(); st.Text != "waiting: 1 of 2 have come" {
			t.Errorf("%+v", st)
		}
		b := h.join(Join{Kind: layout.DoubleBarrier, Path: "/b", Count: 2})
		h.until(a, JoinHolding)
		h.until(b, JoinHolding)
		a.Finish(true)
		time.Sleep(time.Second)
		if st := a.State(); st.Phase != JoinLeaving {
			t.Errorf("%+v", st)
		}
		h.leave(b)
		h.until(a, JoinDone)
	})
}

func TestATransactionIsPlayedByHand(t *testing.T) {
	for _, own := range []bool{false, true} {
		for _, ok := range []bool{false, true} {
			inHall(t, func(h *hall) {
				c := h.join(Join{Kind: layout.TwoPhase, Path: "/app/tx", Part: PartCoordinator, Count: 2, Own: own, Data: []byte("move 5")})
				h.until(c, JoinWaiting)
				synctest.Wait()
				a := h.join(Join{Kind: layout.TwoPhase, Path: "/app/tx", Name: "s_1", Own: own, Data: []byte("commit")})
				b := h.join(Join{Kind: layout.TwoPhase, Path: "/app/tx", Name: "s_2", Own: own})
				if st := h.until(b, JoinHolding); string(st.Data) != "move 5" {
					t.Errorf("%+v", st)
				}
				b.Finish(ok)
				want := map[bool]string{false: "abort", true: "commit"}[ok]
				for _, p := range []*Place{a, b, c} {
					if st := h.until(p, JoinDone); st.Result != want {
						t.Errorf("own %v: %+v", own, st)
					}
				}
				if st := c.State(); st.Stays == "" {
					t.Errorf("the transaction stays, and it is not said: %+v", st)
				}
			})
		}
	}
}

// TestJoinsAreWrittenDown: each leaves what was meant and how it ended in the audit log.
func TestJoinsAreWrittenDown(t *testing.T) {
	inHall(t, func(h *hall) {
		l := h.join(Join{Kind: layout.Lock, Path: "/l"})
		h.until(l, JoinHolding)
		h.leave(l)
		records, damaged, err := ReadAudit(h.audit.Path())
		var got []string
		for _, r := range records {
			got = append(got, string(r.Verb)+" "+r.Stage)
		}
		if !slices.Equal(got, []string{"join intent", "join holding", "join left"}) || damaged > 0 || err != nil {
			t.Errorf("%v, %d damaged, %v", got, damaged, err)
		}
	})
}

// TestWhatIsWrittenOverIsReadFirst: set and fill write at the version that they read, and keep what was there.
func TestWhatIsWrittenOverIsReadFirst(t *testing.T) {
	inHall(t, func(h *hall) {
		ctx, other := context.Background(), h.session()
		if err := other.Configuration("/v").Set(ctx, []byte("old"), recipes.AnyVersion); err != nil {
			t.Fatal(err)
		}
		h.until(h.join(Join{Kind: layout.Config, Path: "/v", Part: PartSet, Data: []byte("new")}), JoinDone)
		records, _, err := ReadAudit(h.audit.Path())
		kept := slices.ContainsFunc(records, func(r Record) bool {
			return r.Verb == VerbSet && string(r.OldData) == "old" && string(r.NewData) == "new"
		})
		if !kept || err != nil {
			t.Errorf("what was written over is not kept: %+v, %v", records, err)
		}
		h.server.SetFault(func(r zkserver.Request) zkserver.Action { // somebody else writes between the read and the write
			if r.Op == wire.OpSetData && r.Path == "/v" && r.Session != int64(other.ID()) {
				if err := other.Configuration("/v").Set(ctx, []byte("theirs"), recipes.AnyVersion); err != nil {
					t.Error(err)
				}
			}
			return zkserver.Action{}
		})
		st := h.until(h.join(Join{Kind: layout.Config, Path: "/v", Part: PartSet, Data: []byte("newer")}), JoinFailed)
		if n, _ := h.server.Node("/v"); string(n.Data) != "theirs" || !errors.Is(st.Err, recipes.ErrChanged) {
			t.Errorf("%q is there: %+v", n.Data, st)
		}
		h.server.SetFault(nil)
		if err := other.Configuration("/r").Set(ctx, []byte("there"), recipes.AnyVersion); err != nil {
			t.Fatal(err)
		}
		if st := h.until(h.join(Join{Kind: layout.Rendezvous, Path: "/r", Part: PartFill, Data: []byte("new")}), JoinFailed); !errors.Is(st.Err, ErrRefused) {
			t.Errorf("%+v", st)
		}
		if n, _ := h.server.Node("/r"); string(n.Data) != "there" {
			t.Errorf("filled over: %q", n.Data)
		}
	})
}

// TestWhatMayNotBeReadIsNotWrittenOver: what it holds could not be given back.
func TestWhatMayNotBeReadIsNotWrittenOver(t *testing.T) {
	inHall(t, func(h *hall) {
		other := h.session()
		if err := other.Configuration("/v").Set(context.Background(), []byte("old"), recipes.AnyVersion); err != nil {
			t.Fatal(err)
		}
		h.server.SetFault(func(r zkserver.Request) zkserver.Action {
			if r.Op == wire.OpGetData && r.Path == "/v" {
				return zkserver.Action{Err: wire.ErrNoAuth}
			}
			return zkserver.Action{}
		})
		st := h.until(h.join(Join{Kind: layout.Config, Path: "/v", Part: PartSet, Data: []byte("new")}), JoinFailed)
		if n, _ := h.server.Node("/v"); string(n.Data) != "old" || !strings.Contains(st.Text, "no permission") {
			t.Errorf("%q is there: %+v", n.Data, st)
		}
	})
}
