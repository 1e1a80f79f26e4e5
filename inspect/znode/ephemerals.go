package znode

// EphemeralsOf lists the paths of the ephemeral znodes of sessions, in tree order.
func EphemeralsOf(s *Snapshot, ids map[SessionID]bool) (out []string) {
	EachEphemeral(s, func(path string, n *Node) {
		if ids[n.Owner] {
			out = append(out, path)
		}
	})
	return out
}

// EachEphemeral calls a function for every ephemeral znode, in tree order.
func EachEphemeral(s *Snapshot, do func(path string, n *Node)) {
	var walk func(string, *Node)
	walk = func(path string, n *Node) {
		if n.Owner != 0 {
			do(path, n)
		}
		for _, c := range n.Children {
			if c.Owner != 0 || len(c.Children) > 0 {
				if Addressable(c.Name) {
					walk(Join(path, c.Name), c)
				}
			}
		}
	}
	walk(s.Base, s.Root)
}
