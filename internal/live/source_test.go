package live

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
	"github.com/zkscope/zkscope/tui/backend"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var _ interface {
	backend.Source
	backend.Reader
	backend.Witness
} = new(Source)

// A server that says nothing is told of as silent; one that answers late is not, and how late it is is told.
func TestSilentAndSlowServersAreToldApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		defer s.Close()
		late := peers.NewLate(func(ctx context.Context, _, _ string) (net.Conn, error) { return s.Dial(ctx) })
		defer late.Close()
		src, err := Open(t.Context(), Config{Conn: zkc.Config{Servers: []string{"zk1"}, Session: 20 * time.Second, Dial: late.Dial},
			FourLetter: []string{"off"}, Now: time.Now}, "zk1", false)
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		time.Sleep(time.Minute)
		if _, link := src.Take(); link.Silent != 0 || link.Delay != 0 || link.Server == "" {
			t.Errorf("at rest %+v", link)
		}
		late.Delay(4 * time.Second)
		time.Sleep(time.Minute)
		for range 40 {
			if _, link := src.Take(); link.Silent != 0 || link.Delay < 4*time.Second || link.Delay > 4100*time.Millisecond || link.Late || link.Old < 2*link.Delay {
				t.Fatalf("answers take 4s: %+v", link)
			}
			time.Sleep(500 * time.Millisecond)
		}
		late.Delay(0)
		time.Sleep(time.Minute)
		s.Pause()
		time.Sleep(12 * time.Second) // more than half of the session's timeout after the last ping
		if _, link := src.Take(); link.Silent < 10*time.Second || link.Server == "" {
			t.Errorf("nothing comes: %+v", link)
		}
		s.Resume()
	})
}

// The log of the console has what becomes of its connection, and the events what is news.
func TestTheConsoleLogsItsConnection(t *testing.T) {
	var logged strings.Builder
	n := &news{now: time.Now, log: slog.New(slog.NewTextHandler(&logged, nil))}
	lost := zkc.State{Phase: zkc.Disconnected, Server: "zk1:2181", Session: 1, Connects: 1, Err: errors.New("no answer in time")}
	for _, s := range []zkc.State{{Phase: zkc.Connected, Server: "zk1:2181", Session: 1, Connects: 1}, lost,
		{Phase: zkc.Expired, Server: "zk1:2181", Connects: 1, Expirations: 1},
		{Phase: zkc.Connected, Server: "zk2:2181", Session: 2, Connects: 2, Expirations: 1, Setbacks: 1, BackFrom: 9, BackTo: 4}} {
		n.take(s)
	}
	log := logged.String()
	for _, want := range []string{"connected to zk1:2181", "the connection to zk1:2181 is lost: no answer in time", "session 0x1 has ended",
		"no longer to zk1:2181, as the new session 0x2", "zk2:2181 is at zxid 0x4, and 0x9 was told before"} {
		if !strings.Contains(log, want) {
			t.Errorf("no %q in\n%s", want, log)
		}
	}
	events, count := n.told()
	what := ""
	for _, e := range events {
		what += " " + e.What
	}
	if what != " expired new-session zxid-back" || count != 3 {
		t.Errorf("%d events:%s", count, what)
	}
}
