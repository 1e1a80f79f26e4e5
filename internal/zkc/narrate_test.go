package zkc

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// narrated is what a Narrator makes of the states that were noted.
func (j *journal) narrated() (what, text string) {
	var n Narrator
	states, _ := j.seen()
	for _, s := range states {
		for _, h := range n.Tell(s) {
			what, text = what+" "+h.What, text+h.Text+"\n"
		}
	}
	return strings.TrimSpace(what), text
}

func TestWhatBecomesOfASessionIsToldOnce(t *testing.T) {
	j := &journal{}
	virtual(t, zkserver.Options{}, func(cfg *Config) { j.on(cfg); cfg.Watches = []string{"/"} }, func(t *testing.T, s *zkserver.Server, c *Conn) {
		first := c.State().Session
		time.Sleep(2 * time.Second)
		s.DropConnections()
		mustWait(t, func() bool { return c.State().Connects == 2 })
		s.RefuseConnections(true)
		s.DropConnections()
		time.Sleep(5 * time.Second) // refused many times
		s.ExpireSession(first)
		s.RefuseConnections(false)
		mustWait(t, func() bool { return c.State().Connects == 3 })
		what, text := j.narrated()
		if what != "connected disconnected reconnected disconnected cannot-connect expired new-session" {
			t.Errorf("%s:\n%s", what, text)
		}
		if want := fmt.Sprintf("as the new session 0x%x: 0x%x is over", c.State().Session, first); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	})
}

// A server whose data is older than what was told before, because it was replaced, is told of once.
func TestAServerWhoseZxidWentBackIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full, wiped := zkserver.New(zkserver.Options{}), zkserver.New(zkserver.Options{})
		defer full.Close()
		defer wiped.Close()
		var moved atomic.Bool
		j := &journal{}
		cfg := Config{Servers: []string{"zk1"}, RenewRefused: true, Dial: func(ctx context.Context, _, addr string) (net.Conn, error) {
			if moved.Load() {
				return wiped.Dial(ctx)
			}
			return full.Dial(ctx)
		}}
		j.on(&cfg)
		c := must[*Conn](t)(Dial(t.Context(), cfg))
		defer c.Close()
		for i := range 20 {
			mustCreate(t, c, fmt.Sprintf("/n%d", i), "", 0)
		}
		moved.Store(true)
		full.DropConnections()
		for range 3 {
			if _, _, err := c.Get(soon(t, time.Minute), "/"); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * time.Second)
			wiped.DropConnections()
		}
		what, text := j.narrated()
		if st := c.State(); st.Setbacks != 1 || st.BackTo >= st.BackFrom || strings.Count(what, "zxid-back") != 1 {
			t.Errorf("%s\n%s%+v", what, text, st)
		}
	})
}

func TestAnotherMemberIsTold(t *testing.T) {
	var n Narrator
	text := ""
	for _, s := range []State{{Phase: Connected, Server: "zk1:2181", Session: 1, Connects: 1}, {Phase: Disconnected, Server: "zk1:2181", Session: 1, Connects: 1, Err: errHungUp},
		{Phase: Connected, Server: "zk2:2181", Session: 1, Connects: 2}, {Phase: Failed, Server: "zk2:2181", Connects: 2, Err: ErrAuth}} {
		for _, h := range n.Tell(s) {
			text += h.Text + "\n"
		}
	}
	want := "connected to zk1:2181, as session 0x1\nthe connection to zk1:2181 is lost: " + errHungUp.Error() +
		"\nconnected to zk2:2181, no longer to zk1:2181, as session 0x1\ngiven up: " + ErrAuth.Error() + "\n"
	if text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}

// A server that answers pings and no reads is left for another one before the session's timeout is over.
func TestReadsThatHangWhilePingsAreAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		defer s.Close()
		mute := peers.NewMute(func(ctx context.Context, _, _ string) (net.Conn, error) { return s.Dial(ctx) })
		j := &journal{}
		cfg := Config{Servers: []string{"hangs", "good"}, Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if strings.HasPrefix(addr, "hangs") {
				return mute.Dial(ctx, network, addr)
			}
			return s.Dial(ctx)
		}}
		j.on(&cfg)
		c := must[*Conn](t)(Dial(t.Context(), cfg))
		defer c.Close()
		for !strings.HasPrefix(c.State().Server, "hangs") {
			time.Sleep(2 * time.Second)
			s.DropConnections()
			time.Sleep(time.Second)
		}
		time.Sleep(time.Minute)
		before := c.State()
		mute.Hold(true)
		start := time.Now()
		if _, _, err := c.Get(soon(t, time.Minute), "/"); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took < before.Timeout*2/3 || took > before.Timeout {
			t.Errorf("answered after %v with a session of %v", took, before.Timeout)
		}
		if st := c.State(); st.Session != before.Session || st.Expirations != 0 || !strings.HasPrefix(st.Server, "good") {
			t.Errorf("%+v", st)
		}
		if _, text := j.narrated(); !strings.Contains(text, "it answers pings, and no read for") {
			t.Error(text)
		}
	})
}

// How long answers take is known while they are awaited too.
func TestDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		defer s.Close()
		late := peers.NewLate(func(ctx context.Context, _, _ string) (net.Conn, error) { return s.Dial(ctx) })
		defer late.Close()
		c := must[*Conn](t)(Dial(t.Context(), Config{Servers: []string{"zk1"}, Session: 20 * time.Second, Dial: late.Dial}))
		defer c.Close()
		if d := c.Delay(); d > time.Second {
			t.Errorf("at first %v", d)
		}
		late.Delay(4 * time.Second)
		time.Sleep(time.Minute)
		for range 20 {
			if d := c.Delay(); d < 4*time.Second || d > 4100*time.Millisecond {
				t.Errorf("later %v", d)
			}
			time.Sleep(700 * time.Millisecond)
		}
		if st := c.State(); st.Connects != 1 || st.Phase != Connected {
			t.Errorf("%+v", st)
		}
	})
}
