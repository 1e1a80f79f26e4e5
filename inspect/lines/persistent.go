package lines

import (
	"bytes"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Claims that no session owns. Where the layout writes ephemeral znodes they come from a crash of a client that made
// one by hand, or from a tree that was restored from a copy: then nobody is behind them, and nothing removes them.

// persistent names claims of a line that no session owns.
func (v *lineView) persistent() {
	var claims, durable []*model.Claim
	for i := range v.Model.Claims {
		c := &v.Model.Claims[i]
		switch {
		case c.Session != 0 || v.Line.Queue[i].Node.Has(znode.NoStat):
		case kept(&v.Builder, c), v.Line.Queue[i].Layout.Durable:
			durable = append(durable, c)
		default:
			claims = append(claims, c)
		}
	}
	CheckPersistent(&v.Builder, claims)
	if v.Place == nil || v.Place.ID != "KAFKA-PART" {
		durableClaims(&v.Builder, durable)
	}
}

// kept reports whether a system keeps a claim persistent by design although its layout has it ephemeral: a controller
// that has moved to KRaft holds Kafka's place so.
func kept(b *survey.Builder, c *model.Claim) bool {
	if b.Place == nil {
		return false
	}
	return b.Place.Durable || b.Place.ID == "KAFKA-CTRL" &&
		bytes.Contains(c.Znode().Data, []byte("kraftControllerEpoch"))
}

// CheckPersistent adds the finding about persistent claims where the layout has ephemeral ones: high for
// who holds or leads.
func CheckPersistent(v *survey.Builder, claims []*model.Claim) {
	if len(claims) == 0 {
		return
	}
	severity, what := model.Medium, "its znode"
	for _, c := range claims {
		if model.Holding(c.Role()) {
			severity = model.High
		}
	}
	if len(claims) > 1 {
		what = "their znodes"
	}
	text := model.Names(claims) + say.Choose(len(claims), " has", " have") + " no owning session: " + what + " never " +
		say.Choose(len(claims), "expires", "expire") + ", whoever is gone"
	if v.Place != nil {
		text += "; its system writes ephemeral ones, so " + say.Choose(len(claims), "this one was", "these were") +
			" probably restored from a copy"
	} else {
		text += "; left by a crash or a restore, unless made so on purpose"
	}
	v.AddFinding(model.CodePersistentClaim, severity, text, claims...)
}

// unownedLeader tells of the leader of an election that is no line when no session owns its znode.
func unownedLeader(b *survey.Builder) {
	for i := range b.Model.Claims {
		if c := &b.Model.Claims[i]; model.Holding(c.Role()) && c.Session == 0 && !c.Znode().Has(znode.NoStat) {
			CheckPersistent(b, []*model.Claim{c})
		}
	}
}

// durableClaims adds the finding about claims that their layout makes persistent: nobody but their owner or a person
// removes them, which matters while others wait.
func durableClaims(v *survey.Builder, claims []*model.Claim) {
	var held []*model.Claim
	for _, c := range claims {
		if model.Holding(c.Role()) {
			held = append(held, c)
		}
	}
	if len(held) == 0 {
		return
	}
	severity := model.Low
	_, behind := v.Model.Split()
	if behind > 0 {
		severity = model.Medium
	}
	text := model.Names(held) + say.Choose(len(held), " holds", " hold") +
		say.Lasting(held[0].Since(), v.Snap.TakenAt) +
		" by a claim that is durable by design: it outlives its owner, and only its owner or a person removes it"
	if behind > 0 {
		text += "; " + say.Plural(behind, "claim waits", "claims wait") + " behind it"
	}
	v.AddFinding(model.CodePersistentClaim, severity, text, held...)
}

// RegistersForGood reports whether an instance of a service may be persistent: its row or its own words say so.
func RegistersForGood(row *layout.Layout, n *znode.Node) bool {
	switch row {
	case &layout.DubboRow:
		return strings.Contains(n.Name, "dynamic%3Dfalse")
	case &layout.HiveServerRow:
		return false
	case &layout.DiscoveryRow:
		return !bytes.Contains(n.Data, []byte(`"DYNAMIC"`))
	}
	return row.ID != "TW-SERVERSET"
}
