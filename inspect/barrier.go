package inspect

// The barrier: closed as long as its znode is there, open when it is gone.
//
// Layouts:
//
//	b, a znode without children       the recipe document; kazoo Barrier, without data; Curator
//	                                  DistributedBarrier, whose data is the address of whoever set it
//
// Any znode could be one, so it takes a hint, or the word barrier as a whole component of the path. Those
// who wait leave no znode: they show as watches alone. An open barrier is nothing at all: it is shown
// where a hint names its path.
var barrierKind = kindRow{kind: Barrier, weigh: nothing, build: buildBarrier}

// nothing is the evidence for kinds that no directory shows by itself.
func nothing(*dir) []Evidence { return nil }

func buildBarrier(x *dir, why []Evidence) *Model {
	d := ZooKeeper
	if bareAddress(string(x.node.Data)) {
		d = Curator
	}
	b := x.recipe(Barrier, d, 0.5, why)
	b.claim(x.node, x.path, Value, barrierStands)
	b.watching()
	return b.finish(Closed)
}

// openBarriers are the barriers that hints name by their whole path and that are not there: they stand
// open. Nothing can be said while the tree is still being read.
func (d *decoder) openBarriers() {
	for i := range d.hints.rules {
		r := &d.hints.rules[i]
		if r.Kind != Barrier || !r.fixed {
			continue
		}
		var was *Model
		if m := d.prev.ByPath(r.Path); m != nil && m.State == Opened && d.reuse {
			was = m
		}
		gone := !d.snap.loading() && d.snap.At(r.Path) == nil
		if _, inside := Relative(d.snap.Base, r.Path); !inside {
			gone = false
		}
		switch {
		case gone && was == nil:
			dialect := r.Dialect
			if dialect == "" {
				dialect = ZooKeeper
			}
			d.added = append(d.added, &Model{Path: r.Path, Kind: Barrier, Dialect: dialect, Confidence: 1, State: Opened,
				Why: []string{"a hint says so: " + Printable(r.Path)}})
		case !gone && was != nil:
			d.removed = append(d.removed, was)
		}
	}
}
