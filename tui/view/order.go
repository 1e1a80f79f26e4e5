package view

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/panel"
)

// Order is by which column the recipes are sorted.
type Order uint8

const (
	ByKind    Order = iota // the kinds in the order of the catalog, each in the tree's order
	ByPath                 // the tree's order
	ByHolder               // who holds, or the state
	ByHeld                 // who holds longest first
	ByWaiting              // the longest line first
	ByTrouble              // what has the gravest finding first
	Orders                 // how many there are
)

// OrderNames are what the orders are called.
var OrderNames = [Orders]string{"kind", "path", "holder", "held", "waiting", "trouble"}

// Sorting is the order of the recipes. One by what changes is frozen.
type Sorting struct {
	Order Order
	Frozen
}

// moves reports whether an order follows what changes.
func (o *Sorting) moves() bool { return o.Order >= ByHolder }

// sort puts models, which are in the tree's order, in order.
func (o *Sorting) sort(models []*model.Model, recipes []panel.Recipe) {
	if o.moves() {
		path := func(m *model.Model) string { return m.Path }
		arrange(&o.Frozen, models, path, ranks(o.Order, recipes))
		return
	}
	if o.Order == ByKind {
		byKind(models, recipes)
	}
	if o.Reverse {
		slices.Reverse(models)
	}
}

func byKind(models []*model.Model, recipes []panel.Recipe) {
	place := make(map[layout.Kind]int, len(recipes))
	for i := range recipes {
		place[recipes[i].Kind] = i
	}
	slices.SortStableFunc(models, func(x, y *model.Model) int { return place[x.Kind] - place[y.Kind] })
}

// ranks is what models are sorted by: what a column says, the most of it first.
func ranks(o Order, recipes []panel.Recipe) func(*model.Model) rank {
	panels := make(map[layout.Kind]panel.Panel, len(recipes))
	for i := range recipes {
		panels[recipes[i].Kind] = recipes[i].Panel
	}
	return func(m *model.Model) rank {
		r := rank{by: rankOf(m, o, panels[m.Kind])}
		if o == ByHolder {
			r.text = panel.BriefOf(m, panels[m.Kind]).What
		}
		return r
	}
}

// rankOf is smaller for what comes first.
func rankOf(m *model.Model, o Order, p panel.Panel) int64 {
	switch b := panel.BriefOf(m, p); o {
	case ByHeld:
		if b.Since.IsZero() {
			return 1 << 62
		}
		return b.Since.UnixMilli()
	case ByWaiting:
		return -int64(b.Waiting)
	case ByTrouble:
		if all := worst(m, nil); len(all) > 0 { // the gravest comes first
			return -int64(all[0].Severity)
		}
	}
	return 0
}
