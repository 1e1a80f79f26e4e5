package mirror

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// A read that is not answered makes the snapshot old after two thirds of the session's timeout although pings are answered;
// what it brings when it is answered after all was not seen when it happened.
func TestReadsThatHangMakeThePictureOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		t.Cleanup(func() { s.Close() })
		c := dial(t, pipeTo(s))
		create(t, c, "/a", "before", 0)
		mute := peers.NewMute(func(ctx context.Context, _, _ string) (net.Conn, error) { return s.Dial(ctx) })
		cfg := pipeTo(s)
		cfg.Dial = mute.Dial
		m := start(t, cfg, Options{})
		await(t, m, 30*time.Second, "the first load", complete)
		time.Sleep(time.Minute)
		timeout := m.Status().State.Timeout
		mute.Hold(true)
		create(t, c, "/b", "", 0) // its event is held back too: the next comparison asks
		asked := time.Now()
		lost := await(t, m, time.Minute, "the snapshot is old", func(s *znode.Snapshot) bool { return !s.LostSince.IsZero() })
		since := lost.LostSince
		if took := time.Since(since); took != timeout*2/3 || since.Before(asked) || !m.Status().Late {
			t.Errorf("told %v after %v, with a session of %v", took, since, timeout)
		}
		mute.Hold(false)
		back := await(t, m, time.Minute, "it is caught up", func(s *znode.Snapshot) bool { return complete(s) && s.Root.Child("b") != nil })
		if !back.Gap.From.Equal(since) || m.Status().Late || m.Status().State.Connects != 1 {
			t.Errorf("lost since %v, gap %v; %+v", since, back.Gap, m.Status())
		}
	})
}

// Where the reads go on hanging the server is left.
func TestAServerWhoseReadsHangIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		t.Cleanup(func() { s.Close() })
		mute := peers.NewMute(func(ctx context.Context, _, _ string) (net.Conn, error) { return s.Dial(ctx) })
		cfg := pipeTo(s)
		cfg.Servers = []string{"hangs", "good"}
		cfg.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			if addr == "hangs:2181" {
				return mute.Dial(ctx, network, addr)
			}
			return s.Dial(ctx)
		}
		m := start(t, cfg, Options{})
		await(t, m, 30*time.Second, "the first load", complete)
		for m.Status().State.Server != "hangs:2181" {
			time.Sleep(2 * time.Second)
			s.DropConnections()
			time.Sleep(time.Second)
		}
		await(t, m, 30*time.Second, "a load from there", complete)
		mute.Hold(true)
		await(t, m, time.Minute, "the other serves", func(s *znode.Snapshot) bool {
			return m.Status().State.Server == "good:2181" && complete(s) && !s.Gap.To.IsZero()
		})
	})
}
