package cli

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// A server that says nothing is told of as silent; one that answers late is not, and how late it is is told.
func TestSilentAndSlowServersAreToldApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		defer s.Close()
		late := peers.NewLate(func(ctx context.Context, _, _ string) (net.Conn, error) { return s.Dial(ctx) })
		defer late.Close()
		m, err := mirror.Start(t.Context(), zkc.Config{Servers: []string{"zk1"}, Session: 20 * time.Second, Dial: late.Dial}, mirror.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		src := &liveSource{m: m, now: time.Now}
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
