package zkc

import (
	"context"
	"errors"
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

// TestAWatchIsRechecked: servers tell nobody of what he may not read, and not that it is so.
func TestAWatchIsRechecked(t *testing.T) {
	unreadable := []wire.ACL{{Perms: wire.PermAll &^ wire.PermRead, Scheme: "world", ID: "anyone"}}
	for name, change := range map[string]func(ctx context.Context, c *Conn) error{
		"nothing":     nil,
		"a new ACL":   func(ctx context.Context, c *Conn) error { return nil },
		"its end":     func(ctx context.Context, c *Conn) error { return c.Delete(ctx, "/a", -1) },
		"new data":    func(ctx context.Context, c *Conn) error { _, err := c.Set(ctx, "/a", nil, -1); return err },
		"a new znode": func(ctx context.Context, c *Conn) error { return errors.Join(c.Delete(ctx, "/a", -1), again(ctx, c)) },
	} {
		for _, kind := range []WatchKind{WatchData, WatchExists, WatchChildren} {
			virtual(t, zkserver.Options{Record: true}, nil, func(t *testing.T, s *zkserver.Server, c *Conn) {
				mustCreate(t, c, "/a", "", 0)
				w := must[*Watch](t)(c.WatchOnce(t.Context(), kind, "/a"))
				w.Recheck(time.Second)
				w.Recheck(2 * time.Second)
				if change != nil {
					must[wire.Stat](t)(c.SetACL(t.Context(), "/a", unreadable, -1))
					if err := change(t.Context(), c); err != nil {
						t.Fatal(err)
					}
				}
				s.ForgetRequests()
				begun := time.Now()
				select {
				case ev := <-w.C:
					if change == nil || ev.Type != wire.EventNone || ev.State != wire.StateSyncConnected || time.Since(begun) > 2*time.Second {
						t.Errorf("%s, kind %d: %+v after %v", name, kind, ev, time.Since(begun))
					}
				case <-time.After(61 * time.Second):
					if change != nil {
						t.Errorf("%s, kind %d: no event", name, kind)
					}
				}
				w.Cancel()
				time.Sleep(time.Minute)
				asked := 0
				for _, r := range s.Requests() {
					if r.Op == wire.OpExists {
						asked++
					}
				}
				if want := map[bool]int{true: 30, false: 1}[change == nil]; asked != want {
					t.Errorf("%s, kind %d: asked %d times", name, kind, asked)
				}
				if data, child := s.Watchers("/a"); len(data)+len(child) != 0 {
					t.Errorf("%s, kind %d: a watch stays on the server", name, kind)
				}
			})
		}
	}
}

func again(ctx context.Context, c *Conn) error {
	_, err := c.Create(ctx, "/a", nil, 0, nil)
	return err
}
