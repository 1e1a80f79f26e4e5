package inspect

import (
	"encoding/json"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// Identities inside one system that disagree: what a znode's data says, what stands beside it, and which session made it.

// disagreements compares a system's leader with its members.
func (b *builder) disagreements() {
	if b.place == nil || len(b.model.Claims) == 0 {
		return
	}
	switch b.place.ID {
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
func (b *builder) leaderIsMember(dir, what string) {
	c := &b.model.Claims[0]
	members := b.dependOn(b.relative(dir))
	if !holding(c.Role()) || c.OwnerSource() != FromData || members == nil || members.unlisted() || members.Child(c.Owner()) != nil {
		return
	}
	text := Printable(c.Owner()) + " leads and is no " + what
	for _, n := range members.Children {
		if c.Session != 0 && n.Owner == c.Session {
			text += ": its session is that of " + what + " " + visible(n.Name)
		}
		if host, _, _ := strings.Cut(n.Name, ":"); what == "nimbus" && strings.HasPrefix(c.Owner(), host+":") {
			return // the same host, with other ports
		}
	}
	b.add(CodeLeaderMismatch, High, text, c)
}

// leaderIsShown tells of a leader while another is shown where its system's clients look.
func (b *builder) leaderIsShown(dir string) {
	c := &b.model.Claims[0]
	shown := b.dependOn(b.relative(dir))
	if !holding(c.Role()) || c.OwnerSource() != FromData || shown == nil || len(shown.Children) == 0 || shown.Child(c.Owner()) != nil {
		return
	}
	var who []string
	for _, n := range shown.Children {
		who = append(who, n.Name)
	}
	b.add(CodeLeaderMismatch, High, Printable(c.Owner())+" leads, and clients are shown "+list(who), c)
}

// sessionsInData compares the session that Helix writes into its znodes with the one that made them.
func (b *builder) sessionsInData() {
	for i := range b.model.Claims {
		c := &b.model.Claims[i]
		var record struct{ SimpleFields map[string]string }
		if c.Session == 0 || json.Unmarshal(c.znode().Data, &record) != nil {
			continue
		}
		said, err := strconv.ParseUint(strings.TrimPrefix(record.SimpleFields["SESSION_ID"], "0x"), 16, 64)
		if err == nil && SessionID(said) != c.Session {
			b.add(CodeNameSessionMismatch, Medium, Printable(c.Owner())+" says that its session is "+SessionID(said).String()+
				", but "+c.Session.String()+" made its znode", c)
		}
	}
}

// strangers tells of providers whose address is another host's than that of the session that registered them. Behind a
// gateway that is so by right.
func (b *builder) strangers() {
	var odd []*Claim
	for i := range b.model.Claims {
		c := &b.model.Claims[i]
		said, err1 := netip.ParseAddr(host(c.Owner()))
		seen, err2 := netip.ParseAddr(host(c.Addr))
		if c.Addr != "" && err1 == nil && err2 == nil && said.Unmap() != seen.Unmap() && !seen.IsLoopback() {
			odd = append(odd, c)
		}
	}
	for _, c := range odd {
		b.add(CodeNameSessionMismatch, Low, Printable(c.Owner())+" was registered by a session from "+Printable(host(c.Addr))+
			": another host registered it, or a gateway stands between", c)
	}
}

// orphanWork tells of work that is given to an owner who is gone.
func (b *builder) orphanWork(what string, work map[string][]string, paths []string) {
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
		parts = append(parts, list(work[owner])+" to "+visible(owner))
	}
	b.model.Findings = append(b.model.Findings, Finding{Code: CodeOrphanWork, Severity: Medium, Paths: paths[:min(len(paths), 10)],
		Text: plural(n, what+" is", what+"s are") + " given to " + choose(len(owners), "an instance that is gone", "instances that are gone") +
			": " + strings.Join(parts[:min(len(parts), 5)], "; ") + "; nobody works on " + choose(n, "it", "them") + " until work is shared out again"})
}

// orphanShards finds the shards of an Elastic-Job job whose instance is gone.
func (b *builder) orphanShards() {
	if b.place == nil || b.place.ID != "EJOB-SHARD" || b.node.unlisted() {
		return
	}
	at := Join(parentPath(b.path), "sharding")
	sharding := b.dependOn(at)
	if sharding == nil {
		return
	}
	work := make(map[string][]string)
	var paths []string
	for _, item := range sharding.Children {
		c := item.Child("instance")
		if c == nil || len(c.Data) == 0 || b.node.Child(string(c.Data)) != nil {
			continue
		}
		work[string(c.Data)] = append(work[string(c.Data)], item.Name)
		paths = append(paths, Join(Join(at, item.Name), "instance"))
	}
	b.orphanWork("shard", work, paths)
}

// orphanGraph tells of a Flink job graph that is locked by sessions that no server has: the next leader can run the job,
// but nobody can remove it before those locks go.
func (b *builder) orphanGraph() {
	if b.place == nil || b.place.ID != "FLINK-STATE" || !strings.Contains(b.path, "/jobgraphs/") {
		return
	}
	var gone []*Claim
	for i := range b.model.Claims {
		c := &b.model.Claims[i]
		if c.Session == 0 || b.standing(c) == absent {
			gone = append(gone, c)
		}
	}
	if len(gone) == 0 || len(gone) < len(b.model.Claims) {
		return
	}
	b.add(CodeOrphanWork, Medium, "the job graph is locked by "+plural(len(gone), "session that is", "sessions that are")+
		" gone, and by nobody else: nobody runs the job, and nobody can remove it while "+choose(len(gone), "that lock stands", "those locks stand"), gone...)
	b.model.Findings = settleFindings(b.model.Findings)
}

// orphanTasks finds the tasks of a Brooklin cluster that are assigned to instances that are gone: an instance is named
// after its host and its number among the live ones.
func (b *builder) orphanTasks() {
	at := b.relative("instances")
	instances := b.dependOn(at)
	if instances == nil || b.node.unlisted() {
		return
	}
	work := make(map[string][]string)
	var paths []string
	for _, inst := range instances.Children {
		name := ParseName(inst.Name)
		tasks := inst.Child("assignments")
		if !name.HasSeq || b.node.Child(name.SeqText()) != nil || tasks == nil {
			continue
		}
		for _, task := range tasks.Children {
			work[inst.Name] = append(work[inst.Name], task.Name)
			paths = append(paths, Join(Join(Join(at, inst.Name), "assignments"), task.Name))
		}
	}
	b.orphanWork("task", work, paths)
}
