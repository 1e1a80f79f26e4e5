package survey

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// ClaimMemory finds a recipe's earlier claims by identity. Claims are asked for in an order close to
// the old one, so most are found where the last one was left.
type ClaimMemory struct {
	Old   *model.Model // the recipe as it was; nil: it is new
	next  int
	byKey *model.ClaimTable
}

// newClaimMemory remembers a model unless its directory was made anew since.
func newClaimMemory(old *model.Model, n *znode.Node) ClaimMemory {
	if old == nil || old.Czxid != n.Czxid {
		return ClaimMemory{}
	}
	return ClaimMemory{Old: old}
}

// Find returns what a claim was in the earlier picture; nil: it is new.
func (m *ClaimMemory) Find(c *model.Claim) *model.Claim {
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
		t := model.NewClaimTable(m.Old)
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
func (m *ClaimMemory) Recall(c *model.Claim, kind layout.Kind, d *Decoder) {
	was := m.Find(c)
	if was == nil {
		if c.AskedSince = d.First; !d.First {
			c.FirstSeen, c.ArrivalSeen = model.MomentOf(d.Snap.TakenAt), d.streaming
		}
		return
	}
	if c.FirstSeen = was.FirstSeen; was.Session != c.Session { // an item in other hands
		c.FirstSeen = model.MomentOf(d.Snap.TakenAt)
	}
	c.AskedSince = was.AskedSince && was.Session == c.Session ||
		d.aux && (c.FirstSeen == 0 || d.Snap.AskedAt.IsZero() || model.MomentOf(d.Snap.AskedAt) > c.FirstSeen)
	c.HeldBefore = was.HeldBefore || model.Holding(was.Role()) && !model.Holding(c.Role())
	c.HeldBefore = c.HeldBefore && !model.Holding(c.Role())
	switch {
	case was.Role() == c.Role(), m.Old.Kind != kind && model.Holding(was.Role()) == model.Holding(c.Role()):
		c.SetRoleSince(was.Since())
		c.RoleChangeSeen, c.ArrivalSeen = was.RoleChangeSeen, was.ArrivalSeen
	case d.streaming:
		c.SetRoleSince(d.Snap.TakenAt)
		c.RoleChangeSeen = true
	}
}
