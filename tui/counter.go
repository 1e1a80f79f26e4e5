package tui

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// CounterRecipe shows counters.
func CounterRecipe() Recipe {
	return Recipe{Kind: layout.Counter, Plural: "counters", Count: countAll, Panel: Panel{
		Words: map[model.Role]string{model.Value: "is"}, Queue: "more", Brief: counterBrief,
	}}
}

func counterBrief(m *model.Model) brief {
	b := valueBrief(m)
	if v, ok := m.Numbers.Get("value"); ok {
		b.what = number(int(v))
	}
	return b
}
