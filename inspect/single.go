package inspect

// single decides whether a child without children is a recipe by itself: an ephemeral znode below a
// directory whose name says lock or leader. Whoever could create it holds or leads; whoever could not
// waits without leaving a znode, so waiters show only as watches.
func (w *walk) single(c *Node, was *found) *found {
	if !c.Ephemeral() || w.memo.own != nil && w.memo.own.model != nil {
		return nil
	}
	kind, why := w.singleKind(c)
	if kind == "" {
		return nil
	}
	x := &dir{decoder: w.decoder, path: Join(w.path, c.Name), node: c, parent: w.node}
	if was != nil {
		x.prev = was.model
	}
	return &found{node: c, model: x.buildSingle(kind, why)}
}

func (w *walk) singleKind(c *Node) (Kind, string) {
	if len(w.hints.rules) > 0 {
		switch k := w.hints.of(Join(w.path, c.Name)).kind(); k {
		case Lock, Election:
			return k, "a hint says so"
		case "":
		default:
			return "", ""
		}
	}
	name := ParseName(c.Name)
	if name.HasSeq || name.Guard == HexGuard || name.Guard == CuratorGuard || name.Guard == GoGuard || isUUID(c.Name) {
		return "", ""
	}
	if k := wholeWord(c.Name); k != "" {
		return k, "a session owns a znode called " + Printable(c.Name)
	}
	if w.word == nil {
		w.word = wordsOf(w.path)
	}
	return w.word.whole, "a session owns it and the path says " + Printable(w.word.word)
}

func (x *dir) buildSingle(kind Kind, why string) *Model {
	m := &Model{Path: x.path, Kind: kind, Dialect: Generic, Confidence: 0.4, Why: []string{why},
		Czxid: x.node.Czxid, Numbers: map[string]int64{}, Claims: make([]Claim, 1)}
	c := &m.Claims[0]
	c.Node, c.Path = x.node.Name, x.path
	c.Role, _ = lineRoles(kind)
	m.State = Elected
	if kind == Lock {
		m.State, c.Mode = Held, Exclusive
	}
	c.Why = "created the znode; whoever else wants it leaves none"
	x.stamp(c, x.node)
	c.Owner, c.OwnerSource, c.Addr = x.ownerOf(x.node, nil)
	memo := newClaimMemory(x.prev, x.node)
	memo.recall(c, x.decoder)
	if x.snap.Watches != nil {
		m.Numbers["watchers"] = int64(len(x.snap.Watches[x.path]))
	}
	return m
}
