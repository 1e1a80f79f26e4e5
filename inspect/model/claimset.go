package model

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// What follows is for those who make a model; a claim does not change once its model is handed out.

// NewClaim begins a claim of a znode.
func NewClaim(n *znode.Node, in *Home, role Role, why Reason) Claim {
	return Claim{node: n, home: in, role: placeIn(roleWords, role), Reason: why}
}

// SetZnode says of which znode the claim is, and where that lies.
func (c *Claim) SetZnode(n *znode.Node, in *Home) { c.node, c.home = n, in }

// SetPosition gives the claim its place in serving order.
func (c *Claim) SetPosition(i int) { c.position = int32(i) }

// SetRole gives the claim its role.
func (c *Claim) SetRole(r Role) { c.role = placeIn(roleWords, r) }

// SetMode says how the claim excludes others.
func (c *Claim) SetMode(m layout.Mode) { c.mode = placeIn(modeWords, m) }

// SetProof says how sure it is that the claim waits for the one ahead.
func (c *Claim) SetProof(p Proof) { c.proof = placeIn(proofWords, p) }

// SetHears says how sure it is that the owner listens for the revoke word.
func (c *Claim) SetHears(h Hearing) { c.hears = placeIn(hearingWords, h) }

// SetRevocable names the word that the owner can be asked with.
func (c *Claim) SetRevocable(word string) { c.revocable = placeIn(revokeWords, word) }

// LaterWriters reports whether writers stand behind a claim whose client may wait for them, others than those that go.
func (c *Claim) LaterWriters(gone func(*Claim) bool) bool {
	if c.Mode() != layout.Read || c.home == nil {
		return false
	}
	name := layout.ParseName(c.Node())
	if l := layout.Of(&name, nil, ""); l == nil || l.Watch != layout.WatchesLast {
		return false
	}
	all := c.home.Model.Claims
	for i := len(all) - 1; i > c.Position(); i-- {
		if all[i].Mode() != layout.Read && !gone(&all[i]) {
			return true
		}
	}
	return false
}

// writersBehind reports whether a writer stands behind a claim in its line.
func (c *Claim) writersBehind() bool {
	if c.home == nil || c.home.Model == nil {
		return false
	}
	for _, o := range c.home.Model.Claims[c.Position()+1:] {
		if o.Mode() != layout.Read {
			return true
		}
	}
	return false
}

// Veiled reports whether the watch of a reader's session on a writer behind it tells nothing of the reader.
func (c *Claim) Veiled() bool { return c.few != nil && c.few.Veiled }

// SetSeq notes the sequence number of a claim.
func (c *Claim) SetSeq(n *layout.Name) { c.Seq, c.HasSeq = int64(n.Seq), n.HasSeq }

// Called returns what a claim is called among those of its recipe, safe for a terminal: its owner, and where another
// claim's reads the same, its session or its number besides. It takes time in proportion to the claims of the recipe.
func (c *Claim) Called() string {
	if c.home == nil || c.home.Model == nil {
		return say.Printable(c.Owner())
	}
	claims := c.home.Model.Claims
	for i := range claims {
		if o := &claims[i]; o != c && o.Owner() == c.Owner() && !o.Same(c) {
			return say.Printable(c.Owner() + toldApart(c, o))
		}
	}
	return say.Printable(c.Owner())
}
