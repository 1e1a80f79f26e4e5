package inspect

import (
	"slices"
	"strconv"
	"strings"
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
var membershipKind = kindRow{kind: Membership, weigh: weighMembership, build: buildMembership}

func weighMembership(x *dir) []Evidence {
	s := x.count()
	switch {
	case x.isPartitioner():
		return []Evidence{{Membership, 6, "it has the party and locks of kazoo's SetPartitioner"}}
	case x.isTTLNode():
		return []Evidence{{Membership, 0.5, "touch is its only child, as of Curator's PersistentTtlNode"}}
	case x.isProtected():
		return []Evidence{{Membership, 1, plural(len(x.node.Children), "child is", "children are") + " spelled like Curator's PersistentNode"}}
	}
	if n := x.setOf(Membership); n > 0 && n == len(x.set) {
		return []Evidence{{Membership, 1, plural(n, "child is", "children are") + " spelled like " + x.set[0].layout.About}}
	}
	says := x.words.whole == Membership
	mostly := s.ephemeral == s.all || s.ephemeral == s.party || says && s.dirs == 0
	if s.ephemeral == 0 || !mostly || len(x.set) > 0 {
		return nil
	}
	switch first := x.node.Children[0].Name; {
	case x.node.Child("connection_info") != nil, placeOf(Join(x.path, first), true, func(string) bool { return true }) != nil:
		return nil // a part of Flink's election; recipes of their own
	}
	switch {
	case len(x.line.queue) > 0 && !(says && x.anonymousLine()):
		return nil
	case s.party == s.ephemeral:
		return []Evidence{{Membership, 1.5, plural(s.party, "child is", "children are") + " spelled like kazoo's Party or ShallowParty"}}
	case says:
		return []Evidence{{Membership, 1.5, "its children are ephemeral and the path says " + Printable(x.words.word)}}
	case x.words.whole != "" && x.words.whole != Service, s.named > 0:
		return nil // each child is a recipe by itself
	}
	return []Evidence{{Membership, 0.3, plural(s.all, "child is", "children are") + " ephemeral, and there are no others"}}
}

// anonymousLine reports whether the children that seem to stand in line are spelled in a way that tells
// nothing but that they have a number.
func (x *dir) anonymousLine() bool {
	for i := range x.line.queue {
		if l := x.line.queue[i].layout; l != &generic && l.ID != "TW-LOCK" {
			return false
		}
	}
	return true
}

// isProtected reports whether all children are ephemeral and have Curator's guard and no word of its recipes: nodes
// that Curator's PersistentNode keeps there. With a word for a lock in the path they may stand in line.
func (x *dir) isProtected() bool {
	if len(x.node.Children) == 0 || x.words.hint != "" || x.words.whole == Lock || x.words.whole == Election {
		return false
	}
	for _, c := range x.node.Children {
		if name := ParseName(c.Name); !strings.HasPrefix(c.Name, "_c_") || !c.Ephemeral() || name.Guard != CuratorGuard || name.Word != "" {
			return false
		}
	}
	return true
}

func buildMembership(x *dir, why []Evidence) *Model {
	switch {
	case x.isPartitioner():
		return x.buildPartitioner(why)
	case x.isTTLNode():
		return x.buildTTLNode(why)
	}
	d, sure := x.groupDialect()
	b := x.recipe(Membership, d, sure, why)
	if x.place != nil && x.place.ID == "CH-ACTIVE" {
		b.replicas()
	} else {
		b.members(x.node.Children)
	}
	b.number("present", len(b.model.Claims))
	b.missing()
	b.duplicates()
	b.orphanShards()
	b.disagreements()
	if len(b.model.Claims) > 0 {
		b.foreignNote(Low, "they do not come and go with a session")
		m := b.finish(Present)
		b.orphanGraph()
		return m
	}
	return b.finish(Empty)
}

// groupDialect names the system whose place it is, or the library that spells its members so.
func (x *dir) groupDialect() (Dialect, float64) {
	s := x.count()
	switch {
	case x.place != nil:
		return x.place.Dialect, 0.9
	case len(x.set) > 0:
		return x.set[0].layout.Dialect, x.set[0].layout.Sure
	case s.party > 0 && s.party == s.ephemeral:
		return Kazoo, 0.9
	case x.isProtected():
		return Curator, 0.6
	case s.bareUUID > 0 && s.bareUUID == s.ephemeral && strings.HasPrefix(string(x.node.Data), "\xac\xed"):
		return Flink, 0.8 // users of a state handle, which is a serialized object of Java's
	case x.words.whole == Membership:
		return ZooKeeper, 0.7
	case s.all == 0 && x.prev != nil:
		return x.prev.Dialect, 0.5
	}
	return Generic, 0.5
}

// members adds the ephemeral children as members, as they came.
func (b *builder) members(children []*Node) {
	var present []*Node
	for _, c := range children {
		switch {
		case c.Ephemeral(), b.place != nil && b.registers(c):
			present = append(present, c)
		case !furniture[c.Name] && !(b.place != nil && len(c.Children) > 0):
			b.model.Foreign = append(b.model.Foreign, c.Name)
		}
	}
	byArrival(present)
	for _, n := range present {
		b.groupMember(n, Join(b.path, n.Name))
	}
	var kept []*Claim
	for i := range b.model.Claims {
		if c := &b.model.Claims[i]; c.Session == 0 && !c.znode().Has(NoStat) {
			kept = append(kept, c)
		}
	}
	b.unowned(kept)
}

// registers reports whether a persistent child of a system's place looks like a member of it: a znode with data, of a
// system whose members are ephemeral, which no recipe lies at.
func (b *builder) registers(c *Node) bool {
	if len(c.Children) > 0 || len(c.Data) == 0 || furniture[c.Name] || b.place.Used {
		return false
	}
	none := func(string) bool { return true }
	return placeOf(Join(b.path, c.Name), false, none) == nil
}

func (b *builder) groupMember(n *Node, path string) {
	c := b.claim(n, path, Member, asSession)
	if items := b.itemsOf(n); items != "" {
		c.say(c.Why() + items)
	}
	name := ParseName(n.Name)
	if name.HasSeq && len(name.Text) > 10 && b.place == nil && b.plausible(name.Seq) {
		c.seq(&name)
	}
	if c.OwnerSource() == FromData && (b.place == nil || plain(c.Owner())) {
		return
	}
	if len(n.Data) > 0 && !isText(n.Data) && !shaped(n.Name) {
		c.called(n.Name, FromNode) // binary data tells what a member can do, and not who it is
	}
	switch id := ""; {
	case isParty(n.Name) && n.Name[hexLen] == '-':
		id = n.Name[hexLen+1:]
		c.called(id, FromNode)
	case b.place != nil || withPort([]byte(n.Name)):
		c.called(n.Name, FromNode) // these systems name their members after the process
	}
}

// itemsOf says which items an instance of an Elastic-Job job works on: sharding/<n>/instance names it.
func (b *builder) itemsOf(n *Node) string {
	if b.place == nil || b.place.ID != "EJOB-SHARD" {
		return ""
	}
	sharding := b.dependOn(Join(parentPath(b.path), "sharding"))
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
	return "; has " + list(items)
}

// replicas adds the replicas of a ClickHouse table that are active.
func (b *builder) replicas() {
	for _, r := range b.node.Children {
		if c := r.Child("is_active"); c != nil {
			claim := b.claim(c, Join(b.path, r.Name)+"/is_active", Member, activeReplica)
			claim.called(r.Name, FromNode)
		}
	}
}

// missing compares the participants with those that a hint expects: by name, or by number.
func (b *builder) missing() {
	if b.hint == nil {
		return
	}
	var absent []string
	for _, want := range b.hint.Members {
		if !slices.ContainsFunc(b.model.Claims, func(c Claim) bool {
			return c.Owner() == want || c.Node() == want || strings.HasSuffix(c.Node(), "-"+want)
		}) {
			absent = append(absent, want)
		}
	}
	n := len(b.model.Claims)
	switch needed := b.hint.Needed; {
	case len(absent) > 0:
		b.add(CodeMissingParticipant, Medium, list(absent)+choose(len(absent), " is", " are")+" expected and not there")
	case needed > n && b.model.Kind != DoubleBarrier:
		b.add(CodeMissingParticipant, Medium, strconv.Itoa(n)+choose(n, " is", " are")+" there, "+strconv.Itoa(needed)+" expected")
	}
}
