package inspect

// single decides whether a child without children is a recipe by itself: an ephemeral znode below a
// directory whose name says lock or leader. Whoever could create it holds or leads; whoever could not
// waits without leaving a znode, so waiters show only as watches.
func (w *walk) single(c *Node, was *found) *found {
	if !c.Ephemeral() || w.memo.own.isRecipe() {
		return nil
	}
	kind, why := w.singleKind(c)
	if kind == "" {
		return nil
	}
	deps, announces := w.announces(c)
	if announces {
		return &found{deps: deps}
	}
	x := &dir{decoder: w.decoder, path: Join(w.path, c.Name), node: c, parent: w.node, deps: deps}
	if len(w.hints.rules) > 0 {
		x.hint = w.hints.of(x.path)
	}
	if was != nil {
		x.prev = was.model
	} else if w.prev != nil {
		x.prev = w.prev.ByPath(x.path)
	}
	return x.found(x.buildSingle(kind, why, w.path))
}

// alone is the layout of a recipe that is one znode: the lock of the primitives' documentation.
var alone = Layout{ID: "SINGLE", Dialect: ZooKeeper, Kind: Lock, Also: Election, Sure: 0.4,
	About: "one ephemeral znode that whoever could create it holds"}

func (x *dir) buildSingle(kind Kind, why, base string) *Model {
	p := place{Name: Name{Text: x.node.Name}, layout: &alone, node: x.node, czxid: x.node.Czxid, session: x.node.Owner}
	x.line = &line{limit: 1, queue: []place{p}}
	x.line.arrange()
	v := x.view(kind, base)
	v.turns[0].why = created
	m := v.build([]Evidence{{kind, 0.5, why}, {kind, 0, alone.About}})
	m.State = Held
	if kind == Election {
		m.State = Elected
	}
	return m
}

// singleKind says what a child would be by itself; empty for no recipe.
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
