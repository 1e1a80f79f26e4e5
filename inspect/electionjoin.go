package inspect

import (
	"encoding/binary"
	"strings"
)

// Elections that are read from more than one place: Hadoop's elector, Elastic-Job's instance, the names of
// Flink's and Vault's candidates, which their own znodes do not hold.

// elector names the children of the directory of Hadoop's ActiveStandbyElector.
const (
	electorLock  = "ActiveStandbyElectorLock"
	electorCrumb = "ActiveBreadCrumb"
)

// hadoopRow is the row of whoever holds Hadoop's elector lock.
var hadoopRow = Layout{ID: "HADOOP-ASE", Dialect: Hadoop, Kind: Election, Sure: 0.95, About: "Hadoop's ActiveStandbyElector"}

// isElector reports whether the directory is one of Hadoop's ActiveStandbyElector.
func (x *dir) isElector() bool {
	return len(x.line.queue) == 0 && (x.node.Child(electorLock) != nil || x.node.Child(electorCrumb) != nil)
}

// buildElector builds Hadoop's election: the creator of the lock is active, the bread crumb names the last
// active one and survives it, so that the next one fences it first. Standbys leave no znode.
func (x *dir) buildElector(why []Evidence) *Model {
	b := x.recipe(Election, x.placed(Hadoop), 0.95, why)
	state := Vacant
	if lock := x.node.Child(electorLock); lock != nil {
		c := b.claim(lock, Join(x.path, electorLock), Leader, created)
		b.callAfter(c, lock, &hadoopRow)
		state = Elected
	}
	b.outsiders(func(c *Node) bool { return c.Name == electorLock })
	b.follow(Join(x.path, electorLock))
	b.unownedLeader()
	if crumb := x.node.Child(electorCrumb); crumb != nil {
		b.crumb(Join(x.path, electorCrumb), nameIn(crumb.Data, &hadoopRow))
	}
	return b.finish(state)
}

// crumb compares the last active node with the active one.
func (b *builder) crumb(path, last string) {
	if last == "" {
		return
	}
	f := Finding{Code: CodeFencing, Severity: Medium, Paths: []string{path}}
	switch {
	case len(b.model.Claims) == 0:
		f.Text = "nobody is active, and " + visible(last) + " was the last and did not leave in order: the next one fences it first"
	case b.model.Claims[0].OwnerSource() == FromData && b.model.Claims[0].Owner() != last:
		f.Severity = High
		f.Text = Printable(b.model.Claims[0].Owner()) + " holds the lock while " + visible(last) + " is still named as active: it is being fenced"
	default:
		return
	}
	b.model.Findings = append(b.model.Findings, f)
}

// buildInstance builds Elastic-Job's election: the instance leads, the latch is only held while one is
// being elected.
func (x *dir) buildInstance(why []Evidence) *Model {
	b := x.recipe(Election, x.placed(ElasticJob), 0.9, why)
	x.parts = furnished
	state := Vacant
	if n := x.node.Child("instance"); n != nil {
		b.claim(n, Join(x.path, "instance"), Leader, leadingInstance)
		state = Elected
	}
	if latch := x.node.Child("latch"); latch != nil {
		queue := namesIn(latch, "latch-")
		for i := range queue {
			if len(b.model.Claims) > 0 && queue[i].session != 0 && queue[i].session == b.model.Claims[0].Session {
				continue // the leader's own, with which it was elected
			}
			c := b.claim(queue[i].node, Join(x.path+"/latch", queue[i].Text), Candidate, electing)
			c.seq(&queue[i].Name)
			c.proof = placeIn(proofWords, Likely)
			if n := len(b.model.Claims); n > 1 && b.model.Claims[n-2].Role() == Candidate {
				c.blocked(n-2, n-1)
			}
		}
	}
	b.outsiders(func(*Node) bool { return false })
	b.follow(Join(x.path, "instance"))
	b.unownedLeader()
	return b.finish(state)
}

// markerName is the marker that ClickHouse's replicas leave where they elected before 21.12: one digit, and no
// number of a sequence.
const markerName = "leader_election-0"

