package tui

import "github.com/zkscope/zkscope/inspect"

// CounterRecipe shows counters.
func CounterRecipe() Recipe {
	return Recipe{Kind: inspect.Counter, Plural: "counters", Count: countAll, Panel: Panel{
		Words: map[inspect.Role]string{inspect.Value: "is"}, Queue: "more", Brief: counterBrief,
	}}
}

func counterBrief(m *inspect.Model) brief {
	b := valueBrief(m)
	if v, ok := m.Numbers.Get("value"); ok {
		b.what = number(int(v))
	}
	return b
}
