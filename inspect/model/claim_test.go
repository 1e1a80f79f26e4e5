package model

import (
	"math"
	"testing"
	"time"
	"unsafe"

	"github.com/zkscope/zkscope/inspect/znode"
)

// A tree can hold a million claims: what one costs is not to grow unseen.
func TestClaimsAreSmall(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Log("the sizes are those of 64 bits")
		return
	}
	if n := unsafe.Sizeof(Claim{}); n > 128 {
		t.Errorf("a claim takes %d bytes", n)
	}
	if n := unsafe.Sizeof(Model{}); n > 208 {
		t.Errorf("a model takes %d bytes", n)
	}
}

func TestZeroClaim(t *testing.T) {
	var c Claim
	if c.Node() != "" || c.Path() != "" || c.Czxid() != 0 || !c.Created().IsZero() || !c.Since().IsZero() ||
		c.Owner() != "" || c.Why() != "" {
		t.Errorf("something is known of %+v", c)
	}
	if c.BlockedBy() != nil || c.Vote() != nil || c.Priority() != nil || c.Role() != "" || c.Proof() != Unproven ||
		c.Revocable() != "" || c.Hears() != HearsUnknown {
		t.Errorf("something is said of %+v", c)
	}
}

// TestClaimPath: a claim's path is where its znode is, also at the root of a picture, whose name a
// reader need not know.
func TestClaimPath(t *testing.T) {
	leaf := &znode.Node{Name: "b", Czxid: 7}
	for _, dir := range []string{"/", "/a", "/a/c"} {
		c := Claim{node: leaf, home: &Home{Dir: dir}}
		want := znode.Join(dir, "b")
		if c.Path() != want || string(c.AppendPath([]byte("x"))) != "x"+want || c.ID() != (ClaimID{want, 7}) ||
			!c.Is(c.ID()) || c.Is(ClaimID{want, 8}) || c.Is(ClaimID{dir, 7}) {
			t.Errorf("%s in %s", c.Path(), dir)
		}
	}
}

// TestSince: what is known of a claim's beginning is told to the microsecond, and unknown is told from none.
func TestSince(t *testing.T) {
	made := time.UnixMilli(1_700_000_000_123).UTC()
	c := Claim{node: &znode.Node{Ctime: znode.Millis(made.UnixMilli())}}
	for _, want := range []time.Time{made, {}, made.Add(time.Microsecond), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC)} {
		c.SetRoleSince(want)
		if got := c.Since(); !got.Equal(want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	unknown := Claim{node: &znode.Node{}}
	unknown.SetRoleSince(time.Time{})
	if !unknown.Since().IsZero() || unknown.RoleSince != 0 {
		t.Error(unknown.Since())
	}
	insane := Claim{node: &znode.Node{Ctime: math.MaxInt64}}
	insane.SetRoleSince(insane.Created())
	if insane.Since() != insane.Created() {
		t.Error(insane.Since())
	}
}

// TestReasonsHaveWords: whatever reason a claim is given, Why has words for it.
func TestReasonsHaveWords(t *testing.T) {
	model := &Model{Claims: make([]Claim, 3)}
	for r := Unsaid + 1; r <= lastReason; r++ {
		c := Claim{Reason: r, home: &Home{Model: model}, node: &znode.Node{Name: "x"}}
		if r.waits() {
			c.SetBlockers(0, 2)
		}
		if c.Why() == "" {
			t.Errorf("reason %d has no words", r)
		}
	}
}

func TestNumbers(t *testing.T) {
	var n Numbers
	if _, known := n.Get("limit"); known || n.Of("limit") != 0 || n.Map() == nil {
		t.Error(n)
	}
	for i, name := range []string{"nextSeq", "depth", "seqLeft", "depth"} {
		n.Set(name, int64(i))
	}
	if v, known := n.Get("depth"); !known || v != 3 || len(n) != 3 || n[0].Name != "depth" || len(n.Map()) != 3 ||
		n.Map()["seqLeft"] != 2 {
		t.Error(n)
	}
}

// Since when a claim holds is said one way: with a sign where it may be less, and not at all where the clocks disagree.
func TestSpan(t *testing.T) {
	now := time.UnixMilli(10_000_000)
	for want, c := range map[string]struct {
		since time.Time
		exact bool
	}{"": {}, "1m": {now.Add(-time.Minute), true}, "≤1m": {now.Add(-time.Minute), false}, "0s": {now.Add(time.Second), true}} {
		if got := Span(c.since, c.exact, now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := Span(now.Add(time.Hour), true, now); got != "" {
		t.Errorf("in an hour: %q", got)
	}
}