// everyoneLeads reports whether the directory has that marker and nobody stands in line.
func (x *dir) everyoneLeads() bool {
	n := x.node.Child(markerName)
	return n != nil && len(x.line.queue) == 0 && (x.node.Name == "leader_election" || strings.Contains(string(n.Data), "multiple leaders"))
}

// buildMarker builds an election that is no more: its marker says who leads.
func (x *dir) buildMarker(why []Evidence) *Model {
	b := x.recipe(Election, x.placed(ClickHouse), 0.9, why)
	b.claim(x.node.Child(markerName), Join(x.path, markerName), Leader, everyReplica)
	b.outsiders(func(c *Node) bool { return c.Name == markerName })
	return b.finish(Elected)
}

// lend gives names to candidates whose own znodes hold none.
func (v *lineView) lend() {
	if v.place == nil {
		return
	}
	switch v.place.ID {
	case "FLINK":
		v.lendFlink()
	case "GO-VAULT":
		v.lendVault()
	}
}

// lendVault names Vault's active node after the address that it advertises: the lock's data is a random id, and
// leader/_<id> beside the lock, which goes when its writer steps down in order, says where that one can be had.
func (v *lineView) lendVault() {
	if len(v.model.Claims) == 0 || len(v.node.Data) == 0 {
		return
	}
	at := Join(parentPath(v.path), "leader/_"+string(v.node.Data))
	if !addressable(string(v.node.Data)) {
		return
	}
	if said := v.dependOn(at); said != nil {
		if name := addressIn(said.Data); name != "" {
			v.rename(&v.model.Claims[0], name)
			return
		}
	}
	v.lendParent()
}

// lendParent names the first claim after the directory's data, where libkv has a holder write its value. It stays
// there when the holder goes: what was written before the claim came is another's.
func (v *lineView) lendParent() {
	if len(v.model.Claims) == 0 || v.node.Mzxid != 0 && v.node.Mzxid < v.model.Claims[0].Czxid() {
		return
	}
	if name := nameIn(v.node.Data, nil); name != "" {
		v.rename(&v.model.Claims[0], name)
	}
}

// rename gives a claim a better name; those that wait for it say so too.
func (v *lineView) rename(c *Claim, name string) {
	if c.OwnerSource() != FromData {
		c.called(name, FromData)
	}
}

// lendFlink finds the addresses of Flink's candidates. Who leads writes where it can be had, for each component, into an
// ephemeral znode of its own: connection_info beside the latch or in a directory beside it, or, in the older layout, a
// znode of the latch's name below leader instead of leaderlatch.
func (v *lineView) lendFlink() {
	if v.parent == nil {
		return
	}
	up := parentPath(v.path)
	v.lendFrom(v.dependOn(Join(up, "connection_info")))
	for _, component := range v.parent.Children {
		if component != v.node && len(component.Children) > 0 {
			v.lendFrom(v.dependOn(Join(Join(up, component.Name), "connection_info")))
		}
	}
	if at := strings.LastIndex(v.path, "/leaderlatch/"); at >= 0 {
		v.lendFrom(v.dependOn(v.path[:at] + "/leader/" + v.path[at+len("/leaderlatch/"):]))
	}
}

// lendFrom names the candidate that made a znode after what its data says.
func (v *lineView) lendFrom(info *Node) {
	if info == nil || info.Owner == 0 {
		return
	}
	name := nameInJava(info.Data)
	for i := range v.model.Claims {
		if c := &v.model.Claims[i]; name != "" && c.Session == info.Owner {
			v.rename(c, name)
		}
	}
}

// nameInJava reads the address at the beginning of serialized Java data: a stream's header, a block, and
// in it a text with its length before it.
func nameInJava(data []byte) string {
	if len(data) < 8 || data[0] != 0xac || data[1] != 0xed || data[4] != 0x77 {
		return ""
	}
	n := int(binary.BigEndian.Uint16(data[6:]))
	if n == 0 || n > maxOwner || len(data) < 8+n || !plain(string(data[8:8+n])) {
		return ""
	}
	return hostInURL(string(data[8 : 8+n]))
}
