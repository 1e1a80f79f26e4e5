package lines

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// The znode in which a leader announces itself, for elections that have one: a child of the line, or a
// sibling of a line whose own name says election, or Solr's leaders/<shard>/leader for the line
// leader_elect/<shard>/election. It is joined to the election and no recipe of its own.

// ackChildren are the names of an announcement that is a child of the line.
var ackChildren = []string{"leader", "leader_ack"}

// announcement checks the announced leader against the head of the line. Only a leader that has executed
// the leader procedure announces itself, so an absent announcement matters where the layout has one, or
// one was seen before.
func (v *lineView) announcement() {
	m := v.Model
	path, n := v.announced()
	seen := v.Prev != nil && v.Prev.Detail().Announced
	if seen || n != nil {
		m.MakeDetail().Announced = true
	}
	if n != nil {
		v.checkAnnounced(path, n)
		return
	}
	if (seen || m.Dialect == layout.Solr || m.Dialect == layout.ZkRuby) && len(m.Claims) > 0 {
		v.AddFinding(model.CodeLeaderUnannounced, model.Medium, say.Printable(m.Claims[0].Owner())+
			" heads the line and has not announced itself yet", &m.Claims[0])
	}
}

// checkAnnounced compares an announcement with the head of the line.
func (v *lineView) checkAnnounced(path string, n *znode.Node) {
	who, _, _ := v.OwnerOf(n, nil)
	place := v.announcedPlace(n, who)
	if place == 0 {
		return
	}
	text := "the announced leader is " + say.Printable(who)
	if n.Owner != 0 && n.Owner.String() != who {
		text += " (session " + n.Owner.String() + ")"
	}
	f := model.Finding{Code: model.CodeLeaderMismatch, Severity: model.High, Paths: []string{path}}
	if n.Owner != 0 {
		f.Sessions = []znode.SessionID{n.Owner}
	}
	if len(v.Model.Claims) == 0 {
		f.Text = text + ", and nobody stands in line"
		v.Model.Findings = append(v.Model.Findings, f)
		return
	}
	head := &v.Model.Claims[0]
	f.Paths = append(f.Paths, head.Path())
	f.Text = text + ", which has no place in the line; the head is " + say.Printable(head.Owner())
	if place > 0 {
		f.Text = text + ", which is " + say.Ordinal(place+1) + " in line; the head is " + say.Printable(head.Owner())
	}
	v.Model.Findings = append(v.Model.Findings, f)
}

// announcedPlace returns the place in line of whoever made an announcement: by session where it has one,
// else by the name in its data. It is -1 for somebody without a place.
func (v *lineView) announcedPlace(n *znode.Node, who string) int {
	for i := range v.Model.Claims {
		c := &v.Model.Claims[i]
		if n.Owner != 0 && n.Owner == c.Session || n.Owner == 0 && (who == c.Owner() || who == c.Node()) {
			return i
		}
	}
	return -1
}

// announced finds the announcement of the line.
func (v *lineView) announced() (path string, n *znode.Node) {
	for _, name := range ackChildren {
		if c := v.Node.Child(name); c != nil && len(c.Children) == 0 {
			return znode.Join(v.Path, name), c
		}
	}
	path = announcementPath(v.Path)
	if path == "" {
		return "", nil
	}
	if n = v.DependOn(path); n != nil && len(n.Children) > 0 {
		return "", nil
	}
	return path, n
}

// announcementPath returns where the leader of the line at a path announces itself outside the line;
// empty when there is no such place.
func announcementPath(line string) string {
	dir, name := znode.Split(line)
	for known := range survey.LineNames() {
		if name != known {
			continue
		}
		up, shard := znode.Split(dir)
		if base, ok := layout.CutSuffix(up, "/leader_elect"); ok && name == "election" {
			return znode.Join(znode.Join(base+"/leaders", shard), "leader")
		}
		return znode.Join(dir, "leader")
	}
	return ""
}
