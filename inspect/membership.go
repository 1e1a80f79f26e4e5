package inspect

import (
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/lines"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// The group: its members are the children, each ephemeral, so that a member that fails leaves by itself.
//
// Layouts, all of them children of the group's directory:
//
//	<any name>, ephemeral, and no other children      the recipe document; Curator GroupMember; ours
//	<name><seq>, ephemeral, below a word for a group  the same with the SEQUENTIAL flag
//	<32 hex>__party__                                 kazoo Party
//	<32 hex>-<identifier>                             kazoo ShallowParty, the name in the name
//	_c_<uuid>-<base>, _c_<uuid>-<base><seq>           Curator PersistentNode, protected
//	P/touch, and nothing else                         Curator PersistentTtlNode: see ttlnode.go
//	P/party and P/locks                               kazoo SetPartitioner: see partitioner.go
//	the known places of Kafka, HBase, Solr, Mesos, Helix, Patroni, BookKeeper, Pulsar, Canal, Storm, …
//	<replica>/is_active                               ClickHouse's replicas, of which the active ones count
//	block-<seq>, abandonable_lock-<seq>               ClickHouse's block numbers being written
//
// An ephemeral znode cannot have children, so the group's own znode is persistent, whatever a document
// says. Members have no order; they are listed as they came.
var membershipKind = survey.KindRow{Kind: layout.Membership, Weigh: weighMembership, Build: buildMembership}

func weighMembership(x *survey.Dir) []survey.Evidence {
	s := x.Count()
	switch {
	case isPartitioner(x):
		return []survey.Evidence{{Kind: layout.Membership, Weight: 6,
			Why: "it has the party and locks of kazoo's SetPartitioner"}}
	case isTTLNode(x):
		return []survey.Evidence{{Kind: layout.Membership, Weight: 0.5,
			Why: "touch is its only child, as of Curator's PersistentTtlNode"}}
	case isProtected(x):
		return []survey.Evidence{{Kind: layout.Membership, Weight: 1,
			Why: say.Plural(len(x.Node.Children), "child is", "children are") +
				" spelled like Curator's PersistentNode"}}
	}
	if n := x.SetOf(layout.Membership); n > 0 && n == len(x.Set) {
		return []survey.Evidence{{Kind: layout.Membership, Weight: 1, Why: say.Plural(n, "child is", "children are") +
			" spelled like " + x.Set[0].Layout.About}}
	}
	says := x.Words.Whole == layout.Membership
	mostly := s.Ephemeral == s.All || s.Ephemeral == s.Party || says && s.Dirs == 0
	if s.Ephemeral == 0 || !mostly || len(x.Set) > 0 {
		return nil
	}
	switch first := x.Node.Children[0].Name; {
	case x.Node.Child("connection_info") != nil,
		layout.PlaceOf(znode.Join(x.Path, first), true, func(string) bool { return true }) != nil:
		return nil // a part of Flink's election; recipes of their own
	}
	switch {
	case len(x.Line.Queue) > 0 && !(says && anonymousLine(x)):
		return nil
	case s.Party == s.Ephemeral:
		return []survey.Evidence{{Kind: layout.Membership, Weight: 1.5,
			Why: say.Plural(s.Party, "child is", "children are") + " spelled like kazoo's Party or ShallowParty"}}
	case says:
		return []survey.Evidence{{Kind: layout.Membership, Weight: 1.5,
			Why: "its children are ephemeral and the path says " + say.Printable(x.Words.Word)}}
	case x.Words.Whole != "" && !x.Words.Whole.Serves(), s.Named > 0:
		return nil // each child is a recipe by itself
	}
	return []survey.Evidence{{Kind: layout.Membership, Weight: 0.3, Why: say.Plural(s.All, "child is", "children are") +
		" ephemeral, and there are no others"}}
}

// anonymousLine reports whether the children that seem to stand in line are spelled in a way that tells
// nothing but that they have a number.
func anonymousLine(x *survey.Dir) bool {
	for i := range x.Line.Queue {
		if l := x.Line.Queue[i].Layout; l != &layout.NumberedRow && l.ID != "TW-LOCK" {
			return false
		}
	}
	return true
}

// isProtected reports whether all children are ephemeral and have Curator's guard and no word of its recipes: nodes
// that Curator's PersistentNode keeps there. With a word for a lock in the path they may stand in line.
func isProtected(x *survey.Dir) bool {
	if len(x.Node.Children) == 0 || x.Words.Hint != "" || x.Words.Whole.Alone() {
		return false
	}
	for _, c := range x.Node.Children {
		if name := layout.ParseName(c.Name); !strings.HasPrefix(c.Name, "_c_") || !c.Ephemeral() ||
			name.Guard != layout.CuratorGuard || name.Word != "" {
			return false
		}
	}
	return true
}

// groupAt prepares the model of a group.
func groupAt(x *survey.Dir, d layout.Dialect, sure float64, why []survey.Evidence) *survey.Builder {
	return x.Recipe(layout.Membership, d, sure, why)
}

func buildMembership(x *survey.Dir, why []survey.Evidence) *model.Model {
	switch {
	case isPartitioner(x):
		return buildPartitioner(x, why)
	case isTTLNode(x):
		return buildTTLNode(x, why)
	}
	d, sure := groupDialect(x)
	b := groupAt(x, d, sure, why)
	if x.Place != nil && x.Place.ID == "CH-ACTIVE" {
		replicas(b)
	} else {
		members(b, x.Node.Children)
	}
	b.Number("present", len(b.Model.Claims))
	b.CheckExpected()
	b.CheckDuplicates()
	b.CheckShards()
	b.CheckLeader()
	if len(b.Model.Claims) > 0 {
		b.NoteForeign(model.Low, "they do not come and go with a session")
		m := b.Finish(model.Present)
		b.CheckJobGraph()
		return m
	}
	return b.Finish(model.Empty)
}

// groupDialect names the system whose place it is, or the library that spells its members so.
func groupDialect(x *survey.Dir) (layout.Dialect, float64) {
	s := x.Count()
	switch {
	case x.Place != nil:
		return x.Place.Dialect, 0.9
	case len(x.Set) > 0:
		return x.Set[0].Layout.Dialect, x.Set[0].Layout.Sure
	case s.Party > 0 && s.Party == s.Ephemeral:
		return layout.Kazoo, 0.9
	case isProtected(x):
		return layout.Curator, 0.6
	case s.BareUUID > 0 && s.BareUUID == s.Ephemeral && strings.HasPrefix(string(x.Node.Data), "\xac\xed"):
		return layout.Flink, 0.8 // users of a state handle, which is a serialized object of Java's
	case x.Words.Whole == layout.Membership:
		return layout.ZooKeeper, 0.7
	case s.All == 0 && x.Prev != nil:
		return x.Prev.Dialect, 0.5
	}
	return layout.Generic, 0.5
}

// members adds the ephemeral children as members, as they came.
func members(b *survey.Builder, children []*znode.Node) {
	var present []*znode.Node
	for _, c := range children {
		switch {
		case c.Ephemeral(), b.Place != nil && registers(b, c):
			present = append(present, c)
		case !layout.IsFurniture(c.Name) && !(b.Place != nil && len(c.Children) > 0):
			b.Model.Foreign = append(b.Model.Foreign, c.Name)
		}
	}
	survey.ByArrival(present)
	for _, n := range present {
		groupMember(b, n, znode.Join(b.Path, n.Name))
	}
	var kept []*model.Claim
	for i := range b.Model.Claims {
		if c := &b.Model.Claims[i]; c.Session == 0 && !c.Znode().Has(znode.NoStat) {
			kept = append(kept, c)
		}
	}
	lines.CheckPersistent(b, kept)
}

// registers reports whether a persistent child of a system's place looks like a member of it: a znode with data, of a
// system whose members are ephemeral, which no recipe lies at.
func registers(b *survey.Builder, c *znode.Node) bool {
	if len(c.Children) > 0 || len(c.Data) == 0 || layout.IsFurniture(c.Name) || b.Place.Used {
		return false
	}
	none := func(string) bool { return true }
	return layout.PlaceOf(znode.Join(b.Path, c.Name), false, none) == nil
}

func groupMember(b *survey.Builder, n *znode.Node, path string) {
	c := b.Claim(n, path, model.Member, model.AsSession)
	if items := itemsOf(b, n); items != "" {
		c.SetWhy(c.Why() + items)
	}
	name := layout.ParseName(n.Name)
	if name.HasSeq && len(name.Text) > 10 && b.Place == nil && b.Plausible(name.Seq) {
		c.SetSeq(&name)
	}
	if c.OwnerSource() == model.FromData && (b.Place == nil || say.Plain(c.Owner())) {
		return
	}
	if len(n.Data) > 0 && !layout.IsText(n.Data) && !survey.SpelledAsParticipant(n.Name) {
		c.SetOwner(n.Name, model.FromNode) // binary data tells what a member can do, and not who it is
	}
	switch id := ""; {
	case layout.IsParty(n.Name) && n.Name[layout.HexLen] == '-':
		id = n.Name[layout.HexLen+1:]
		c.SetOwner(id, model.FromNode)
	case b.Place != nil || layout.HasPort([]byte(n.Name)):
		c.SetOwner(n.Name, model.FromNode) // these systems name their members after the process
	}
}

// itemsOf says which items an instance of an Elastic-Job job works on: sharding/<n>/instance names it.
func itemsOf(b *survey.Builder, n *znode.Node) string {
	if b.Place == nil || b.Place.ID != "EJOB-SHARD" {
		return ""
	}
	sharding := b.DependOn(znode.Join(znode.ParentPath(b.Path), "sharding"))
	if sharding == nil {
		return ""
	}
	var items []string
	for _, item := range sharding.Children {
		if c := item.Child("instance"); c != nil && string(c.Data) == n.Name {
			items = append(items, item.Name)
		}
	}
	if len(items) == 0 {
		return "; has no items"
	}
	return "; has " + say.List(items)
}

// replicas adds the replicas of a ClickHouse table that are active.
func replicas(b *survey.Builder) {
	for _, r := range b.Node.Children {
		if c := r.Child("is_active"); c != nil {
			claim := b.Claim(c, znode.Join(b.Path, r.Name)+"/is_active", model.Member, model.ActiveReplica)
			claim.SetOwner(r.Name, model.FromNode)
		}
	}
}
