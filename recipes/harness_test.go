package recipes

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// trouble is what happens to the client under test at one of its requests.
type trouble func(s *stage, p *play, cancel context.CancelFunc) zkserver.Action

var troubles = map[string]trouble{
	"lost before": func(*stage, *play, context.CancelFunc) zkserver.Action {
		return zkserver.Action{Drop: zkserver.DropBefore}
	},
	"lost after": func(*stage, *play, context.CancelFunc) zkserver.Action {
		return zkserver.Action{Drop: zkserver.DropAfter}
	},
	"canceled": func(_ *stage, _ *play, cancel context.CancelFunc) zkserver.Action {
		cancel()
		return zkserver.Action{}
	},
	"canceled and lost": func(_ *stage, _ *play, cancel context.CancelFunc) zkserver.Action {
		cancel()
		return zkserver.Action{Drop: zkserver.DropAfter}
	},
	"expired": func(s *stage, p *play, _ context.CancelFunc) zkserver.Action {
		s.server.ExpireSession(int64(p.s.ID()))
		return zkserver.Action{}
	},
	// every container that is empty at this moment goes, before the request is applied
	"reaped": func(s *stage, p *play, _ context.CancelFunc) zkserver.Action {
		tree := s.server.Tree()
		for _, path := range slices.Backward(slices.Sorted(maps.Keys(tree))) {
			if tree[path].Container {
				_ = p.help.conn.Delete(context.Background(), path, -1) // one with children stays
			}
		}
		return zkserver.Action{}
	},
}

// allowed is how many watches the server may be left with: one whose request was under way when the caller
// gave up is not known to anybody.
var allowed = map[string]int{"canceled": 1, "canceled and lost": 1}

// perform plays an act once. At the request number at, counted from 0, the trouble comes; -1 stands for none.
// It returns how many requests the client under test made.
func perform(t *testing.T, a act, at int, what string) (requests int) {
	t.Helper()
	return performWith(t, a, at, what, variation{})
}

// variation changes the circumstances of a performance.
type variation struct {
	plant    bool // foreign children stand in the recipe's directories
	again    bool // it is played twice, and what was empty in between is gone
	borrowed bool // the client under test is on a connection of go-zookeeper's
}

func performWith(t *testing.T, a act, at int, what string, v variation) (requests int) {
	t.Helper()
	bubble(t, func(s *stage) {
		p := &play{help: s.session(), beat: time.Second}
		if v.borrowed {
			p.s = s.borrowed()
		} else {
			p.s = s.session()
		}
		planted := map[string]bool{}
		if v.plant {
			planted = plant(t, p.help, a)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		off, end := context.WithTimeout(context.Background(), 2*time.Minute)
		var wg sync.WaitGroup
		p.ctx, p.off, p.wait, p.run, p.stop = ctx, off, wg.Wait, wg.Go, end
		id := int64(p.s.ID())
		s.server.SetFault(func(r zkserver.Request) zkserver.Action {
			if r.Session != id || r.Op == wire.OpPing || r.Op == wire.OpCreateSession || r.Op == wire.OpClose || r.Op == wire.OpRemoveWatches || r.Op == wire.OpSetWatches || r.Op == wire.OpSetWatches2 {
				return zkserver.Action{}
			}
			requests++
			if requests-1 != at {
				return zkserver.Action{}
			}
			return troubles[what](s, p, cancel)
		})
		err := a.play(p)
		if v.again && err == nil {
			time.Sleep(5 * time.Second)
			err = a.play(p)
		}
		end()
		wg.Wait()
		complain(t, a, at, what, err)
		time.Sleep(3 * time.Second) // empty containers are reaped
		for path, n := range s.server.Tree() {
			if path == "/" || strings.HasPrefix(path, "/zookeeper") || n.Stat.EphemeralOwner == 0 && kept(a, path) || planted[path] {
				continue
			}
			if what == "expired" && n.Container {
				continue // made for a znode that never came, and nobody was left to take it back
			}
			t.Errorf("%s at request %d: %s stays (%v)", what, at, path, err)
		}
		if n := s.watches(p.s); n > allowed[what] && !v.borrowed { // go-zookeeper keeps a watch until it fires
			t.Errorf("%s at request %d: %d watches stay (%v)", what, at, n, err)
		}
	})
	return requests
}

// watches counts the watches that a session has on what there is.
func (s *stage) watches(ses *Session) (n int) {
	paths := []string{}
	for path := range s.server.Tree() {
		paths = append(paths, path)
	}
	for _, path := range paths {
		data, child := s.server.Watchers(path)
		if slices.Contains(data, int64(ses.ID())) || slices.Contains(child, int64(ses.ID())) {
			n++
		}
	}
	return n
}

func kept(a act, path string) bool {
	for _, k := range a.keeps {
		if path == k || strings.HasPrefix(path, k+"/") && !strings.HasPrefix(path, "/l/") {
			return true
		}
	}
	return false
}

// complain judges how an act ended.
func complain(t *testing.T, a act, at int, what string, err error) {
	t.Helper()
	ok := err == nil
	switch what {
	case "lost before", "lost after":
		ok = ok || a.unknown && errors.Is(err, ErrUnknown)
	case "canceled", "canceled and lost":
		ok = ok || errors.Is(err, context.Canceled) || a.unknown && errors.Is(err, ErrUnknown)
	case "expired":
		ok = ok || errors.Is(err, ErrLost) || a.unknown && errors.Is(err, ErrUnknown)
	}
	if !ok {
		t.Errorf("%s at request %d: %v", what, at, err)
	}
}

// TestEveryRequestMayGoWrong plays each recipe once per request and kind of trouble: the reply lost before and
// after the request is applied, the caller's context ended, the session expired. It must come to its end, or
// say why not, and leave nothing behind.
func TestEveryRequestMayGoWrong(t *testing.T) {
	for _, a := range acts() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			n := perform(t, a, -1, "")
			if n == 0 {
				t.Fatal("no requests")
			}
			for what := range troubles {
				if what == "canceled and lost" && os.Getenv("ZKSCOPE_LONG") == "" {
					continue
				}
				for at := 0; at < n && !t.Failed(); at++ {
					perform(t, a, at, what)
				}
			}
		})
	}
}

// rehearse prepares a play without trouble, outside of virtual time.
func rehearse(s, help *Session) (*play, func()) {
	var wg sync.WaitGroup
	ctx, end := context.WithTimeout(context.Background(), 30*time.Second)
	return &play{ctx: ctx, s: s, help: help, off: ctx, wait: wg.Wait, run: wg.Go, stop: end, beat: 30 * time.Millisecond}, end
}
