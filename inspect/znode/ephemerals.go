package znode

// EphemeralsOf lists the paths of the ephemeral znodes of sessions, in tree order.
func EphemeralsOf(s *Snapshot, ids map[SessionID]bool) (out []string) {
	EachEphemeral(s, func(dir string, n *Node) {
		if ids[n.Owner] {
			out = append(out, s.PathIn(dir, n))
		}
	})
	return out
}

// EachEphemeral calls a function for every ephemeral znode, in tree order, with the path of what it stands in: the
// path of a znode is made only of those that are wanted.
func EachEphemeral(s *Snapshot, do func(dir string, n *Node)) {
	var walk func(string, *Node)
	walk = func(dir string, n *Node) {
		if n.Owner != 0 {
			do(dir, n)
		}
		if len(n.Children) == 0 {
			return
		}
		path := s.PathIn(dir, n)
		for _, c := range n.Children {
			if (c.Owner != 0 || len(c.Children) > 0) && Addressable(c.Name) {
				walk(path, c)
			}
		}
	}
	dir, _ := Split(s.Base)
	walk(dir, s.Root)
}

// PathIn returns the path of a znode of the snapshot that stands in a directory.
func (s *Snapshot) PathIn(dir string, n *Node) string {
	if n == s.Root {
		return s.Base
	}
	return Join(dir, n.Name)
}
