package inspect_test

import (
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
)

// What is known of a run outlives a change of the hints: of our own sessions, which concern no other recipe, and of rules,
// which have everything looked at again.
func TestOtherHintsEndNoMemory(t *testing.T) {
	const (
		dir  = "/locks/l/"
		head = dir + "00000000000000000000000000000001__lock__0000000000"
		mine = dir + "00000000000000000000000000000002__lock__0000000001"
	)
	for what, change := range map[string]string{
		"own session without claims": "@own D",
		"own session with a claim":   "@own C",
		"own session that watches":   "@own D\n@watch " + mine + " D",
		"rule of another recipe":     "@hint /queue kind=queue",
		"rule of no recipe":          "@hint /none kind=barrier",
	} {
		t.Run(what, func(t *testing.T) {
			s := script.New(t)
			s.Apply("@server s1:2181 yes\n@session A connected=yes\n@session B connected=yes\n@session C connected=yes\n@session D connected=yes\n" +
				head + " owner=A z=1\n/locks/gone/" + script.Hex + "__lock__0000000001 owner=A\n/locks/m/" + script.Hex + "__lock__0000000001 owner=C\n/queue/x-1 data=\"x\"")
			res := inspect.Decode(s.Snapshot(), nil, s.Hints)
			look := func(text string) {
				s.Apply(text)
				s.Snap.AskedAt = s.Snap.TakenAt.Add(-1)
				res = inspect.Decode(s.Snapshot(), res, s.Hints)
			}
			look("@now +1s\n" + mine + " owner=B z=2")
			look("@now +5s\n@watch " + mine + " C")
			look("@now +5s\n@watch " + mine + " C")
			look("@now +5s\n- " + head + "\n- /locks/gone/" + script.Hex + "__lock__0000000001")
			pulse, since := res.Pulse.Began, res.ByPath("/locks/l").Claims[0].Since()
			if res.ByPath("/locks/l").Finding(model.CodeLeakedClaim) == nil {
				t.Fatal("nothing to remember")
			}
			look("@now +5s\n" + change)
			m, gone := res.ByPath("/locks/l"), res.ByPath("/locks/gone")
			if m.Finding(model.CodeLeakedClaim) == nil {
				t.Error("the finding went")
			}
			if c := &m.Claims[0]; !c.RoleChangeSeen || !c.Since().Equal(since) {
				t.Errorf("since when it holds was forgotten: %v, %v", c.RoleChangeSeen, c.Since())
			}
			if gone == nil || gone.State != model.Free {
				t.Errorf("the empty lock was forgotten: %+v", gone)
			}
			if !res.Pulse.Began.Equal(pulse) {
				t.Errorf("how long sessions are watched was forgotten: since %v, not %v", res.Pulse.Began, pulse)
			}
			if own := res.ByPath("/locks/m").Claims[0].Mine; own != (change == "@own C") {
				t.Errorf("mine: %v", own)
			}
			sameAsAnew(t, s, res)
		})
	}
}

// A change of our own sessions has no recipe decoded again that they are not part of.
func TestOwnSessionsTouchTheirRecipesOnly(t *testing.T) {
	s := script.New(t)
	s.Apply("/locks/a/" + script.Hex + "__lock__0000000001 owner=A\n/locks/b/" + script.Hex + "__lock__0000000001 owner=B")
	first := inspect.Decode(s.Snapshot(), nil, s.Hints)
	s.Apply("@own B")
	next := inspect.Decode(s.Snapshot(), first, s.Hints)
	if next.ByPath("/locks/a") != first.ByPath("/locks/a") || next.ByPath("/locks/b") == first.ByPath("/locks/b") || !next.ByPath("/locks/b").Claims[0].Mine {
		t.Error("decoded again: not just that of our own session")
	}
	s.Hints.Own = nil
	if inspect.Decode(s.Snapshot(), next, s.Hints).ByPath("/locks/b").Claims[0].Mine {
		t.Error("it is still ours")
	}
}
