package survey

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// claimMemory finds a recipe's earlier claims by identity. Claims are asked for in an order close to
// the old one, so most are found where the last one was left.
type claimMemory struct {
	Old   *model.Model
	next  int
	byKey *model.ClaimTable
}

// newClaimMemory remembers a model unless its directory was made anew since.
func newClaimMemory(old *model.Model, n *znode.Node) claimMemory {
	if old == nil || old.Czxid != n.Czxid {
		return claimMemory{}
	}
	return claimMemory{Old: old}
}

func (m *claimMemory) Find(c *model.Claim) *model.Claim {
	if m.Old == nil {
		return nil
	}
	claims := m.Old.Claims
	for i := m.next; i < len(claims) && i < m.next+4; i++ {
		if claims[i].Same(c) {
			m.next = i
			return &claims[i]
		}
	}
	if m.byKey == nil {
		t := model.ClaimsByKey(m.Old)
		m.byKey = &t
	}
	was := m.byKey.Of(c)
	if was != nil {
		m.next = was.Position()
	}
	return was
}

// Recall carries over what was seen of a claim in this run: since when it has its role, whether it held
// before, whether the servers were asked since it came.
func (m *claimMemory) Recall(c *model.Claim, kind layout.Kind, d *Decoder) {
	was := m.Find(c)
	if was == nil {
		if c.Settled = d.First; !d.First {
			c.Seen, c.Fresh = model.MomentOf(d.Snap.TakenAt), d.streaming
		}
		return
	}
	if c.Seen = was.Seen; was.Session != c.Session { // an item in other hands
		c.Seen = model.MomentOf(d.Snap.TakenAt)
	}
	c.Settled = was.Settled && was.Session == c.Session || d.aux && (c.Seen == 0 || d.Snap.AskedAt.IsZero() || model.MomentOf(d.Snap.AskedAt) > c.Seen)
	c.Held = was.Held || model.Holding(was.Role()) && !model.Holding(c.Role())
	c.Held = c.Held && !model.Holding(c.Role())
	switch {
	case was.Role() == c.Role(), m.Old.Kind != kind && model.Holding(was.Role()) == model.Holding(c.Role()):
		c.TookRole(was.Since())
		c.SinceSeen, c.Fresh = was.SinceSeen, was.Fresh
	case d.streaming:
		c.TookRole(d.Snap.TakenAt)
		c.SinceSeen = true
	}
}
