package lines

import (
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Net::ZooKeeper::Lock keeps all its locks in one directory:
//
//	P/<name>-<seq>, data 0
//
// Each name is a lock by itself, in the order of its own claims alone. Its path is P/<name>, as if it had a
// directory; no znode is there.
//
// sharesParent reports whether everything that stands in line in the directory is of such locks. A hint at the
// directory says that it is one lock after all; a znode of a lock's name leaves no path for it.
func sharesParent(x *survey.Dir) bool {
	if len(x.Line.Queue) == 0 || x.Hint.KindOf() != "" {
		return false
	}
	for i := range x.Line.Queue {
		p := &x.Line.Queue[i]
		if p.Layout.ID != "PL-LOCK" || x.Node.Child(p.LockName()) != nil {
			return false
		}
	}
	return true
}

// buildSharing builds a lock for each name, in tree order; none where the directory is one lock.
func buildSharing(x *survey.Dir, why []survey.Evidence) (out []*model.Model) {
	if !sharesParent(x) {
		return nil
	}
	groups := make(map[string]*survey.Dir)
	var order []string
	for _, p := range x.Line.Queue {
		name := p.LockName()
		g := groups[name]
		if g == nil {
			g = sharing(x, name)
			groups[name] = g
			order = append(order, name)
		}
		g.Line.Queue = append(g.Line.Queue, p)
	}
	for _, name := range order {
		g := groups[name]
		g.Line.Arrange()
		v := lockIn(g, x.Path)
		m := v.build(why)
		m.State = model.Held
		out = append(out, m)
		x.Volatile, x.Due = x.Volatile || g.Volatile, survey.Sooner(x.Due, g.Due)
		x.Graded = append(x.Graded, g.Graded...)
	}
	model.SortModels(out)
	return out
}

// sharing prepares the lock of a name in the directory.
func sharing(x *survey.Dir, name string) *survey.Dir {
	g := *x
	g.Path = znode.Join(x.Path, name)
	g.Line, g.Foreign, g.Prev = &order.Line{Limit: 1}, nil, nil
	if len(x.Hints.Rules) > 0 {
		g.Hint = x.Hints.Of(g.Path)
	}
	if x.Decoder.Prev != nil {
		g.Prev = x.Decoder.Prev.ByPath(g.Path)
	}
	return &g
}
