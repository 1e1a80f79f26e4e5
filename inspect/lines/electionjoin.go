package lines

import (
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Elections that are read from more than one place: Hadoop's elector, Elastic-Job's instance, the names of
// Flink's and Vault's candidates, which their own znodes do not hold.

// elector names the children of the directory of Hadoop's ActiveStandbyElector.
const (
	electorLock  = "ActiveStandbyElectorLock"
	electorCrumb = "ActiveBreadCrumb"
)

// isElector reports whether the directory is one of Hadoop's ActiveStandbyElector.
func isElector(x *survey.Dir) bool {
	return len(x.Line.Queue) == 0 && (x.Node.Child(electorLock) != nil || x.Node.Child(electorCrumb) != nil)
}

// buildElector builds Hadoop's election: the creator of the lock is active, the bread crumb names the last
// active one and survives it, so that the next one fences it first. Standbys leave no znode.
func buildElector(x *survey.Dir, why []survey.Evidence) *model.Model {
	b := electionAt(x, x.DialectOr(layout.Hadoop), 0.95, why)
	state := model.Vacant
	if lock := x.Node.Child(electorLock); lock != nil {
		c := b.Claim(lock, znode.Join(x.Path, electorLock), model.Leader, model.Created)
		b.NameAfter(c, lock, &layout.HadoopRow)
		state = model.Elected
	}
	b.ListForeign(func(c *znode.Node) bool { return c.Name == electorLock })
	b.NoteFollowers(znode.Join(x.Path, electorLock))
	unownedLeader(b)
	if crumb := x.Node.Child(electorCrumb); crumb != nil {
		addCrumb(b, znode.Join(x.Path, electorCrumb), layout.NameIn(crumb.Data, &layout.HadoopRow))
	}
	return b.Finish(state)
}

// addCrumb compares the last active node with the active one.
func addCrumb(b *survey.Builder, path, last string) {
	if last == "" {
		return
	}
	f := model.Finding{Code: model.CodeFencing, Severity: model.Medium, Paths: []string{path}}
	switch {
	case len(b.Model.Claims) == 0:
		f.Text = "nobody is active, and " + say.Visible(last) +
			" was the last and did not leave in order: the next one fences it first"
	case b.Model.Claims[0].OwnerSource() == model.FromData && b.Model.Claims[0].Owner() != last:
		f.Severity = model.High
		f.Text = say.Printable(b.Model.Claims[0].Owner()) + " holds the lock while " + say.Visible(last) +
			" is still named as active: it is being fenced"
	default:
		return
	}
	b.Model.Findings = append(b.Model.Findings, f)
}

// buildInstance builds Elastic-Job's election: the instance leads, the latch is only held while one is
// being elected.
func buildInstance(x *survey.Dir, why []survey.Evidence) *model.Model {
	b := electionAt(x, x.DialectOr(layout.ElasticJob), 0.9, why)
	x.Parts = survey.FurnitureOnly
	state := model.Vacant
	if n := x.Node.Child("instance"); n != nil {
		b.Claim(n, znode.Join(x.Path, "instance"), model.Leader, model.LeadingInstance)
		state = model.Elected
	}
	if latch := x.Node.Child("latch"); latch != nil {
		queue := ChildrenWith(latch, "latch-")
		for i := range queue {
			if len(b.Model.Claims) > 0 && queue[i].Owner != 0 && queue[i].Owner == b.Model.Claims[0].Session {
				continue // the leader's own, with which it was elected
			}
			c := b.Claim(queue[i].Node, znode.Join(x.Path+"/latch", queue[i].Text), model.Candidate, model.Electing)
			c.SetSeq(&queue[i].Name)
			c.SetProof(model.Likely)
			if n := len(b.Model.Claims); n > 1 && b.Model.Claims[n-2].Role() == model.Candidate {
				c.SetBlockers(n-2, n-1)
				proveInLine(b, c, c.Ahead().Path())
			}
		}
	}
	b.ListForeign(func(*znode.Node) bool { return false })
	b.NoteFollowers(znode.Join(x.Path, "instance"))
	unownedLeader(b)
	return b.Finish(state)
}

// everyoneLeads reports whether the directory has that marker and nobody stands in line.
func everyoneLeads(x *survey.Dir) bool {
	n := x.Node.Child(layout.ClickHouseMarker)
	return n != nil && len(x.Line.Queue) == 0 && (x.Node.Name == "leader_election" ||
		strings.Contains(string(n.Data), "multiple leaders"))
}

// buildMarker builds an election that is no more: its marker says who leads.
func buildMarker(x *survey.Dir, why []survey.Evidence) *model.Model {
	b := electionAt(x, x.DialectOr(layout.ClickHouse), 0.9, why)
	b.Claim(x.Node.Child(layout.ClickHouseMarker), znode.Join(x.Path, layout.ClickHouseMarker), model.Leader,
		model.EveryReplica)
	b.ListForeign(func(c *znode.Node) bool { return c.Name == layout.ClickHouseMarker })
	return b.Finish(model.Elected)
}

// lend gives names to candidates whose own znodes hold none.
func (v *lineView) lend() {
	if v.Place == nil {
		return
	}
	switch v.Place.ID {
	case "FLINK":
		v.lendFlink()
	case "GO-VAULT":
		v.lendVault()
	}
}

// lendVault names Vault's active node after the address that it advertises: the lock's data is a random id, and
// leader/_<id> beside the lock, which goes when its writer steps down in order, says where that one can be had.
func (v *lineView) lendVault() {
	if len(v.Model.Claims) == 0 || len(v.Node.Data) == 0 {
		return
	}
	at := znode.Join(znode.ParentPath(v.Path), "leader/_"+string(v.Node.Data))
	if !znode.Addressable(string(v.Node.Data)) {
		return
	}
	if said := v.DependOn(at); said != nil {
		if name := layout.AddressIn(said.Data); name != "" {
			v.rename(&v.Model.Claims[0], name)
			return
		}
	}
	v.lendParent()
}

// lendParent names the first claim after the directory's data, where libkv has a holder write its value. It stays
// there when the holder goes: what was written before the claim came is another's.
func (v *lineView) lendParent() {
	if len(v.Model.Claims) == 0 || v.Node.Mzxid != 0 && v.Node.Mzxid < v.Model.Claims[0].Czxid() {
		return
	}
	if name := layout.NameIn(v.Node.Data, nil); name != "" {
		v.rename(&v.Model.Claims[0], name)
	}
}

// rename gives a claim a better name; those that wait for it say so too.
func (v *lineView) rename(c *model.Claim, name string) {
	if c.OwnerSource() != model.FromData {
		c.SetOwner(name, model.FromData)
	}
}

// lendFlink finds the addresses of Flink's candidates. Who leads writes where it can be had, for each component, into
// an ephemeral znode of its own: connection_info beside the latch or in a directory beside it, or, in the older layout,
// a znode of the latch's name below leader instead of leaderlatch.
func (v *lineView) lendFlink() {
	if v.Parent == nil {
		return
	}
	up := znode.ParentPath(v.Path)
	v.lendFrom(v.DependOn(znode.Join(up, "connection_info")))
	for _, component := range v.Parent.Children {
		if component != v.Node && len(component.Children) > 0 {
			v.lendFrom(v.DependOn(znode.Join(znode.Join(up, component.Name), "connection_info")))
		}
	}
	if at := strings.LastIndex(v.Path, "/leaderlatch/"); at >= 0 {
		v.lendFrom(v.DependOn(v.Path[:at] + "/leader/" + v.Path[at+len("/leaderlatch/"):]))
	}
}

// lendFrom names the candidate that made a znode after what its data says.
func (v *lineView) lendFrom(info *znode.Node) {
	if info == nil || info.Owner == 0 {
		return
	}
	name := layout.NameInJava(info.Data)
	for i := range v.Model.Claims {
		if c := &v.Model.Claims[i]; name != "" && c.Session == info.Owner {
			v.rename(c, name)
		}
	}
}
