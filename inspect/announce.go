package inspect

import "strings"

// The znode in which a leader announces itself, for elections that have one: a child of the line, or a
// sibling of a line whose own name says election, or Solr's leaders/<shard>/leader for the line
// leader_elect/<shard>/election. It is joined to the election and no recipe of its own.

// ackChildren are the names of an announcement that is a child of the line.
var ackChildren = []string{"leader", "leader_ack"}

// lineNames are the names of lines that have their announcement beside them.
var lineNames = []string{"election", "elect", "candidates", "ballots", "votes"}

// announcement checks the announced leader against the head of the line. Only a leader that has executed
// the leader procedure announces itself, so an absent announcement matters where the layout has one, or
// one was seen before.
func (v *lineView) announcement() {
	m := v.model
	path, n := v.announced()
	seen := v.prev != nil && v.prev.detail().announced
	if seen || n != nil {
		m.detailed().announced = true
	}
	if n != nil {
		v.checkAnnounced(path, n)
		return
	}
	if (seen || m.Dialect == Solr || m.Dialect == ZkRuby) && len(m.Claims) > 0 {
		v.add(CodeLeaderUnannounced, Medium, Printable(m.Claims[0].Owner())+
			" heads the line and has not announced itself yet", &m.Claims[0])
	}
}

// checkAnnounced compares an announcement with the head of the line.
func (v *lineView) checkAnnounced(path string, n *Node) {
	who, _, _ := v.ownerOf(n, nil)
	place := v.announcedPlace(n, who)
	if place == 0 {
		return
	}
	text := "the announced leader is " + Printable(who)
	if n.Owner != 0 && n.Owner.String() != who {
		text += " (session " + n.Owner.String() + ")"
	}
	f := Finding{Code: CodeLeaderMismatch, Severity: High, Paths: []string{path}}
	if n.Owner != 0 {
		f.Sessions = []SessionID{n.Owner}
	}
	if len(v.model.Claims) == 0 {
		f.Text = text + ", and nobody stands in line"
		v.model.Findings = append(v.model.Findings, f)
		return
	}
	head := &v.model.Claims[0]
	f.Paths = append(f.Paths, head.Path())
	f.Text = text + ", which has no place in the line; the head is " + Printable(head.Owner())
	if place > 0 {
		f.Text = text + ", which is " + Ordinal(place+1) + " in line; the head is " + Printable(head.Owner())
	}
	v.model.Findings = append(v.model.Findings, f)
}

// announcedPlace returns the place in line of whoever made an announcement: by session where it has one,
// else by the name in its data. It is -1 for somebody without a place.
func (v *lineView) announcedPlace(n *Node, who string) int {
	for i := range v.model.Claims {
		c := &v.model.Claims[i]
		if n.Owner != 0 && n.Owner == c.Session || n.Owner == 0 && (who == c.Owner() || who == c.Node()) {
			return i
		}
	}
	return -1
}

// announced finds the announcement of the line.
func (v *lineView) announced() (path string, n *Node) {
	for _, name := range ackChildren {
		if c := v.node.Child(name); c != nil && len(c.Children) == 0 {
			return Join(v.path, name), c
		}
	}
	path = announcementPath(v.path)
	if path == "" {
		return "", nil
	}
	if n = v.dependOn(path); n != nil && len(n.Children) > 0 {
		return "", nil
	}
	return path, n
}

// announcementPath returns where the leader of the line at a path announces itself outside the line;
// empty when there is no such place.
func announcementPath(line string) string {
	dir, name := Split(line)
	for _, known := range lineNames {
		if name != known {
			continue
		}
		up, shard := Split(dir)
		if base, ok := cutSuffix(up, "/leader_elect"); ok && name == "election" {
			return Join(Join(base+"/leaders", shard), "leader")
		}
		return Join(dir, "leader")
	}
	return ""
}

// announces reports whether a child is the announcement of an election elsewhere, and what that was
// decided from.
func (w *walk) announces(c *Node) (deps []dep, yes bool) {
	if c.Name != "leader" {
		return nil, false
	}
	for _, name := range lineNames {
		if n := w.node.Child(name); n != nil {
			deps = append(deps, dep{Join(w.path, name), n})
			yes = yes || hasLine(n)
		}
	}
	up, shard := Split(w.path)
	if base, ok := cutSuffix(up, "/leaders"); ok {
		path := Join(Join(base+"/leader_elect", shard), "election")
		n := w.snap.At(path)
		deps = append(deps, dep{path, n})
		yes = yes || n != nil && hasLine(n)
	}
	return deps, yes
}

// hasLine reports whether a directory has children that stand in line for an election.
func hasLine(n *Node) bool {
	for _, c := range n.Children {
		if name := ParseName(c.Name); name.HasSeq && strings.HasSuffix(name.Word, "_") || isElection(layoutOf(&name, c.Data, "")) {
			return true
		}
	}
	return false
}

func isElection(l *Layout) bool { return l != nil && (l.Kind == Election || l.Also == Election) }
