package lines

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Rebalanser: a group of clients that share out resources. Its directories are read together:
//
//	P/clients/c_<seq>, ephemeral      the clients; the first coordinates
//	P/resources/<r>/barrier           ephemeral: the resource is in use by whoever made it
//	P/status, P/stopped, P/epoch      how far a rebalancing has come
//
// isRebalanser reports whether the directory is such a group.
func isRebalanser(x *survey.Dir) bool {
	clients := x.Node.Child("clients")
	seen := x.Prev != nil && x.Prev.Dialect == layout.Rebalanser
	return clients != nil && x.Node.Child("resources") != nil && x.Node.Child("status") != nil &&
		spelledBy(clients, "c_") &&
		(len(clients.Children) > 0 || seen)
}

// spelledBy reports whether all children carry a word and a number.
func spelledBy(n *znode.Node, word string) bool {
	return !slices.ContainsFunc(n.Children, func(c *znode.Node) bool {
		name := layout.ParseName(c.Name)
		return !name.HasSeq || name.Word != word
	})
}

// buildRebalanser builds the election of the group's coordinator; each client says what it uses.
func buildRebalanser(x *survey.Dir, why []survey.Evidence) *model.Model {
	clients := x.Node.Child("clients")
	x.Parts = survey.AllChildren
	x.Line = &order.Line{Limit: 1}
	for _, c := range clients.Children {
		name := layout.ParseName(c.Name)
		x.Line.Queue = append(x.Line.Queue, order.Place{Name: name, Layout: &layout.RebalanserRow, Node: c,
			Czxid: c.Czxid, Owner: c.Owner})
	}
	x.Line.Arrange()
	x.Foreign = nil
	v := electionIn(x, znode.Join(x.Path, "clients"))
	m := v.build(why)
	m.State = lineState(x, m, model.Vacant, model.Elected)
	for i := range m.Claims {
		if used := resourcesOf(x.Node.Child("resources"), m.Claims[i].Session); len(used) > 0 {
			m.Claims[i].SetWhy(m.Claims[i].Why() + "; uses " + say.List(used))
		}
	}
	return m
}

func resourcesOf(resources *znode.Node, id znode.SessionID) (used []string) {
	for _, r := range resources.Children {
		if b := r.Child("barrier"); b != nil && b.Owner == id && id != 0 {
			used = append(used, r.Name)
		}
	}
	return used
}
