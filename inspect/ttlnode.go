package inspect

// touchName is the child that keeps Curator's PersistentTtlNode alive: made anew every half of its time to live.
const touchName = "touch"

// isTTLNode reports whether the directory is such a node: touch is its only child, persistent like itself (a client
// cannot see that both have a time to live), and holds nothing but what Curator writes by default.
func (x *dir) isTTLNode() bool {
	c := x.node.Children
	return len(c) == 1 && c[0].Name == touchName && !c[0].Ephemeral() && len(c[0].Children) == 0 &&
		(len(c[0].Data) == 0 || bareAddress(string(c[0].Data)))
}

// buildTTLNode builds the presence of one process: it is there as long as it makes touch anew.
func (x *dir) buildTTLNode(why []Evidence) *Model {
	b := x.recipe(Membership, Curator, 0.5, why)
	touch := x.node.Children[0]
	c := b.claim(touch, Join(x.path, touchName), Member, untilTouch)
	if name := nameIn(x.node.Data, nil); name != "" {
		c.called(name, FromData)
	} else if x.node.Name != "" {
		c.called(x.node.Name, FromNode)
	}
	b.number("present", 1)
	return b.finish(Present)
}
