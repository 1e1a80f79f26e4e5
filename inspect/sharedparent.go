package inspect

// Net::ZooKeeper::Lock keeps all its locks in one directory:
//
//	P/<name>-<seq>, data 0
//
// Each name is a lock by itself, in the order of its own claims alone. Its path is P/<name>, as if it had a
// directory; no znode is there.
//
// sharesParent reports whether everything that stands in line in the directory is of such locks. A hint at the
// directory says that it is one lock after all; a znode of a lock's name leaves no path for it.
func (x *dir) sharesParent() bool {
	if len(x.line.queue) == 0 || x.hint.kind() != "" {
		return false
	}
	for i := range x.line.queue {
		p := &x.line.queue[i]
		if p.layout.ID != "PL-LOCK" || x.node.Child(p.lockName()) != nil {
			return false
		}
	}
	return true
}

// lockName is what stands before the dash and the number.
func (p *place) lockName() string {
	stem := p.Text[:len(p.Text)-len(p.SeqText())]
	return stem[:len(stem)-1]
}

// buildSharing builds a lock for each name, in tree order.
func (x *dir) buildSharing(why []Evidence) (out []*Model) {
	groups := make(map[string]*dir)
	var order []string
	for _, p := range x.line.queue {
		name := p.lockName()
		g := groups[name]
		if g == nil {
			g = x.sharing(name)
			groups[name] = g
			order = append(order, name)
		}
		g.line.queue = append(g.line.queue, p)
	}
	for _, name := range order {
		g := groups[name]
		g.line.arrange()
		v := g.view(Lock, x.path)
		m := v.build(why)
		m.State = Held
		out = append(out, m)
		x.volatile, x.due = x.volatile || g.volatile, sooner(x.due, g.due)
		x.graded = append(x.graded, g.graded...)
	}
	sortModels(out)
	return out
}

// sharing prepares the lock of a name in the directory.
func (x *dir) sharing(name string) *dir {
	g := *x
	g.path = Join(x.path, name)
	g.line, g.foreign, g.prev = &line{limit: 1}, nil, nil
	if len(x.hints.rules) > 0 {
		g.hint = x.hints.of(g.path)
	}
	if x.decoder.prev != nil {
		g.prev = x.decoder.prev.ByPath(g.path)
	}
	return &g
}
