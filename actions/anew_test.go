package actions

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// meanwhile does something the moment that a request of an Actor reaches the server, before it is carried out.
func (r *rig) meanwhile(op wire.Op, do func()) {
	var once atomic.Bool
	r.server.SetFault(func(q zkserver.Request) zkserver.Action {
		if q.Op == op && once.CompareAndSwap(false, true) {
			do()
		}
		return zkserver.Action{}
	})
}

// single is an election whose leader is one znode, beside which others are made.
func (r *rig) single() (path string) {
	r.create("/app", "", 0)
	return r.create("/app/leader", "host-1", wire.FlagEphemeral)
}

func (r *rig) remove(path string) {
	if err := r.client.Delete(context.Background(), path, -1); err != nil {
		r.t.Error(err)
	}
}

// A claim that is made anew at its path after the last look is deleted in place of the one that was meant: no server can
// prevent it. It is never said that it was the other.
func TestABreakThatMeetsAClaimMadeAnewSaysSo(t *testing.T) {
	const doubt = "; 1 more created below /app at the same time; if one was created at this path in the moment between, that one was deleted"
	for name, c := range map[string]struct {
		meanwhile, after func(*rig)
		doubt            bool
	}{
		"nothing else":       {func(*rig) {}, nil, false},
		"made anew before":   {func(r *rig) { r.remove("/app/leader"); r.create("/app/leader", "host-2", wire.FlagEphemeral) }, nil, true},
		"a sibling":          {func(r *rig) { r.create("/app/other", "", 0) }, nil, true},
		"a sibling has gone": {func(r *rig) { r.remove("/app/old") }, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			path := r.single()
			r.create("/app/old", "", 0)
			p := r.plan(VerbBreak, path)
			if all := strings.Join(p.Guards, "\n"); !strings.Contains(all, "a znode created again at this path in between is hit instead") {
				t.Errorf("the plan says %s", all)
			}
			r.meanwhile(wire.OpDelete, func() { c.meanwhile(r) })
			got := r.apply(p)
			if got.Outcome != Done || strings.Contains(got.Text, doubt) != c.doubt || strings.HasSuffix(got.Text, "deleted") != c.doubt {
				t.Errorf("%s: %s", got.Outcome, got.Text)
			}
		})
	}
}

// A bare number comes again in a directory that was made anew.
func TestABreakThatMeetsTheSameNumberOfADirectoryMadeAnewSaysSo(t *testing.T) {
	for _, anew := range []bool{false, true} {
		r := newRig(t, nil)
		r.create("/election", "", 0)
		path := r.create("/election/n_", "web-1", wire.FlagEphemeralSequence)
		p := r.plan(VerbBreak, path)
		if all := strings.Join(p.Guards, "\n"); !strings.Contains(all, "a znode created again at this path in between is hit instead") {
			t.Errorf("the plan says %s", all)
		}
		r.meanwhile(wire.OpDelete, func() {
			if anew {
				r.remove(path)
				r.remove("/election")
				r.create("/election", "", 0)
				r.create("/election/n_", "web-2", wire.FlagEphemeralSequence)
			}
		})
		got := r.apply(p)
		if doubt := strings.Contains(got.Text, "/election was deleted and created again at the same time; if one was created at this path"); got.Outcome != Done || doubt != anew {
			t.Errorf("made anew %v: %s: %s", anew, got.Outcome, got.Text)
		}
	}
}

// Whoever takes over at once at the same path is not what was deleted.
func TestATakeoverAfterABreakIsNoDoubt(t *testing.T) {
	r := newRig(t, nil)
	p := r.plan(VerbBreak, r.single())
	var once atomic.Bool
	r.server.SetFault(func(q zkserver.Request) zkserver.Action { // the first look after the delete
		if q.Op == wire.OpExists && q.Path == p.Target.Path && once.CompareAndSwap(false, true) {
			r.create(p.Target.Path, "host-2", wire.FlagEphemeral)
		}
		return zkserver.Action{}
	})
	if got := r.apply(p); got.Outcome != Done || got.Text != "broke the claim of host-1" {
		t.Errorf("%s: %s", got.Outcome, got.Text)
	}
}

// A write tells which znode it met.
func TestAWriteThatMeetsAnotherZnodeSaysSo(t *testing.T) {
	r := newRig(t, nil)
	path := r.contend("", "web-2")[0]
	p := r.plan(VerbRevoke, path)
	r.meanwhile(wire.OpSetData, func() {
		r.remove(path)
		r.create(path, "other", wire.FlagEphemeral)
	})
	got := r.apply(p)
	if got.Outcome != Unknown || !strings.HasPrefix(got.Text, "another znode was written: it was created again at ") || r.actor.Kept(r.scene(path).Claim.ID()) != nil {
		t.Errorf("%s: %s", got.Outcome, got.Text)
	}
}
