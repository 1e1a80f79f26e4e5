package inspect

// The lock: one holds, the others stand in line for it.
//
// Layouts, all of them children of the lock's directory:
//
//	_c_<uuid>-lock-<seq>      Curator InterProcessMutex; LeaderSelector spells an election the same
//	_c_<32 hex>-lock-<seq>    go-zookeeper, Vault, libkv
//	<32 hex>__lock__<seq>     kazoo Lock; Election is spelled the same
//	<guid>-lock-<seq>         the recipe document, and this program's own clients
//	lock-<seq>                the same without the guid: hand-written locks
//	<32 hex>-lock--<seq>      zktools, two dashes
//	x-<session>-<seq>         ZooKeeper's Java recipe, session in decimal
//	x-<16 hex>-<seq>          ZooKeeper's C recipe
//	zlock#<uuid>#<seq>        Accumulo
//	<anything><seq>           ephemeral and sequential, spelled in no known way: by arrival
//
// and a lock that is one znode, which whoever could create it holds, and whose waiters leave no znode:
// see single.go. The lowest number holds; every other claim waits for the one ahead of it.
var lockKind = kindRow{kind: Lock, weigh: weighLock, build: buildLock}

func weighLock(x *dir) []Evidence {
	n, shared := 0, false
	for i := range x.line.queue {
		l := x.line.queue[i].layout
		shared = shared || l.Mode != ""
		if l.Kind == Lock {
			n++
		}
	}
	if n == 0 || shared {
		return nil
	}
	out := []Evidence{x.spelling(Lock, 0.6*float64(n)/float64(len(x.line.queue)))}
	if x.words.hint == Lock {
		out = append(out, Evidence{Lock, 0.5, "the path says " + Printable(x.words.by)})
	}
	return out
}

// spelling is the evidence of the names themselves.
func (x *dir) spelling(kind Kind, weight float64) Evidence {
	l := x.line.queue[0].layout
	for i := range x.line.queue {
		if x.line.queue[i].layout.Kind == kind {
			l = x.line.queue[i].layout
			break
		}
	}
	if l == &generic {
		return Evidence{kind, weight, plural(len(x.line.queue), "child is", "children are") + " ephemeral and sequential, spelled in no known way"}
	}
	return Evidence{kind, weight, plural(len(x.line.queue), "child is", "children are") + " spelled like " + l.About}
}

func buildLock(x *dir, why []Evidence) *Model {
	v := x.view(Lock, x.path)
	m := v.build(why)
	if m.Dialect == Libkv {
		v.lendParent()
	}
	m.State = x.stateOf(m, Free, Held)
	return m
}

// stateOf is the state of a line: one word for an empty one, one for any other, unknown for one whose
// children were not listed.
func (x *dir) stateOf(m *Model, empty, taken State) State {
	switch {
	case len(m.Claims) > 0:
		return taken
	case x.node.NumChildren > 0 && len(x.node.Children) == 0:
		return Unknown
	}
	return empty
}
