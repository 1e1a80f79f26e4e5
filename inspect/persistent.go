package inspect

import (
	"bytes"
	"strings"
)

// Claims that no session owns. Where the layout writes ephemeral znodes they come from a crash of a client that made
// one by hand, or from a tree that was restored from a copy: then nobody is behind them, and nothing removes them.

// persistent names claims of a line that no session owns.
func (v *lineView) persistent() {
	var claims, durable []*Claim
	for i := range v.model.Claims {
		c := &v.model.Claims[i]
		switch {
		case c.Session != 0 || v.line.queue[i].node.Has(NoStat):
		case v.kept(c), v.line.queue[i].layout.Durable:
			durable = append(durable, c)
		default:
			claims = append(claims, c)
		}
	}
	v.unowned(claims)
	if v.place == nil || v.place.ID != "KAFKA-PART" {
		v.durable(durable)
	}
}

// kept reports whether a system keeps a claim persistent by design although its layout has it ephemeral: a controller
// that has moved to KRaft holds Kafka's place so.
func (b *builder) kept(c *Claim) bool {
	if b.place == nil {
		return false
	}
	return b.place.Durable || b.place.ID == "KAFKA-CTRL" && bytes.Contains(c.znode().Data, []byte("kraftControllerEpoch"))
}

// unowned adds the finding about persistent claims where the layout has ephemeral ones: high for who holds or leads.
func (v *builder) unowned(claims []*Claim) {
	if len(claims) == 0 {
		return
	}
	severity, what := Medium, "its znode"
	for _, c := range claims {
		if holding(c.Role()) {
			severity = High
		}
	}
	if len(claims) > 1 {
		what = "their znodes"
	}
	text := names(claims) + choose(len(claims), " has", " have") + " no owning session: " + what + " never " + choose(len(claims), "expires", "expire") + ", whoever is gone"
	if v.place != nil {
		text += "; its system writes ephemeral ones, so " + choose(len(claims), "this one was", "these were") + " probably restored from a copy"
	} else {
		text += "; left by a crash or a restore, unless made so on purpose"
	}
	v.add(CodePersistentClaim, severity, text, claims...)
}

// unownedLeader tells of the leader of an election that is no line when no session owns its znode.
func (b *builder) unownedLeader() {
	for i := range b.model.Claims {
		if c := &b.model.Claims[i]; holding(c.Role()) && c.Session == 0 && !c.znode().Has(NoStat) {
			b.unowned([]*Claim{c})
		}
	}
}

// durable adds the finding about claims that their layout makes persistent: nobody but their owner or a person removes
// them, which matters while others wait.
func (v *builder) durable(claims []*Claim) {
	var held []*Claim
	for _, c := range claims {
		if holding(c.Role()) {
			held = append(held, c)
		}
	}
	if len(held) == 0 {
		return
	}
	severity := Low
	_, behind := v.model.split()
	if behind > 0 {
		severity = Medium
	}
	text := names(held) + choose(len(held), " holds", " hold") + lasting(held[0].Since(), v.snap.TakenAt) +
		" by a claim that is durable by design: it outlives its owner, and only its owner or a person removes it"
	if behind > 0 {
		text += "; " + plural(behind, "claim waits", "claims wait") + " behind it"
	}
	v.add(CodePersistentClaim, severity, text, held...)
}

// registersForGood reports whether an instance of a service may be persistent: its row or its own words say so.
func registersForGood(row *Layout, n *Node) bool {
	switch row {
	case &dubboRow:
		return strings.Contains(n.Name, "dynamic%3Dfalse")
	case &hs2Row:
		return false
	case &xdiscRow:
		return !bytes.Contains(n.Data, []byte(`"DYNAMIC"`))
	}
	return row.ID != "TW-SERVERSET"
}
