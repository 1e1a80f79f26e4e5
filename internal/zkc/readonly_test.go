package zkc

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/zkserver"
)

func TestReadOnlyServer(t *testing.T) {
	j := &journal{}
	virtual(t, zkserver.Options{}, func(cfg *Config) { j.on(cfg); cfg.ReadOnly = true }, func(t *testing.T, s *zkserver.Server, c *Conn) {
		old := c.State().Session
		s.SetReadOnly(true)
		mustWait(t, func() bool { st := c.State(); return st.Phase == Connected && st.ReadOnlyServer })
		if st := c.State(); st.Session == old || st.Expirations != 1 {
			t.Fatalf("%+v", st)
		}
		if _, _, err := c.Get(t.Context(), "/"); err != nil {
			t.Fatal(err)
		}
		s.SetReadOnly(false)
		mustWait(t, func() bool { st := c.State(); return st.Phase == Connected && !st.ReadOnlyServer })
	})
}

func TestReadOnlyServerThatGrantsNoSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{ReadOnlyMode: true, NoLocalSessions: true})
		defer s.Close()
		cfg := pipeTo(s)
		cfg.ReadOnly = true
		_, err := Dial(soon(t, 5*time.Second), cfg)
		if !errors.Is(err, ErrUnreachable) || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "localSessionsEnabled=true") {
			t.Fatal(err)
		}
	})
}

// TestLeavesAReadOnlyServerForABetterOne has one member cut off, and another that comes back.
func TestLeavesAReadOnlyServerForABetterOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cut, whole := zkserver.New(zkserver.Options{ReadOnlyMode: true}), zkserver.New(zkserver.Options{})
		defer cut.Close()
		defer whole.Close()
		whole.RefuseConnections(true)
		cfg := Config{Servers: []string{"cut", "whole"}, ReadOnly: true}
		cfg.Dial = func(ctx context.Context, _, addr string) (net.Conn, error) {
			if strings.HasPrefix(addr, "cut") {
				return cut.Dial(ctx)
			}
			return whole.Dial(ctx)
		}
		c := must[*Conn](t)(Dial(soon(t, 10*time.Second), cfg))
		defer c.Close()
		time.Sleep(time.Minute)
		if st := c.State(); !st.ReadOnlyServer || st.Connects != 1 {
			t.Fatalf("%+v", st)
		}
		whole.RefuseConnections(false)
		mustWait(t, func() bool { st := c.State(); return st.Phase == Connected && !st.ReadOnlyServer })
		if st := c.State(); st.Server != "whole:2181" || st.Expirations != 1 {
			t.Fatalf("%+v", st)
		}
	})
}

// TestAServerWithoutAQuorumIsNamed has a client that wants to write at a server that has lost its quorum, from the
// beginning and later on.
func TestAServerWithoutAQuorumIsNamed(t *testing.T) {
	const says = "it has lost its quorum, is read-only and takes no writes"
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{ReadOnlyMode: true})
		defer s.Close()
		_, err := Dial(soon(t, 5*time.Second), pipeTo(s))
		if !errors.Is(err, ErrUnreachable) || !strings.Contains(err.Error(), says) {
			t.Fatal(err)
		}
	})
	virtual(t, zkserver.Options{}, nil, func(t *testing.T, s *zkserver.Server, c *Conn) {
		s.SetReadOnly(true)
		mustWait(t, func() bool { err := c.State().Err; return err != nil && strings.Contains(err.Error(), says) })
		s.SetReadOnly(false)
		mustWait(t, func() bool { return c.State().Phase == Connected })
	})
}
