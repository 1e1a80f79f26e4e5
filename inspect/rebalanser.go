package inspect

import "slices"

// Rebalanser: a group of clients that share out resources. Its directories are read together:
//
//	P/clients/c_<seq>, ephemeral      the clients; the first coordinates
//	P/resources/<r>/barrier           ephemeral: the resource is in use by whoever made it
//	P/status, P/stopped, P/epoch      how far a rebalancing has come
//
// isRebalanser reports whether the directory is such a group.
func (x *dir) isRebalanser() bool {
	clients := x.node.Child("clients")
	seen := x.prev != nil && x.prev.Dialect == Rebalanser
	return clients != nil && x.node.Child("resources") != nil && x.node.Child("status") != nil && spelledBy(clients, "c_") &&
		(len(clients.Children) > 0 || seen)
}

// spelledBy reports whether all children carry a word and a number.
func spelledBy(n *Node, word string) bool {
	return !slices.ContainsFunc(n.Children, func(c *Node) bool {
		name := ParseName(c.Name)
		return !name.HasSeq || name.Word != word
	})
}

// rebalanserRow is the row of a group's clients.
var rebalanserRow = Layout{ID: "NET-REBAL", Dialect: Rebalanser, Kind: Election, Order: ByNumber, Sure: 0.9,
	About: "the clients of a Rebalanser group, whose first coordinates"}

// buildRebalanser builds the election of the group's coordinator; each client says what it uses.
func (x *dir) buildRebalanser(why []Evidence) *Model {
	clients := x.node.Child("clients")
	x.parts = all
	x.line = &line{limit: 1}
	for _, c := range clients.Children {
		name := ParseName(c.Name)
		x.line.queue = append(x.line.queue, place{Name: name, layout: &rebalanserRow, node: c, czxid: c.Czxid, session: c.Owner})
	}
	x.line.arrange()
	x.foreign = nil
	v := x.view(Election, Join(x.path, "clients"))
	m := v.build(why)
	m.State = x.stateOf(m, Vacant, Elected)
	for i := range m.Claims {
		if used := resourcesOf(x.node.Child("resources"), m.Claims[i].Session); len(used) > 0 {
			m.Claims[i].say(m.Claims[i].Why() + "; uses " + list(used))
		}
	}
	return m
}

func resourcesOf(resources *Node, id SessionID) (used []string) {
	for _, r := range resources.Children {
		if b := r.Child("barrier"); b != nil && b.Owner == id && id != 0 {
			used = append(used, r.Name)
		}
	}
	return used
}
