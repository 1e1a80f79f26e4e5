package view

import (
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/paint"
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

// Sorting is the order of the recipes. An order by what changes is that of the moment when it was asked for: nothing moves
// under the eye until it is asked for again. What has come since stands at the end.
type Sorting struct {
	Order   Order
	Reverse bool
	Stale   bool // something has changed since

	frozen map[string]int // by path; nil: it has to be sorted anew
}

// Anew has the recipes sorted as they are now, when they are laid out next.
func (o *Sorting) Anew() { o.frozen, o.Stale = nil, false }

// moves reports whether an order follows what changes.
func (o *Sorting) moves() bool { return o.Order >= ByHolder }

// sign marks the column of the order.
func (o *Sorting) sign(t *paint.Theme) string {
	switch {
	case o.Stale && o.moves():
		return t.SortOld
	case o.Reverse:
		return t.SortUp
	}
	return t.SortDown
}

// sort puts models, which are in the tree's order, in order.
func (o *Sorting) sort(models []*model.Model, recipes []panel.Recipe) {
	switch {
	case !o.moves():
		if o.Order == ByKind {
			byKind(models, recipes)
		}
	case o.frozen != nil:
		o.again(models)
		return
	default:
		byRank(models, o.Order, recipes)
	}
	if o.Reverse {
		slices.Reverse(models)
	}
	if o.moves() {
		o.frozen = make(map[string]int, len(models))
		for i, m := range models {
			o.frozen[m.Path] = i
		}
	}
}

// again puts models in the order of before.
func (o *Sorting) again(models []*model.Model) {
	at := func(m *model.Model) int {
		if i, known := o.frozen[m.Path]; known {
			return i
		}
		return len(o.frozen)
	}
	slices.SortStableFunc(models, func(x, y *model.Model) int { return at(x) - at(y) })
}

func byKind(models []*model.Model, recipes []panel.Recipe) {
	place := make(map[layout.Kind]int, len(recipes))
	for i := range recipes {
		place[recipes[i].Kind] = i
	}
	slices.SortStableFunc(models, func(x, y *model.Model) int { return place[x.Kind] - place[y.Kind] })
}

// byRank sorts by what a column says, the most of it first, and keeps the tree's order among equals.
func byRank(models []*model.Model, o Order, recipes []panel.Recipe) {
	panels := make(map[layout.Kind]panel.Panel, len(recipes))
	for i := range recipes {
		panels[recipes[i].Kind] = recipes[i].Panel
	}
	type ranked struct {
		m    *model.Model
		by   int64
		text string
	}
	all := make([]ranked, len(models))
	for i, m := range models {
		all[i] = ranked{m, rankOf(m, o, panels[m.Kind]), ""}
		if o == ByHolder {
			all[i].text = panel.BriefOf(m, panels[m.Kind]).What
		}
	}
	slices.SortStableFunc(all, func(x, y ranked) int {
		switch {
		case x.by < y.by:
			return -1
		case x.by > y.by:
			return 1
		}
		return strings.Compare(x.text, y.text)
	})
	for i := range all {
		models[i] = all[i].m
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
