package zkserver_test

import (
	"context"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// bubble runs a script against a server over net.Pipe in virtual time.
func bubble(t *testing.T, o zkserver.Options, f func(*zkserver.Server, *script)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(o)
		defer s.Close()
		sc := &script{t: t, ids: map[int64]string{}, dial: func() (net.Conn, error) { return s.Dial(context.Background()) }}
		f(s, sc)
		for _, c := range sc.clients {
			if c.nc != nil {
				c.nc.Close()
			}
		}
	})
}

// want runs a command and compares what it prints, less the Stat.
func (s *script) want(line string, out ...string) {
	s.t.Helper()
	got := s.run(line)
	for i, l := range got {
		l, _, _ = strings.Cut(l, " {")
		got[i] = l
	}
	if !slices.Equal(got, out) {
		s.t.Fatalf("%s\ngot  %q\nwant %q", line, got, out)
	}
}

const connected = "= 37 bytes timeout=9000 session=true ro=false"

func TestSessionExpiresWhenItsTimeIsUp(t *testing.T) {
	bubble(t, zkserver.Options{}, func(s *zkserver.Server, sc *script) {
		sc.want("A> connect", connected)
		sc.want("A> create /e x flags=1", "= z2 ok /e")
		sc.clients[0].nc.Close()
		sc.clients[0].nc = nil
		time.Sleep(8900 * time.Millisecond)
		if _, ok := s.Node("/e"); !ok || len(s.Sessions()) != 1 || s.Sessions()[0].Connected {
			t.Fatalf("too early: %v %+v", ok, s.Sessions())
		}
		time.Sleep(101 * time.Millisecond)
		if _, ok := s.Node("/e"); ok || len(s.Sessions()) != 0 {
			t.Fatalf("too late: %v %+v", ok, s.Sessions())
		}
		sc.want("A> reconnect", "= 37 bytes timeout=0 session=false ro=false", "A closed")
	})
}

func TestPingsKeepASession(t *testing.T) {
	bubble(t, zkserver.Options{}, func(s *zkserver.Server, sc *script) {
		sc.want("A> connect", connected)
		for range 100 {
			time.Sleep(8900 * time.Millisecond)
			sc.settle()
		}
		sc.want("A> exists /none", "= z1 -101")
		time.Sleep(9001 * time.Millisecond)
		sc.want("A> exists /none", "A closed")
	})
}

func TestExpireSession(t *testing.T) {
	bubble(t, zkserver.Options{}, func(s *zkserver.Server, sc *script) {
		sc.want("A> connect", connected)
		sc.want("B> connect", connected)
		sc.want("A> create /e x flags=1", "= z3 ok /e")
		sc.want("B> get /e w", `= z3 ok "x"`)
		if !s.ExpireSession(sc.clients[0].id) || s.ExpireSession(12345) {
			t.Fatal("which sessions are there?")
		}
		sc.want("B> exists /e", "B event deleted /e", "= z4 -101", "A closed")
		sc.want("A> reconnect", "= 37 bytes timeout=0 session=false ro=false", "A closed")
	})
}

func TestDropConnections(t *testing.T) {
	bubble(t, zkserver.Options{}, func(s *zkserver.Server, sc *script) {
		sc.want("A> connect", connected)
		sc.want("B> connect", connected)
		sc.want("A> get / w", `= z2 ok ""`)
		if !s.Drop(sc.clients[0].id) || s.Drop(sc.clients[0].id) {
			t.Fatal("a connection can be lost once")
		}
		sc.want("A> exists /", "A closed")
		sc.want("A> reconnect", connected+" same=true")
		if data, child := s.Watchers("/"); len(data)+len(child) != 0 {
			t.Fatal("watches outlive their connection", data, child)
		}
		if n := s.DropConnections(); n != 2 {
			t.Fatalf("dropped %d connections", n)
		}
		sc.want("B> exists /", "B closed", "A closed")
		s.RefuseConnections(true)
		if _, err := s.Dial(t.Context()); err == nil || s.Pipe() != nil {
			t.Fatal("connected to a server that refuses")
		}
		s.RefuseConnections(false)
		sc.want("B> reconnect", connected+" same=true")
	})
}

func TestPauseHangs(t *testing.T) {
	bubble(t, zkserver.Options{}, func(s *zkserver.Server, sc *script) {
		sc.want("A> connect", connected)
		sc.want("B> connect timeout=12000", "= 37 bytes timeout=12000 session=true ro=false")
		sc.want("A> create /e x flags=1", "= z3 ok /e")
		s.Pause()
		done := make(chan []string)
		go func() { done <- sc.run("B> create /b x") }()
		time.Sleep(10 * time.Second)
		if _, ok := s.Node("/b"); ok {
			t.Fatal("a paused server applies requests")
		}
		if _, ok := s.Node("/e"); !ok || len(s.Sessions()) != 2 {
			t.Fatal("a paused server expires sessions")
		}
		s.Resume()
		if got := <-done; !slices.Contains(got, "A closed") || len(s.Sessions()) != 1 {
			t.Fatalf("%q %+v", got, s.Sessions())
		}
		if _, ok := s.Node("/e"); ok {
			t.Fatal("the session's time was up while the server was paused")
		}
	})
}

func TestCloseEndsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		s := zkserver.New(zkserver.Options{Fault: func(r zkserver.Request) zkserver.Action {
			if r.Path == "/held" {
				return zkserver.Action{Hold: hold}
			}
			return zkserver.Action{}
		}})
		sc := &script{t: t, ids: map[int64]string{}, dial: func() (net.Conn, error) { return s.Dial(context.Background()) }}
		for _, name := range []string{"held", "mute", "paused"} {
			sc.want(name+"> connect", connected)
		}
		idle, err := s.Dial(t.Context()) // says nothing at all
		if err != nil {
			t.Fatal(err)
		}
		defer idle.Close()
		send := func(c *raw, path string) {
			var e wire.Encoder
			e.Int32(99)
			e.Int32(int32(wire.OpExists))
			e.String(path)
			e.Bool(false)
			if err := c.write(e.B); err != nil {
				t.Fatal(err)
			}
		}
		send(sc.clients[0], "/held")
		for range 5 {
			send(sc.clients[1], "/") // and never reads
		}
		synctest.Wait()
		s.Pause()
		send(sc.clients[2], "/")
		synctest.Wait()
		for range 2 { // again does nothing
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Dial(t.Context()); err == nil {
			t.Fatal("a closed server takes connections")
		}
		if _, err := s.Listen("127.0.0.1:0"); err != zkserver.ErrClosed {
			t.Fatal(err)
		}
	})
}

func TestSlowReaderHoldsUpNobody(t *testing.T) {
	bubble(t, zkserver.Options{}, func(s *zkserver.Server, sc *script) {
		sc.want("slow> connect", connected)
		sc.want("slow> create /big "+strings.Repeat("x", 500_000), "= z2 ok /big")
		slow := sc.clients[0]
		sc.clients = nil
		go func() { // asks for 100 MB and reads nothing
			for range 200 {
				var e wire.Encoder
				e.Int32(1)
				e.Int32(int32(wire.OpGetData))
				e.String("/big")
				e.Bool(false)
				if slow.write(e.B) != nil {
					return
				}
			}
		}()
		synctest.Wait()
		sc.want("B> connect", connected)
		sc.want("B> exists /none", "= z3 -101")
		slow.nc.Close()
	})
}
