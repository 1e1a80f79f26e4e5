package zkserver_test

import (
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

func TestFaults(t *testing.T) {
	bubble(t, zkserver.Options{}, func(s *zkserver.Server, sc *script) {
		on := func(path string, a zkserver.Action) {
			s.SetFault(func(r zkserver.Request) zkserver.Action {
				if r.Path == path && r.Op == wire.OpCreate {
					return a
				}
				return zkserver.Action{}
			})
		}
		sc.want("A> connect", connected)
		on("/before", zkserver.Action{Drop: zkserver.DropBefore})
		sc.want("A> create /before x", "A closed")
		if _, ok := s.Node("/before"); ok {
			t.Fatal("applied, though the connection was to be lost before")
		}
		sc.want("A> reconnect", connected+" same=true")
		on("/after", zkserver.Action{Drop: zkserver.DropAfter})
		sc.want("A> create /after x", "A closed")
		if _, ok := s.Node("/after"); !ok {
			t.Fatal("not applied, though the connection was to be lost after")
		}
		sc.want("A> reconnect", connected+" same=true")
		on("/err", zkserver.Action{Err: wire.ErrThrottled})
		sc.want("A> create /err x", "= z2 -127")
		hold := make(chan struct{})
		on("/held", zkserver.Action{Hold: hold})
		done := make(chan []string)
		go func() { done <- sc.run("A> create /held x") }()
		time.Sleep(time.Second)
		if _, ok := s.Node("/held"); ok {
			t.Fatal("applied while held")
		}
		close(hold)
		if got := <-done; got[0] != "= z3 ok /held" {
			t.Fatal(got)
		}
		s.SetFault(nil)
		sc.want("A> create /err x", "= z4 ok /err")
	})
}

func TestFaultsOfSessionRequests(t *testing.T) {
	bubble(t, zkserver.Options{}, func(s *zkserver.Server, sc *script) {
		drop := zkserver.DropBefore
		s.SetFault(func(r zkserver.Request) zkserver.Action {
			if r.Op == wire.OpCreateSession || r.Op == wire.OpClose {
				return zkserver.Action{Drop: drop}
			}
			return zkserver.Action{}
		})
		sc.want("A> connect", "= refused")
		if len(s.Sessions()) != 0 {
			t.Fatal("a session without a connect request")
		}
		drop = zkserver.DropAfter
		sc.want("A> connect", "= refused")
		if len(s.Sessions()) != 1 {
			t.Fatal("the session should be there, and its client not know")
		}
		drop = zkserver.DropNone
		sc.want("A> connect", connected)
		drop = zkserver.DropAfter
		sc.want("A> close", "A closed")
		if len(s.Sessions()) != 1 {
			t.Fatal("the session was to be closed")
		}
	})
}

func TestImitatesAnOldServer(t *testing.T) {
	bubble(t, zkserver.Options{NoAddWatch: true, NoMultiRead: true}, func(s *zkserver.Server, sc *script) {
		sc.want("A> connect", connected)
		for _, cmd := range []string{"addwatch / 1", "setwatches2 z0 recursive=/", "multiread get /"} {
			sc.want("A> "+cmd, "= -1 -6", "A closed")
			sc.want("A> reconnect", connected+" same=true")
		}
		sc.want("A> setwatches z0 exist=/none", "= z1 ok")
	})
}

func TestReadOnlyMode(t *testing.T) {
	bubble(t, zkserver.Options{}, func(s *zkserver.Server, sc *script) {
		sc.want("A> connect", connected)
		sc.want("A> create /t x flags=1", "= z2 ok /t")
		s.SetReadOnly(true)
		sc.want("A> get /", "A closed")
		if s.FourLetter("isro") != "ro" || !strings.Contains(s.FourLetter("srvr"), "Mode: read-only\n") {
			t.Fatal(s.FourLetter("srvr"))
		}
		sc.want("A> reconnect", "= refused")
		sc.want("A> reconnect ro=1", "= refused")
		sc.want("B> connect", "= refused")
		sc.want("B> connect ro=1", "= 37 bytes timeout=9000 session=true ro=true")
		sc.want("B> get /t", `= z2 ok "x"`)
		for _, cmd := range []string{"create /x x", "delete /t", "set /t y", "setacl /t r:world:anyone", "multi check /t", "sync /", "check /t"} {
			sc.want("B> "+cmd, "= z2 -119")
		}
		for range 20 {
			time.Sleep(3 * time.Second)
			sc.settle()
		}
		if _, ok := s.Node("/t"); !ok {
			t.Fatal("without a quorum nothing expires")
		}
		s.SetReadOnly(false)
		sc.want("B> get /t", "B closed")
		sc.want("B> reconnect ro=1", "= 37 bytes timeout=0 session=false ro=false", "B closed")
		sc.want("A> reconnect", connected+" same=true")
		s.Pause()
		s.Resume()
		sc.want("A> set /t y", "= z3 ok")
	})
	bubble(t, zkserver.Options{ReadOnlyMode: true, NoLocalSessions: true}, func(s *zkserver.Server, sc *script) {
		c := sc.client("A")
		resp, size, err := c.connect(wire.ConnectRequest{Timeout: 6000, Passwd: make([]byte, 16), HasReadOnly: true, ReadOnly: true})
		if resp != nil || size != wire.ReplyHeaderLen || err != nil {
			t.Fatalf("%+v %d %v: want a bare reply header", resp, size, err)
		}
	})
}

func TestRecordsRequests(t *testing.T) {
	bubble(t, zkserver.Options{Record: true}, func(s *zkserver.Server, sc *script) {
		sc.want("A> connect", connected)
		s.ForgetRequests()
		sc.want("A> get /", `= z1 ok ""`)
		sc.run("A> multi check / | create /t x | delete /t")
		sc.run("A> multiread get / | ls /t")
		var got []string
		for _, r := range s.Requests() {
			if r.Op == wire.OpPing {
				continue
			}
			line := r.Op.String() + " " + r.Path
			for _, p := range r.SubOps {
				line += p.Op.String() + p.Path + " "
			}
			if r.Op.Writes() != (r.Op == wire.OpMulti) || r.Session != sc.clients[0].id {
				t.Errorf("%+v", r)
			}
			got = append(got, strings.TrimSpace(line))
		}
		want := []string{"getData /", "multi check/ create/t delete/t", "multiRead getData/ getChildren/t"}
		if !slices.Equal(got, want) {
			t.Fatalf("%q", got)
		}
	})
}

func TestVirtualTimeReaping(t *testing.T) {
	bubble(t, zkserver.Options{MaxTimeout: time.Hour}, func(s *zkserver.Server, sc *script) {
		sc.want("A> connect timeout=3600000", "= 37 bytes timeout=3600000 session=true ro=false")
		sc.run("A> container /c x")
		sc.run("A> create /c/a x")
		sc.run("A> ttl /ttl x ttl=90000")
		z, _ := s.Node("/ttl")
		if c, _ := s.Node("/c"); !c.Container || z.TTL != 90*time.Second || z.Stat.EphemeralOwner != 0 {
			t.Fatalf("%+v %+v", c, z)
		}
		time.Sleep(61 * time.Second)
		sc.want("A> delete /c/a", "= z5 ok")
		time.Sleep(58 * time.Second)
		if _, ok := s.Node("/c"); !ok {
			t.Fatal("reaped between two looks")
		}
		time.Sleep(2 * time.Second)
		if _, ok := s.Node("/c"); ok {
			t.Fatal("the empty container is still there")
		}
		if _, ok := s.Node("/ttl"); ok {
			t.Fatal("the TTL node is still there")
		}
		sc.want("A> exists /c", "= z7 -101")
	})
}

func TestOptions(t *testing.T) {
	o := zkserver.Options{ServerID: 0x80, MaxFrame: 100, FourLetter: []string{"srvr"}, MinTimeout: time.Second, MaxTimeout: 2 * time.Second}
	bubble(t, o, func(s *zkserver.Server, sc *script) {
		sc.want("A> connect timeout=1", "= 37 bytes timeout=1000 session=true ro=false")
		sc.want("B> connect timeout=99999", "= 37 bytes timeout=2000 session=true ro=false")
		if id := sc.clients[0].id; id >= 0 || uint64(id)>>56 != 0x80 {
			t.Fatalf("session id %#x", uint64(id))
		}
		sc.want("A> create /t x", "= z3 ok /t")
		sc.want("A> set /t "+strings.Repeat("y", 200), "A closed")
		if got := s.FourLetter("ruok"); got != "ruok is not executed because it is not in the whitelist.\n" {
			t.Fatalf("%q", got)
		}
		if !strings.Contains(s.FourLetter("srvr"), "Mode: standalone") || s.FourLetter("nope") != "" {
			t.Fatal(s.FourLetter("srvr"))
		}
	})
}

func TestClientAddresses(t *testing.T) {
	bubble(t, zkserver.Options{}, func(s *zkserver.Server, sc *script) {
		nc, err := s.DialFrom(t.Context(), "10.0.0.7:40112")
		if err != nil {
			t.Fatal(err)
		}
		plain := sc.dial
		sc.dial = func() (net.Conn, error) { return nc, nil }
		sc.want("A> connect", connected)
		sc.dial = plain
		sc.want("B> connect", connected)
		sc.run("A> create /t x acl=r:ip:10.0.0.0/8")
		sc.want("A> get /t", `= z3 ok "x"`)
		sc.want("B> get /t", "= z3 -102")
		sc.want("A> whoami", "= z3 ok [ip:10.0.0.7]")
		if !strings.Contains(s.FourLetter("cons"), " /10.0.0.7:40112[1](queued=0,") {
			t.Fatal(s.FourLetter("cons"))
		}
		got := s.Sessions()
		if _, err := netip.ParseAddrPort(got[1].Addr); err != nil || got[0].Addr != "10.0.0.7:40112" {
			t.Fatalf("%+v", got)
		}
	})
}

func TestTree(t *testing.T) {
	bubble(t, zkserver.Options{}, func(s *zkserver.Server, sc *script) {
		sc.want("A> connect", connected)
		sc.run("A> create /e data flags=1")
		sc.run("A> create /n null")
		sc.run("A> exists /later w")
		sc.run("A> ls / w")
		tree := s.Tree()
		e, n := tree["/e"], tree["/n"]
		if len(tree) != 6 || string(e.Data) != "data" || e.Stat.EphemeralOwner != sc.clients[0].id || n.Data != nil ||
			tree["/"].Data == nil || tree["/"].Stat.NumChildren != 3 || !slices.Equal(n.ACL, wire.OpenACL()) {
			t.Fatalf("%+v", tree)
		}
		data, _ := s.Watchers("/later")
		_, child := s.Watchers("/")
		if !slices.Equal(data, []int64{sc.clients[0].id}) || !slices.Equal(child, data) {
			t.Fatal(data, child)
		}
		if s.SetCounter("/none", 1) || !s.SetCounter("/", 41) {
			t.Fatal("counters of znodes that are there")
		}
		sc.want("A> create /s- x flags=2", "A event children /", "= z4 ok /s-0000000041")
	})
}
