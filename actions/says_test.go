package actions

import (
	"slices"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// A plan says the same while only times run in it, and not the same once what follows is something else.
func TestAPlanSaysTheSameWhileOnlyTimesRun(t *testing.T) {
	no, now := false, time.Unix(1000, 0)
	claim := func(name string, owner znode.SessionID, z znode.Zxid) *znode.Node {
		return &znode.Node{Name: name, Owner: owner, Czxid: z, Mzxid: z, Ctime: 1, Mtime: 1, HasCversion: true}
	}
	snap := func(children ...*znode.Node) *znode.Snapshot {
		dir := &znode.Node{Name: "l", Czxid: 1, Children: children, NumChildren: int32(len(children))}
		root := &znode.Node{Children: []*znode.Node{dir}, NumChildren: 1}
		return &znode.Snapshot{Root: root, Base: "/", TakenAt: now, Complete: true, Servers: []znode.Server{{Addr: "a:1", Tier: "admin", Answered: true}},
			Sessions: map[znode.SessionID]znode.Session{1: {ID: 1, Connected: &no, Timeout: time.Minute, ExpiresAt: now.Add(time.Minute)}}}
	}
	first := claim("00000000-0000-4000-8000-000000000001-lock-0000000001", 1, 2)
	second := claim("00000000-0000-4000-8000-000000000002-lock-0000000002", 2, 3)
	plan := func(s *znode.Snapshot, at time.Time) Plan {
		r := inspect.Decode(s, nil, model.Hints{})
		m := r.ByPath("/l")
		return planBreak(Scene{Result: r, Model: m, Claim: &m.Claims[0], Now: at})
	}
	was := plan(snap(first, second), now)
	later := plan(snap(first, second), now.Add(7*time.Second))
	if slices.Equal(was.Warnings, later.Warnings) || !was.Says(later) || !later.Says(was) {
		t.Errorf("%q\n%q", was.Warnings, later.Warnings)
	}
	if other := plan(snap(first), now.Add(7*time.Second)); was.Says(other) {
		t.Errorf("%q is the same as %q", other.Outcome, was.Outcome)
	}
}
