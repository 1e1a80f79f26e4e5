package demo

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/zkserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestTheStageStandsAtAnyMoment plays three virtual minutes and looks again and again.
func TestTheStageStandsAtAnyMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := Start(context.Background(), Options{Seed: 7})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var res *model.Result
		seen := map[string]bool{}
		findings := map[string]bool{}
		for i := 0; i < 1200 || i < 4800 && !findings["phantom-claim"]; i++ { // a bug of the stage's shows up by chance
			prev := res
			res = inspect.Decode(tree(s.server), prev, model.Hints{})
			for _, k := range []layout.Kind{layout.Lock, layout.SharedLock, layout.Election} {
				if claims(res, k) == 0 {
					t.Fatalf("no %s has claims", k)
				}
			}
			note(res, prev, seen, findings)
			time.Sleep(150 * time.Millisecond)
		}
		for _, want := range []string{"acquired", "gone", "joined", "leader-changed"} {
			if !seen[want] {
				t.Errorf("no event %q in three minutes", want)
			}
		}
		if !findings["phantom-claim"] {
			t.Errorf("no phantom claim in twelve minutes; found %v", findings)
		}
	})
}

func claims(r *model.Result, k layout.Kind) (n int) {
	for m := range r.Models.All() {
		if m.Kind == k {
			n += len(m.Claims)
		}
	}
	return n
}

func note(res, prev *model.Result, seen, findings map[string]bool) {
	if prev != nil {
		for _, e := range story.Diff(prev, res) {
			seen[e.What] = true
		}
	}
	for m := range res.Models.All() {
		for _, f := range m.Findings {
			findings[f.Code] = true
		}
	}
}

// tree makes a snapshot of the server's znodes.
func tree(s *zkserver.Server) *znode.Snapshot {
	root := &znode.Node{}
	snap := &znode.Snapshot{Root: root, Base: "/", TakenAt: time.Now(), Complete: true}
	znodes := s.Tree()
	for _, p := range slices.Sorted(maps.Keys(znodes)) {
		if p == "/" || strings.HasPrefix(p, "/zookeeper") {
			continue
		}
		z := znodes[p]
		st := z.Stat
		snap = snap.WithCreated(p, znode.Node{Data: z.Data, Owner: znode.SessionID(st.EphemeralOwner), Czxid: znode.Zxid(st.Czxid),
			Mzxid: znode.Zxid(st.Mzxid), Pzxid: znode.Zxid(st.Pzxid), Ctime: znode.Millis(st.Ctime), Version: st.Version,
			Cversion: st.Cversion, HasCversion: true, DataLength: st.DataLength})
	}
	return snap
}

// TestCaptionsEndWithTheirKeys: where there is little room, the last clause is all that is shown.
func TestCaptionsEndWithTheirKeys(t *testing.T) {
	for _, s := range Scenarios() {
		last := s.Caption[strings.LastIndexAny(s.Caption, ":;")+1:]
		if !strings.HasPrefix(last, " press ") || len(last) > len(" press w, then b") {
			t.Errorf("%s: the last clause names no key, or is too long for 80 columns: %q", s.Name, last)
		}
	}
}
