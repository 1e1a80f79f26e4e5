package view

import (
	"sort"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/panel"
)

// Order is how the recipes of a kind are sorted.
type Order uint8

const (
	ByPath    Order = iota // the tree's order
	byAge                  // who holds longest first
	byBehind               // the longest line first
	byTrouble              // what has the gravest finding first
	Orders                 // how many there are
)

// OrderNames are what the orders are called.
var OrderNames = [Orders]string{"path", "age", "behind", "trouble"}

// sortModels puts the recipes of a kind in order. It sorts in place and keeps the tree's order among equals.
func sortModels(models []*model.Model, o Order, p panel.Panel, reverse bool) {
	switch o {
	case ByPath:
		if !reverse {
			return
		}
		for i, j := 0, len(models)-1; i < j; i, j = i+1, j-1 {
			models[i], models[j] = models[j], models[i]
		}
		return
	}
	rank := make(map[*model.Model]int64, len(models))
	for _, m := range models {
		rank[m] = rankOf(m, o, p)
	}
	sort.SliceStable(models, func(i, j int) bool {
		if reverse {
			return rank[models[i]] > rank[models[j]]
		}
		return rank[models[i]] < rank[models[j]]
	})
}

// rankOf is smaller for what comes first.
func rankOf(m *model.Model, o Order, p panel.Panel) int64 {
	switch o {
	case byAge:
		if b := panel.BriefOf(m, p); !b.Since.IsZero() {
			return b.Since.UnixMilli()
		}
		return 1 << 62
	case byBehind:
		return int64(panel.Holding(m) - len(m.Claims))
	case byTrouble:
		if all := worst(m, nil); len(all) > 0 { // the gravest comes first
			return -int64(all[0].Severity)
		}
	}
	return 0
}
