package zkc

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

func TestAWatchCanceledOnItsWayLeavesNone(t *testing.T) {
	virtual(t, zkserver.Options{}, nil, func(t *testing.T, s *zkserver.Server, c *Conn) {
		mustCreate(t, c, "/a", "", 0)
		s.Pause()
		for _, kind := range []WatchKind{WatchData, WatchExists, WatchChildren} {
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			if _, err := c.WatchOnce(ctx, kind, "/a"); err == nil {
				t.Fatal("a paused server answers")
			}
			cancel()
		}
		s.Resume()
		must[[]byte](t)(second(c.Get(t.Context(), "/a")))
		synctest.Wait()
		if data, child := s.Watchers("/a"); len(data)+len(child) != 0 || len(c.arming) != 0 {
			t.Errorf("left on the server: %v %v; %d on their way", data, child, len(c.arming))
		}
	})
}

// second drops the stat of a read.
func second(data []byte, _ wire.Stat, err error) ([]byte, error) { return data, err }

func TestARemovalDoesNotOvertakeANewerWatch(t *testing.T) {
	virtual(t, zkserver.Options{}, nil, func(t *testing.T, s *zkserver.Server, c *Conn) {
		mustCreate(t, c, "/a", "", 0)
		first := must[*Watch](t)(c.WatchOnce(t.Context(), WatchData, "/a"))
		s.Pause()
		newer := make(chan *Watch, 1)
		go func() {
			w, err := c.WatchOnce(t.Context(), WatchExists, "/a")
			if err != nil {
				t.Error(err)
			}
			newer <- w
		}()
		synctest.Wait()
		first.Cancel()
		s.Resume()
		w := <-newer
		must[wire.Stat](t)(c.Set(t.Context(), "/a", nil, -1))
		if ev := <-w.C; ev.Type != wire.EventDataChanged {
			t.Errorf("the newer watch hears %+v", ev)
		}
	})
}

func TestAnUnwantedWatchGoesWithTheRequestThatKeptIt(t *testing.T) {
	virtual(t, zkserver.Options{}, nil, func(t *testing.T, s *zkserver.Server, c *Conn) {
		mustCreate(t, c, "/a", "", 0)
		first := must[*Watch](t)(c.WatchOnce(t.Context(), WatchData, "/a"))
		s.Pause()
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() {
			defer close(over)
			if _, err := c.WatchOnce(ctx, WatchData, "/a"); err == nil {
				t.Error("a paused server answers")
			}
		}()
		synctest.Wait()
		first.Cancel()
		cancel()
		<-over
		s.Resume()
		must[[]byte](t)(second(c.Get(t.Context(), "/a")))
		synctest.Wait()
		if data, _ := s.Watchers("/a"); len(data) != 0 || len(c.arming) != 0 {
			t.Errorf("left on the server: %v; %d on their way", data, len(c.arming))
		}
	})
}
