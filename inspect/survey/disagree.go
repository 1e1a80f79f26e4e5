package survey

import (
	"encoding/json"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Identities inside one system that disagree: what a znode's data says, what stands beside it, and
// which session made it.

// CheckLeader compares a system's leader with its members.
func (b *Builder) CheckLeader() {
	if b.Place == nil || len(b.Model.Claims) == 0 {
		return
	}
	switch b.Place.ID {
	case "PATRONI":
		b.leaderIsMember("members", "member")
	case "STORM":
		b.leaderIsMember("nimbuses", "nimbus")
	case "ALLUXIO":
		b.leaderIsShown("leader")
	case "HELIX":
		b.sessionsInData()
	}
}

// leaderIsMember tells of a leader whose name is none of the members', and who its session is among them.
func (b *Builder) leaderIsMember(dir, what string) {
	c := &b.Model.Claims[0]
	members := b.DependOn(b.relative(dir))
	if !model.Holding(c.Role()) || c.OwnerSource() != model.FromData || members == nil || members.Unlisted() ||
		members.Child(c.Owner()) != nil {
		return
	}
	text := say.Printable(c.Owner()) + " leads and is no " + what
	for _, n := range members.Children {
		if c.Session != 0 && n.Owner == c.Session {
			text += ": its session is that of " + what + " " + say.Visible(n.Name)
		}
		if host, _, _ := strings.Cut(n.Name, ":"); what == "nimbus" && strings.HasPrefix(c.Owner(), host+":") {
			return // the same host, with other ports
		}
	}
	b.AddFinding(model.CodeLeaderMismatch, model.High, text, c)
}

// leaderIsShown tells of a leader while another is shown where its system's clients look.
func (b *Builder) leaderIsShown(dir string) {
	c := &b.Model.Claims[0]
	shown := b.DependOn(b.relative(dir))
	if !model.Holding(c.Role()) || c.OwnerSource() != model.FromData || shown == nil || len(shown.Children) == 0 ||
		shown.Child(c.Owner()) != nil {
		return
	}
	var who []string
	for _, n := range shown.Children {
		who = append(who, n.Name)
	}
	b.AddFinding(model.CodeLeaderMismatch, model.High, say.Printable(c.Owner())+
		" leads, and clients are shown "+say.List(who),
		c)
}

// sessionsInData compares the session that Helix writes into its znodes with the one that made them.
func (b *Builder) sessionsInData() {
	for i := range b.Model.Claims {
		c := &b.Model.Claims[i]
		var record struct{ SimpleFields map[string]string }
		if c.Session == 0 || json.Unmarshal(c.Znode().Data, &record) != nil {
			continue
		}
		said, err := strconv.ParseUint(strings.TrimPrefix(record.SimpleFields["SESSION_ID"], "0x"), 16, 64)
		if err == nil && znode.SessionID(said) != c.Session {
			b.AddFinding(model.CodeNameSessionMismatch, model.Medium, say.Printable(c.Owner())+
				" says that its session is "+
				znode.SessionID(said).String()+
				", but "+c.Session.String()+" made its znode", c)
		}
	}
}

// CheckAddresses tells of providers whose address is another host's than that of the session that registered them.
// Behind a gateway that is so by right.
func (b *Builder) CheckAddresses() {
	var odd []*model.Claim
	for i := range b.Model.Claims {
		c := &b.Model.Claims[i]
		said, err1 := netip.ParseAddr(model.Host(c.Owner()))
		seen, err2 := netip.ParseAddr(model.Host(c.Addr))
		if c.Addr != "" && err1 == nil && err2 == nil && said.Unmap() != seen.Unmap() && !seen.IsLoopback() {
			odd = append(odd, c)
		}
	}
	for _, c := range odd {
		b.AddFinding(model.CodeNameSessionMismatch, model.Low, say.Printable(c.Owner())+
			" was registered by a session from "+
			say.Printable(model.Host(c.Addr))+
			": another host registered it, or a gateway stands between", c)
	}
}

// orphanWork tells of work that is given to an owner who is gone.
func (b *Builder) orphanWork(what string, work map[string][]string, paths []string) {
	if len(work) == 0 {
		return
	}
	var owners, parts []string
	for owner := range work {
		owners = append(owners, owner)
	}
	slices.Sort(owners)
	n := 0
	for _, owner := range owners {
		n += len(work[owner])
		parts = append(parts, say.List(work[owner])+" to "+say.Visible(owner))
	}
	b.Model.Findings = append(b.Model.Findings, model.Finding{Code: model.CodeOrphanWork, Severity: model.Medium,
		Paths: paths[:min(len(paths), 10)],
		Text: say.Plural(n, what+" is", what+"s are") + " given to " +
			say.Choose(len(owners), "an instance that is gone", "instances that are gone") +
			": " + strings.Join(parts[:min(len(parts), 5)], "; ") + "; nobody works on " + say.Choose(n, "it", "them") +
			" until work is shared out again"})
}

// CheckShards finds the shards of an Elastic-Job job whose instance is gone.
func (b *Builder) CheckShards() {
	if b.Place == nil || b.Place.ID != "EJOB-SHARD" || b.Node.Unlisted() {
		return
	}
	at := znode.Join(znode.ParentPath(b.Path), "sharding")
	sharding := b.DependOn(at)
	if sharding == nil {
		return
	}
	work := make(map[string][]string)
	var paths []string
	for _, item := range sharding.Children {
		c := item.Child("instance")
		if c == nil || len(c.Data) == 0 || b.Node.Child(string(c.Data)) != nil {
			continue
		}
		work[string(c.Data)] = append(work[string(c.Data)], item.Name)
		paths = append(paths, znode.Join(znode.Join(at, item.Name), "instance"))
	}
	b.orphanWork("shard", work, paths)
}

// CheckJobGraph tells of a Flink job graph that is locked by sessions that no server has: the next leader can run the
// job, but nobody can remove it before those locks go.
func (b *Builder) CheckJobGraph() {
	if b.Place == nil || b.Place.ID != "FLINK-STATE" || !strings.Contains(b.Path, "/jobgraphs/") {
		return
	}
	var gone []*model.Claim
	for i := range b.Model.Claims {
		c := &b.Model.Claims[i]
		if c.Session == 0 || b.standing(c) == model.Absent {
			gone = append(gone, c)
		}
	}
	if len(gone) == 0 || len(gone) < len(b.Model.Claims) {
		return
	}
	b.AddFinding(model.CodeOrphanWork, model.Medium, "the job graph is locked by "+
		say.Plural(len(gone), "session that is", "sessions that are")+
		" gone, and by nobody else: nobody runs the job, and nobody can remove it while "+
		say.Choose(len(gone), "that lock stands", "those locks stand"), gone...)
	b.Model.Findings = model.SettleFindings(b.Model.Findings)
}

// CheckTasks finds the tasks of a Brooklin cluster that are assigned to instances that are gone: an instance is named
// after its host and its number among the live ones.
func (b *Builder) CheckTasks() {
	at := b.relative("instances")
	instances := b.DependOn(at)
	if instances == nil || b.Node.Unlisted() {
		return
	}
	work := make(map[string][]string)
	var paths []string
	for _, inst := range instances.Children {
		name := layout.ParseName(inst.Name)
		tasks := inst.Child("assignments")
		if !name.HasSeq || b.Node.Child(name.SeqText()) != nil || tasks == nil {
			continue
		}
		for _, task := range tasks.Children {
			work[inst.Name] = append(work[inst.Name], task.Name)
			paths = append(paths, znode.Join(znode.Join(znode.Join(at, inst.Name), "assignments"), task.Name))
		}
	}
	b.orphanWork("task", work, paths)
}
