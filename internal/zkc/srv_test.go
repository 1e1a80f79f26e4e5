package zkc_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

func TestServersOfTheDNS(t *testing.T) {
	r := peers.NameServer(t, map[string][]net.SRV{
		"_zookeeper._tcp.zk.test": {{Target: "b.zk.test", Port: 2182, Priority: 2}, {Target: "c.zk.test", Port: 2181, Priority: 1}, {Target: "a.zk.test", Port: 2181, Priority: 2}},
		"_client._tcp.zk.test":    {{Target: "d.zk.test", Port: 2281}},
	})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for text, want := range map[string]string{
		"srv://zk.test":                   "c.zk.test:2181 a.zk.test:2181 b.zk.test:2182 ",
		" srv://_client._tcp.zk.test/a/b": "d.zk.test:2281 /a/b",
		"zk1,zk2/a":                       "zk1:2181 zk2:2181 /a",
	} {
		servers, chroot, err := zkc.ParseConnect(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := zkc.Resolve(ctx, r, servers)
		if err != nil || strings.Join(append(got, chroot), " ") != want {
			t.Errorf("%q: %q %q %v", text, got, chroot, err)
		}
	}
	_, err := zkc.Resolve(ctx, r, []string{"srv://other.test"})
	if !errors.Is(err, zkc.ErrUnreachable) || err.Error() != "srv://other.test: the DNS has no SRV record of _zookeeper._tcp.other.test: give the record's whole name, as srv://_client._tcp.other.test" {
		t.Errorf("%v", err)
	}
	for _, text := range []string{"srv://", "srv://a:2181", "srv://a,b", "srv:///x"} {
		if _, _, err := zkc.ParseConnect(text); err == nil || !strings.Contains(err.Error(), "after srv:// stands one name and no port") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := zkc.Dial(ctx, zkc.Config{Servers: []string{"srv://zk.test"}}); err == nil {
		t.Error("a name that nobody looked up was connected to")
	}
}

// member is a server that listens.
func member(t *testing.T, o zkserver.Options) (*zkserver.Server, string) {
	t.Helper()
	s := zkserver.New(o)
	t.Cleanup(func() { s.Close() })
	addr, err := s.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return s, addr.String()
}

// An observer is taken however the servers are shuffled, and whoever there is where none serves.
func TestAnObserverIsPreferred(t *testing.T) {
	_, a := member(t, zkserver.Options{})
	watching, o := member(t, zkserver.Options{Observer: true})
	_, b := member(t, zkserver.Options{FourLetter: []string{"ruok"}})
	connect := func(prefer bool) string {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		c, err := zkc.Dial(ctx, zkc.Config{Servers: []string{a, o, b}, PreferObserver: prefer})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return c.State().Server
	}
	for range 8 { // without the preference, all of them hit the observer once in 6561 times
		if got := connect(true); got != o {
			t.Fatalf("connected to %s, the observer is %s", got, o)
		}
	}
	others := 0
	for range 8 {
		if connect(false) != o {
			others++
		}
	}
	if others == 0 {
		t.Error("the observer is taken without being preferred")
	}
	watching.Close()
	if got := connect(true); got != a && got != b {
		t.Errorf("no observer there: connected to %s", got)
	}
}
